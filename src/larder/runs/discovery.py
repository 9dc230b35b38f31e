"""Discovery finds what is new, from the top of the index downwards.

It stops after five pages in a row on which nothing is new. A page is familiar only below the watermark:
when a discovery had seen each of its rows by the time the last *complete* discovery ended. Rows that an
interrupted one brought in are known, yet what lay below them may not be; so they do not count, and there is
no gap. (The watermark is a time, not a row: the row itself may be removed or bumped to the top.)

The first discovery of a source has no watermark and reads the index to its end, in as many slices as it
takes: one that ends early leaves the page to go on from. `index_walk` finds the next page and the end.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, RunKind
from larder.core.model.source import Plan
from larder.core.policy.scheduling.cadence import Cadence
from larder.runs import adaptive, index_fold, index_walk
from larder.runs.fold import NO_LAST_RUN, Event, Fold, FoldStep, LastRun, RunEnd, RunStart, State
from larder.runs.fold_state import as_state
from larder.runs.index_fold import LIMITS, IndexRun

EVERY = timedelta(minutes=30)
STOP_AFTER = 5
"""Familiar pages in a row."""
OVERLAP = 1
"""A further slice begins this many pages before the last one ended: removals move rows up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery(IndexRun):
    """The state of a discovery. `taken` counts new rows, and rows that their own page must complete."""

    watermark: str | None
    """When the last complete discovery ended, in ISO 8601; None: the first reads to the end."""
    stop_after: int = STOP_AFTER
    rows: int = 0
    new: int = 0
    familiar_in_a_row: int = 0
    last_read_at: str | None = None
    adaptive: bool = False
    began_at: str | None = None
    deeper: int = 0
    """Pages to read below the first one with known rows."""
    below: int = 0
    """Pages read from that one on."""
    late: int = 0
    """New rows below it."""
    learned: Mapping[str, Any] = field(default_factory=dict)
    """What earlier discoveries of an adaptive source learned."""


class _DiscoveryFold(Fold):
    kind = RunKind.DISCOVERY
    plans = frozenset({Plan.INDEX, Plan.ADAPTIVE})
    rank = 1
    every = EVERY
    reads_index = extracts = starts_at_once = marks_discovered = True

    def next_at(self, cadence: Cadence, now: datetime, last: LastRun = NO_LAST_RUN) -> datetime:
        return now + (adaptive.discovery_every(cadence, last, now) or cadence.interval(self.kind, self.every))

    def start(self, start: RunStart) -> FoldStep:
        memory, params = start.memory, start.source.params
        resume = memory.get("resume") or 1
        walk = replace(
            index_walk.load(memory.get("walk")), numbered=start.numbered, known_pages=memory.get("pages") or 0
        )
        first = index_walk.begin(walk, resume - OVERLAP)
        limit = start.source.max_pages
        state = Discovery(
            watermark=memory.get("watermark"),
            page=first.number,
            stop_after=start.limit("stop_after"),
            limit=start.source.max_items_per_run,
            page_limit=limit and limit + max(0, resume - first.number),
            details=bool(params.get("details", True)),
            walk=index_walk.resumed(walk, first.number),
            adaptive=start.source.plan is Plan.ADAPTIVE,
            began_at=start.now.isoformat() if first.number == 1 else _walk_began_at(memory),
            deeper=adaptive.deeper_pages(start),
            learned={name: memory[name] for name in ("arrivals", "top_read_at", "deep_at") if name in memory},
        )
        return FoldStep(state=as_state(state), ask=(first,))

    def step(self, state: State, event: Event) -> FoldStep:
        ended = bool(state.get("ended"))
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or ended:
            return FoldStep(state=state, done=ended)
        discovery = _load(state)
        return index_fold.advance(discovery, _read(discovery, event), event)

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        discovery = _load(state)
        complete = discovery.ended in ("end", *LIMITS) and discovery.watermark is None
        return index_fold.ending(discovery, _memory(discovery), failed=failed, complete=complete)


DISCOVERY = _DiscoveryFold()


def _load(state: State) -> Discovery:
    known = index_walk.known_fields(Discovery, {"watermark": None, "page": 1, **state})
    return Discovery(**{**known, "walk": index_walk.load(state.get("walk"))})


def _read(discovery: Discovery, seen: PageSeen) -> Discovery:
    """The discovery after an index page."""
    if (passed := index_fold.pass_by(discovery, seen)) is not None:
        return passed
    if not seen.read or not seen.rows:
        ended = index_walk.without_rows(discovery.walk, seen, discovery.pages)
        return replace(discovery, ended=ended, page=discovery.page - (ended == "end"))
    if index_walk.repeats(discovery.walk, seen):
        page = discovery.page - 1 - discovery.walk.repeated
        return replace(discovery, ended="end", page=page, last_read_at=seen.at.isoformat())
    familiar = discovery.familiar_in_a_row + 1 if _familiar(discovery, seen) else 0
    discovery = replace(
        discovery,
        pages=discovery.pages + 1,
        rows=discovery.rows + seen.rows,
        new=discovery.new + len(seen.new),
        taken=discovery.taken + len(seen.new) + len(seen.incomplete),
        familiar_in_a_row=familiar,
        below=discovery.below + 1 if discovery.below or _at_watermark(discovery, seen) else 0,
        late=discovery.late + (len(seen.new) if discovery.below else 0),
        walk=index_walk.observe(discovery.walk, seen),
        last_read_at=seen.at.isoformat(),
    )
    return replace(discovery, ended=_ending(discovery, seen))


def _walk_began_at(memory: State) -> str | None:
    """When the walk that this discovery resumes read the first page."""
    return memory.get("began_at") or memory.get("top_read_at")


def _familiar(discovery: Discovery, seen: PageSeen) -> bool:
    if seen.new or discovery.watermark is None:
        return False
    watermark = datetime.fromisoformat(discovery.watermark)
    return all(discovered is not None and discovered <= watermark for discovered in seen.known)


def _at_watermark(discovery: Discovery, seen: PageSeen) -> bool:
    """The discovery of an adaptive source after it reached rows that were known before."""
    if not discovery.adaptive or discovery.watermark is None:
        return False
    return adaptive.reaches_watermark(seen, datetime.fromisoformat(discovery.watermark))


def _ending(discovery: Discovery, seen: PageSeen) -> str:
    if seen.last and seen.next_page is None and not discovery.walk.pending:
        return "end"
    if discovery.familiar_in_a_row >= _stop_after(discovery, seen) and not discovery.walk.pending:
        return "familiar"
    if discovery.below > discovery.deeper and not discovery.walk.pending:
        return "familiar"
    return index_fold.limit_reached(discovery)


def _stop_after(discovery: Discovery, seen: PageSeen) -> int:
    """How many familiar pages in a row end it.

    One is enough in an unstable order, where sweeps read all pages.
    """
    return discovery.stop_after if seen.findings.stable or not discovery.adaptive else 1


def _memory(discovery: Discovery) -> Mapping[str, Any]:
    known = {"pages": discovery.walk.known_pages} if discovery.walk.known_pages else {}
    if discovery.ended == "end" and discovery.pages:
        known = {"pages": discovery.page}
    if discovery.ended in ("familiar", "end"):
        ended = discovery.last_read_at or discovery.watermark
        return {
            "watermark": ended,
            **known,
            **index_walk.stored_rows(discovery.walk),
            **_learned(discovery, ended),
        }
    began = {"began_at": discovery.began_at} if discovery.adaptive else {}
    walked = {**known, "walk": as_state(discovery.walk), **discovery.learned, **began}
    if discovery.watermark is None:
        return {"resume": discovery.page + 1 if discovery.ended in LIMITS else discovery.page, **walked}
    if discovery.page_limit and discovery.pages >= discovery.page_limit:
        return {"watermark": discovery.watermark, "resume": discovery.page + 1, **walked}
    # from the top again: what was new then is not new now
    return {"watermark": discovery.watermark, **known, **discovery.learned}


def _learned(discovery: Discovery, ended: str | None) -> Mapping[str, Any]:
    if not discovery.adaptive or ended is None:
        return discovery.learned
    until, pages = discovery.began_at or ended, discovery.pages - max(0, discovery.below - 1)
    learned = {**discovery.learned, "top_read_at": discovery.began_at}
    since = discovery.learned.get("top_read_at") or discovery.watermark
    learned |= adaptive.arrivals_after(
        learned, since=since, until=datetime.fromisoformat(until), new=discovery.new, pages=pages
    )
    if discovery.deeper and discovery.began_at:
        learned |= adaptive.late_after(learned, began_at=discovery.began_at, late=discovery.late)
    return learned
