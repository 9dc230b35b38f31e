"""The last good page of a URL, for when it cannot be fetched again."""

from datetime import datetime

from sqlalchemy import Connection, select

from larder.core.model.outcome import FetchOutcome
from larder.store.database.statement import fetch_one_as
from larder.store.pages.page_rows import PageRow
from larder.store.pages.pages import PAGE_COLUMNS
from larder.store.tables import blobs, pages


def last_good(conn: Connection, source_id: int, url: str, *, since: datetime) -> PageRow | None:
    """The newest page with a body, no older than `since`."""
    query = (
        select(*PAGE_COLUMNS)
        .join(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(pages.c.source_id == source_id, pages.c.url == url)
        .where(pages.c.outcome == FetchOutcome.OK, pages.c.fetched_at >= since)
        .order_by(pages.c.id.desc())
        .limit(1)
    )
    return fetch_one_as(conn, query, PageRow)
