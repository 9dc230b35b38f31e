"""The observations and versions of a record, and the origin of each value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from larder.core.model.job import Purpose
from larder.core.model.reading import Sureness
from larder.core.model.record import Observed
from larder.core.policy.trust.agreement import PageValues, value_sureness
from larder.store.reads.rows import view_of
from larder.store.tables import observations, pages, records, versions


@dataclass(frozen=True, slots=True, kw_only=True)
class PricePoint:
    """A price and the time for which it was seen."""

    amount: int | None
    currency: str | None
    observed_at: datetime
    confirmed_at: datetime
    superseded_at: datetime | None
    run: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePoint:
    """A word (who sells it, whether it can be had) and the time for which it was seen."""

    field: str
    word: str | None
    observed_at: datetime
    confirmed_at: datetime
    superseded_at: datetime | None
    run: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionLine:
    """One snapshot of what a page said."""

    id: int
    observed_at: datetime
    purpose: str
    adapter: str
    adapter_version: str
    run: int
    page_url: str | None
    content: Mapping[str, Any]
    strategies: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a field's value comes from."""

    field: str
    value: Any
    strategy: str | None
    purpose: str | None
    observed_at: datetime | None
    page_url: str | None
    run: int | None
    pinned_by: str | None
    """Who fixed it by hand; pages do not change it then."""
    sureness: Sureness | None = None
    """How sure the reading is; None: it is derived, or nobody knows how it was read."""


def list_observations(conn: Connection, record_id: int) -> tuple[list[PricePoint], list[ValuePoint]]:
    """Every price that counts, and who sold it and whether it could be had; oldest first."""
    counts = (
        select(observations)
        .where(observations.c.record_id == record_id, observations.c.voided_at.is_(None))
        .order_by(observations.c.observed_at, observations.c.id)
    )
    seen = conn.execute(counts).all()
    prices = [row for row in seen if row.field == Observed.PRICE]
    words = [row for row in seen if row.field in (Observed.AVAILABILITY, Observed.SELLER)]
    return (
        [view_of(PricePoint, row, currency=row.word, run=row.run_id) for row in prices],
        [view_of(ValuePoint, row, run=row.run_id) for row in words],
    )


def prices_by_record(conn: Connection, record_ids: Sequence[int]) -> dict[int, list[PricePoint]]:
    """Every price that counts of these records, oldest first."""
    mine = (
        observations.c.record_id.in_(record_ids),
        observations.c.field == Observed.PRICE,
        observations.c.voided_at.is_(None),
    )
    ordered = select(observations).where(*mine).order_by(observations.c.observed_at, observations.c.id)
    found: dict[int, list[PricePoint]] = {}
    for row in conn.execute(ordered) if record_ids else ():
        point = view_of(PricePoint, row, currency=row.word, run=row.run_id)
        found.setdefault(row.record_id, []).append(point)
    return found


def list_versions(conn: Connection, record_id: int) -> list[VersionLine]:
    """Every version that counts, oldest first."""
    counts = (
        select(versions, pages.c.url.label("page_url"))
        .outerjoin(pages, pages.c.id == versions.c.page_id)
        .where(versions.c.record_id == record_id, versions.c.voided_at.is_(None))
        .order_by(versions.c.observed_at, versions.c.id)
    )
    return [
        view_of(VersionLine, row, run=row.run_id, strategies=row.strategies or {})
        for row in conn.execute(counts)
    ]


def find_origin(name: str, value: Any, lines: Sequence[VersionLine], fixed: Mapping[str, str]) -> Origin:
    """The pin of a value, else the last version with it."""
    versions = (version for version in reversed(lines) if version.content.get(name) == value)
    by = None if name in fixed else next(versions, None)
    origin = {name: getattr(by, name, None) for name in ("purpose", "observed_at", "page_url", "run")}
    return Origin(
        field=name,
        value=value,
        strategy=by.strategies.get(name) if by else None,
        pinned_by=fixed.get(name),
        sureness=_sureness(name, by, lines, fixed),
        **origin,
    )


def _sureness(
    name: str, by: VersionLine | None, lines: Sequence[VersionLine], fixed: Mapping[str, str]
) -> Sureness | None:
    if name in fixed:
        return Sureness.BY_HAND
    return value_sureness(name, _saying(by) if by else None, map(_saying, lines))


def _saying(version: VersionLine) -> PageValues:
    return PageValues(
        is_row=version.purpose == Purpose.INDEX,
        observed_at=version.observed_at,
        fields=version.content,
        strategies=version.strategies,
    )


def price_histories(
    conn: Connection, ids: Sequence[int], *, limit: int
) -> dict[int, list[tuple[datetime, int]]]:
    """The prices of records in their own currency, oldest first; at most `limit` in all."""
    if not ids:
        return {}
    query = (
        select(observations.c.record_id, observations.c.observed_at, observations.c.amount)
        .join(records, records.c.id == observations.c.record_id)
        .where(observations.c.record_id.in_(ids), observations.c.field == Observed.PRICE)
        .where(observations.c.voided_at.is_(None), observations.c.amount.is_not(None))
        .where(observations.c.word.is_not_distinct_from(records.c.currency))
        .order_by(observations.c.record_id, observations.c.observed_at)
        .limit(limit)
    )
    histories: dict[int, list[tuple[datetime, int]]] = {}
    for row in conn.execute(query):
        histories.setdefault(row.record_id, []).append((row.observed_at, row.amount))
    return histories
