"""Images of records: which are due, and which are stored.

Rows follow the images on pages. A row with `next_at` is due then; one without is stored, or given up with its
error. Bodies are blobs under their hash, and are deleted when no row refers to them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, delete, exists, select, update

from larder.core.model.image import Image, ImageSize
from larder.store.database.statement import Statement, fetch_as, fetch_one_as, select_as
from larder.store.tables import images, jobs, lanes, records, sites, sources
from larder.store.tables.columns import micros


class ImageRow(NamedTuple):
    """A stored image."""

    id: int
    record_id: int
    url: str
    position: int
    type: str | None
    alt: str | None
    width: int | None
    height: int | None
    format: str | None
    content_hash: str | None
    fetched_at: datetime | None
    next_at: datetime | None
    tries: int
    error: str | None


class ClaimedImage(NamedTuple):
    """An image to fetch now."""

    id: int
    record_id: int
    url: str
    tries: int


class ImageSource(NamedTuple):
    """The source and site of an image's record."""

    source_id: int
    domain: str
    local: int


class SiteState(NamedTuple):
    """Why no image may be requested from a site now."""

    blocked: int
    cooling_until: datetime | None
    busy: int


class RecordContent(NamedTuple):
    """A record's content."""

    id: int
    identity_key: str
    content: Any


class _KnownImage(NamedTuple):
    id: int
    record_id: int
    url: str
    position: int
    type: str | None
    alt: str | None


class _NewImage(NamedTuple):
    record_id: int
    url: str
    position: int
    type: str | None
    alt: str | None
    width: int | None
    height: int | None


_KNOWN = Statement(
    """
    SELECT images.id, images.record_id, images.url, images.position, images.type, images.alt
    FROM {rows} AS spoken JOIN images ON images.record_id = spoken.id
    """,
    row=_KnownImage,
    rows={"id": "int"},
)

_ADD = Statement(
    """
    INSERT INTO images (record_id, url, position, type, alt, width, height, next_at)
    SELECT record_id, url, position, type, alt, width, height, :now FROM {rows} AS shown WHERE true
    ON CONFLICT (record_id, url) DO UPDATE
      SET position = excluded.position, type = excluded.type, alt = excluded.alt
    """,
    rows=_NewImage,
    args={"now": "int"},
)

_CLAIM = Statement(
    """
    WITH due AS (
      SELECT id FROM images WHERE next_at <= :now ORDER BY next_at, id LIMIT :limit {skip_locked}
    )
    UPDATE images SET next_at = :until WHERE id IN (SELECT id FROM due)
    RETURNING id, record_id, url, tries
    """,
    row=ClaimedImage,
    args={"now": "int", "until": "int", "limit": "int"},
)

_AGAIN = Statement(
    """
    UPDATE images SET next_at = :now FROM {rows} AS back
    WHERE images.record_id = back.id AND images.content_hash IS NULL AND images.next_at IS NULL
      AND images.error IS NULL
    """,
    rows={"id": "int"},
    args={"now": "int"},
)


def set_images(conn: Connection, images_by_record: Mapping[int, Sequence[Image]], *, now: datetime) -> None:
    """Set the images of records: new ones are due, those no longer shown are deleted."""
    was = {(row.record_id, row.url): row for row in _KNOWN(conn, [(i,) for i in images_by_record])}
    rows = {
        (record, image.url): _new(record, image)
        for record, some in images_by_record.items()
        for image in some
    }
    _ADD(conn, [row for place, row in rows.items() if _differs(was.get(place), row)], now=micros(now))
    removed = [row.id for place, row in was.items() if place not in rows]
    if removed:
        conn.execute(delete(images).where(images.c.id.in_(removed)))


def _new(record_id: int, image: Image) -> _NewImage:
    return _NewImage(record_id, image.url, image.position, image.type, image.alt, image.width, image.height)


def _differs(was: _KnownImage | None, row: _NewImage) -> bool:
    return was is None or (was.position, was.type, was.alt) != (row.position, row.type, row.alt)


def requeue_released(conn: Connection, record_ids: Sequence[int], *, now: datetime) -> None:
    """Queue the released images of records that are active again."""
    _AGAIN(conn, [(i,) for i in record_ids], now=micros(now))


def claim(conn: Connection, *, now: datetime, until: datetime, limit: int) -> list[ClaimedImage]:
    """Claim images that are due, until then."""
    return _CLAIM(conn, now=micros(now), until=micros(until), limit=limit)


def source_of(conn: Connection, record_id: int) -> ImageSource | None:
    """The source of an image's record, if the record is active and the source may run."""
    may = and_(
        records.c.active == 1, sources.c.enabled == 1, sources.c.needs_review == 0, sites.c.blocked == 0
    )
    query = (
        select(records.c.source_id, sites.c.domain, sites.c.local)
        .join(sources, sources.c.id == records.c.source_id)
        .join(sites, sites.c.id == sources.c.site_id)
        .where(records.c.id == record_id, may)
    )
    return fetch_one_as(conn, query, ImageSource)


def lane_state(conn: Connection, site_id: int, *, now: datetime) -> SiteState:
    """Whether a site is blocked, cooling down or busy with pages."""
    in_line = exists().where(jobs.c.site_id == site_id, jobs.c.status == "pending", jobs.c.not_before <= now)
    query = (
        select(sites.c.blocked, lanes.c.cooling_until, in_line.label("busy"))
        .join(lanes, lanes.c.site_id == sites.c.id)
        .where(sites.c.id == site_id)
    )
    (state,) = fetch_as(conn, query, SiteState)
    return state


def mark_stored(
    conn: Connection, image_id: int, content_hash: str, measured: ImageSize, *, now: datetime
) -> None:
    """Store the hash and the measured size of an image."""
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
    """Try again then; `tries`: if this attempt counts."""
    _settle(conn, image_id, next_at=until, **({} if tries is None else {"tries": tries}))


def give_up(conn: Connection, image_id: int, error: str, *, now: datetime) -> None:
    """Give up an image."""
    _settle(conn, image_id, next_at=None, error=error, fetched_at=now)


def _settle(conn: Connection, image_id: int, **values: Any) -> None:
    conn.execute(update(images).where(images.c.id == image_id).values(**values))


def list_by_record(conn: Connection, record_id: int) -> list[ImageRow]:
    """A record's images, in their order."""
    query = select_as(images, ImageRow).where(images.c.record_id == record_id)
    return fetch_as(conn, query.order_by(images.c.position, images.c.id), ImageRow)


def list_records(conn: Connection, source_id: int, *, after: str, limit: int = 200) -> list[RecordContent]:
    """The active records of a source with their content, in the order of their keys."""
    query = select(records.c.id, records.c.identity_key, records.c.content).where(
        records.c.source_id == source_id, records.c.identity_key > after, records.c.active == 1
    )
    return fetch_as(conn, query.order_by(records.c.identity_key).limit(limit), RecordContent)


def release_bodies(
    conn: Connection, *, before: datetime, after: int = 0, limit: int = 500
) -> tuple[set[str], int | None]:
    """Release the bodies of images of records inactive since then: which, and the last id read."""
    walked = (
        select(images.c.id, images.c.content_hash, records.c.deactivated_at)
        .join(records, records.c.id == images.c.record_id)
        .where(images.c.id > after)
        .order_by(images.c.id)
        .limit(limit)
    )
    looked = conn.execute(walked).all()
    releasable = [row for row in looked if row.deactivated_at is not None and row.deactivated_at < before]
    conn.execute(
        update(images)
        .where(images.c.id.in_([row.id for row in releasable]))
        .values(content_hash=None, fetched_at=None, next_at=None)
    )
    return {row.content_hash for row in releasable if row.content_hash}, looked[-1].id if looked else None
