"""The last good page of a URL, for when a new one is not to be had."""

from datetime import datetime

from sqlalchemy import Connection, select

from larder.core.model.outcome import FetchOutcome
from larder.store.database.statement import AnyRow
from larder.store.tables import blobs, pages


def last_good(conn: Connection, source_id: int, url: str, *, since: datetime) -> AnyRow | None:
    """The newest page that came with a body, no older than `since`, and where the body lies."""
    found = (
        select(pages, blobs.c.location)
        .join(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(pages.c.source_id == source_id, pages.c.url == url)
        .where(pages.c.outcome == FetchOutcome.OK, pages.c.fetched_at >= since)
        .order_by(pages.c.id.desc())
        .limit(1)
    )
    return conn.execute(found).one_or_none()
