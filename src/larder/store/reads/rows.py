"""Rows as dataclasses, the row class of records, and the filters that lists share.

A dataclass names its fields as the row does; fields that differ or are computed are passed by name.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, literal_column

from larder.core.model.record import Verification
from larder.core.policy.freshness import Badge, MissingPage, badge, confidence_at, confidence_shown
from larder.store.database.statement import json_value, table_columns
from larder.store.dataset.freshness import SECOND_US
from larder.store.tables import records
from larder.store.tables.columns import Moment, moment


class View(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


V = TypeVar("V", bound=View)


def view_of(kind: type[V], row: Any, **others: Any) -> V:
    """`kind` with the row's value for each of its fields, but for `others`; flags are stored as 0 and 1."""
    same = {
        name: bool(getattr(row, name)) if field.type is bool else getattr(row, name)
        for name, field in kind.__dataclass_fields__.items()
        if name not in others
    }
    return kind(**same, **others)


def read_all(conn: Connection, query: Select[Any], kind: type[V]) -> list[V]:
    """Every row of a query as `kind`."""
    return [view_of(kind, row) for row in conn.execute(query)]


def only(query: Select[Any], *conditions: tuple[ColumnElement[Any], Any]) -> Select[Any]:
    """Rows whose columns have the wanted values; None leaves a column open."""
    return query.where(*(column == value for column, value in conditions if value is not None))


def newest(query: Select[Any], key: ColumnElement[int], *, before: int | None, limit: int) -> Select[Any]:
    """The `limit` rows with the largest keys, of those with a key smaller than `before`."""
    ordered = query.order_by(key.desc()).limit(limit)
    return ordered if before is None else ordered.where(key < before)


class RecordRow(NamedTuple):
    """A record with its source's slug and its confidence; the rest is set by a search only."""

    id: int
    source_id: int
    kind: str
    identity_key: str
    fingerprint: str | None
    platform_id: str | None
    url: str | None
    canonical_url: str | None
    title: str
    price_minor: int | None
    currency: str | None
    availability: str | None
    seller: str | None
    category: str | None
    brand: str | None
    rating: float | None
    latitude: float | None
    longitude: float | None
    starts_at: datetime | None
    ends_at: datetime | None
    content: Any
    content_hash: str
    row_hash: str | None
    page_id: int | None
    entity_id: int | None
    base: int
    rate: int
    anchored_at: datetime
    shown_until: datetime
    dead_at: datetime
    active: int
    pinned: int
    verification: str | None
    strikes: int
    struck_at: datetime | None
    first_seen_at: datetime
    last_seen_at: datetime
    discovered_at: datetime | None
    last_scraped_at: datetime | None
    verified_at: datetime | None
    checked_at: datetime | None
    deactivated_at: datetime | None
    archived_at: datetime | None
    missing_at: datetime | None
    missing_status: int | None
    times_seen: int
    seen_by_run: int | None
    saved: int
    created_at: datetime
    updated_at: datetime
    source: str
    freshness_confidence: int
    rank: float | None = None
    highlight: str | None = None
    distance_km: float | None = None


def badge_of(row: RecordRow, now: datetime) -> Badge | None:
    """The badge of a record; None where it is not shown."""
    if not row.active:
        return None
    missing = None if row.missing_at is None else MissingPage(at=row.missing_at, status=row.missing_status)
    return badge(row.freshness_confidence, listed_days=(now - row.first_seen_at).days, missing=missing)


class UpcomingRow(NamedTuple):
    """An event to come, with the reliability of its source."""

    record: RecordRow
    reliability: float
    squared_degrees: float | None


RECORD_COLUMNS = tuple(table_columns(records, RecordRow))
_SELECTED = RecordRow._fields[:-3]


def fetch_records(conn: Connection, query: Select[Any]) -> list[RecordRow]:
    """The rows of a select of `RECORD_COLUMNS`, the source and the confidence."""
    result = conn.execute(query)
    if (found := tuple(result.keys())) != _SELECTED:
        raise TypeError(f"RecordRow has the columns {_SELECTED}, the result has {found}")
    return [RecordRow(*row) for row in result]


STORED_RECORD: ColumnElement[Any] = literal_column(
    ", ".join([*(f"records.{each.name}" for each in RECORD_COLUMNS), "sources.slug"])
)
"""The columns of a record and its source in one: a statement with few columns is made much faster."""


def record_of(stored: Sequence[Any], *, now_s: int) -> RecordRow:
    """A record from the values of `STORED_RECORD`; its confidence is the one that SQL computes."""
    values = [*stored, 0, None, None, None]
    left = confidence_at(values[_BASE], values[_ANCHORED] // SECOND_US, values[_RATE], now_s)
    gone, missing = values[_VERIFICATION] == Verification.GONE, values[_MISSING] is not None
    values[_CONFIDENCE] = confidence_shown(left, gone=gone, missing=missing)
    values[_CONTENT] = json_value(values[_CONTENT])
    for number in _MOMENTS:
        if values[number] is not None:
            values[number] = moment(values[number])
    return RecordRow._make(values)


_BASE, _ANCHORED, _RATE, _VERIFICATION, _MISSING, _CONFIDENCE, _CONTENT = map(
    RecordRow._fields.index,
    ("base", "anchored_at", "rate", "verification", "missing_at", "freshness_confidence", "content"),
)
_MOMENTS = [number for number, each in enumerate(RECORD_COLUMNS) if isinstance(each.type, Moment)]
