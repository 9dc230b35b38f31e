"""Sweep re-reads known rows: fifty pages of the index, from a little before where the last sweep stopped.

New rows push old ones down, so each sweep overlaps the one before. What it saw and nobody read lately gets
its own page read, the most stale first. A pass from the first page to the last ends in a coverage
certificate: what it proves about the rows it did *not* see.

`index_walk` finds the next page and the end. What cannot be read keeps its place: the next sweep tries again
from there, and after some hours from the first page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, PagesSelected, RunKind, RunStatus
from larder.core.model.source import Plan
from larder.core.policy.run_limits import limit_of
from larder.core.policy.scheduling.cadence import Cadence
from larder.core.policy.scheduling.learned import Changes
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
from larder.runs.fold_state import as_state
from larder.runs.index_walk import Walk

EVERY = timedelta(hours=3)
PAGES, OVERLAP = 50, 5
DETAILS = 100
REFRESH_HOURS = 24
WINDOW = 50
KEPT_FOR = timedelta(hours=2.5)
"""How long sweeps may fail at a page, however many, before one begins at the first page."""


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
    vain_since: str = ""
    """When the first sweep began that read nothing from this checkpoint."""
    passing: CoveragePass
    history: Mapping[str, int] = field(default_factory=dict)
    """Earlier passes: the rows that they did not show, and what became of them."""
    second_looks: Sequence[adaptive.SecondLook] = ()
    """Pages to read once more before the others: earlier sweeps missed records on them."""
    waiting: Sequence[adaptive.SecondLook] = ()
    """Second looks that wait for the next discovery, and pages on which this sweep missed records."""
    began_at: str = ""
    found: Changes | None = None
    learned: Mapping[str, Any] | None = None
    """What earlier sweeps of an adaptive source learned; None for other plans."""
    ended: str = ""
    """`chunk` (the next sweep continues), `end` (of the index), `shrunk` (it is shorter now) or `broken`."""


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
        again, later = adaptive.second_looks(start)
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
            vain_since=memory.get("vain_since") or "",
            passing=passing,
            history=memory.get("history") or {},
            second_looks=again,
            waiting=later,
            began_at=start.now.isoformat(),
            learned=adaptive.learned_by_sweeps(start) if start.source.plan is Plan.ADAPTIVE else None,
        )
        return FoldStep(state=as_state(state), ask=(_second_look(state) or first,))

    def step(self, state: State, event: Event) -> FoldStep:
        sweep = _load(state)
        if isinstance(event, PagesSelected):
            return _selected(sweep, event)
        if sweep.learned is not None and isinstance(event, PageSeen) and event.purpose is Purpose.DETAIL:
            return _detail_read(sweep, event)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or sweep.ended:
            return FoldStep(state=state, done=_done(sweep))
        if sweep.second_looks:
            return _looked_again(sweep, event)
        sweep = _noted(_read(sweep, event), event)
        incomplete = index_walk.detail_pages(replace(event, new=()))
        walk, after = sweep.walk, None
        if not sweep.ended:
            walk, after = index_walk.following(walk, event, sweep.page)
        if after is None or sweep.pages_left <= 0:
            sweep = replace(sweep, walk=walk, ended=sweep.ended or ("end" if after is None else "chunk"))
            step = _ask_details(sweep)
            return replace(step, ask=(*incomplete, *step.ask))
        walk, pause = index_walk.pause_over_budget(walk, sweep.page)
        sweep = replace(sweep, page=after.number, walk=walk)
        return FoldStep(state=as_state(sweep), ask=(*incomplete, after), pause=pause)

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:
        sweep = _load(state)
        memory = {**_memory(sweep, now), **_learned(sweep, now)}
        if sweep.ended == "broken":
            return index_walk.unreadable_end(sweep.page, memory, some=sweep.last_page > 0)
        error = index_walk.rows_out_of_reach(sweep.walk, sweep.page) if sweep.ended == "end" else ""
        complete = sweep.ended == "end" and not error
        return RunEnd(
            status=RunStatus.PARTIAL if failed or error else RunStatus.COMPLETED,
            memory=memory,
            certificate=_certificate(sweep, now) if complete else None,
            advertised=sweep.passing.advertised if complete else None,
            rows=sweep.passing.rows - sweep.passing.overlap_rows,
            error_code=NEXT_PAGE_UNKNOWN if error else None,
            error=error or None,
        )


SWEEP = _SweepFold()


def _load(state: State) -> Sweep:
    walk, found = index_walk.load(state.get("walk")), state.get("found")
    passing, changes = CoveragePass(**state["passing"]), Changes(**found) if found else None
    known = {**index_walk.known_fields(Sweep, state), **adaptive.load_looks(state)}
    return Sweep(**{**known, "passing": passing, "walk": walk, "found": changes})


def _learned(sweep: Sweep, now: datetime) -> Mapping[str, Any]:
    """The memory that a sweep of an adaptive source leaves to the next one."""
    if sweep.learned is None:
        return {}
    changes = adaptive.changes_after(sweep.learned, sweep.found, began_at=sweep.began_at, now=now)
    looks = [tuple(look) for look in (*sweep.second_looks, *sweep.waiting)][: adaptive.MAX_SECOND_LOOKS]
    whole = adaptive.whole_pass(sweep.learned, sweep.passing.began_at if sweep.ended == "end" else None)
    return {"second_looks": looks, "looks": adaptive.looks_needed(sweep.learned), **changes, **whole}


def _noted(sweep: Sweep, seen: PageSeen) -> Sweep:
    """The sweep with what the page showed of changes, and of missed records that need another look."""
    if sweep.learned is None or not seen.read or seen.number is None:
        return sweep
    sweep = replace(sweep, found=adaptive.found_with(sweep.found, seen))
    url = sweep.second_looks[0].url if sweep.second_looks else sweep.walk.address(seen.number)
    known = url is not None or sweep.walk.numbered or seen.number == 1
    missed = seen.findings.pending + (0 if sweep.second_looks else seen.findings.missed)
    if not missed or not known:
        return sweep
    look = adaptive.SecondLook(seen.number, url, int(seen.at.timestamp()), missed)
    return replace(sweep, waiting=[*sweep.waiting, look])


def _second_look(sweep: Sweep) -> IndexPage | None:
    look = next(iter(sweep.second_looks), None)
    return look and IndexPage(number=look.number, url=look.url, row_shapes=sweep.walk.row_shapes)


def _looked_again(sweep: Sweep, seen: PageSeen) -> FoldStep:
    """After a second look, continue with the next one, then with the sweep's own first page."""
    sweep = _noted(sweep, seen)
    looks = adaptive.looks_left(sweep.second_looks, seen, numbered=sweep.walk.numbered)
    sweep = replace(sweep, second_looks=looks, found=adaptive.looked_again(sweep.found))
    first = _second_look(sweep) or index_walk.begin(sweep.walk, sweep.page)
    return FoldStep(state=as_state(sweep), ask=(first,))


def _done(sweep: Sweep) -> bool:
    return bool(sweep.ended) and sweep.details_left <= 0


def _read(sweep: Sweep, seen: PageSeen) -> Sweep:
    if index_walk.names_pages(seen):
        return _counted(sweep, seen, rows=0)
    if index_walk.is_gap(sweep.walk, seen):
        gaps, sweep = sweep.walk.gaps + 1, _counted(sweep, seen, rows=0)
        return replace(sweep, walk=replace(sweep.walk, gaps=gaps))
    if not seen.read or not seen.rows:
        return replace(sweep, ended=_without_rows(sweep, seen))
    if index_walk.repeats(sweep.walk, seen):
        return replace(sweep, ended="end")
    sweep = replace(_counted(sweep, seen, rows=seen.rows), vain_since="")
    over = seen.last and seen.next_page is None and not sweep.walk.pending
    return replace(sweep, ended="end" if over else "")


def _counted(sweep: Sweep, seen: PageSeen, *, rows: int) -> Sweep:
    walk, passing = index_walk.observe(sweep.walk, seen), _walked(sweep, seen, rows)
    left = sweep.pages_left - 1
    return replace(sweep, last_page=sweep.page, pages_left=left, walk=walk, passing=passing)


def _without_rows(sweep: Sweep, seen: PageSeen) -> str:
    """`end` and `broken` as in any walk; `shrunk` if the page to continue from no longer exists."""
    if sweep.walk.pending or sweep.last_page or not (seen.missing or seen.read):
        return index_walk.without_rows(sweep.walk, seen, sweep.page - 1 if sweep.last_page else 0)
    return "shrunk" if sweep.page > 1 else "broken"


def _walked(sweep: Sweep, seen: PageSeen, rows: int) -> CoveragePass:
    in_all, again = sweep.passing.advertised, sweep.page <= sweep.overlap_until
    if not (again and sweep.walk.listed):
        in_all = index_walk.advertised_in_all(sweep.walk, in_all, seen)
    return sweep.passing.with_page(seen, rows=rows, again=again, advertised=in_all)


def _ask_details(sweep: Sweep) -> FoldStep:
    """Select, of the rows that it saw, those whose own page is due."""
    if sweep.ended == "broken" or sweep.details_left <= 0:
        return FoldStep(state=as_state(replace(sweep, details_left=0)), done=True)
    return FoldStep(state=as_state(sweep), ask=(_stalest(sweep, min(WINDOW, sweep.details_left)),))


def _stalest(sweep: Sweep, limit: int) -> SelectPages:
    older_than = timedelta(hours=sweep.refresh_hours)
    return SelectPages(what=Selection.STALEST, limit=limit, older_than=older_than)


def _selected(sweep: Sweep, answer: PagesSelected) -> FoldStep:
    limit = min(WINDOW, sweep.details_left)
    left = sweep.details_left - answer.pages if answer.pages >= limit else 0
    found = adaptive.details_asked(sweep.found, answer) if sweep.learned is not None else None
    sweep = replace(sweep, details_left=left, details=sweep.details + answer.pages, found=found)
    if left <= 0:
        return FoldStep(state=as_state(sweep), done=True)
    return FoldStep(state=as_state(sweep), ask=(_stalest(sweep, min(WINDOW, left)),))


def _detail_read(sweep: Sweep, seen: PageSeen) -> FoldStep:
    """Count a detail page whose price had changed: index rows do not show that."""
    found = adaptive.detail_read(sweep.found) if seen.price_changed else sweep.found
    return FoldStep(state=as_state(replace(sweep, found=found)), done=_done(sweep))


def _memory(sweep: Sweep, now: datetime) -> Mapping[str, Any]:
    """The memory: after the last page the next sweep starts at page 1, else where this one stopped."""
    since = "" if sweep.last_page else sweep.vain_since or sweep.began_at
    kept = not since or now - datetime.fromisoformat(since) < KEPT_FOR
    checkpoint = sweep.last_page or (sweep.overlap_until if kept else 0)
    known = {"pages": sweep.last_page if sweep.ended == "end" else sweep.walk.known_pages}
    memory = {"history": dict(sweep.history), **known}
    if sweep.ended in ("end", "shrunk") or not checkpoint:
        return memory
    return memory | {
        "walk": as_state(sweep.walk),
        "sweep_start_page": sweep.sweep_start_page,
        "last_page": checkpoint,
        "vain_since": since,
        "pass": as_state(sweep.passing),
    }


def _certificate(sweep: Sweep, now: datetime) -> Mapping[str, Any]:
    return {**as_state(sweep.passing), "ended_at": now.isoformat(), "last_page": sweep.last_page}
