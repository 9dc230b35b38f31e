"""Discovery finds what is new, from the top of the index downwards.

It stops after five pages in a row on which nothing is new. A page is familiar only below the watermark:
when a discovery had seen each of its rows by the time the last *complete* discovery ended. Rows that an
interrupted one brought in are known, yet what lay below them may not be; so they do not count, and there is
no gap. (The watermark is a time, not a row: the row itself may be removed or bumped to the top.)

The first discovery of a source has no watermark and reads the index to its end, in as many slices as it
takes: one that ends early leaves the page to go on from. An index that shows its last page for ever gives
itself away by repeating it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, RunKind, RunStatus
from larder.core.model.source import Plan
from larder.runs.fold import DetailPage, Event, Fold, FoldStep, IndexPage, Request, RunEnd, RunStart, State

EVERY = timedelta(minutes=30)
STOP_AFTER = 5
"""Familiar pages in a row."""
OVERLAP = 1
"""A further slice begins this many pages before the last one ended: removals move rows up."""
MAX_PAGES = 10_000
"""No index is followed for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """Where a discovery stands."""

    watermark: str | None
    """When the last complete discovery ended, in ISO 8601; None: the first reads to the end."""
    page: int
    """The index page that is read next or now."""
    stop_after: int = STOP_AFTER
    limit: int | None = None
    page_limit: int = MAX_PAGES
    details: bool = True
    pages: int = 0
    rows: int = 0
    new: int = 0
    familiar_in_a_row: int = 0
    shows: str = ""
    """A short name for what the page before showed."""
    expected: bool = False
    """The page before said that this one exists."""
    last_read_at: str | None = None
    ended: str = ""
    """`familiar`, `end` (both complete), `limit` or `broken`."""


class _DiscoveryFold(Fold):
    kind = RunKind.DISCOVERY
    plans = frozenset({Plan.INDEX, Plan.ADAPTIVE})
    rank = 1
    every = EVERY
    reads_index = extracts = starts_at_once = marks_discovered = True

    def start(self, start: RunStart) -> FoldStep:
        memory, params = start.memory, start.source.params
        resume = memory.get("resume") or 1
        page = max(1, resume - OVERLAP)
        state = Discovery(
            watermark=memory.get("watermark"),
            page=page,
            stop_after=int(params.get("stop_after", STOP_AFTER)),
            limit=start.source.max_items_per_run,
            page_limit=(start.source.max_pages or MAX_PAGES) + resume - page,
            details=bool(params.get("details", True)),
        )
        return FoldStep(state=asdict(state), ask=(IndexPage(number=state.page),))

    def step(self, state: State, event: Event) -> FoldStep:
        here = Discovery(**state)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.INDEX or here.ended:
            return FoldStep(state=state, done=bool(here.ended))
        here = _read(here, event)
        ask: tuple[Request, ...] = _details(here, event)
        if here.ended:
            return FoldStep(state=asdict(here), ask=ask, done=True)
        here = replace(here, page=here.page + 1)
        return FoldStep(state=asdict(here), ask=(*ask, IndexPage(number=here.page)))

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        here = Discovery(**state)
        if here.ended == "broken":
            status = RunStatus.PARTIAL if here.pages else RunStatus.FAILED
            error = f"index page {here.page} could not be read"
            return RunEnd(status=status, memory=_memory(here), error_code="index_unreadable", error=error)
        status = RunStatus.PARTIAL if failed else RunStatus.COMPLETED
        return RunEnd(status=status, memory=_memory(here))


DISCOVERY = _DiscoveryFold()


def _read(here: Discovery, seen: PageSeen) -> Discovery:
    """The state after an index page."""
    if not seen.read:
        return replace(here, ended="end" if seen.missing and _beyond(here) else "broken")
    rows = len(seen.new) + len(seen.known) + seen.left_out
    if not rows:
        return replace(here, ended="end" if _beyond(here) or here.page == 1 else "broken")
    familiar = here.familiar_in_a_row + 1 if _familiar(here, seen) else 0
    here = replace(
        here,
        pages=here.pages + 1,
        rows=here.rows + rows,
        new=here.new + len(seen.new),
        familiar_in_a_row=familiar,
        shows=seen.shows,
        expected=seen.last is False,
        last_read_at=seen.at.isoformat(),
    )
    return replace(here, ended=_ending(here, seen))


def _familiar(here: Discovery, seen: PageSeen) -> bool:
    if seen.new:
        return False
    if here.watermark is None:
        return seen.shows != "" and seen.shows == here.shows
    watermark = datetime.fromisoformat(here.watermark)
    return all(discovered is not None and discovered <= watermark for discovered in seen.known)


def _ending(here: Discovery, seen: PageSeen) -> str:
    if seen.last:
        return "end"
    if here.familiar_in_a_row >= here.stop_after:
        return "familiar"
    if here.limit is not None and here.new >= here.limit:
        return "limit"
    return "limit" if here.pages >= here.page_limit else ""


def _beyond(here: Discovery) -> bool:
    """Nothing promised that there would be a page here, so its absence is the end of the index."""
    return here.pages > 0 and not here.expected


def _details(here: Discovery, seen: PageSeen) -> tuple[Request, ...]:
    if not here.details:
        return ()
    return tuple(DetailPage(url=new.url, identity_key=new.identity_key) for new in seen.new if new.url)


def _memory(here: Discovery) -> Mapping[str, Any]:
    if here.ended in ("familiar", "end"):
        return {"watermark": here.last_read_at or here.watermark}
    if here.watermark is None:
        return {"resume": here.page + 1 if here.ended == "limit" else here.page}
    if here.pages >= here.page_limit:
        return {"watermark": here.watermark, "resume": here.page + 1}
    return {"watermark": here.watermark}  # from the top again: what was new then is not new now
