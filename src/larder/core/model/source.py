"""A source is one place on a site that records come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What a source's records are."""

    LISTING = "listing"
    EVENT = "event"
    PRODUCT = "product"


class Tier(StrEnum):
    """How fast a source's confidence falls, and how often a market is read."""

    HOT = "hot"
    STANDARD = "standard"
    COOL = "cool"


EARLIER_MONITOR = "watch"


class Plan(StrEnum):
    """Which run kinds a source has, and when."""

    MARKET = "market"
    INDEX = "index"
    AGENDA = "agenda"
    MONITOR = "monitor"
    ADAPTIVE = "adaptive"

    @classmethod
    def _missing_(cls, value: object) -> "Plan | None":
        """`watch`, the earlier name of `monitor`, is accepted."""
        return cls.MONITOR if value == EARLIER_MONITOR else None


class Visibility(StrEnum):
    """Hidden sources appear in no public read."""

    HIDDEN = "hidden"
    PUBLIC = "public"


class FetcherName(StrEnum):
    """The ways a page can come."""

    HTTP = "http"
    BROWSER = "browser"
    RELAY = "relay"
    ACTOR = "actor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What runs and stages need to know of a source."""

    id: int
    slug: str
    name: str
    kind: Kind
    site_id: int
    adapter: str
    url: str
    feed_url: str | None = None
    """The feed that names its targets."""
    cadence_hours: float | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    plan: Plan = Plan.INDEX
    tier: Tier = Tier.STANDARD
    tz: str = "UTC"
    language: str = "en"
    currency: str | None = None
    max_items_per_run: int | None = None
    max_pages: int | None = None
    fetcher: FetcherName = FetcherName.HTTP
    latitude: float | None = None
    longitude: float | None = None
    exempt_hosts: Mapping[str, int] = field(default_factory=dict)
    """Hosts of its site that have a lane of their own, with the id of that lane."""
