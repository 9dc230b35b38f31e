"""All records, hidden and gone ones too, as operators and the change feed read them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select, text

from larder.core.model.record import Verification
from larder.core.model.source import Visibility
from larder.store.dataset.freshness import confidence
from larder.store.reads import public
from larder.store.reads.export_pages import ExportPage, ExportRow, find_export_page
from larder.store.reads.lookup import record_row
from larder.store.reads.paging import FoundRecords, find_page
from larder.store.reads.query import Query
from larder.store.reads.rows import RECORD_COLUMNS, RecordRow, fetch_records, read_all
from larder.store.tables import observations, records, sources
from larder.store.tables.dataset import INACTIVE, OUT_OF_SIGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceChange:
    """A price that moved."""

    record: int
    source: str
    title: str
    was: int
    now: int
    currency: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLabel:
    """What names a record beside others."""

    record_id: int
    source: str
    title: str
    price_minor: int | None
    currency: str | None
    url: str | None


def record_labels(conn: Connection, ids: Collection[int]) -> dict[int, RecordLabel]:
    """Title, price and source of records, by number."""
    shown = (records.c.id.label("record_id"), records.c.title, records.c.price_minor, records.c.currency)
    query = select(*shown, records.c.url, sources.c.slug.label("source"))
    joined = query.join(sources, sources.c.id == records.c.source_id).where(records.c.id.in_(sorted(ids)))
    return {label.record_id: label for label in read_all(conn, joined, RecordLabel)}


def all_records(now: datetime) -> Select[Any]:
    """All records there are, hidden and gone ones too."""
    return _RECORDS.add_columns(confidence(now).label("freshness_confidence"))


_RECORDS = (
    select(*RECORD_COLUMNS, sources.c.slug.label("source"))
    .select_from(records)
    .join(sources, sources.c.id == records.c.source_id)
)


def find_row(conn: Connection, record_id: int, *, now: datetime) -> RecordRow:
    """One record whatever its standing; `NotThere` where there is none."""
    found = fetch_records(conn, all_records(now).where(records.c.id == record_id))
    if not found:
        record_row(conn, record_id)  # raises
    return found[0]


class StateFilter(StrEnum):
    """The states that operators list records by."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    FADED = "faded"
    LAPSED = "lapsed"
    UNSEEN = "unseen"
    GONE = "gone"
    ARCHIVED = "archived"
    HIDDEN = "hidden"


def _in_state(state: StateFilter, now: datetime) -> ColumnElement[bool]:
    """As the indexes say it that serve rare states."""
    standing = text(f"records.{OUT_OF_SIGHT}")
    conditions: dict[StateFilter, ColumnElement[bool]] = {
        StateFilter.ACTIVE: records.c.active == 1,
        StateFilter.INACTIVE: and_(text(f"records.{INACTIVE}")),
        StateFilter.FADED: _faded(now),
        StateFilter.LAPSED: and_(standing, records.c.verification == Verification.LAPSED),
        StateFilter.UNSEEN: and_(standing, records.c.verification == Verification.UNSEEN),
        StateFilter.GONE: and_(standing, records.c.verification == Verification.GONE),
        StateFilter.ARCHIVED: records.c.archived_at.is_not(None),
        StateFilter.HIDDEN: sources.c.visibility == Visibility.HIDDEN,
    }
    return conditions[state]


def _faded(now: datetime) -> ColumnElement[bool]:
    return and_(text("records.active = 1"), records.c.shown_until <= now)


FEW = 10_000
"""Faded records that are looked for in their index; more are soon met among the newest."""


def _looked_up(conn: Connection, state: StateFilter, now: datetime) -> ColumnElement[bool]:
    """The condition of a state, by which the database finds its records fast."""
    faded = select(records.c.id).where(_faded(now)).correlate(None)
    if state is StateFilter.FADED and len(conn.scalars(faded.limit(FEW + 1)).all()) <= FEW:
        return records.c.id.in_(faded)
    return _in_state(state, now)


def search(
    conn: Connection, query: Query, *, state: StateFilter | None = None, now: datetime
) -> FoundRecords:
    """A page of all records that answer a query, whatever their standing; the newest by number."""
    base = all_records(now) if state is None else all_records(now).where(_looked_up(conn, state, now))
    return find_page(conn, base, query, newest=records.c.id, now=now)


def search_active(conn: Connection, query: Query, *, now: datetime) -> FoundRecords:
    """A page of all active records that answer a query, of hidden sources too."""
    return find_page(conn, all_records(now).where(records.c.active == 1), query, now=now)


def export_active(conn: Connection, query: Query, *, now: datetime) -> ExportPage:
    """A page of all active records for a file, of hidden sources too."""
    return find_export_page(conn, all_records(now).where(records.c.active == 1), query, now=now)


class CopyRow(NamedTuple):
    """A record of a copy, and whether it is still there."""

    row: ExportRow
    active: bool


def copy_page(conn: Connection, query: Query, *, public_only: bool, now: datetime) -> ExportPage:
    """A page of all active records, however old, for a copy that is kept up to date."""
    return find_export_page(conn, _copied(public_only, now).where(records.c.active == 1), query, now=now)


def copy_rows(conn: Connection, ids: Collection[int], *, public_only: bool, now: datetime) -> list[CopyRow]:
    """Records by number for such a copy, inactive ones as well."""
    query = _copied(public_only, now).where(records.c.id.in_(ids))
    page = find_export_page(conn, query, Query(), size=len(ids) + 1, now=now)
    active = set(conn.scalars(select(records.c.id).where(records.c.id.in_(ids), records.c.active == 1)))
    return [CopyRow(row, row.id in active) for row in page.rows]


def _copied(public_only: bool, now: datetime) -> Select[Any]:
    query = all_records(now)
    return query.where(sources.c.visibility == Visibility.PUBLIC) if public_only else query


class StandingCounts(NamedTuple):
    """How many records there are: active ones, those of public sources, those that the public sees."""

    active: int
    public: int
    shown: int


def count_standing(conn: Connection, *, now: datetime) -> StandingCounts:
    """Count records by what keeps them from the public."""
    active = select(func.count()).select_from(records).where(records.c.active == 1)
    open_to_all = active.join(sources, sources.c.id == records.c.source_id).where(
        sources.c.visibility == Visibility.PUBLIC
    )
    return StandingCounts(
        conn.scalar(active) or 0, conn.scalar(open_to_all) or 0, public.count(conn, now=now)
    )


PRICE_CHANGE_WINDOW = 2_000
"""Observations among which the latest changes are looked for: first prices are many, changes few."""


def price_changes(conn: Connection, *, limit: int = 10) -> list[PriceChange]:
    """The prices that moved last within their currency, newest first, among the latest that were seen."""
    latest = select(observations).where(observations.c.field == "price").order_by(observations.c.id.desc())
    newer, older = latest.limit(PRICE_CHANGE_WINDOW).subquery(), observations.alias("older")
    replaced = and_(
        older.c.record_id == newer.c.record_id,
        older.c.field == "price",
        older.c.superseded_at == newer.c.observed_at,
        older.c.voided_at.is_(None),
        older.c.word.is_not_distinct_from(newer.c.word),
    )
    query = (
        select(newer.c.amount.label("now"), newer.c.word.label("currency"), newer.c.observed_at.label("at"))
        .add_columns(older.c.amount.label("was"), records.c.id.label("record"), records.c.title)
        .add_columns(sources.c.slug.label("source"))
        .join(older, replaced)
        .join(records, records.c.id == newer.c.record_id)
        .join(sources, sources.c.id == records.c.source_id)
        .where(newer.c.field == "price", newer.c.voided_at.is_(None))
        .where(older.c.amount != newer.c.amount)
        .order_by(newer.c.id.desc())
        .limit(limit)
    )
    return read_all(conn, query, PriceChange)


def current(
    conn: Connection, ids: Collection[int], *, public_only: bool, now: datetime
) -> Mapping[int, RecordRow]:
    """Records by number as they are now; `public_only`: of those that a visitor may see."""
    query = public.visible(now) if public_only else all_records(now)
    return {row.id: row for row in fetch_records(conn, query.where(records.c.id.in_(ids)))} if ids else {}


def same_entity(
    conn: Connection, row: RecordRow, *, public_only: bool = True, now: datetime
) -> list[RecordRow]:
    """The other records of a record's entity, the cheapest first."""
    if row.entity_id is None:
        return []
    query = public.visible(now) if public_only else all_records(now)
    same = query.where(records.c.entity_id == row.entity_id, records.c.id != row.id)
    return fetch_records(conn, same.order_by(records.c.price_minor, records.c.id))
