"""Do an index row and a detail page say the same of a record, and how sure does that make its values?

Only fields that both usually show are compared. Titles agree if one is part of the other; starts agree if
they are on the same day and do not name two times. A price that differs a day later has changed; on the same
day one of the two readings is wrong.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.reading import AGAINST, BESIDE, Sureness, sureness_of

COMPARED = ("title", "price_minor", "starts_at")
_VALUES = {"price": "price_minor", "time_known": "starts_at"}
"""Fields that are right or wrong together with another one."""
SAME_TIME = timedelta(days=1)
_WORDS = re.compile(r"\w+")

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageValues:
    """The values of a record on one page."""

    is_row: bool
    observed_at: datetime
    fields: Fields
    strategies: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Values of two readings that were compared, and how many agreed."""

    compared: int = 0
    agreed: int = 0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(compared=self.compared + other.compared, agreed=self.agreed + other.agreed)


NONE_COMPARED = Agreement()


def readings_agree(one: Fields, other: Fields) -> Agreement:
    """How far two readings of a record agree."""
    both = [name for name in COMPARED if one.get(name) is not None and other.get(name) is not None]
    return Agreement(compared=len(both), agreed=sum(values_agree(name, one, other) for name in both))


def strategies_agree(strategies: Mapping[str, str]) -> Agreement:
    """How far a site profile and the general reading agree on a page."""
    both = [
        strategy
        for name in COMPARED
        if BESIDE in (strategy := strategies.get(name, "")) or AGAINST in strategy
    ]
    return Agreement(compared=len(both), agreed=sum(BESIDE in strategy for strategy in both))


def values_agree(name: str, one: Fields, other: Fields) -> bool:
    """Whether two readings say the same of one field."""
    if one[name] == other[name]:
        return True
    if name == "title":
        return _is_part(str(one[name]), str(other[name]))
    same_day = name == "starts_at" and str(one[name])[:10] == str(other[name])[:10]
    return same_day and not (one.get("time_known") and other.get("time_known"))


def value_sureness(name: str, by: PageValues | None, readings: Iterable[PageValues]) -> Sureness | None:
    """How sure the value of the page `by` is; None where its strategy is unknown."""
    if by is None:
        return None
    own = sureness_of(by.strategies.get(name))
    value = _VALUES.get(name, name)
    others = [
        each for each in readings if each.is_row is not by.is_row and each.fields.get(value) is not None
    ]
    if value not in COMPARED or not others or by.fields.get(value) is None:
        return own
    latest = max(others, key=lambda each: each.observed_at)
    if values_agree(value, by.fields, latest.fields):
        return Sureness.AGREED
    apart = abs(latest.observed_at - by.observed_at)
    return Sureness.DISPUTED if apart <= SAME_TIME else own


def _is_part(one: str, other: str) -> bool:
    words, other_words = (f" {' '.join(_WORDS.findall(text.casefold()))} " for text in (one, other))
    return bool(words.strip() and other_words.strip()) and (words in other_words or other_words in words)
