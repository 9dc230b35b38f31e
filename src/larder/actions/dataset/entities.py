"""Entities: records of several sources about one thing. List, link by hand, unlink."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from larder.core.errors import BadInput, Conflict, NotFound
from larder.core.model.hint import Hint
from larder.core.model.item import BY_HAND
from larder.core.model.source import Kind
from larder.store.database import Connection
from larder.store.dataset import entities
from larder.store.dataset.entities import EntityLink, EntityRow, LinkRow, SharedEntity
from larder.store.operations import audit
from larder.store.reads import public
from larder.store.reads.lookup import NamedRecord, record_row
from larder.store.reads.records import RecordLabel, record_labels, same_entity
from larder.store.reads.rows import RecordRow, view_of

MAX_LIMIT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLine:
    """An entity in a list."""

    id: int
    kind: str
    title: str | None
    records: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A record's link to an entity, and why it was made."""

    record_id: int
    source: str
    title: str
    price_minor: int | None
    currency: str | None
    url: str | None
    score: float
    rule: str
    explanation: Mapping[str, Any] | None
    """The other record, and each feature's share in the score."""
    linked_at: datetime
    undone_at: datetime | None
    undone_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityView:
    """One entity with its records and its removed links."""

    entity: EntityLine
    links: Sequence[LinkView]
    undone: Sequence[LinkView]


def list_entities(
    conn: Connection, *, kind: Kind | None = None, after: int | None = None, limit: int = 50
) -> list[EntityLine]:
    """Entities with several records, newest first; `after`: the last one of the previous page."""
    found = entities.list_page(conn, kind=kind, after=after, limit=min(limit, MAX_LIMIT))
    return [_line(row, row.records) for row in found]


def show(conn: Connection, entity_id: int) -> EntityView:
    """Show one entity: its records, and why each was linked."""
    row = entities.by_id(conn, entity_id)
    if row is None:
        raise NotFound(f"there is no entity {entity_id}", hint=Hint(action="entity.list"))
    links = entities.link_history(conn, entity_id)
    known = record_labels(conn, {link.record_id for link in links})
    views = [_view(link, known[link.record_id]) for link in links]
    current = [view for view in views if view.undone_at is None]
    return EntityView(
        entity=_line(row, len(current)),
        links=current,
        undone=[view for view in views if view.undone_at is not None],
    )


def public_siblings(conn: Connection, record_id: int, now: datetime) -> list[RecordRow]:
    """The other public records of the same entity as a public record."""
    row = public.by_id(conn, record_id, now=now)
    return [] if row is None else same_entity(conn, row, now=now)


def link(conn: Connection, record_id: int, other_id: int, *, who: str, now: datetime) -> EntityView:
    """Link two records by hand; the resolver does not undo it."""
    record, other = record_row(conn, record_id), record_row(conn, other_id)
    _check_pair(record, other)
    entity_id = other.entity_id or entities.create(conn, kind=other.kind, title=other.title, now=now)
    by_hand = _by_hand_in(conn, [record_id, other_id], entity_id)
    joining = [each for each in (record, other) if each.id not in by_hand]
    entities.unlink(conn, [each.id for each in joining if each.entity_id is not None], who=who, now=now)
    entities.link(conn, [_by_hand(each, entity_id, who) for each in joining], now=now)
    values = {"beside": other_id, "entity": entity_id}
    audit.record(conn, "record linked", str(record_id), values, who=who, now=now)
    return show(conn, entity_id)


def undo(conn: Connection, record_id: int, *, who: str, now: datetime) -> EntityView:
    """Unlink a record from its entity; the resolver does not link it again."""
    entity_id = record_row(conn, record_id).entity_id
    if entity_id is None:
        raise Conflict(f"record {record_id} belongs to no entity", hint=Hint(action="entity.list"))
    entities.unlink(conn, [record_id], who=who, now=now)
    audit.record(conn, "record unlinked", str(record_id), {"entity": entity_id}, who=who, now=now)
    return show(conn, entity_id)


def _check_pair(record: NamedRecord, other: NamedRecord) -> None:
    if record.id == other.id:
        raise BadInput("a record cannot be linked to itself", hint="name two records")
    if record.kind != other.kind:
        raise BadInput(
            f"record {record.id} is a {record.kind}, record {other.id} is a {other.kind}",
            hint="link records of one kind",
        )
    if record.entity_id is not None and record.entity_id == other.entity_id:
        raise Conflict(
            f"records {record.id} and {other.id} belong together already",
            hint=Hint(action="entity.show", target=str(other.entity_id)),
        )


def _by_hand_in(conn: Connection, record_ids: Sequence[int], entity_id: int) -> set[int]:
    """The records among these that a person linked before."""
    links = entities.list_links(conn, record_ids)
    current = (link for link in links if link.undone_at is None and link.entity_id == entity_id)
    return {link.record_id for link in current if link.rule == BY_HAND}


def _by_hand(record: NamedRecord, entity_id: int, who: str) -> EntityLink:
    return EntityLink(
        record_id=record.id,
        source_id=record.source_id,
        entity_id=entity_id,
        score=1.0,
        rule=BY_HAND,
        explanation={"by": who},
    )


def _line(row: EntityRow | SharedEntity, count: int) -> EntityLine:
    return EntityLine(id=row.id, kind=row.kind, title=row.title, records=count, created_at=row.created_at)


def _view(link: LinkRow, record: RecordLabel) -> LinkView:
    return view_of(LinkView, link, **asdict(record))
