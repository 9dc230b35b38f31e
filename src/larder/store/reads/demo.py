"""The dataset as the demo compares it with the simulated sites."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from larder.core.policy.trust.head_trust import CheckMethod
from larder.store.reads.rows import read_all
from larder.store.tables import lanes, records, sources, verifications


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedRecord:
    """A record that belongs to an entity."""

    entity_id: int
    source: str
    platform_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivePrice:
    """The price of an active record."""

    source: str
    platform_id: str
    price_minor: int | None


def linked_records(conn: Connection) -> list[LinkedRecord]:
    """All records that belong to an entity."""
    linked = select(records.c.entity_id, sources.c.slug.label("source"), records.c.platform_id)
    query = linked.join(sources, sources.c.id == records.c.source_id)
    return read_all(conn, query.where(records.c.entity_id.is_not(None)), LinkedRecord)


def active_prices(conn: Connection) -> list[ActivePrice]:
    """The prices of all active records."""
    active = select(records.c.platform_id, records.c.price_minor, sources.c.slug.label("source"))
    query = active.join(sources, sources.c.id == records.c.source_id)
    return read_all(conn, query.where(records.c.active == 1), ActivePrice)


def fetched_for_verification(conn: Connection) -> Iterator[str]:
    """The URL of a record for each check that fetched its whole page."""
    query = select(records.c.url).join(verifications, verifications.c.record_id == records.c.id)
    return (url for url in conn.scalars(query.where(verifications.c.method != CheckMethod.HEAD)) if url)


def all_slugs(conn: Connection) -> dict[int, str]:
    """The slugs of all sources."""
    return {row.id: row.slug for row in conn.execute(select(sources.c.id, sources.c.slug))}


def next_lane_at(conn: Connection) -> datetime | None:
    """When the first of all lanes is due."""
    soonest: datetime | None = conn.scalar(select(func.min(lanes.c.next_at)))
    return soonest
