"""What fetches brought back, each attempt a row; bodies lie in blobs under their hash."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select, update

from larder.core.model.item import NextEvidence, NextPage
from larder.core.model.page import Fetched, LastPage
from larder.core.policy.trust.loss import LeftOut
from larder.store.database.statement import AnyRow, Statement, loads
from larder.store.pages.blobs import Stored
from larder.store.tables import blobs, pages
from larder.store.tables.columns import micros


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReading:
    """What reading a page gave, and what an index page says of itself."""

    page_id: int
    adapter_version: str
    items: int
    last: bool | None = None
    next_page: NextPage | None = None
    advertised: int | None = None
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)


_STORE = Statement(
    """
    INSERT INTO pages (job_id, source_id, url, final_url, fetcher, outcome, status, headers, content_hash,
                       size, hops, duration_ms, error, fetched_at)
    SELECT job_id, source_id, url, final_url, fetcher, outcome, status, headers, content_hash,
           size, hops, duration_ms, error, fetched_at
    FROM {rows} AS fetched WHERE true
    RETURNING id, job_id
    """,
    rows={
        "job_id": "int",
        "source_id": "int",
        "url": "text",
        "final_url": "text",
        "fetcher": "text",
        "outcome": "text",
        "status": "int",
        "headers": "json",
        "content_hash": "text",
        "size": "int",
        "hops": "json",
        "duration_ms": "int",
        "error": "text",
        "fetched_at": "int",
    },
)

_LOCATE = Statement(
    """
    INSERT INTO blobs (content_hash, location, size, stored_size, stored_at)
    SELECT content_hash, location, size, stored_size, :now FROM {rows} AS stored WHERE true
    ON CONFLICT (content_hash) DO UPDATE SET location = excluded.location, stored_at = excluded.stored_at
    """,
    rows={"content_hash": "text", "location": "text", "size": "int", "stored_size": "int"},
    args={"now": "int"},
)

_YIELD = Statement(
    """
    UPDATE pages SET adapter_version = read.version, yielded = read.yielded, last = read.last,
                     next_page = read.next_page, advertised = read.advertised, left_out = read.left_out
    FROM {rows} AS read WHERE pages.id = read.id
    """,
    rows={
        "id": "int",
        "version": "text",
        "yielded": "int",
        "last": "int",
        "next_page": "json",
        "advertised": "int",
        "left_out": "json",
    },
)

_LAST = Statement(
    """
    SELECT asked.job_id, pages.id, pages.content_hash, pages.headers, pages.adapter_version, pages.last,
           pages.next_page, pages.advertised, pages.left_out, pages.yielded
    FROM {rows} AS asked JOIN pages ON pages.id = (
      SELECT max(before.id) FROM pages AS before
      WHERE before.source_id = asked.source_id AND before.url = asked.url
        AND before.adapter_version IS NOT NULL
    )
    """,
    rows={"job_id": "int", "source_id": "int", "url": "text"},
)


def store(conn: Connection, fetched: Sequence[tuple[int, int, Fetched]]) -> dict[int, int]:
    """(job, source, fetched) → the page's id by job. One page for each job in a batch."""
    return {
        row.job_id: row.id
        for row in _STORE(conn, [_row(job_id, source_id, got) for job_id, source_id, got in fetched])
    }


def _row(job_id: int, source_id: int, got: Fetched) -> tuple[Any, ...]:
    return (
        job_id,
        source_id,
        got.url,
        got.final_url if got.final_url != got.url else None,
        got.fetcher,
        got.outcome,
        got.status,
        dict(got.headers) or None,
        got.content_hash,
        len(got.body),
        [[hop.url, hop.status, micros(hop.sent_at)] for hop in got.hops] or None,
        round(got.duration.total_seconds() * 1000),
        got.error or None,
        micros(got.fetched_at),
    )


def set_locations(conn: Connection, stored: Sequence[Stored], *, now: datetime) -> None:
    """Where bodies lie. A body stored again moves to its newer place."""
    unique = {s.content_hash: (s.content_hash, s.location, s.size, s.stored_size) for s in stored}
    _LOCATE(conn, list(unique.values()), now=micros(now))


def touch_bodies(conn: Connection, hashes: Collection[str], *, now: datetime) -> None:
    """These bodies were brought again: a sweep that runs at the same time must see that they are needed."""
    conn.execute(update(blobs).where(blobs.c.content_hash.in_(hashes)).values(stored_at=now))


def known_bodies(conn: Connection, hashes: Sequence[str]) -> set[str]:
    """Which bodies we already have."""
    return set(conn.scalars(select(blobs.c.content_hash).where(blobs.c.content_hash.in_(hashes))))


def load(conn: Connection, page_ids: Sequence[int]) -> dict[int, AnyRow]:
    """Stored pages with the place of their body."""
    found = select(pages, blobs.c.location).outerjoin(blobs, blobs.c.content_hash == pages.c.content_hash)
    return {row.id: row for row in conn.execute(found.where(pages.c.id.in_(page_ids)))}


def count_urls_with_body(conn: Connection, source_id: int, content_hash: str) -> int:
    """How many addresses of a source brought this very body."""
    same = (pages.c.content_hash == content_hash) & (pages.c.source_id == source_id)
    found: int = conn.scalar(select(func.count(pages.c.url.distinct())).where(same)) or 0
    return found


def set_yields(conn: Connection, pages_read: Sequence[PageReading]) -> None:
    """What reading these pages gave."""
    _YIELD(conn, [_yield_row(each) for each in pages_read])


def left_out_json(left_out: Mapping[str, LeftOut]) -> Mapping[str, Any] | None:
    """As it is stored with a page or a run."""
    return {reason: asdict(left) for reason, left in left_out.items()} or None


def left_out_of(stored: Mapping[str, Any] | None) -> dict[str, LeftOut]:
    """As it was stored."""
    return {reason: LeftOut(**left) for reason, left in (stored or {}).items()}


def _yield_row(each: PageReading) -> tuple[Any, ...]:
    last = None if each.last is None else int(each.last)
    following = asdict(each.next_page) if each.next_page else None
    left_out = left_out_json(each.left_out)
    return each.page_id, each.adapter_version, each.items, last, following, each.advertised, left_out


def last_pages(conn: Connection, asked: Sequence[tuple[int, int, str]]) -> dict[int, LastPage]:
    """(job, source, url) → by job: the page that was last read from there."""
    return {row.job_id: _last_page(row) for row in _LAST(conn, asked)}


def _last_page(row: AnyRow) -> LastPage:
    headers = loads(row.headers) or {}
    return LastPage(
        id=row.id,
        content_hash=row.content_hash or "",
        adapter_version=row.adapter_version,
        etag=headers.get("etag"),
        last_modified=headers.get("last-modified"),
        last=None if row.last is None else bool(row.last),
        next_page=_next_page(loads(row.next_page)),
        advertised=row.advertised,
        left_out=left_out_of(loads(row.left_out)),
        yielded=row.yielded,
    )


def _next_page(stored: Mapping[str, str] | None) -> NextPage | None:
    if not stored:
        return None
    return NextPage(url=stored["url"], evidence=NextEvidence(stored["evidence"]), because=stored["because"])
