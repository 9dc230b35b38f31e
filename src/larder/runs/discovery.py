"""Discovery finds what is new, from the top of the index downwards.

It stops after five pages in a row on which nothing is new. A page is familiar only below the watermark:
when a discovery had seen each of its rows by the time the last *complete* discovery ended. Rows that an
interrupted one brought in are known, yet what lay below them may not be; so they do not count, and there is
no gap. (The watermark is a time, not a row: the row itself may be removed or bumped to the top.)

The first discovery of a source has no watermark and reads the index to its end, in as many slices as it
takes: one that ends early leaves the page to go on from. `index_walk` finds the next page and the end.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, RunKind
from larder.core.model.source import Plan
from larder.core.policy.scheduling.cadence import Cadence
from larder.runs import adaptive, index_fold, index_walk
from larder.runs.fold import NO_LAST_RUN, Event, Fold, FoldStep, LastRun, RunEnd, RunStart, State
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
        most = start.source.max_pages
        state = Discovery(
            watermark=memory.get("watermark"),
            page=first.number,
            stop_after=start.limit("stop_after"),
            limit=start.source.max_items_per_run,
            page_limit=most and most + max(0, resume - first.number),
            details=bool(params.get("details", True)),
            walk=index_walk.resumed(walk, first.number),
            adaptive=start.source.plan is Plan.ADAPTIVE,
            began_at=start.now.isoformat(),
            learned={"arrivals": memory["arrivals"]} if "arrivals" in memory else {},
        )
        return FoldStep(state=asdict(state), ask=(first,))

    def step(self, state: State, event: Event) -> FoldStep:
        here = _load(state)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or here.ended:
            return FoldStep(state=state, done=bool(here.ended))
        return index_fold.advance(here, _read(here, event), event)

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        here = _load(state)
        whole = here.ended in ("end", *LIMITS) and here.watermark is None
        return index_fold.ending(here, _memory(here), failed=failed, whole=whole)


DISCOVERY = _DiscoveryFold()


def _load(state: State) -> Discovery:
    known = index_walk.known_fields(Discovery, {"watermark": None, "page": 1, **state})
    return Discovery(**{**known, "walk": index_walk.load(state.get("walk"))})


def _read(here: Discovery, seen: PageSeen) -> Discovery:
    """The state after an index page."""
    if (passed := index_fold.pass_by(here, seen)) is not None:
        return passed
    if not seen.read or not seen.rows:
        ended = index_walk.without_rows(here.walk, seen, here.pages)
        return replace(here, ended=ended, page=here.page - (ended == "end"))
    if index_walk.repeats(here.walk, seen):
        page = here.page - 1 - here.walk.repeated
        return replace(here, ended="end", page=page, last_read_at=seen.at.isoformat())
    familiar = here.familiar_in_a_row + 1 if _familiar(here, seen) else 0
    here = replace(
        here,
        pages=here.pages + 1,
        rows=here.rows + seen.rows,
        new=here.new + len(seen.new),
        taken=here.taken + len(seen.new) + len(seen.incomplete),
        familiar_in_a_row=familiar,
        walk=index_walk.observe(here.walk, seen),
        last_read_at=seen.at.isoformat(),
    )
    return replace(here, ended=_ending(here, seen))


def _familiar(here: Discovery, seen: PageSeen) -> bool:
    if seen.new or here.watermark is None:
        return False
    watermark = datetime.fromisoformat(here.watermark)
    return all(discovered is not None and discovered <= watermark for discovered in seen.known)


def _ending(here: Discovery, seen: PageSeen) -> str:
    if seen.last and seen.next_page is None and not here.walk.pending:
        return "end"
    if here.familiar_in_a_row >= here.stop_after and not here.walk.pending:
        return "familiar"
    if here.adaptive and here.watermark and not here.walk.pending:
        watermark = datetime.fromisoformat(here.watermark)
        if adaptive.reached(seen, watermark):
            return "familiar"
    return index_fold.limit_reached(here)


def _memory(here: Discovery) -> Mapping[str, Any]:
    known = {"pages": here.walk.known_pages} if here.walk.known_pages else {}
    if here.ended == "end" and here.pages:
        known = {"pages": here.page}
    if here.ended in ("familiar", "end"):
        ended = here.last_read_at or here.watermark
        return {"watermark": ended, **known, **index_walk.stored_rows(here.walk), **_learned(here, ended)}
    walked = {**known, "walk": asdict(here.walk), **here.learned}
    if here.watermark is None:
        return {"resume": here.page + 1 if here.ended in LIMITS else here.page, **walked}
    if here.page_limit and here.pages >= here.page_limit:
        return {"watermark": here.watermark, "resume": here.page + 1, **walked}
    # from the top again: what was new then is not new now
    return {"watermark": here.watermark, **known, **here.learned}


def _learned(here: Discovery, ended: str | None) -> Mapping[str, Any]:
    if not here.adaptive or ended is None:
        return here.learned
    until = datetime.fromisoformat(ended)
    return adaptive.arrivals_after(
        here.learned, since=here.watermark, until=until, new=here.new, pages=here.pages
    )
