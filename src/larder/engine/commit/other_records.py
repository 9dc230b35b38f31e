"""Pages whose address leads to the page of another record: their content belongs to that record.

Sites redirect requests for a removed advert to a similar one. Such a page is not the record's own, just like
one that leads home.
"""

from collections.abc import Sequence
from dataclasses import replace

from larder.core.model.job import Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.source import Kind
from larder.engine.processing.redirects import redirect_status
from larder.engine.work_items import ProcessedPage
from larder.sdk.urls import canonical_url
from larder.store.database import Connection
from larder.store.dataset import records

_OWN_PAGES = frozenset({Purpose.DETAIL, Purpose.TARGET})
SourceAddress = tuple[int, str]


def redirected_as_missing(conn: Connection, done: Sequence[ProcessedPage]) -> list[ProcessedPage]:
    """The pages; one that led to another record's page is reduced to the fact that it is missing."""
    moved = {page.work.job.id: _addresses(page) for page in done if _is_redirected(page)}
    if not moved:
        return list(done)
    addresses = sorted({address for both in moved.values() for address in both})
    keys: dict[SourceAddress, set[str]] = {}
    for row in records.by_url(conn, addresses):
        keys.setdefault((row.source_id, row.canonical_url or ""), set()).add(row.identity_key)
    return [
        _as_not_found(page) if page.work.job.id in moved and _is_page_of_other_record(page, keys) else page
        for page in done
    ]


def _is_redirected(page: ProcessedPage) -> bool:
    """Whether a detail page's request ended at another address. Events may share a page."""
    request = page.work.job.request
    if request.purpose not in _OWN_PAGES or page.work.source.kind is Kind.EVENT:
        return False
    if not page.fetched.outcome.has_page or page.fetched.final_url == request.url:
        return False
    requested, ended = _addresses(page)
    return requested != ended


def _addresses(page: ProcessedPage) -> tuple[SourceAddress, SourceAddress]:
    """The requested and the final address of a page."""
    source_id = page.work.source.id
    return (
        (source_id, canonical_url(page.work.job.request.url)),
        (source_id, canonical_url(page.fetched.final_url)),
    )


def _is_page_of_other_record(page: ProcessedPage, keys: dict[SourceAddress, set[str]]) -> bool:
    """Whether a record other than the requested one is known at the final address."""
    requested, ended = _addresses(page)
    keys_there, key = keys.get(ended, set()), page.work.job.request.context.get("key")
    own = {str(key)} if key else keys.get(requested, set())
    return bool(keys_there and own and keys_there.isdisjoint(own))


def _as_not_found(page: ProcessedPage) -> ProcessedPage:
    fetched = replace(
        page.fetched,
        outcome=FetchOutcome.NOT_FOUND,
        status=redirect_status(page.fetched),
        error=f"redirected to {page.fetched.final_url}, the page of another record",
    )
    return ProcessedPage(work=page.work, fetched=fetched, page_id=page.page_id)
