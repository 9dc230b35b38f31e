"""robots.txt of each origin, kept for all workers."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from larder.store.statement import AnyRow
from larder.store.tables import robots, sites


def read(conn: Connection, origin: str) -> AnyRow | None:
    """What is known of an origin, fresh or not."""
    return conn.execute(select(robots).where(robots.c.origin == origin)).one_or_none()


def write(
    conn: Connection,
    origin: str,
    *,
    state: str,
    status: int | None,
    body: str | None,
    tries: int,
    fetched_at: datetime,
    expires_at: datetime,
) -> None:
    """Keep an answer, replacing the last one."""
    conn.execute(delete(robots).where(robots.c.origin == origin))
    row = {"origin": origin, "state": state, "status": status, "body": body, "tries": tries}
    conn.execute(insert(robots).values(row | {"fetched_at": fetched_at, "expires_at": expires_at}))


def set_crawl_delay(conn: Connection, domain: str, delay_ms: int | None) -> None:
    """A site's own wish for distance; it slows the lane, never speeds it up."""
    conn.execute(update(sites).where(sites.c.domain == domain).values(crawl_delay_ms=delay_ms))
