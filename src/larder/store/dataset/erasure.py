"""Erases a record or a seller on request; a tombstone keeps it from being stored again.

A tombstone holds a record's key or a seller's hash. Pages that were fetched for an erased record lose their
body at once; index pages that also showed it are deleted by retention.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from larder.core.model.identity import url_key
from larder.store import search
from larder.store.database.statement import Statement
from larder.store.dataset import changes
from larder.store.tables import (
    dead_letters,
    entity_keys,
    images,
    items,
    links,
    observations,
    pages,
    pins,
    quarantine,
    records,
    targets,
    tombstones,
    verifications,
    versions,
    watch_matches,
)

BATCH = 500


class _ErasedKey(NamedTuple):
    source_id: int
    identity_key: str


_ERASED_KEYS = Statement(
    """
    SELECT tombstones.source_id, tombstones.identity_key FROM {rows} AS said
    JOIN tombstones ON tombstones.source_id = said.source_id AND tombstones.identity_key = said.identity_key
    """,
    row=_ErasedKey,
    rows={"source_id": "int", "identity_key": "text"},
)

_ERASED_SELLERS = Statement(
    """
    SELECT tombstones.seller_hash FROM {rows} AS said
    JOIN tombstones ON tombstones.seller_hash = said.seller_hash
    """,
    scalar=str,
    rows={"seller_hash": "text"},
)

_ANY = Statement("SELECT EXISTS (SELECT 1 FROM tombstones) AS some", scalar=int)


def any_erased(conn: Connection) -> bool:
    """Whether anything was ever erased."""
    return bool(_ANY(conn)[0])


def seller_hash(seller: str) -> str:
    """A hash of a seller's name, whatever its spaces and capitals."""
    return hashlib.sha256(" ".join(seller.casefold().split()).encode()).hexdigest()


def last_erased_at(conn: Connection, source_id: int) -> datetime | None:
    """When a record of this source, or any seller, was last erased."""
    condition = (tombstones.c.source_id == source_id) | tombstones.c.source_id.is_(None)
    found: datetime | None = conn.scalar(
        select(tombstones.c.erased_at).where(condition).order_by(tombstones.c.id.desc()).limit(1)
    )
    return found


def erased_keys(conn: Connection, keys: Sequence[tuple[int, str]]) -> set[tuple[int, str]]:
    """Which of these (source, key) were erased."""
    return set(_ERASED_KEYS(conn, keys))


def erased_sellers(conn: Connection, sellers: Iterable[str]) -> set[str]:
    """Which of these sellers were erased."""
    hashes = {seller: seller_hash(seller) for seller in sellers}
    erased = set(_ERASED_SELLERS(conn, [(h,) for h in set(hashes.values())]))
    return {seller for seller, hashed in hashes.items() if hashed in erased}


def erase_record(conn: Connection, record_id: int, *, by: str, reason: str, now: datetime) -> bool:
    """Erase one record; False where there is none."""
    row = conn.execute(
        select(
            records.c.source_id,
            records.c.identity_key,
            records.c.url,
            records.c.canonical_url,
            records.c.content,
        ).where(records.c.id == record_id)
    ).one_or_none()
    if row is None:
        return False
    keys = {row.identity_key, *_own_address(conn, row.source_id, row.canonical_url)}
    entry = {"source_id": row.source_id, "reason": reason, "erased_by": by, "erased_at": now}
    for key in sorted(keys - {known for _, known in erased_keys(conn, [(row.source_id, k) for k in keys])}):
        conn.execute(insert(tombstones).values(identity_key=key, **entry))
    _forget_pages(conn, row.source_id, row.url)
    conn.execute(update(targets).where(targets.c.record_id == record_id).values(record_id=None, blocked=1))
    _delete(conn, {record_id: row.content})
    changes.add(conn, [changes.NewChange(record_id, row.source_id, "erased", None)], now=now)
    return True


def _delete(conn: Connection, contents: Mapping[int, Any]) -> None:
    """Delete records, here with their contents, and all that hangs on them."""
    for table in (versions, observations, pins, images, links, entity_keys, verifications, watch_matches):
        conn.execute(delete(table).where(table.c.record_id.in_(contents)))
    conn.execute(delete(records).where(records.c.id.in_(contents)))
    for content in contents.values():
        search.delete_unused_words(conn, content)


def erase_source(conn: Connection, source_id: int, *, now: datetime) -> int:
    """Erase all records of a source, its pages' bodies and its rejected items; how many records.

    There are no tombstones: should the source be added again, its records may come back.
    """
    query = select(records.c.id, records.c.content).where(records.c.source_id == source_id).limit(BATCH)
    erased = 0
    while rows := conn.execute(query).all():
        _delete(conn, {row.id: row.content for row in rows})
        changes.add(conn, [changes.NewChange(row.id, source_id, "erased", None) for row in rows], now=now)
        erased += len(rows)
    condition = pages.c.source_id == source_id
    conn.execute(delete(items).where(items.c.page_id.in_(select(pages.c.id).where(condition))))
    conn.execute(update(pages).where(condition).values(content_hash=None, headers=None))
    for table in (quarantine, dead_letters):
        conn.execute(delete(table).where(table.c.source_id == source_id))
    return erased


def erase_seller(conn: Connection, seller: str, *, by: str, reason: str, now: datetime) -> int:
    """Erase a seller with all records; how many there were."""
    hashed = seller_hash(seller)
    conn.execute(insert(tombstones).values(seller_hash=hashed, reason=reason, erased_by=by, erased_at=now))
    sellers = conn.execute(select(records.c.id, records.c.seller).where(records.c.seller.is_not(None)))
    record_ids = [row.id for row in sellers if seller_hash(row.seller) == hashed]
    for record_id in record_ids:
        erase_record(conn, record_id, by=by, reason=reason, now=now)
    return len(record_ids)


def _own_address(conn: Connection, source_id: int, canonical_url: str | None) -> set[str]:
    """The key of an address, unless another record of the source has it."""
    if canonical_url is None:
        return set()
    condition = (records.c.source_id == source_id) & (records.c.canonical_url == canonical_url)
    alone = len(conn.execute(select(records.c.id).where(condition).limit(2)).all()) == 1
    return {url_key(canonical_url)} if alone else set()


def _forget_pages(conn: Connection, source_id: int, url: str | None) -> None:
    """Remove the body of the record's own pages, and the items that were dropped from them."""
    if url is None:
        return
    condition = (pages.c.source_id == source_id) & (pages.c.url == url)
    conn.execute(delete(items).where(items.c.page_id.in_(select(pages.c.id).where(condition))))
    conn.execute(update(pages).where(condition).values(content_hash=None, headers=None))
