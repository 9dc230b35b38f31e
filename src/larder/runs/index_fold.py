"""The steps shared by collect and discovery, which read an index from its top and the pages of its rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from larder.core.model.run import PageSeen, RunStatus
from larder.core.policy.trust.loss import NEXT_PAGE_UNKNOWN
from larder.runs import index_walk
from larder.runs.fold import FoldStep, Request, RunEnd
from larder.runs.fold_state import as_state
from larder.runs.index_walk import Walk

LIMITS = ("max_items_per_run", "max_pages")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRun:
    """The state of a run that reads an index."""

    page: int = 1
    """The index page that is read now or next."""
    limit: int | None = None
    """Items that the run may take."""
    page_limit: int | None = None
    details: bool = True
    pages: int = 0
    taken: int = 0
    """Items that count towards the limit."""
    walk: Walk = field(default_factory=Walk)
    ended: str = ""
    """`end`, `broken`, a limit that was reached, or what the run kind says."""


Here = TypeVar("Here", bound=IndexRun)


def pass_by(here: Here, seen: PageSeen) -> Here | None:
    """The state after a page that lists index pages or that only names the next one; None for other pages."""
    if index_walk.names_pages(seen):
        return replace(here, pages=here.pages + 1, walk=index_walk.observe(here.walk, seen))
    if index_walk.is_gap(here.walk, seen):
        here = replace(here, walk=replace(here.walk, gaps=here.walk.gaps + 1))
        return replace(here, pages=here.pages + 1, ended=_over(here))
    if index_walk.goes_on(seen, here.pages):
        return replace(here, pages=here.pages + 1, ended=_over(here))
    return None


def _over(here: Here) -> str:
    return "max_pages" if here.page_limit and here.pages + 1 >= here.page_limit else ""


def limit_reached(run: IndexRun) -> str:
    """The limit that stops the run after this page; empty without one."""
    if run.limit is not None and run.taken >= run.limit:
        return "max_items_per_run"
    return "max_pages" if run.page_limit and run.pages >= run.page_limit else ""


def advance(before: IndexRun, run: IndexRun, seen: PageSeen) -> FoldStep:
    """Request the rows' own pages, as many as the limit leaves room for, and the next index page."""
    details_left = None if before.limit is None else max(0, before.limit - before.taken)
    details = index_walk.detail_pages(seen) if run.details else ()
    ask: tuple[Request, ...] = details[:details_left]
    unasked = details[len(ask) :]
    walk, after = (run.walk, None) if run.ended else index_walk.following(run.walk, seen, run.page)
    if after is None:
        run = replace(run, ended=run.ended or "end", walk=walk)
        return FoldStep(state=as_state(run), ask=ask, unasked=unasked, done=True)
    walk, pause = index_walk.pause_over_budget(walk, run.pages)
    run = replace(run, page=after.number, walk=walk)
    return FoldStep(state=as_state(run), ask=(*ask, after), unasked=unasked, pause=pause)


def ending(run: IndexRun, memory: Mapping[str, Any], *, failed: int, complete: bool) -> RunEnd:
    """How the run ends; only a complete walk is compared with the advertised number of rows."""
    if run.ended == "broken":
        return index_walk.unreadable_end(run.page, memory, some=run.pages > 0)
    error = index_walk.rows_out_of_reach(run.walk, run.page) if run.ended == "end" else ""
    return RunEnd(
        status=RunStatus.PARTIAL if failed or error else RunStatus.COMPLETED,
        memory=memory,
        limit=run.ended if run.ended in LIMITS else None,
        advertised=run.walk.advertised if complete else None,
        rows=run.walk.rows,
        error_code=NEXT_PAGE_UNKNOWN if error else None,
        error=error or None,
    )
