"""Collect reads a whole source: every page of an agenda or a market, each time from the start."""

from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, time, timedelta

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, RunKind, RunStatus
from larder.core.model.source import FetcherName, Plan, Tier
from larder.core.policy.scheduling.cadence import Cadence, daily_at
from larder.runs import index_walk
from larder.runs.fold import (
    NO_LAST_RUN,
    Event,
    Fold,
    FoldStep,
    IndexPage,
    LastRun,
    Request,
    RunEnd,
    RunStart,
    State,
)
from larder.runs.index_walk import Walk, details

EVERY = {Tier.HOT: timedelta(hours=6), Tier.STANDARD: timedelta(hours=12), Tier.COOL: timedelta(hours=24)}
AGENDA_AT = time(6)
"""An agenda is collected once a day, at this time of the venue."""
MAX_ITEMS = 100
"""Items of one run, unless the source says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect:
    """The state of a collect."""

    page: int = 1
    limit: int = MAX_ITEMS
    page_limit: int | None = None
    details: bool = True
    pages: int = 0
    items: int = 0
    walk: Walk = field(default_factory=Walk)
    ended: str = ""
    """`end`, `broken`, or the limit that was reached: `max_items_per_run`, `max_pages`."""


class _CollectFold(Fold):
    kind = RunKind.COLLECT
    plans = frozenset({Plan.MARKET, Plan.AGENDA})
    rank = 3
    every = EVERY[Tier.STANDARD]
    adjustable = False
    reads_index = extracts = starts_at_once = True

    def next_at(self, cadence: Cadence, now: datetime, last: LastRun = NO_LAST_RUN) -> datetime:  # noqa: ARG002
        if cadence.cadence_hours is not None:
            return now + timedelta(hours=cadence.cadence_hours)
        if cadence.plan is Plan.AGENDA:
            return daily_at(AGENDA_AT, cadence.tz, now)
        return now + EVERY[cadence.tier]

    def start(self, start: RunStart) -> FoldStep:
        source = start.source
        state = Collect(
            limit=source.max_items_per_run or MAX_ITEMS,
            page_limit=source.max_pages,
            details=source.fetcher is not FetcherName.ACTOR and bool(source.params.get("details", True)),
            walk=Walk(numbered=start.numbered, known_pages=start.memory.get("pages") or 0),
        )
        return FoldStep(state=asdict(state), ask=(IndexPage(number=1),))

    def step(self, state: State, event: Event) -> FoldStep:
        here = _load(state)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or here.ended:
            return FoldStep(state=state, done=bool(here.ended))
        room = max(0, here.limit - here.items)
        here = _read(here, event)
        wanted = details(event) if here.details else ()
        ask: tuple[Request, ...] = wanted[:room]
        unasked = wanted[len(ask) :]
        walk, after = (here.walk, None) if here.ended else index_walk.following(here.walk, event, here.page)
        if after is None:
            here = replace(here, ended=here.ended or "end", walk=walk)
            return FoldStep(state=asdict(here), ask=ask, unasked=unasked, done=True)
        walk, pause = index_walk.paused(walk, here.pages)
        here = replace(here, page=after.number, walk=walk)
        return FoldStep(state=asdict(here), ask=(*ask, after), unasked=unasked, pause=pause)

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        here = _load(state)
        memory = {"pages": here.pages} if here.ended == "end" else {}
        if here.ended == "broken":
            status = RunStatus.PARTIAL if here.pages else RunStatus.FAILED
            error = f"index page {here.page} could not be read"
            return RunEnd(status=status, memory=memory, error_code="index_unreadable", error=error)
        error = index_walk.rows_out_of_reach(here.walk, here.page) if here.ended == "end" else ""
        return RunEnd(
            status=RunStatus.PARTIAL if failed or error else RunStatus.COMPLETED,
            memory=memory,
            limit=here.ended if here.ended not in ("", "end") else None,
            advertised=here.walk.advertised,
            rows=here.walk.rows,
            error_code="next_page_unknown" if error else None,
            error=error or None,
        )


COLLECT = _CollectFold()


def _load(state: State) -> Collect:
    known = index_walk.known_fields(Collect, state)
    return Collect(**{**known, "walk": index_walk.load(state.get("walk"))})


def _read(here: Collect, seen: PageSeen) -> Collect:
    if index_walk.names_pages(seen):
        return replace(here, pages=here.pages + 1, walk=index_walk.observe(here.walk, seen))
    if index_walk.goes_on(seen, here.pages):
        over = here.page_limit and here.pages + 1 >= here.page_limit
        return replace(here, pages=here.pages + 1, ended="max_pages" if over else "")
    if not seen.read or not seen.rows:
        return replace(here, ended=index_walk.without_rows(here.walk, seen, here.pages))
    if index_walk.repeats(here.walk, seen):
        return replace(here, ended="end")
    here = replace(
        here, pages=here.pages + 1, items=here.items + seen.rows, walk=index_walk.observe(here.walk, seen)
    )
    if seen.last and seen.next_page is None and not here.walk.pending:
        return replace(here, ended="end")
    if here.items >= here.limit:
        return replace(here, ended="max_items_per_run")
    return replace(here, ended="max_pages" if here.page_limit and here.pages >= here.page_limit else "")
