"""Where bodies of pages and images are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from larder.store.reads import public
from larder.store.reads.rows import read_all
from larder.store.tables import blobs, images, pages


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A page's body."""

    location: str
    content_hash: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredImage:
    """An image's body."""

    record_id: int
    format: str | None
    location: str
    content_hash: str


def body_location(conn: Connection, content_hash: str) -> str | None:
    """Where a body is stored; None: it is not."""
    return conn.scalar(select(blobs.c.location).where(blobs.c.content_hash == content_hash))


def stored_page(conn: Connection, page_id: int) -> StoredPage | None:
    """A page whose body is stored."""
    query = select(blobs.c.location, blobs.c.content_hash, pages.c.url).join(
        pages, pages.c.content_hash == blobs.c.content_hash
    )
    return next(iter(read_all(conn, query.where(pages.c.id == page_id), StoredPage)), None)


def stored_image(conn: Connection, image_id: int, *, public_only: bool, now: datetime) -> StoredImage | None:
    """An image whose body is stored; `public_only`: of a record that a visitor may see."""
    query = select(images.c.record_id, images.c.format, blobs.c.location, blobs.c.content_hash).join(
        blobs, blobs.c.content_hash == images.c.content_hash
    )
    image = next(iter(read_all(conn, query.where(images.c.id == image_id), StoredImage)), None)
    hidden = image and public_only and public.by_id(conn, image.record_id, now=now) is None
    return None if hidden else image


def first_images(conn: Connection, record_ids: Sequence[int]) -> dict[int, int]:
    """The first stored image of each record, by its number."""
    if not record_ids:
        return {}
    stored = images.c.content_hash.is_not(None)
    least = select(images.c.record_id, func.min(images.c.position).label("position"))
    least_of = least.where(images.c.record_id.in_(record_ids), stored).group_by(images.c.record_id).subquery()
    condition = (images.c.record_id == least_of.c.record_id) & (images.c.position == least_of.c.position)
    query = select(images.c.record_id, func.min(images.c.id).label("first")).join(least_of, condition)
    found = conn.execute(query.where(stored).group_by(images.c.record_id))
    return {row.record_id: row.first for row in found}
