"""One record as a row of a file: its own columns, then what its content has.

A million rows are written at once, so times and amounts are written without objects for them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from larder.core.model.money import exponent
from larder.store.database import moment
from larder.store.reads.export_pages import ExportRow

COMMON = (
    "id", "kind", "source", "title", "price", "currency", "availability", "seller", "brand", "category",
    "rating", "latitude", "longitude", "starts_at", "ends_at", "url", "freshness_confidence",
    "first_seen_at", "last_seen_at", "verified_at",
)  # fmt: skip
"""The columns that every kind has, in the order of `flat_row`."""
_DAY = 86_400_000_000
_MINUTE = 60_000_000
_MINUTES = tuple(f"{number // 60:02}:{number % 60:02}:" for number in range(1440))


def flat_row(row: ExportRow, own: Sequence[str], zones: Mapping[int, str | None]) -> tuple[Any, ...]:
    """The values of `COMMON`, then those of `own` from its content; times of events as at the venue."""
    (
        number, source_id, kind, url, title, price, currency, availability, seller, category, brand, rating,
        latitude, longitude, starts_at, ends_at, stored, first_seen, last_seen, verified, source, confidence,
        *_,
    ) = row  # fmt: skip
    content: dict[str, Any] = orjson.loads(stored) if type(stored) is str else dict(stored or ())
    starts, ends = None, ends_at and time_text(ends_at)
    if starts_at is not None:
        starts, ends = content.get("starts_at") or time_text(starts_at), content.get("ends_at") or ends
        content["time_zone"] = zones.get(source_id)
    return (
        number, kind, source, title, amount_text(price, currency), currency, availability, seller, brand,
        category, rating, latitude, longitude, starts, ends, url, confidence, time_text(first_seen),
        time_text(last_seen), verified and time_text(verified), *map(content.get, own),
    )  # fmt: skip


def time_text(stored: int) -> str:
    """A stored time in ISO 8601, as `datetime.isoformat` writes it."""
    day, rest = divmod(stored, _DAY)
    minute, rest = divmod(rest, _MINUTE)
    second, part = divmod(rest, 1_000_000)
    if part:
        return f"{_date(day)}{_MINUTES[minute]}{second:02}.{part:06}+00:00"
    return f"{_date(day)}{_MINUTES[minute]}{second:02}+00:00"


@lru_cache(maxsize=4096)
def _date(day: int) -> str:
    return f"{moment(day * _DAY).date().isoformat()}T"


def amount_text(minor: int | None, currency: str | None) -> str | None:
    """An amount in major units, with all its decimals."""
    if minor is None:
        return None
    decimals = exponent(currency)
    if decimals == 2 and minor >= 0:
        return f"{minor // 100}.{minor % 100:02}"
    if not decimals:
        return str(minor)
    whole, part = divmod(abs(minor), 10**decimals)
    return f"{'-' if minor < 0 else ''}{whole}.{part:0{decimals}}"
