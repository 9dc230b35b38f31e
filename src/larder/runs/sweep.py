"""Sweep keeps what is known true: fifty pages of the index, a little before where the last one stopped.

New rows push old ones down, so each sweep overlaps the one before. What it saw and nobody read lately gets
its own page read, the most stale first. A pass from the first page to the last ends in a coverage
certificate: what it proves about the rows it did *not* see.

Only the site's own word ends an index: the page that says it is the last, the missing page behind one that
promised nothing, or a page that merely echoes the one before. What cannot be read keeps its place: the next
sweep tries again from there, and after two vain tries from the first page.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, PagesSelected, RunKind, RunStatus
from larder.core.model.source import Plan
from larder.runs.fold import Event, Fold, FoldStep, IndexPage, RunEnd, RunStart, Selection, SelectPages, State

EVERY = timedelta(hours=3)
PAGES = 50
OVERLAP = 5
DETAILS = 100
WINDOW = 50
TRIES = 2
"""Sweeps that may begin at a page in vain before one begins at the first page again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One walk through the whole index, in as many sweeps as it takes."""

    began_at: str
    pages: int = 0
    """Walked, overlaps included."""
    rows: int = 0
    """Shown on them."""
    new: int = 0
    overlap_rows: int = 0
    """Shown on pages that the sweep before had walked too."""
    overlap_known: int = 0
    """Of those, already known: what the overlap is there to show."""
    advertised: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Where a sweep stands."""

    sweep_start_page: int
    page: int
    last_page: int = 0
    """The last page that was read: the checkpoint."""
    overlap_until: int = 0
    pages_left: int = PAGES
    details_left: int = DETAILS
    details: int = 0
    expected: bool = False
    """The page before said that this one exists."""
    shows: str = ""
    """What the page before had on it."""
    vain: int = 0
    """Sweeps in a row that read nothing from this checkpoint."""
    passing: Pass
    history: Mapping[str, int] = field(default_factory=dict)
    """What earlier passes taught about rows that a pass does not show."""
    ended: str = ""
    """`chunk` (the next sweep goes on), `end` (of the index), `shrunk` (it ends earlier now) or `broken`."""


class _SweepFold(Fold):
    kind = RunKind.SWEEP
    plans = frozenset({Plan.INDEX, Plan.ADAPTIVE})
    rank = 4
    every = EVERY
    reads_index = extracts = True

    def start(self, start: RunStart) -> FoldStep:
        memory, params = start.memory, start.source.params
        before = memory.get("last_page") or 0
        page = max(1, before - OVERLAP)
        passing = (
            Pass(**memory["pass"]) if before and memory.get("pass") else Pass(began_at=start.now.isoformat())
        )
        state = Sweep(
            sweep_start_page=page,
            page=page,
            overlap_until=before,
            pages_left=int(params.get("sweep_pages", PAGES)),
            details_left=int(params.get("sweep_details", DETAILS)),
            vain=memory.get("vain") or 0,
            passing=passing,
            history=memory.get("history") or {},
        )
        return FoldStep(state=asdict(state), ask=(IndexPage(number=page),))

    def step(self, state: State, event: Event) -> FoldStep:
        here = _load(state)
        if isinstance(event, PagesSelected):
            return _selected(here, event)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or here.ended:
            return FoldStep(state=state, done=_done(here))
        here = _read(here, event)
        if not here.ended:
            here = replace(here, page=here.page + 1)
            return FoldStep(state=asdict(here), ask=(IndexPage(number=here.page),))
        return _ask_details(here)

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:
        here = _load(state)
        if here.ended == "broken":
            status = RunStatus.PARTIAL if here.last_page else RunStatus.FAILED
            error = f"index page {here.page} could not be read"
            return RunEnd(status=status, memory=_memory(here), error_code="index_unreadable", error=error)
        status = RunStatus.PARTIAL if failed else RunStatus.COMPLETED
        certificate = _certificate(here, now) if here.ended == "end" else None
        return RunEnd(status=status, memory=_memory(here), certificate=certificate)


SWEEP = _SweepFold()


def _load(state: State) -> Sweep:
    return Sweep(**{**state, "passing": Pass(**state["passing"])})


def _done(here: Sweep) -> bool:
    return bool(here.ended) and here.details_left <= 0


def _read(here: Sweep, seen: PageSeen) -> Sweep:
    rows = len(seen.new) + len(seen.known)
    if not seen.read or not rows:
        return replace(here, ended=_without_rows(here, seen))
    if seen.shows and seen.shows == here.shows:
        return replace(here, ended="end")
    here = replace(
        here,
        last_page=here.page,
        pages_left=here.pages_left - 1,
        expected=seen.last is False,
        shows=seen.shows,
        vain=0,
        passing=_walked(here, seen, rows),
    )
    if seen.last:
        return replace(here, ended="end")
    return replace(here, ended="chunk" if here.pages_left <= 0 else "")


def _without_rows(here: Sweep, seen: PageSeen) -> str:
    """The end of the index, if the site says that there is no such page and nothing promised one."""
    if here.expected or not (seen.missing or seen.read):
        return "broken"
    if here.last_page:
        return "end"
    return "shrunk" if here.page > 1 else "broken"


def _walked(here: Sweep, seen: PageSeen, rows: int) -> Pass:
    passing, again = here.passing, here.page <= here.overlap_until
    return replace(
        passing,
        pages=passing.pages + 1,
        rows=passing.rows + rows,
        new=passing.new + len(seen.new),
        overlap_rows=passing.overlap_rows + (rows if again else 0),
        overlap_known=passing.overlap_known + (len(seen.known) if again else 0),
        advertised=passing.advertised if seen.advertised is None else seen.advertised,
    )


def _ask_details(here: Sweep) -> FoldStep:
    """The rows it saw are known now; which of them want their own page read, the store can tell."""
    if here.ended == "broken" or here.details_left <= 0:
        here = replace(here, details_left=0)
        return FoldStep(state=asdict(here), done=True)
    limit = min(WINDOW, here.details_left)
    return FoldStep(state=asdict(here), ask=(SelectPages(what=Selection.STALEST, limit=limit),))


def _selected(here: Sweep, answer: PagesSelected) -> FoldStep:
    limit = min(WINDOW, here.details_left)
    left = here.details_left - answer.pages if answer.pages >= limit else 0
    here = replace(here, details_left=left, details=here.details + answer.pages)
    if left <= 0:
        return FoldStep(state=asdict(here), done=True)
    return FoldStep(state=asdict(here), ask=(SelectPages(what=Selection.STALEST, limit=min(WINDOW, left)),))


def _memory(here: Sweep) -> Mapping[str, Any]:
    """After the last page the next sweep starts at page 1; else it goes on where this one stopped."""
    vain = 0 if here.last_page else here.vain + 1
    checkpoint = here.last_page or (here.overlap_until if vain < TRIES else 0)
    if here.ended in ("end", "shrunk") or not checkpoint:
        return {"history": dict(here.history)}
    return {
        "history": dict(here.history),
        "sweep_start_page": here.sweep_start_page,
        "last_page": checkpoint,
        "vain": vain,
        "pass": asdict(here.passing),
    }


def _certificate(here: Sweep, now: datetime) -> Mapping[str, Any]:
    return {**asdict(here.passing), "ended_at": now.isoformat(), "last_page": here.last_page}
