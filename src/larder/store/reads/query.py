"""What can be asked of the dataset: a value that says what is wrong with it before any database is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.source import Kind

PAGE = 50
MOST = 200
"""Rows of a page at most, whatever is asked for."""
NEAR_KM = 100.0
"""How far "near" reaches where nothing is said."""
MOST_TEXT = 200


class Sort(StrEnum):
    """Which records come first."""

    NEWEST = "newest"
    RELEVANCE = "relevance"
    PRICE = "price"
    PRICE_DOWN = "-price"
    STARTS_AT = "starts_at"
    DISTANCE = "distance"
    FRESHNESS = "freshness"
    """Those that will be trusted longest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked for; every part narrows."""

    text: str | None = None
    kind: Kind | None = None
    source: str | None = None
    """A source's slug."""
    site: str | None = None
    """A site's domain."""
    price_min: int | None = None
    """In minor units."""
    price_max: int | None = None
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
    sort: Sort | None = None
    """Without one: by relevance where there is text, else the newest first."""
    after: str | None = None
    """The `next` of the page before."""
    limit: int = PAGE

    @property
    def order(self) -> Sort:
        """The sort that holds."""
        return Sort(self.sort or (Sort.RELEVANCE if self.text else Sort.NEWEST))

    @property
    def size(self) -> int:
        """Rows of a page."""
        return min(self.limit, MOST)

    @property
    def reach_km(self) -> float:
        """How far "near" reaches."""
        return NEAR_KM if self.within_km is None else self.within_km


def parse_place(written: str | None) -> tuple[float, float] | None:
    """A place as people write it: LAT,LON."""
    if written is None:
        return None
    try:
        latitude, longitude = (float(part) for part in written.split(","))
    except ValueError as error:
        raise BadInput(f"{written!r} is no place", hint="give LAT,LON: 52.37,4.89") from error
    return latitude, longitude


def check(query: Query) -> None:
    """Refuse what cannot be meant."""
    for wrong, message, hint in _rules(query):
        if wrong:
            raise BadInput(message, hint=hint)


def _rules(query: Query) -> Iterable[tuple[bool, str, str]]:
    low, high = query.price_min, query.price_max
    yield query.limit < 1, f"a page of {query.limit} rows is none", f"ask for 1 to {MOST}"
    yield _negative(low) or _negative(high), "a price is not below 0", "give it in minor units: 120000"
    yield _crossed(low, high), f"no price is from {low} to {high}", "swap the two"
    yield (
        _crossed(query.starts_after, query.starts_before),
        "nothing starts after the one and before the other",
        "swap the two",
    )
    yield (
        any(
            moment is not None and moment.tzinfo is None
            for moment in (query.starts_after, query.starts_before)
        ),
        "a moment needs its time zone",
        "such as 2026-05-01T18:00:00+02:00",
    )
    yield not _percent(query.confidence_min), "a confidence is from 0 to 100", "public reads begin at 40"
    yield (
        query.near is not None and not _on_earth(*query.near),
        "there is no such place",
        "give LAT,LON: 52.37,4.89",
    )
    yield query.near is None and query.within_km is not None, "near what?", "give a place, too: LAT,LON"
    yield not 0 < query.reach_km <= 20_000, "a reach is more than 0 and at most 20000 km", "such as 25"
    yield query.sort is Sort.DISTANCE and query.near is None, "distance from where?", "give a place: LAT,LON"
    yield query.sort is Sort.RELEVANCE and not query.text, "relevance to what?", "give a text to search for"
    yield len(query.text or "") > MOST_TEXT, "the text is too long", f"at most {MOST_TEXT} characters"


def _negative(value: int | None) -> bool:
    return value is not None and value < 0


def _crossed(low: Any, high: Any) -> bool:
    return low is not None and high is not None and bool(low > high)


def _percent(value: int | None) -> bool:
    return value is None or 0 <= value <= 100


def _on_earth(latitude: float, longitude: float) -> bool:
    return -90 <= latitude <= 90 and -180 <= longitude <= 180
