"""Pages whose address leads to the page of another record: what stands there is the other's.

Sites send whoever asks for a removed advert to a similar one. Such a page is not the record's own, just as
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
Address = tuple[int, str]


def as_missing(conn: Connection, done: Sequence[ProcessedPage]) -> list[ProcessedPage]:
    """The same pages; of those that led to another record's page only that they are not there."""
    moved = {each.work.job.id: _addresses(each) for each in done if _moved(each)}
    if not moved:
        return list(done)
    asked = sorted({address for both in moved.values() for address in both})
    keys: dict[Address, set[str]] = {}
    for row in records.by_url(conn, asked):
        keys.setdefault((row.source_id, row.canonical_url or ""), set()).add(row.identity_key)
    return [
        _missing(each) if each.work.job.id in moved and _is_anothers(each, keys) else each for each in done
    ]


def _moved(each: ProcessedPage) -> bool:
    """It is the page of one thing, and the request ended at another address. Events may share a page."""
    request = each.work.job.request
    if request.purpose not in _OWN_PAGES or each.work.source.kind is Kind.EVENT:
        return False
    if not each.fetched.outcome.has_page or each.fetched.final_url == request.url:
        return False
    asked, ended = _addresses(each)
    return asked != ended


def _addresses(each: ProcessedPage) -> tuple[Address, Address]:
    """Where the request was sent, and where it ended."""
    source_id = each.work.source.id
    return (
        (source_id, canonical_url(each.work.job.request.url)),
        (source_id, canonical_url(each.fetched.final_url)),
    )


def _is_anothers(each: ProcessedPage, keys: dict[Address, set[str]]) -> bool:
    """A record is known at the address where it ended, another than the one whose page was asked for."""
    asked, ended = _addresses(each)
    there, key = keys.get(ended, set()), each.work.job.request.context.get("key")
    own = {str(key)} if key else keys.get(asked, set())
    return bool(there and own and there.isdisjoint(own))


def _missing(each: ProcessedPage) -> ProcessedPage:
    fetched = replace(
        each.fetched,
        outcome=FetchOutcome.NOT_FOUND,
        status=redirect_status(each.fetched),
        error=f"redirected to {each.fetched.final_url}, the page of another record",
    )
    return ProcessedPage(work=each.work, fetched=fetched, page_id=each.page_id)
