"""Images of records: which there are, which are due, and what became of them.

Rows follow what pages show. A row with `next_at` is due then; one without is settled: kept, or given up with
its error. Bodies lie in blobs under their hash, and go when no row leads to them any more.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, delete, exists, select, update

from larder.core.model.image import Image, ImageSize
from larder.store.database.statement import AnyRow, Statement
from larder.store.tables import images, jobs, lanes, records, sites, sources
from larder.store.tables.columns import micros

_KNOWN = Statement(
    """
    SELECT images.id, images.record_id, images.url, images.position, images.type, images.alt
    FROM {rows} AS spoken JOIN images ON images.record_id = spoken.id
    """,
    rows={"id": "int"},
)

_ADD = Statement(
    """
    INSERT INTO images (record_id, url, position, type, alt, width, height, next_at)
    SELECT record_id, url, position, type, alt, width, height, :now FROM {rows} AS shown WHERE true
    ON CONFLICT (record_id, url) DO UPDATE
      SET position = excluded.position, type = excluded.type, alt = excluded.alt
    """,
    rows={
        "record_id": "int",
        "url": "text",
        "position": "int",
        "type": "text",
        "alt": "text",
        "width": "int",
        "height": "int",
    },
    args={"now": "int"},
)

_CLAIM = """
    UPDATE images SET next_at = :until WHERE id IN (
      SELECT id FROM images WHERE next_at <= :now ORDER BY next_at, id LIMIT :most {locked}
    )
    RETURNING id, record_id, url, tries
"""
_CLAIMED = {"now": "int", "until": "int", "most": "int"}
_CLAIM_SQLITE = Statement(_CLAIM.replace("{locked}", ""), args=_CLAIMED)
_CLAIM_POSTGRESQL = Statement(_CLAIM.replace("{locked}", "FOR UPDATE SKIP LOCKED"), args=_CLAIMED)

_AGAIN = Statement(
    """
    UPDATE images SET next_at = :now FROM {rows} AS back
    WHERE images.record_id = back.id AND images.content_hash IS NULL AND images.next_at IS NULL
      AND images.error IS NULL
    """,
    rows={"id": "int"},
    args={"now": "int"},
)


def set_images(conn: Connection, shown: Mapping[int, Sequence[Image]], *, now: datetime) -> None:
    """Records show these images now: new ones are due, those no longer shown go."""
    was = {(row.record_id, row.url): row for row in _KNOWN(conn, [(i,) for i in shown])}
    rows = {(record, each.url): (record, *_row(each)) for record, some in shown.items() for each in some}
    _ADD(conn, [row for place, row in rows.items() if _differs(was.get(place), row)], now=micros(now))
    gone = [row.id for place, row in was.items() if place not in rows]
    if gone:
        conn.execute(delete(images).where(images.c.id.in_(gone)))


def _row(picture: Image) -> tuple[Any, ...]:
    return (
        picture.url,
        picture.position,
        picture.type,
        picture.alt,
        picture.width,
        picture.height,
    )


def _differs(was: AnyRow | None, row: tuple[Any, ...]) -> bool:
    return was is None or (was.position, was.type, was.alt) != row[2:5]


def requeue_released(conn: Connection, record_ids: Sequence[int], *, now: datetime) -> None:
    """Records came back whose images had been let go."""
    _AGAIN(conn, [(i,) for i in record_ids], now=micros(now))


def claim(conn: Connection, *, now: datetime, until: datetime, most: int) -> Sequence[AnyRow]:
    """Images that are due; ours until then."""
    statement = _CLAIM_SQLITE if conn.dialect.name == "sqlite" else _CLAIM_POSTGRESQL
    return statement(conn, now=micros(now), until=micros(until), most=most)


def source_of(conn: Connection, record_id: int) -> AnyRow | None:
    """The source of an image's record, where the record is there and the source may run; else None."""
    may = and_(
        records.c.active == 1, sources.c.enabled == 1, sources.c.needs_review == 0, sites.c.blocked == 0
    )
    return conn.execute(
        select(records.c.source_id, sites.c.domain, sites.c.local)
        .join(sources, sources.c.id == records.c.source_id)
        .join(sites, sites.c.id == sources.c.site_id)
        .where(records.c.id == record_id, may)
    ).one_or_none()


def lane_state(conn: Connection, site_id: int, *, now: datetime) -> AnyRow:
    """What speaks against asking a site for an image now: it is blocked, cooling, or has pages to give."""
    in_line = exists().where(jobs.c.site_id == site_id, jobs.c.status == "pending", jobs.c.not_before <= now)
    return conn.execute(
        select(sites.c.blocked, lanes.c.cooling_until, in_line.label("busy"))
        .join(lanes, lanes.c.site_id == sites.c.id)
        .where(sites.c.id == site_id)
    ).one()


def mark_stored(
    conn: Connection, image_id: int, content_hash: str, measured: ImageSize, *, now: datetime
) -> None:
    """It came, and its bytes say how large it is."""
    _settle(
        conn,
        image_id,
        content_hash=content_hash,
        format=measured.format,
        width=measured.width,
        height=measured.height,
        fetched_at=now,
        next_at=None,
        error=None,
    )


def postpone(conn: Connection, image_id: int, *, until: datetime, tries: int | None = None) -> None:
    """Its turn comes later; `tries`, where this one counts."""
    _settle(conn, image_id, next_at=until, **({} if tries is None else {"tries": tries}))


def give_up(conn: Connection, image_id: int, error: str, *, now: datetime) -> None:
    """It is not to be had."""
    _settle(conn, image_id, next_at=None, error=error, fetched_at=now)


def _settle(conn: Connection, image_id: int, **values: Any) -> None:
    conn.execute(update(images).where(images.c.id == image_id).values(**values))


def list_by_record(conn: Connection, record_id: int) -> Sequence[AnyRow]:
    """A record's images, in their order."""
    mine = select(images).where(images.c.record_id == record_id)
    return conn.execute(mine.order_by(images.c.position, images.c.id)).all()


def list_records(conn: Connection, source_id: int, *, after: str, most: int = 200) -> Sequence[AnyRow]:
    """A source's records that are there, in the order of their keys: what pages said of each."""
    mine = select(records.c.id, records.c.identity_key, records.c.content).where(
        records.c.source_id == source_id, records.c.identity_key > after, records.c.active == 1
    )
    return conn.execute(mine.order_by(records.c.identity_key).limit(most)).all()


def release_bodies(
    conn: Connection, *, before: datetime, after: int = 0, most: int = 500
) -> tuple[set[str], int | None]:
    """Images of records gone since then lose their bodies: which, and the last that was looked at."""
    walked = (
        select(images.c.id, images.c.content_hash, records.c.deactivated_at)
        .join(records, records.c.id == images.c.record_id)
        .where(images.c.id > after)
        .order_by(images.c.id)
        .limit(most)
    )
    looked = conn.execute(walked).all()
    old = [row for row in looked if row.deactivated_at is not None and row.deactivated_at < before]
    conn.execute(
        update(images)
        .where(images.c.id.in_([row.id for row in old]))
        .values(content_hash=None, fetched_at=None, next_at=None)
    )
    return {row.content_hash for row in old if row.content_hash}, looked[-1].id if looked else None
