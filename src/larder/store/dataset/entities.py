"""Entities that records of several sources share, the links to them, and the keys to find them by.

A link is never deleted but undone, with who did it: the resolver does not repeat what a person undid. Keys
that too many records share are ignored, so that look-ups stay bounded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, insert, select

from larder.store.database.statement import Statement, fetch_as, fetch_one_as, select_as, table_columns
from larder.store.dataset import changes
from larder.store.dataset.changes import NewChange
from larder.store.tables import entities, links, records
from larder.store.tables.columns import micros

CROWD = 200
"""A key that so many records share is ignored."""
NEAR = 100
"""The most records that are compared with one: those that share the most keys."""
RESOLVER = "resolver"


class RecordFacts(NamedTuple):
    """The columns by which the resolver compares records."""

    id: int
    source_id: int
    kind: str
    title: str
    brand: str | None
    price_minor: int | None
    currency: str | None
    latitude: float | None
    longitude: float | None
    starts_at: int | None
    active: int
    content: Any
    entity_id: int | None
    upc_trusted: int


class EntityKey(NamedTuple):
    """A key under which records of one entity are found."""

    key: int
    record_id: int
    source_id: int


class LinkState(NamedTuple):
    """A link that a record has or had."""

    record_id: int
    entity_id: int
    rule: str
    undone_at: int | None
    undone_by: str | None


class Member(NamedTuple):
    """A record of an entity."""

    id: int
    entity_id: int


class EntityRow(NamedTuple):
    """An entity."""

    id: int
    kind: str
    title: str | None
    created_at: datetime


class SharedEntity(NamedTuple):
    """An entity with the number of its records."""

    id: int
    kind: str
    title: str | None
    created_at: datetime
    records: int


class LinkRow(NamedTuple):
    """A link with the reason it was made."""

    id: int
    record_id: int
    entity_id: int
    score: float
    rule: str
    explanation: Any
    linked_at: datetime
    undone_at: datetime | None
    undone_by: str | None


class _Pair(NamedTuple):
    record_id: int
    other_id: int


class _Undone(NamedTuple):
    record_id: int
    entity_id: int


_FACTS = Statement(
    """
    SELECT records.id, records.source_id, records.kind, records.title, records.brand, records.price_minor,
           records.currency, records.latitude, records.longitude, records.starts_at, records.active,
           records.content, records.entity_id, sources.upc_trusted
    FROM {rows} AS asked JOIN records ON records.id = asked.id JOIN sources ON sources.id = records.source_id
    ORDER BY records.id
    """,
    row=RecordFacts,
    rows={"id": "int"},
)

_FORGET_KEYS = Statement(
    "DELETE FROM entity_keys WHERE record_id IN (SELECT id FROM {rows} AS asked)", rows={"id": "int"}
)
_ADD_KEYS = Statement(
    """
    INSERT INTO entity_keys (key, record_id) SELECT key, record_id FROM {rows} AS found WHERE true
    ON CONFLICT (key, record_id) DO NOTHING
    """,
    rows={"key": "int", "record_id": "int"},
)

_TELLING = Statement(
    """
    SELECT DISTINCT asked.key FROM {rows} AS asked
    WHERE (SELECT count(*) FROM (SELECT 1 FROM entity_keys WHERE entity_keys.key = asked.key LIMIT :crowd)
           AS few) < :crowd
    """,
    scalar=int,
    rows={"key": "int"},
    args={"crowd": "int"},
)
_SHARING = Statement(
    """
    SELECT asked.record_id, other.id AS other_id
    FROM {rows} AS asked
    JOIN entity_keys ON entity_keys.key = asked.key
    JOIN records AS other ON other.id = entity_keys.record_id
    WHERE other.active = 1 AND other.source_id <> asked.source_id
    GROUP BY asked.record_id, other.id
    ORDER BY asked.record_id, count(*) DESC, other.id
    """,
    row=_Pair,
    rows=EntityKey,
)

_LINKS = Statement(
    """
    SELECT links.record_id, links.entity_id, links.rule, links.undone_at, links.undone_by
    FROM {rows} AS asked JOIN links ON links.record_id = asked.id ORDER BY links.id
    """,
    row=LinkState,
    rows={"id": "int"},
)
_MEMBERS = Statement(
    """
    SELECT records.id, records.entity_id FROM {rows} AS asked JOIN records ON records.entity_id = asked.id
    ORDER BY records.id
    """,
    row=Member,
    rows={"id": "int"},
)

_LINK = Statement(
    """
    INSERT INTO links (record_id, entity_id, score, rule, explanation, linked_at)
    SELECT record_id, entity_id, score, rule, explanation, :now FROM {rows} AS found
    """,
    rows={"record_id": "int", "entity_id": "int", "score": "float", "rule": "text", "explanation": "json"},
    args={"now": "int"},
)
_POINT = Statement(
    "UPDATE records SET entity_id = found.entity_id FROM {rows} AS found WHERE records.id = found.record_id",
    rows={"record_id": "int", "entity_id": "int"},
)
_UNDO = Statement(
    """
    UPDATE links SET undone_at = :now, undone_by = :who FROM {rows} AS asked
    WHERE links.record_id = asked.id AND links.undone_at IS NULL
    RETURNING links.record_id, links.entity_id
    """,
    row=_Undone,
    rows={"id": "int"},
    args={"now": "int", "who": "text"},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLink:
    """A link of a record to an entity, and why."""

    record_id: int
    source_id: int
    entity_id: int
    score: float
    rule: str
    explanation: Mapping[str, Any]


def load_facts(conn: Connection, record_ids: Iterable[int]) -> list[RecordFacts]:
    """The facts of these records."""
    return _FACTS(conn, [(i,) for i in sorted(set(record_ids))])


def set_keys(conn: Connection, found: Mapping[int, Iterable[int]]) -> None:
    """Replace the keys of these records."""
    _FORGET_KEYS(conn, [(i,) for i in sorted(found)])
    _ADD_KEYS(conn, sorted((key, i) for i, own in found.items() for key in own))


def find_sharing_keys(conn: Connection, keys: Sequence[EntityKey]) -> list[tuple[int, int]]:
    """(record, other): records of other sources that share a key."""
    usable = set(_TELLING(conn, [(each.key,) for each in keys], crowd=CROWD))
    pairs = _SHARING(conn, [each for each in keys if each.key in usable])
    of_each = (islice(rows, NEAR) for _, rows in groupby(pairs, key=attrgetter("record_id")))
    return [(row.record_id, row.other_id) for rows in of_each for row in rows]


def list_links(conn: Connection, record_ids: Iterable[int]) -> list[LinkState]:
    """All links of these records, undone ones included, oldest first."""
    return _LINKS(conn, [(i,) for i in sorted(set(record_ids))])


def list_members(conn: Connection, entity_ids: Iterable[int]) -> list[Member]:
    """The records of these entities."""
    return _MEMBERS(conn, [(i,) for i in sorted(set(entity_ids))])


def create(conn: Connection, *, kind: str, title: str, now: datetime) -> int:
    """Create an entity."""
    row = {"kind": kind, "title": title, "created_at": now}
    return int(conn.execute(insert(entities).values(row).returning(entities.c.id)).scalar_one())


def link(conn: Connection, found: Sequence[EntityLink], *, now: datetime) -> None:
    """Link records to entities; none of them may have a current link."""
    rows = sorted(found, key=lambda entity_link: entity_link.record_id)
    rows_to_write = [(f.record_id, f.entity_id, f.score, f.rule, dict(f.explanation)) for f in rows]
    _LINK(conn, rows_to_write, now=micros(now))
    _POINT(conn, [(f.record_id, f.entity_id) for f in rows])
    events = [NewChange(f.record_id, f.source_id, "linked", {"entity": f.entity_id}) for f in rows]
    changes.add(conn, events, now=now)


def unlink(conn: Connection, record_ids: Sequence[int], *, who: str, now: datetime) -> int:
    """Undo the current links of these records; how many there were."""
    rows = _UNDO(conn, [(i,) for i in record_ids], now=micros(now), who=who)
    undone = {row.record_id: row.entity_id for row in rows}
    _POINT(conn, [(record_id, None) for record_id in sorted(undone)])
    sources_by_record = {row.id: row.source_id for row in load_facts(conn, undone)}
    events = [NewChange(i, sources_by_record[i], "unlinked", {"entity": undone[i]}) for i in sorted(undone)]
    changes.add(conn, events, now=now)
    return len(undone)


def by_id(conn: Connection, entity_id: int) -> EntityRow | None:
    """The entity of that id."""
    return fetch_one_as(conn, select_as(entities, EntityRow).where(entities.c.id == entity_id), EntityRow)


def list_page(conn: Connection, *, kind: str | None, after: int | None, limit: int) -> list[SharedEntity]:
    """Entities of several records, newest first; `after`: the last id of the previous page."""
    many = select(func.count()).where(records.c.entity_id == entities.c.id).scalar_subquery()
    shared = (
        select(*table_columns(entities, EntityRow), many.label("records"))
        .where(many > 1)
        .order_by(entities.c.id.desc())
        .limit(limit)
    )
    if kind is not None:
        shared = shared.where(entities.c.kind == kind)
    if after is not None:
        shared = shared.where(entities.c.id < after)
    return fetch_as(conn, shared, SharedEntity)


def link_history(conn: Connection, entity_id: int) -> list[LinkRow]:
    """All links to an entity, undone ones included, oldest first."""
    return fetch_as(
        conn,
        select_as(links, LinkRow).where(links.c.entity_id == entity_id).order_by(links.c.id),
        LinkRow,
    )
