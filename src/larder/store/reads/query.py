"""A query of the dataset, checked before any database is read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.source import Kind
from larder.core.quoting import quoted

PAGE = 50
MAX_ROWS = 200
"""The most rows of a page."""
NEAR_KM = 100.0
"""The default of `within_km`."""
MAX_TEXT = 200


class Sort(StrEnum):
    """Which records come first."""

    NEWEST = "newest"
    RELEVANCE = "relevance"
    PRICE = "price"
    PRICE_DOWN = "-price"
    STARTS_AT = "starts_at"
    DISTANCE = "distance"
    FRESHNESS = "freshness"
    """Those that stay above the confidence line longest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query; every part narrows it."""

    text: str | None = None
    kind: Kind | None = None
    source: str | None = None
    """A source's slug."""
    site: str | None = None
    """A site's domain."""
    price_min: Decimal | None = None
    """As people write it: 20 is twenty of the record's own currency."""
    price_max: Decimal | None = None
    price_min_minor: int | None = None
    """In minor units of any currency."""
    price_max_minor: int | None = None
    currency: str | None = None
    availability: str | None = None
    brand: str | None = None
    category: str | None = None
    rating_min: float | None = None
    rooms_min: float | None = None
    starts_after: datetime | None = None
    starts_before: datetime | None = None
    near: tuple[float, float] | None = None
    """Latitude and longitude."""
    within_km: float | None = None
    confidence_min: int | None = None
    collapse: bool = False
    """Of records that are one entity only the first."""
    sort: Sort | None = None
    """By default: relevance where there is text, else newest first."""
    after: str | None = None
    """The `next` of the previous page."""
    limit: int = PAGE

    @property
    def order(self) -> Sort:
        """The sort, with its default."""
        return Sort(self.sort or (Sort.RELEVANCE if self.text else Sort.NEWEST))

    @property
    def size(self) -> int:
        """Rows of a page."""
        return min(self.limit, MAX_ROWS)

    @property
    def reach_km(self) -> float:
        """How far "near" reaches."""
        return NEAR_KM if self.within_km is None else self.within_km


def parse_place(text: str | None) -> tuple[float, float] | None:
    """A place from LAT,LON."""
    if text is None:
        return None
    try:
        latitude, longitude = (float(part) for part in text.split(","))
    except ValueError as error:
        raise BadInput(
            f"{quoted(text)} is not a pair of coordinates", hint="give LAT,LON: 52.37,4.89"
        ) from error
    return latitude, longitude


def check(query: Query) -> None:
    """Refuse a query that makes no sense."""
    for wrong, message, hint in _rules(query):
        if wrong:
            raise BadInput(message, hint=hint)


def _rules(query: Query) -> Iterable[tuple[bool, str, str]]:
    since, until = query.starts_after, query.starts_before
    yield query.limit < 1, f"limit must be 1 to {MAX_ROWS}, not {query.limit}", f"give 1 to {MAX_ROWS}"
    for least, most in (("price_min", "price_max"), ("price_min_minor", "price_max_minor")):
        low, high = getattr(query, least), getattr(query, most)
        yield _negative(low), f"{least} must not be negative: {low}", "give 0 or more"
        yield _negative(high), f"{most} must not be negative: {high}", "give 0 or more"
        yield _swapped(low, high), f"{least} {low} is larger than {most} {high}", "swap the two"
    yield (
        _swapped(since, until),
        f"starts_after {since} is later than starts_before {until}",
        "swap the two",
    )
    for name, moment in (("starts_after", since), ("starts_before", until)):
        naive = moment is not None and moment.tzinfo is None
        yield naive, f"{name} has no time zone: {moment}", "such as 2026-05-01T18:00:00+02:00"
    confidence = query.confidence_min
    yield not _percent(confidence), f"confidence_min must be 0 to 100, not {confidence}", "such as 40"
    if query.near is not None:
        value = ",".join(f"{each:g}" for each in query.near)
        wrong = f"near must be within -90 to 90 and -180 to 180, not {value}"
        yield not _on_earth(*query.near), wrong, "give LAT,LON: 52.37,4.89"
    yield query.near is None and query.within_km is not None, "within_km needs near", "give near: LAT,LON"
    far = not 0 < query.reach_km <= 20_000
    yield far, f"within_km must be above 0 and at most 20000, not {query.reach_km}", "such as 25"
    yield query.sort is Sort.DISTANCE and query.near is None, "sort distance needs near", "give LAT,LON"
    yield query.sort is Sort.RELEVANCE and not query.text, "sort relevance needs text", "give a text"
    length = len(query.text or "")
    yield length > MAX_TEXT, f"text has {length} characters", f"give at most {MAX_TEXT}"


def _negative(value: Decimal | int | None) -> bool:
    return value is not None and value < 0


def _swapped(low: Any, high: Any) -> bool:
    return low is not None and high is not None and bool(low > high)


def _percent(value: int | None) -> bool:
    return value is None or 0 <= value <= 100


def _on_earth(latitude: float, longitude: float) -> bool:
    return -90 <= latitude <= 90 and -180 <= longitude <= 180
