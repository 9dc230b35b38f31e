"""Gathers the pages that a check of declared selectors needs: those of the run, and earlier ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.site_profile import SELECTORS
from larder.core.model.source import Source
from larder.engine.healing.stored_samples import MAX_PAGES_OF_RUN
from larder.store.database import Connection
from larder.store.operations import repairs, selector_questions
from larder.store.operations.repairs import RepairRow, RepairStatus
from larder.store.pages import run_pages
from larder.store.pages.page_rows import PageRow
from larder.store.pages.run_pages import FetchedPage, RunDrift
from larder.store.queue import sources

INDEX, DETAIL = "index", "detail"
PARTS = (INDEX, DETAIL)
INDEX_PAGES, DETAIL_PAGES = 4, 8
"""New pages of each part that are checked."""
ARCHIVED = 6
EARLIER_RUNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class HealingPages:
    """A run of a source with declared selectors."""

    source: Source
    run: RunDrift
    original: Mapping[str, Any]
    """The declaration without repairs."""
    new: Mapping[str, Sequence[PageRow]]
    old: Mapping[str, Sequence[PageRow]]
    before: Mapping[str, int]
    """By part: pages before this one were read correctly."""
    repaired: Mapping[str, Sequence[RepairRow]]
    """By part: the applied repairs."""
    proposed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By path: selectors proposed by a language model."""

    @property
    def declared(self) -> Mapping[str, Any]:
        """The declaration with repairs."""
        selectors: Mapping[str, Any] = self.source.params[SELECTORS]
        return selectors


def gather_pages(conn: Connection, run_id: int) -> HealingPages | None:
    """The pages for a check of a run; None where its source declares no selectors."""
    run = run_pages.load_drift(conn, run_id)
    source = sources.load(conn, [run.source_id]).get(run.source_id)
    if source is None or not isinstance(source.params.get(SELECTORS), Mapping):
        return None
    fetched = run_pages.list_fetched(conn, run_id, limit=MAX_PAGES_OF_RUN)
    new = {INDEX: _indexes(fetched), DETAIL: _details(fetched)}
    before = {part: _before(conn, source.id, part, new[part]) for part in PARTS}
    old = {
        INDEX: _earlier_indexes(conn, run, before[INDEX]),
        DETAIL: _earlier_details(conn, source.id, new[DETAIL], before[DETAIL]),
    }
    declared = sources.declared_params(conn, source.id)
    repaired = {
        part: repairs.list_by_source(conn, source.id, RepairStatus.APPLIED, part=part) for part in PARTS
    }
    return HealingPages(
        source=source,
        run=run,
        original=declared[SELECTORS],
        new=new,
        old=old,
        before=before,
        repaired=repaired,
        proposed=selector_questions.load_candidates(conn, source.id),
    )


def _indexes(fetched: Iterable[FetchedPage]) -> list[PageRow]:
    return [page for page, purpose in fetched if purpose == Purpose.INDEX][:INDEX_PAGES]


def _details(fetched: Iterable[FetchedPage]) -> list[PageRow]:
    """Details with unreadable pages first."""
    details = [page for page, purpose in fetched if purpose != Purpose.INDEX]
    return sorted(details, key=lambda page: (page.adapter_version is not None, page.id))[:DETAIL_PAGES]


def _before(conn: Connection, source_id: int, part: str, new: Sequence[PageRow]) -> int:
    """The page before which the selectors worked."""
    since = [
        row.proof["since_page"]
        for row in repairs.list_by_source(conn, source_id, RepairStatus.SUGGESTED, part=part)
    ]
    return min([*since, *(row.id for row in new)], default=0)


def _earlier_indexes(conn: Connection, run: RunDrift, before: int) -> list[PageRow]:
    """The latest index pages with rows, of earlier runs."""
    pages: list[PageRow] = []
    for run_id in run_pages.list_earlier_runs(conn, run.source_id, run.id, limit=EARLIER_RUNS):
        fetched = run_pages.list_fetched(conn, run_id, limit=MAX_PAGES_OF_RUN)
        indexes = [page for page, purpose in fetched if purpose == Purpose.INDEX]
        pages += [page for page in indexes if page.id < before and page.yielded]
        if len(pages) >= ARCHIVED:
            break
    return pages[:ARCHIVED]


def _earlier_details(conn: Connection, source_id: int, new: Sequence[PageRow], before: int) -> list[PageRow]:
    """Earlier pages of the same URLs."""
    pages = (run_pages.last_read(conn, source_id, page.url, before=before) for page in new)
    return [page for page in pages if page is not None]
