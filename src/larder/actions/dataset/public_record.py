"""A record as the public sees it: in lists, in the change feed and alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import lru_cache
from operator import itemgetter
from typing import Any

from larder.core.errors import BadInput
from larder.core.policy.freshness import HOUR_S
from larder.core.quoting import quoted
from larder.store.reads.rows import RecordRow, badge_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeView:
    """How sure we are that a record is still there."""

    colour: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRecord:
    """A record, and how far it can be trusted."""

    id: int
    kind: str
    source: str
    title: str
    url: str | None
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
    content: Mapping[str, Any]
    """All known fields."""
    active: bool
    verification: str | None
    strikes: int
    freshness_confidence: int
    badge: BadgeView | None
    first_seen_at: datetime
    last_seen_at: datetime
    last_scraped_at: datetime | None
    verified_at: datetime | None
    deactivated_at: datetime | None
    missing_at: datetime | None
    """When its own page said that it is not there; None once it was seen or verified again."""
    missing_status: int | None
    """The status of that page: 404 or 410."""
    times_seen: int
    anchored_at: datetime
    shown_until: datetime
    """When it falls below the threshold, unless it is seen before."""
    updated_at: datetime
    distance_km: float | None
    highlight: str | None
    """Its title with the search words marked."""
    sources: Sequence[str]
    """The public sources with a record of the same entity; its own if no other is known."""


FIELD_NAMES = tuple(field.name for field in fields(PublicRecord))


def select_fields(fields: str | None) -> Sequence[str]:
    """The named fields in the order of `PublicRecord`; all where none is named."""
    if not fields:
        return FIELD_NAMES
    names = {name.strip() for name in fields.split(",")}
    unknown = sorted(names - set(FIELD_NAMES))
    if unknown:
        raise BadInput(
            f"a record has no field {quoted(unknown[0])}", hint=f"fields: {', '.join(FIELD_NAMES)}"
        )
    return [name for name in FIELD_NAMES if name in names]


def to_public(
    row: RecordRow,
    names: Sequence[str],
    *,
    sources_of: Mapping[int, Sequence[str]] | None = None,
    now: datetime,
) -> dict[str, Any]:
    """A row of the store in this shape; rows that were not searched for lack distance and highlight."""
    stored, read = _reader(tuple(names))
    values: dict[str, Any] = dict.fromkeys(names)
    values.update(zip(stored, read(row), strict=False))
    if "sources" in values:
        values["sources"] = list((sources_of or {}).get(row.entity_id or 0) or [row.source])
    if "active" in values:
        values["active"] = bool(row.active)
    if "badge" in values:
        values["badge"] = _badge(row, now)
    return values


@lru_cache(maxsize=256)
def _reader(names: tuple[str, ...]) -> tuple[Sequence[str], Callable[[RecordRow], Sequence[Any]]]:
    """The names among these that a row has, and a getter of their values (with an empty one at the end)."""
    stored = [name for name in names if name in RecordRow._fields]
    return stored, itemgetter(*map(RecordRow._fields.index, stored), slice(0, 0))


def _badge(row: RecordRow, now: datetime) -> dict[str, str] | None:
    badge = badge_of(row, now)
    return None if badge is None else {"colour": badge.colour, "text": badge.text}


def valid_until(rows: Sequence[RecordRow], *, now: datetime) -> datetime:
    """When the answer for these rows changes next, if no data changes."""
    return min((_next_change(row, now) for row in rows), default=now + timedelta(minutes=1))


def _next_change(row: RecordRow, now: datetime) -> datetime:
    """When a row's answer changes next through confidence, age in days, or the end of an event."""
    fallen = row.base - row.freshness_confidence + 1
    falls: datetime = row.anchored_at.replace(microsecond=0) + timedelta(
        seconds=-(-HOUR_S * fallen // row.rate)
    )
    ages: datetime = row.first_seen_at + timedelta(days=(now - row.first_seen_at).days + 1)
    over: datetime = row.ends_at or ages
    return min(falls, ages, over)
