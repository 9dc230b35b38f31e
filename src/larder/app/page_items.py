"""Every item of a stored page as read now: raw fields, HTML block, strategy, score and outcome.

The page is parsed again, in a worker process, by the installed adapter: nothing is fetched or stored.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from larder.app.deployment import App
from larder.core.errors import NotFound
from larder.core.model.item import Failed, Item
from larder.core.model.source import Source
from larder.engine.processing.stored_page import load_stored_page
from larder.store.database import Connection
from larder.store.queue import sources
from larder.store.reads.operators.page_purposes import PageToRead, page_of_job

if TYPE_CHECKING:
    from larder.engine.processing.process_page import NormalizedPage


@dataclass(frozen=True, slots=True, kw_only=True)
class RawItem:
    """One raw item with its outcome."""

    outcome: str
    """`staged`, `dropped` or `quarantined`."""
    reason: str
    details: str
    strategy: str
    score: float
    fields: Mapping[str, Any]
    strategies: Mapping[str, str]
    """The strategies of fields that another strategy read."""
    block: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageItemsView:
    """All items of a stored page."""

    page: int
    url: str
    purpose: str
    fetched_at: datetime
    source: str
    adapter: str
    version: str
    failure: str
    """Why the page cannot be read; empty if it can."""
    items: Sequence[RawItem]


async def page_items(app: App, job_id: int) -> PageItemsView:
    """The items of a job's stored page, as long as the page is kept."""
    from larder.engine.processing.process_page import read_page  # noqa: PLC0415 - loads all parsers

    stored, source = await app.read(_find, job_id)
    adapter = app.dispatcher.adapters.get(source.adapter)
    blobs = app.blobs()
    try:
        fetched = await load_stored_page(blobs, stored.page)
    finally:
        await blobs.close()
    if fetched is None or adapter is None:
        missing = "its body" if fetched is None else f"adapter {source.adapter}"
        raise NotFound(f"page {job_id} cannot be read: {missing} is missing")
    items_read = await read_page(app.parse_runner, fetched, source, adapter, stored.purpose)
    failed = items_read.reading if isinstance(items_read.reading, Failed) else None
    return PageItemsView(
        page=stored.page.id,
        url=stored.page.url,
        purpose=stored.purpose,
        fetched_at=stored.page.fetched_at,
        source=source.slug,
        adapter=adapter.id,
        version=adapter.version,
        failure=f"{failed.reason}: {failed.details}".rstrip(": ") if failed else "",
        items=list(_items(items_read)),
    )


def _find(conn: Connection, job_id: int) -> tuple[PageToRead, Source]:
    stored = page_of_job(conn, job_id)
    source = sources.load(conn, [stored.page.source_id]).get(stored.page.source_id)
    if source is None:
        raise NotFound(f"the source of page {job_id} was removed")
    return stored, source


def _items(read: "NormalizedPage") -> Iterator[RawItem]:
    yield from (_raw(item, "staged") for item in read.valid)
    yield from (_raw(each.item, "quarantined", each.reason, each.details) for each in read.quarantined)
    yield from (_raw(dropped.item, "dropped", dropped.reason, dropped.details) for dropped in read.dropped)


def _raw(item: Item, outcome: str, reason: str = "", details: str = "") -> RawItem:
    return RawItem(
        outcome=outcome,
        reason=reason,
        details=details,
        strategy=item.strategy,
        score=item.score,
        fields=dict(item.fields),
        strategies=dict(item.strategies),
        block=item.block,
    )
