"""How are events ranked for a place and preferences?

Five parts, each from 0 to 1: distance, category, time until it starts, popularity (people who saved it,
sources that announce it), and the reliability of its source. What is not known does not count, so the others
weigh more.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

WEIGHTS: Mapping[str, float] = {
    "distance": 0.30,
    "category": 0.20,
    "time": 0.25,
    "social": 0.15,
    "reliability": 0.10,
}
HALF_KM = 10.0
"""At this distance an event scores half."""
HALF_TIME = timedelta(days=7)
"""An event so far ahead scores half."""
MANY = 100
"""The number of people above which popularity does not rise."""
A_SOURCE_SAYS = 10
"""Each further source counts as so many people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The user's place and preferences."""

    here: bool = False
    """Whether the place is known."""
    categories: Collection[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCandidate:
    """The values of an event that its rank depends on."""

    starts_at: datetime
    category: str | None = None
    distance_km: float | None = None
    saved: int = 0
    sources: int = 1
    reliability: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EventScore:
    """The rank of an event, with its parts."""

    total: float
    parts: Mapping[str, float] = field(default_factory=dict)


def event_score(event: EventCandidate, preferences: Preferences, *, now: datetime) -> EventScore:
    """The rank of an event, from 0 to 1."""
    known = {
        "time": _halving(max(event.starts_at - now, timedelta(0)) / HALF_TIME),
        "social": _popularity(event),
        "reliability": min(max(event.reliability, 0.0), 1.0),
    }
    if preferences.here and event.distance_km is not None:
        known["distance"] = _halving(event.distance_km / HALF_KM)
    if preferences.categories:
        known["category"] = float(event.category in preferences.categories)
    weight = sum(WEIGHTS[name] for name in known)
    total = sum(WEIGHTS[name] * part for name, part in known.items()) / weight
    return EventScore(total=round(total, 6), parts={name: round(part, 3) for name, part in known.items()})


def _halving(halves: float) -> float:
    """1, ½, ⅓ … for 0, 1, 2 halves."""
    return 1 / (1 + halves)


def _popularity(event: EventCandidate) -> float:
    """Logarithmic: the first people count most."""
    interested = max(event.saved, 0) + A_SOURCE_SAYS * max(event.sources - 1, 0)
    return min(math.log1p(interested) / math.log1p(MANY), 1.0)
