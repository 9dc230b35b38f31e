"""Collect reads a whole source: every page of an agenda or a market, each time from the start."""

from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, RunKind
from larder.core.model.source import FetcherName, Plan, Tier
from larder.core.policy.scheduling.cadence import Cadence, daily_at
from larder.runs import index_fold, index_walk
from larder.runs.fold import (
    NO_LAST_RUN,
    Event,
    Fold,
    FoldStep,
    IndexPage,
    LastRun,
    RunEnd,
    RunStart,
    State,
)
from larder.runs.fold_state import as_state
from larder.runs.index_fold import IndexRun
from larder.runs.index_walk import Walk

EVERY = {Tier.HOT: timedelta(hours=6), Tier.STANDARD: timedelta(hours=12), Tier.COOL: timedelta(hours=24)}
AGENDA_AT = time(6)
"""An agenda is collected once a day, at this time of the venue."""
MAX_ITEMS = 100
"""Items of one run, unless the source says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect(IndexRun):
    """The state of a collect."""

    limit: int | None = MAX_ITEMS


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
        return FoldStep(state=as_state(state), ask=(IndexPage(number=1),))

    def step(self, state: State, event: Event) -> FoldStep:
        collect = _load(state)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or collect.ended:
            return FoldStep(state=state, done=bool(collect.ended))
        return index_fold.advance(collect, _read(collect, event), event)

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        collect = _load(state)
        memory = {"pages": collect.pages} if collect.ended == "end" else {}
        return index_fold.ending(collect, memory, failed=failed, complete=True)


COLLECT = _CollectFold()


def _load(state: State) -> Collect:
    known = index_walk.known_fields(Collect, {"taken": state.get("items", 0), **state})
    return Collect(**{**known, "walk": index_walk.load(state.get("walk"))})


def _read(collect: Collect, seen: PageSeen) -> Collect:
    if (passed := index_fold.pass_by(collect, seen)) is not None:
        return passed
    if not seen.read or not seen.rows:
        return replace(collect, ended=index_walk.without_rows(collect.walk, seen, collect.pages))
    if index_walk.repeats(collect.walk, seen):
        return replace(collect, ended="end")
    collect = replace(
        collect,
        pages=collect.pages + 1,
        taken=collect.taken + seen.rows,
        walk=index_walk.observe(collect.walk, seen),
    )
    if seen.last and seen.next_page is None and not collect.walk.pending:
        return replace(collect, ended="end")
    return replace(collect, ended=index_fold.limit_reached(collect))
