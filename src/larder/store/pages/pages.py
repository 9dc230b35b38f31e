"""Stored pages, one row per fetch; bodies are stored as blobs under their hash."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, select

from larder.core.model.item import NextEvidence, NextPage
from larder.core.model.page import LastPage
from larder.core.policy.trust.loss import LeftOut
from larder.store.database.statement import Statement, fetch_as, json_value, table_columns
from larder.store.pages.blobs import BodyLocation
from larder.store.pages.page_rows import JobUrl, NewPage, PageReading, PageRow
from larder.store.tables import blobs, pages
from larder.store.tables.columns import micros, moment

PAGE_COLUMNS = (*table_columns(pages, PageRow), blobs.c.location)


class _PageYield(NamedTuple):
    id: int
    version: str
    yielded: int
    last: int | None
    next_page: dict[str, Any] | None
    advertised: int | None
    left_out: Mapping[str, Any] | None
    parse_ms: int | None


class _PageValues(NamedTuple):
    job_id: int
    source_id: int
    url: str
    final_url: str | None
    fetcher: str
    outcome: str
    status: int | None
    headers: dict[str, str] | None
    content_hash: str | None
    size: int
    hops: list[Any] | None
    duration_ms: int
    error: str | None
    fetched_at: int


class _StoredPage(NamedTuple):
    id: int
    job_id: int


class _LastPage(NamedTuple):
    job_id: int
    id: int
    content_hash: str | None
    headers: Any
    adapter_version: str
    last: int | None
    next_page: Any
    advertised: int | None
    left_out: Any
    yielded: int


_STORE = Statement(
    """
    INSERT INTO pages (job_id, source_id, url, final_url, fetcher, outcome, status, headers, content_hash,
                       size, hops, duration_ms, error, fetched_at)
    SELECT job_id, source_id, url, final_url, fetcher, outcome, status, headers, content_hash,
           size, hops, duration_ms, error, fetched_at
    FROM {rows} AS fetched WHERE true
    RETURNING id, job_id
    """,
    row=_StoredPage,
    rows=_PageValues,
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
_TOUCH = Statement(
    "UPDATE blobs SET stored_at = :now FROM {rows} AS again WHERE blobs.content_hash = again.content_hash",
    rows={"content_hash": "text"},
    args={"now": "int"},
)

_YIELD = Statement(
    """
    UPDATE pages SET adapter_version = read.version, yielded = read.yielded, last = read.last,
                     next_page = read.next_page, advertised = read.advertised, left_out = read.left_out,
                     parse_ms = coalesce(read.parse_ms, pages.parse_ms)
    FROM {rows} AS read WHERE pages.id = read.id
    """,
    rows=_PageYield,
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
    row=_LastPage,
    rows={"job_id": "int", "source_id": "int", "url": "text"},
)


class PageReads(NamedTuple):
    """How often an address was fetched for a source, and when it was last."""

    url: str
    reads: int
    last_at: int


_READS = Statement(
    """
    SELECT asked.url, count(*) AS reads, max(pages.fetched_at) AS last_at
    FROM {rows} AS asked JOIN pages ON pages.source_id = :source_id AND pages.url = asked.url
    GROUP BY asked.url
    """,
    row=PageReads,
    rows={"url": "text"},
    args={"source_id": "int"},
)


def count_reads(conn: Connection, source_id: int, urls: Sequence[str]) -> dict[str, tuple[int, datetime]]:
    """By address, if it was fetched for this source before: how often, and when it was last."""
    found = _READS(conn, [(url,) for url in sorted(set(urls))], source_id=source_id)
    return {row.url: (row.reads, moment(row.last_at)) for row in found}


def store(conn: Connection, new_pages: Iterable[NewPage]) -> dict[int, int]:
    """Store fetched pages; returns their ids by job. A batch has one page for each job."""
    return {row.job_id: row.id for row in _STORE(conn, [_values(page) for page in new_pages])}


def _values(page: NewPage) -> _PageValues:
    fetched = page.fetched
    return _PageValues(
        page.job_id,
        page.source_id,
        fetched.url,
        fetched.final_url if fetched.final_url != fetched.url else None,
        fetched.fetcher,
        fetched.outcome,
        fetched.status,
        dict(fetched.headers) or None,
        fetched.content_hash,
        len(fetched.body),
        [[hop.url, hop.status, micros(hop.sent_at)] for hop in fetched.hops] or None,
        round(fetched.duration.total_seconds() * 1000),
        fetched.error or None,
        micros(fetched.fetched_at),
    )


def set_locations(conn: Connection, stored: Sequence[BodyLocation], *, now: datetime) -> None:
    """Store the locations of bodies; a body stored again gets its newer location."""
    unique = {s.content_hash: (s.content_hash, s.location, s.size, s.stored_size) for s in stored}
    _LOCATE(conn, list(unique.values()), now=micros(now))


def touch_bodies(conn: Connection, hashes: Collection[str], *, now: datetime) -> None:
    """Set `stored_at` of bodies fetched again, so that a concurrent retention run keeps them."""
    _TOUCH(conn, [(content_hash,) for content_hash in sorted(hashes)], now=micros(now))


def known_bodies(conn: Connection, hashes: Sequence[str]) -> set[str]:
    """Which of these bodies are stored."""
    return set(conn.scalars(select(blobs.c.content_hash).where(blobs.c.content_hash.in_(hashes))))


def load(conn: Connection, page_ids: Sequence[int]) -> dict[int, PageRow]:
    """Stored pages with the location of their body."""
    query = with_location().where(pages.c.id.in_(page_ids))
    return {row.id: row for row in fetch_as(conn, query, PageRow)}


def with_location() -> Select[Any]:
    """Pages in the columns of `PageRow`."""
    return select(*PAGE_COLUMNS).outerjoin(blobs, blobs.c.content_hash == pages.c.content_hash)


def count_urls_with_body(conn: Connection, source_id: int, content_hash: str) -> int:
    """How many URLs of a source returned this body."""
    same = (pages.c.content_hash == content_hash) & (pages.c.source_id == source_id)
    found: int = conn.scalar(select(func.count(pages.c.url.distinct())).where(same)) or 0
    return found


def set_yields(conn: Connection, pages_read: Sequence[PageReading]) -> None:
    """Store the results of reading these pages."""
    _YIELD(conn, [_yield_row(reading) for reading in pages_read])


def left_out_json(left_out: Mapping[str, LeftOut]) -> Mapping[str, Any] | None:
    """Left-out items as stored with a page or a run."""
    return {reason: asdict(left) for reason, left in left_out.items()} or None


def left_out_of(stored: Mapping[str, Any] | None) -> dict[str, LeftOut]:
    """Left-out items from their stored form."""
    return {reason: LeftOut(**left) for reason, left in (stored or {}).items()}


def _yield_row(reading: PageReading) -> _PageYield:
    last = None if reading.last is None else int(reading.last)
    following = asdict(reading.next_page) if reading.next_page else None
    left_out = left_out_json(reading.left_out)
    return _PageYield(
        reading.page_id,
        reading.adapter_version,
        reading.items,
        last,
        following,
        reading.advertised,
        left_out,
        reading.parse_ms,
    )


def last_pages(conn: Connection, job_urls: Sequence[JobUrl]) -> dict[int, LastPage]:
    """By job: the last page of its URL that was read for its source."""
    return {row.job_id: _last_page(row) for row in _LAST(conn, job_urls)}


def _last_page(row: _LastPage) -> LastPage:
    headers = json_value(row.headers) or {}
    return LastPage(
        id=row.id,
        content_hash=row.content_hash or "",
        adapter_version=row.adapter_version,
        etag=headers.get("etag"),
        last_modified=headers.get("last-modified"),
        last=None if row.last is None else bool(row.last),
        next_page=_next_page(json_value(row.next_page)),
        advertised=row.advertised,
        left_out=left_out_of(json_value(row.left_out)),
        yielded=row.yielded,
    )


def _next_page(stored: Mapping[str, Any] | None) -> NextPage | None:
    return NextPage(**{**stored, "evidence": NextEvidence(stored["evidence"])}) if stored else None
