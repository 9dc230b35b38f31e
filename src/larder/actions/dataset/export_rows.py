"""Records as the columns of a file: their own, then those of their contents.

Many rows are written at once, so it is done column by column, and times and amounts are written without
objects for them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from larder.core.model.money import exponent
from larder.store.database import moment

COMMON = (
    "id", "kind", "source", "title", "price", "currency", "availability", "seller", "brand", "category",
    "rating", "latitude", "longitude", "starts_at", "ends_at", "url", "freshness_confidence",
    "first_seen_at", "last_seen_at", "verified_at",
)  # fmt: skip
"""The columns that every kind has, in the order of `flat_columns`."""
_DAY = 86_400_000_000
_MINUTE = 60_000_000
_SECOND = 1_000_000
_MINUTES = tuple(f"{number // 60:02}:{number % 60:02}:" for number in range(1440))
_SECONDS = tuple(f"{number:02}+00:00" for number in range(60))
_CENTS = tuple(f".{number:02}" for number in range(100))
_OF_EVENTS = ("starts_at", "ends_at")
_SEEN = ("first_seen_at", "last_seen_at", "verified_at")


def flat_columns(
    stored: Mapping[str, Sequence[Any]],
    own: Sequence[str],
    zones: Mapping[int, str | None],
    *,
    stored_times: bool = False,
) -> list[Sequence[Any]]:
    """The columns of `COMMON`, then those of `own` from the contents; times of events as at the venue.

    `stored` has the columns of `ExportRow`; `stored_times`: times but for those of events stay numbers.
    """
    contents = [orjson.loads(each) if type(each) is str else dict(each or ()) for each in stored["content"]]
    texts = _texts(stored, _OF_EVENTS if stored_times else (*_OF_EVENTS, *_SEEN))
    _set_local_times(stored, contents, texts, zones)
    present = frozenset().union(*contents)
    empty = (None,) * len(contents)
    return [
        *(texts[name] if name in texts else stored[name] for name in COMMON),
        *([each.get(name) for each in contents] if name in present else empty for name in own),
    ]


def _texts(stored: Mapping[str, Sequence[Any]], times: Sequence[str]) -> dict[str, list[str | None]]:
    """The columns whose written form differs from the stored one."""
    moments = {name: time_texts(stored[name]) for name in times}
    return {**moments, "price": amount_texts(stored["price_minor"], stored["currency"])}


def _set_local_times(
    stored: Mapping[str, Sequence[Any]],
    contents: Sequence[dict[str, Any]],
    texts: Mapping[str, list[str | None]],
    zones: Mapping[int, str | None],
) -> None:
    """Set times of events with the offset of their place, if the page gave it, and their time zone."""
    for index, starts_at in enumerate(stored["starts_at"]):
        if starts_at is not None:
            content = contents[index]
            for name in _OF_EVENTS:
                texts[name][index] = content.get(name) or texts[name][index]
            content["time_zone"] = zones.get(stored["source_id"][index])


def time_texts(stored: Sequence[int | None]) -> list[str | None]:
    """Stored times in ISO 8601, as `datetime.isoformat` writes them."""
    return [
        None if each is None
        else f"{_date(each // _DAY)}{_MINUTES[each % _DAY // _MINUTE]}{_SECONDS[each % _MINUTE // _SECOND]}"
        if not each % _SECOND
        else f"{_date(each // _DAY)}{_MINUTES[each % _DAY // _MINUTE]}{each % _MINUTE / _SECOND:09.6f}+00:00"
        for each in stored
    ]  # fmt: skip


@lru_cache(maxsize=4096)
def _date(day: int) -> str:
    return f"{moment(day * _DAY).date().isoformat()}T"


def amount_texts(minor: Sequence[int | None], currencies: Sequence[str | None]) -> list[str | None]:
    """Amounts in major units, with all their decimals."""
    if any(exponent(currency) != 2 for currency in set(currencies)):
        return list(map(amount_text, minor, currencies))
    return [
        None if each is None
        else f"{each // 100}{_CENTS[each % 100]}" if each >= 0
        else amount_text(each, None)
        for each in minor
    ]  # fmt: skip


def amount_text(minor: int | None, currency: str | None) -> str | None:
    """An amount in major units, with all its decimals."""
    if minor is None:
        return None
    decimals = exponent(currency)
    if decimals == 2 and minor >= 0:
        return f"{minor // 100}.{minor % 100:02}"
    if not decimals:
        return str(minor)
    units, part = divmod(abs(minor), 10**decimals)
    return f"{'-' if minor < 0 else ''}{units}.{part:0{decimals}}"
