"""Collect reads a whole source: every page of an agenda or a market, each time from the start.

An index that does not say where it ends may show its last page, or its first, for every number beyond; a page
whose rows are those of the page before or of the first is such an echo, and the index is at its end.
"""

from dataclasses import asdict, dataclass, replace
from datetime import datetime, time, timedelta

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, RunKind, RunStatus
from larder.core.model.source import FetcherName, Plan, Tier
from larder.core.policy.scheduling.cadence import Cadence, daily_at
from larder.runs.fold import (
    NO_LAST_RUN,
    DetailPage,
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

EVERY = {Tier.HOT: timedelta(hours=6), Tier.STANDARD: timedelta(hours=12), Tier.COOL: timedelta(hours=24)}
AGENDA_AT = time(6)
"""An agenda is collected once a day, at this time of the venue."""
MAX_ITEMS = 100
"""Items of one run, unless the source says otherwise."""
MAX_PAGES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect:
    """Where a collect stands."""

    page: int = 1
    limit: int = MAX_ITEMS
    page_limit: int = MAX_PAGES
    details: bool = True
    pages: int = 0
    items: int = 0
    expected: bool = False
    """The page before said that this one exists."""
    first_shows: str = ""
    shows: str = ""
    """What the first page and the last one read had on them."""
    ended: str = ""
    """`end`, `limit` or `broken`."""


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
            page_limit=source.max_pages or MAX_PAGES,
            details=source.fetcher is not FetcherName.ACTOR and bool(source.params.get("details", True)),
        )
        return FoldStep(state=asdict(state), ask=(IndexPage(number=1),))

    def step(self, state: State, event: Event) -> FoldStep:
        here = Collect(**state)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or here.ended:
            return FoldStep(state=state, done=bool(here.ended))
        here = _read(here, event)
        ask: tuple[Request, ...] = _details(here, event)
        if here.ended:
            return FoldStep(state=asdict(here), ask=ask, done=True)
        here = replace(here, page=here.page + 1)
        return FoldStep(state=asdict(here), ask=(*ask, IndexPage(number=here.page)))

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        here = Collect(**state)
        if here.ended == "broken":
            status = RunStatus.PARTIAL if here.pages else RunStatus.FAILED
            error = f"page {here.page} could not be read"
            return RunEnd(status=status, memory={}, error_code="index_unreadable", error=error)
        return RunEnd(status=RunStatus.PARTIAL if failed else RunStatus.COMPLETED, memory={})


COLLECT = _CollectFold()


def _read(here: Collect, seen: PageSeen) -> Collect:
    rows = len(seen.new) + len(seen.known)
    if not seen.read or (not rows and here.expected):
        beyond = here.pages > 0 and not here.expected
        return replace(here, ended="end" if seen.missing and beyond else "broken")
    if seen.shows and seen.shows in (here.shows, here.first_shows):
        return replace(here, ended="end")
    here = replace(
        here,
        pages=here.pages + 1,
        items=here.items + rows,
        expected=seen.last is False,
        first_shows=here.first_shows or seen.shows,
        shows=seen.shows,
    )
    if seen.last or not rows:
        return replace(here, ended="end")
    full = here.items >= here.limit or here.pages >= here.page_limit
    return replace(here, ended="limit" if full else "")


def _details(here: Collect, seen: PageSeen) -> tuple[Request, ...]:
    if not here.details:
        return ()
    return tuple(DetailPage(url=new.url, identity_key=new.identity_key) for new in seen.new if new.url)
