"""Sweep re-reads known rows: fifty pages of the index, from a little before where the last sweep stopped.

New rows push old ones down, so each sweep overlaps the one before. What it saw and nobody read lately gets
its own page read, the most stale first. A pass from the first page to the last ends in a coverage
certificate: what it proves about the rows it did *not* see.

`index_walk` finds the next page and the end. What cannot be read keeps its place: the next sweep tries again
from there, and after two vain tries from the first page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, PagesSelected, RunKind, RunStatus
from larder.core.model.source import Plan
from larder.core.policy.run_limits import limit_of
from larder.core.policy.scheduling.cadence import Cadence
from larder.core.policy.scheduling.spending import Changes
from larder.core.policy.trust.loss import NEXT_PAGE_UNKNOWN
from larder.runs import adaptive, index_walk
from larder.runs.coverage_pass import CoveragePass
from larder.runs.fold import (
    NO_LAST_RUN,
    Event,
    Fold,
    FoldStep,
    IndexPage,
    LastRun,
    RunEnd,
    RunStart,
    Selection,
    SelectPages,
    State,
)
from larder.runs.index_walk import Walk

EVERY = timedelta(hours=3)
PAGES = 50
OVERLAP = 5
DETAILS = 100
REFRESH_HOURS = 24
WINDOW = 50
TRIES = 2
"""Sweeps that may begin at a page in vain before one begins at the first page again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """The state of a sweep."""

    sweep_start_page: int
    page: int
    last_page: int = 0
    """The last page that was read: the checkpoint."""
    overlap_until: int = 0
    pages_left: int = PAGES
    details_left: int = DETAILS
    refresh_hours: float = REFRESH_HOURS
    details: int = 0
    walk: Walk = field(default_factory=Walk)
    vain: int = 0
    """Sweeps in a row that read nothing from this checkpoint."""
    passing: CoveragePass
    history: Mapping[str, int] = field(default_factory=dict)
    """What earlier passes taught about rows that a pass does not show."""
    second_looks: Sequence[tuple[int, str | None]] = ()
    """Pages to be read once more before the others: the sweep before missed records on them."""
    missed_on: Sequence[tuple[int, str | None]] = ()
    """Pages on which this sweep missed records."""
    began_at: str = ""
    found: Changes = field(default_factory=Changes)
    learned: Mapping[str, Any] | None = None
    """What earlier sweeps of an adaptive source learned; None: the plan is another."""
    ended: str = ""
    """`chunk` (the next sweep goes on), `end` (of the index), `shrunk` (it ends earlier now) or `broken`."""


class _SweepFold(Fold):
    kind = RunKind.SWEEP
    plans = frozenset({Plan.INDEX, Plan.ADAPTIVE})
    rank = 4
    every = EVERY
    reads_index = extracts = True

    def next_at(self, cadence: Cadence, now: datetime, last: LastRun = NO_LAST_RUN) -> datetime:
        return now + (adaptive.sweep_every(cadence, last) or cadence.interval(self.kind, self.every))

    def start(self, start: RunStart) -> FoldStep:
        memory, size = start.memory, adaptive.sweep_size(start)
        overlap = 0 if size else start.limit("sweep_overlap")
        pages, details = size or (start.limit("sweep_pages"), start.limit("sweep_details"))
        before = memory.get("last_page") or 0
        walk = replace(
            index_walk.load(memory.get("walk")), numbered=start.numbered, known_pages=memory.get("pages") or 0
        )
        first = index_walk.begin(walk, before + 1 if size and before else before - overlap)
        before = before if first.number > 1 or walk.numbered or before <= overlap + 1 else 0
        passing = (
            CoveragePass(**memory["pass"])
            if before and memory.get("pass")
            else CoveragePass(began_at=start.now.isoformat())
        )
        state = Sweep(
            sweep_start_page=first.number,
            page=first.number,
            overlap_until=before,
            pages_left=pages,
            details_left=details,
            refresh_hours=limit_of("detail_refresh_hours", start.source.params, start.limits),
            walk=index_walk.resumed(walk, first.number),
            vain=memory.get("vain") or 0,
            passing=passing,
            history=memory.get("history") or {},
            second_looks=adaptive.second_looks(start),
            began_at=start.now.isoformat(),
            learned=_kept(memory) if start.source.plan is Plan.ADAPTIVE else None,
        )
        return FoldStep(state=asdict(state), ask=(_second_look(state) or first,))

    def step(self, state: State, event: Event) -> FoldStep:
        here = _load(state)
        if isinstance(event, PagesSelected):
            return _selected(here, event)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or here.ended:
            return FoldStep(state=state, done=_done(here))
        if here.second_looks:
            return _looked_again(here, event)
        here = _noted(_read(here, event), event)
        incomplete = index_walk.details(replace(event, new=()))
        walk, after = (here.walk, None) if here.ended else index_walk.following(here.walk, event, here.page)
        if after is None or here.pages_left <= 0:
            here = replace(here, walk=walk, ended=here.ended or ("end" if after is None else "chunk"))
            step = _ask_details(here)
            return replace(step, ask=(*incomplete, *step.ask))
        walk, pause = index_walk.paused(walk, here.page)
        here = replace(here, page=after.number, walk=walk)
        return FoldStep(state=asdict(here), ask=(*incomplete, after), pause=pause)

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:
        here = _load(state)
        memory = {**_memory(here), **_learned(here, now)}
        if here.ended == "broken":
            return index_walk.unreadable(here.page, memory, some=here.last_page > 0)
        error = index_walk.rows_out_of_reach(here.walk, here.page) if here.ended == "end" else ""
        complete = here.ended == "end" and not error
        return RunEnd(
            status=RunStatus.PARTIAL if failed or error else RunStatus.COMPLETED,
            memory=memory,
            certificate=_certificate(here, now) if complete else None,
            advertised=here.passing.advertised if complete else None,
            rows=here.passing.rows - here.passing.overlap_rows,
            error_code=NEXT_PAGE_UNKNOWN if error else None,
            error=error or None,
        )


SWEEP = _SweepFold()


def _load(state: State) -> Sweep:
    known = index_walk.known_fields(Sweep, state)
    walk, found = index_walk.load(state.get("walk")), Changes(**state.get("found") or {})
    return Sweep(**{**known, "passing": CoveragePass(**state["passing"]), "walk": walk, "found": found})


def _kept(memory: State) -> Mapping[str, Any]:
    return {name: memory[name] for name in ("changes", "ended_at", "pages") if name in memory}


def _learned(here: Sweep, now: datetime) -> Mapping[str, Any]:
    """What a sweep of an adaptive source leaves to the next one."""
    if here.learned is None:
        return {}
    began = datetime.fromisoformat(here.began_at)
    pages = [*here.second_looks, *here.missed_on][: adaptive.MAX_SECOND_LOOKS]
    return {"second_looks": pages, **adaptive.changes_after(here.learned, here.found, began=began, now=now)}


def _noted(here: Sweep, seen: PageSeen) -> Sweep:
    """Note on which pages records were missed, and what the page teaches."""
    if here.learned is None or not seen.read or seen.number is None:
        return here
    found = adaptive.added(here.found, adaptive.found_on(seen))
    url = here.second_looks[0][1] if here.second_looks else here.walk.address(seen.number)
    known = url is not None or here.walk.numbered or seen.number == 1
    missed = [(seen.number, url)] if seen.findings.missed and known else []
    return replace(here, missed_on=[*here.missed_on, *missed], found=found)


def _second_look(here: Sweep) -> IndexPage | None:
    if not here.second_looks:
        return None
    number, url = here.second_looks[0]
    return IndexPage(number=number, url=url, row_shapes=here.walk.row_shapes)


def _looked_again(here: Sweep, seen: PageSeen) -> FoldStep:
    """After a second look the next one, then the sweep's own first page."""
    here = _noted(here, seen)
    found = replace(here.found, second_looks=here.found.second_looks + 1, pages=max(0, here.found.pages - 1))
    here = replace(here, second_looks=here.second_looks[1:], found=found)
    return FoldStep(state=asdict(here), ask=(_second_look(here) or index_walk.begin(here.walk, here.page),))


def _done(here: Sweep) -> bool:
    return bool(here.ended) and here.details_left <= 0


def _read(here: Sweep, seen: PageSeen) -> Sweep:
    if index_walk.names_pages(seen):
        walk, passing = index_walk.observe(here.walk, seen), _walked(here, seen, 0)
        return replace(here, last_page=here.page, pages_left=here.pages_left - 1, walk=walk, passing=passing)
    if not seen.read or not seen.rows:
        return replace(here, ended=_without_rows(here, seen))
    if index_walk.repeats(here.walk, seen):
        return replace(here, ended="end")
    here = replace(
        here,
        last_page=here.page,
        pages_left=here.pages_left - 1,
        walk=index_walk.observe(here.walk, seen),
        vain=0,
        passing=_walked(here, seen, seen.rows),
    )
    over = seen.last and seen.next_page is None and not here.walk.pending
    return replace(here, ended="end" if over else "")


def _without_rows(here: Sweep, seen: PageSeen) -> str:
    """`end` and `broken` as in any walk; `shrunk` where the page to go on from is no longer there."""
    if here.walk.pending or here.last_page or not (seen.missing or seen.read):
        return index_walk.without_rows(here.walk, seen, here.page - 1 if here.last_page else 0)
    return "shrunk" if here.page > 1 else "broken"


def _walked(here: Sweep, seen: PageSeen, rows: int) -> CoveragePass:
    passing, again = here.passing, here.page <= here.overlap_until
    return replace(
        passing,
        pages=passing.pages + 1,
        rows=passing.rows + rows,
        new=passing.new + len(seen.new),
        overlap_rows=passing.overlap_rows + (rows if again else 0),
        overlap_known=passing.overlap_known + (len(seen.known) if again else 0),
        advertised=passing.advertised
        if again and here.walk.listed
        else index_walk.advertised_in_all(here.walk, passing.advertised, seen),
    )


def _ask_details(here: Sweep) -> FoldStep:
    """The rows it saw are known now; which of them want their own page read, the store can tell."""
    if here.ended == "broken" or here.details_left <= 0:
        here = replace(here, details_left=0)
        return FoldStep(state=asdict(here), done=True)
    limit = min(WINDOW, here.details_left)
    return FoldStep(state=asdict(here), ask=(_stalest(here, limit),))


def _stalest(here: Sweep, limit: int) -> SelectPages:
    older_than = timedelta(hours=here.refresh_hours)
    return SelectPages(what=Selection.STALEST, limit=limit, older_than=older_than)


def _selected(here: Sweep, answer: PagesSelected) -> FoldStep:
    limit = min(WINDOW, here.details_left)
    left = here.details_left - answer.pages if answer.pages >= limit else 0
    here = replace(here, details_left=left, details=here.details + answer.pages)
    if left <= 0:
        return FoldStep(state=asdict(here), done=True)
    return FoldStep(state=asdict(here), ask=(_stalest(here, min(WINDOW, left)),))


def _memory(here: Sweep) -> Mapping[str, Any]:
    """After the last page the next sweep starts at page 1; else it goes on where this one stopped."""
    vain = 0 if here.last_page else here.vain + 1
    checkpoint = here.last_page or (here.overlap_until if vain < TRIES else 0)
    known = {"pages": here.last_page if here.ended == "end" else here.walk.known_pages}
    if here.ended in ("end", "shrunk") or not checkpoint:
        return {"history": dict(here.history), **known}
    return {
        "history": dict(here.history),
        **known,
        "walk": asdict(here.walk),
        "sweep_start_page": here.sweep_start_page,
        "last_page": checkpoint,
        "vain": vain,
        "pass": asdict(here.passing),
    }


def _certificate(here: Sweep, now: datetime) -> Mapping[str, Any]:
    return {**asdict(here.passing), "ended_at": now.isoformat(), "last_page": here.last_page}
