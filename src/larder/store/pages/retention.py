"""Deletes pages and bodies past their retention, and never one that is needed.

A page is needed if a record was last read from it, an open job uses it, or a person has yet to review it
(quarantine, dead letters). Other pages are deleted by age, then bodies, oldest first, until they fit their
limit. A body's row is deleted with its last reference; packs are dropped afterwards, when no row refers to
them and they are too old for a page that is being written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, delete, exists, func, or_, select, update

from larder.store.database import Database
from larder.store.database.statement import fetch_as, in_batches
from larder.store.pages import images as pictures
from larder.store.pages.blobs import Blobs, Pack
from larder.store.tables import blobs, dead_letters, images, jobs, pages, quarantine, records

KEEP_PAGES = timedelta(days=90)
GRACE = timedelta(hours=1)
"""A younger body may belong to a page that is being written."""
BATCH = 500
MOVED_AT_ONCE = 64
WASTE = 0.5
"""A pack with a larger share of waste is rewritten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionLimits:
    """How long pages are kept, and how many bytes."""

    age: timedelta = KEEP_PAGES
    max_bytes: int | None = None
    """The most bytes of stored bodies; None: no limit."""
    grace: timedelta = GRACE


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionResult:
    """Counts of deleted rows. `over`: bytes beyond the limit that are needed."""

    pages: int = 0
    bodies: int = 0
    packs: int = 0
    moved: int = 0
    over: int = 0


async def apply_retention(
    database: Database, store: Blobs, keep: RetentionLimits, *, now: datetime
) -> RetentionResult:
    """Delete what is too old or too large, in short transactions."""
    young = now - keep.grace
    old_pages, bodies = await _by_age(database, before=now - keep.age, young=young)
    bodies += await _delete_images(database, before=now - keep.age, young=young)
    bodies += await _delete_orphans(database, young=young)
    by_size, over = await _by_size(database, keep.max_bytes, young=young)
    moved = await _compact(database, store, young=young)
    packs = await _drop_unused(database, store, young=young)
    return RetentionResult(pages=old_pages, bodies=bodies + by_size, packs=packs, moved=moved, over=over)


# -- by age ------------------------------------------------------------------------------------------------


async def _by_age(database: Database, *, before: datetime, young: datetime) -> tuple[int, int]:
    removed, bodies, after = 0, 0, 0
    while True:
        batch = await database.run(expire_pages, before=before, young=young, after=after)
        if batch.looked_to is None:
            return removed, bodies
        removed, bodies, after = removed + batch.pages, bodies + batch.bodies, batch.looked_to


@dataclass(frozen=True, slots=True, kw_only=True)
class Expired:
    """One batch: deleted rows, and the last page read (None: there was none)."""

    pages: int = 0
    bodies: int = 0
    looked_to: int | None = None


def expire_pages(
    conn: Connection, *, before: datetime, young: datetime, after: int = 0, limit: int = BATCH
) -> Expired:
    """Delete pages fetched before then that are not needed, and the bodies that only they had.

    `after`: the id to continue from. Ids grow with time, so the walk ends at recent pages.
    """
    old = select(pages.c.id, pages.c.fetched_at).where(pages.c.id > after).order_by(pages.c.id).limit(limit)
    looked = [row.id for row in conn.execute(old) if row.fetched_at < before]
    if not looked:
        return Expired()
    statement = delete(pages).where(pages.c.id.in_(looked), ~_needed(pages.c.id))
    rows = conn.execute(statement.returning(pages.c.content_hash)).all()
    hashes = {row.content_hash for row in rows if row.content_hash}
    return Expired(
        pages=len(rows), bodies=_delete_unused_bodies(conn, hashes, young=young), looked_to=looked[-1]
    )


def _needed(page_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a record, an open job or a person needs this page."""
    under_way = select(jobs.c.page_id).where(jobs.c.status.in_(("pending", "running")))
    set_aside = select(quarantine.c.page_id).where(quarantine.c.status == "pending")
    letters = select(_GOES_ON_FROM).where(dead_letters.c.status.in_(("pending", "retrying")))
    return or_(
        exists().where(records.c.page_id == page_id),
        page_id.in_(under_way.where(jobs.c.page_id.is_not(None))),
        page_id.in_(set_aside.where(quarantine.c.page_id.is_not(None))),
        page_id.in_(letters.where(_GOES_ON_FROM.is_not(None))),
    )


_GOES_ON_FROM = dead_letters.c.payload["page_id"].as_integer()


def _delete_unused_bodies(conn: Connection, hashes: Iterable[str], *, young: datetime) -> int:
    """Delete the rows of bodies that nothing refers to."""
    statement = delete(blobs).where(
        blobs.c.content_hash.in_(list(hashes)), blobs.c.stored_at < young, _unused()
    )
    return conn.execute(statement).rowcount


def _unused() -> ColumnElement[bool]:
    by_page = exists().where(pages.c.content_hash == blobs.c.content_hash)
    by_image = exists().where(images.c.content_hash == blobs.c.content_hash)
    return ~by_page & ~by_image


# -- images of what is gone --------------------------------------------------------------------------------


async def _delete_images(database: Database, *, before: datetime, young: datetime) -> int:
    removed, after = 0, 0
    while True:
        deleted, looked_to = await database.run(_delete_image_bodies, before=before, young=young, after=after)
        if looked_to is None:
            return removed
        removed, after = removed + deleted, looked_to


def _delete_image_bodies(
    conn: Connection, *, before: datetime, young: datetime, after: int
) -> tuple[int, int | None]:
    hashes, looked_to = pictures.release_bodies(conn, before=before, after=after, limit=BATCH)
    return _delete_unused_bodies(conn, hashes, young=young), looked_to


# -- bodies without a page ---------------------------------------------------------------------------------


async def _delete_orphans(database: Database, *, young: datetime) -> int:
    removed, after = 0, ""
    while True:
        deleted, looked_to = await database.run(delete_orphans, young=young, after=after)
        if looked_to is None:
            return removed
        removed, after = removed + deleted, looked_to


def delete_orphans(
    conn: Connection, *, young: datetime, after: str = "", limit: int = 10 * BATCH
) -> tuple[int, str | None]:
    """Delete rows of bodies that nothing refers to: how many, and the last hash read."""
    walked = select(blobs.c.content_hash).where(blobs.c.content_hash > after)
    looked = list(conn.scalars(walked.order_by(blobs.c.content_hash).limit(limit)))
    return (_delete_unused_bodies(conn, looked, young=young), looked[-1]) if looked else (0, None)


# -- by size -----------------------------------------------------------------------------------------------


async def _by_size(database: Database, max_bytes: int | None, *, young: datetime) -> tuple[int, int]:
    if max_bytes is None:
        return 0, 0
    removed = 0
    while (over := await database.run(stored_bytes) - max_bytes) > 0:
        deleted = await database.run(delete_oldest, over, young=young)
        if not deleted:
            return removed, over
        removed += deleted
    return removed, 0


def stored_bytes(conn: Connection) -> int:
    """The bytes of all stored bodies."""
    return int(conn.scalar(select(func.coalesce(func.sum(blobs.c.stored_size), 0))) or 0)


def delete_oldest(conn: Connection, over: int, *, young: datetime, limit: int = BATCH) -> int:
    """Delete the rows of the oldest bodies that are not needed, until `over` bytes are freed; how many."""
    serves = (pages.c.content_hash == blobs.c.content_hash) & _needed(pages.c.id)
    pictured = exists().where(images.c.content_hash == blobs.c.content_hash)
    free = ~select(pages.c.id).where(serves).exists() & ~pictured
    oldest: Select[Any] = select(blobs.c.content_hash, blobs.c.stored_size)
    oldest = oldest.where(blobs.c.stored_at < young, free).order_by(blobs.c.stored_at).limit(limit)
    chosen: list[str] = []
    for row in conn.execute(oldest):
        if over <= 0:
            break
        chosen.append(row.content_hash)
        over -= row.stored_size
    statement = delete(blobs).where(blobs.c.content_hash.in_(chosen), blobs.c.stored_at < young)
    return conn.execute(statement).rowcount


# -- packs -------------------------------------------------------------------------------------------------


async def _drop_unused(database: Database, store: Blobs, *, young: datetime) -> int:
    packs = await store.packs()  # before the rows are read: bodies written meanwhile are not in the list
    used = await database.run(used_packs)
    return await store.drop([p.key for p in packs if p.key not in used and p.written_at < young])


def used_packs(conn: Connection) -> dict[str, int]:
    """Packs in use, each with the bytes of its bodies."""
    place = func.instr if conn.dialect.name == "sqlite" else func.strpos
    key = func.substr(blobs.c.location, 1, place(blobs.c.location, ".pack:") + 4).label("key")
    query = select(key, func.sum(blobs.c.stored_size).label("live")).group_by(key)
    return {row.key: int(row.live) for row in conn.execute(query)}


async def _compact(database: Database, store: Blobs, *, young: datetime) -> int:
    """Rewrite the bodies of mostly empty packs; the packs are then unused."""
    packs, used = await store.packs(), await database.run(used_packs)
    moved = 0
    for pack in packs:
        if pack.key in used and pack.written_at < young and _is_wasteful(pack, used[pack.key]):
            moved += await _move(database, store, pack)
    return moved


def _is_wasteful(pack: Pack, live: int) -> bool:
    return live < (1 - WASTE) * pack.size


async def _move(database: Database, store: Blobs, pack: Pack) -> int:
    moved = 0
    for lying in in_batches(await database.run(list_bodies, pack.key), MOVED_AT_ONCE):
        read = [(place, await store.get(place.location, place.content_hash)) for place in lying]
        found = [(place, body) for place, body in read if body is not None]
        if found:
            stored = await store.put([body for _, body in found])
            moves = [
                MovedBody(place.content_hash, old=place.location, new=to.location)
                for (place, _), to in zip(found, stored, strict=True)
            ]
            moved += await database.run(move_bodies, moves)
    return moved


class MovedBody(NamedTuple):
    """A body that was written again, with its old and its new location."""

    content_hash: str
    old: str
    new: str


class StoredBody(NamedTuple):
    """A body and its location."""

    content_hash: str
    location: str


def list_bodies(conn: Connection, key: str) -> list[StoredBody]:
    """The bodies in a pack."""
    lies_there = blobs.c.location.startswith(f"{key}:", autoescape=True)
    return fetch_as(conn, select(blobs.c.content_hash, blobs.c.location).where(lies_there), StoredBody)


def move_bodies(conn: Connection, moves: Sequence[MovedBody]) -> int:
    """Set the new locations of bodies that were neither moved nor deleted meanwhile; returns how many."""
    return sum(
        conn.execute(
            update(blobs)
            .where(blobs.c.content_hash == body.content_hash, blobs.c.location == body.old)
            .values(location=body.new)
        ).rowcount
        for body in moves
    )
