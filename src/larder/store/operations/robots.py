"""robots.txt of each origin, shared by all workers."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, update

from larder.store.database.statement import Statement, fetch_one_as, select_as
from larder.store.tables import robots, sites
from larder.store.tables.columns import micros


class RobotsRow(NamedTuple):
    """The robots.txt of an origin."""

    origin: str
    state: str
    status: int | None
    body: str | None
    tries: int
    fetched_at: datetime
    expires_at: datetime


_WRITE = Statement(
    """
    INSERT INTO robots (origin, state, status, body, tries, fetched_at, expires_at)
    SELECT origin, state, status, body, tries, fetched_at, expires_at FROM {rows} AS told WHERE true
    ON CONFLICT (origin) DO UPDATE SET state = excluded.state, status = excluded.status,
      body = excluded.body, tries = excluded.tries, fetched_at = excluded.fetched_at,
      expires_at = excluded.expires_at
    """,
    rows={"origin": "text", "state": "text", "status": "int", "body": "text", "tries": "int"}
    | {"fetched_at": "int", "expires_at": "int"},
)


def read(conn: Connection, origin: str) -> RobotsRow | None:
    """The robots.txt of an origin, expired or not."""
    return fetch_one_as(conn, select_as(robots, RobotsRow).where(robots.c.origin == origin), RobotsRow)


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
    """Store an answer, replacing the last one."""
    row = (origin, state, status, body, tries, micros(fetched_at), micros(expires_at))
    _WRITE(conn, [row])


def set_crawl_delay(conn: Connection, domain: str, delay_ms: int | None) -> None:
    """Set a site's crawl-delay; it slows the lane, never speeds it up."""
    conn.execute(update(sites).where(sites.c.domain == domain).values(crawl_delay_ms=delay_ms))
