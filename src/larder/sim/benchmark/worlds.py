"""The sites of the benchmark: how each is generated, its truth, and the declaration of its source.

All of it follows from the seed. A policy changes nothing but the spells of 429 of the classifieds site.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from larder.core.errors import BadInput
from larder.core.quoting import quoted
from larder.sim.agenda import AgendaTruth
from larder.sim.agenda_site import AgendaSite
from larder.sim.benchmark.market_site import MarketRules, market, outages
from larder.sim.benchmark.scoring import ScoredEvent, ScoredThing
from larder.sim.classifieds.state import ListingChange
from larder.sim.shop import OfferChange, ShopTruth
from larder.sim.shop_site import ShopSite
from larder.sim.site import SimSite

AGENDA, SHOP = "agenda.test", "shop.test"
EVENTS_PER_DAY = 15.0
GOODS = 600
ROWS_PER_PAGE = 30
OUTAGE_EVERY_DAYS = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSite:
    """A site, its truth, and the source that is declared for it."""

    site: SimSite
    live: Callable[[datetime], Mapping[str, ScoredThing]]
    events: Callable[[datetime, datetime], Iterable[ScoredEvent]]
    source: Mapping[str, Any]
    targets: Sequence[str] = ()
    """Addresses that the plan `monitor` checks."""
    monitored: frozenset[str] | None = None
    """The scored things; None: all of them."""


class World(Protocol):
    """Makes a site from a seed, from `start` to `until`."""

    def __call__(self, *, seed: int, start: datetime, until: datetime) -> ScoredSite:
        """The site of that seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteEvent:
    """One change of a thing, as scores count it."""

    at: datetime
    what: ListingChange
    listing: ScoredThing


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifieds:
    """The classifieds site."""

    rules: MarketRules = field(default_factory=MarketRules)

    def __call__(self, *, seed: int, start: datetime, until: datetime) -> ScoredSite:
        """The site of that seed."""
        site = market(self.rules, seed=seed, start=start, until=until)
        source = {"kind": "listing", "adapter": "listing"}
        return ScoredSite(
            site=site, live=site.classifieds.live, events=site.classifieds.events, source=source
        )


def agenda(*, seed: int, start: datetime, until: datetime) -> ScoredSite:
    """An agenda of some 300 coming events; its rows say no price, and events leave it when they are over."""
    truth = AgendaTruth(seed=seed, start=start, per_day=EVENTS_PER_DAY, known_before_days=60)
    site = AgendaSite(
        name=AGENDA,
        agenda=truth,
        per_page=ROWS_PER_PAGE,
        faults=list(outages(OUTAGE_EVERY_DAYS, seed, start, until)),
    )
    source = {
        "kind": "event",
        "adapter": "event",
        "tz": "Europe/Amsterdam",
        "language": "nl",
        "max_items_per_run": 10_000,
    }
    return ScoredSite(
        site=site,
        live=lambda at: {name: _Priced(name, each.of.price) for name, each in truth.live(at).items()},
        events=lambda since, until: _agenda_events(truth, since, until),
        source=source,
    )


def shop(*, seed: int, start: datetime, until: datetime) -> ScoredSite:
    """A shop of some 400 products. What it sold at the start is monitored and scored: prices and ends."""
    truth = ShopTruth(seed=seed, start=start, goods=GOODS, gtin_share=0.9)
    site = ShopSite(
        name=SHOP,
        assortment=truth,
        per_page=ROWS_PER_PAGE,
        faults=list(outages(OUTAGE_EVERY_DAYS, seed, start, until)),
    )
    return ScoredSite(
        site=site,
        live=truth.live,
        events=lambda since, until: _shop_events(truth, since, until),
        source={"kind": "product", "adapter": "product"},
        targets=site.urls(start),
        monitored=frozenset(truth.live(start)),
    )


WORLDS: Mapping[str, tuple[World, Sequence[str]]] = {
    "classifieds": (
        Classifieds(),
        ("three-cron", "exhaustive", "simple", "confidence", "fixed-urls", "adaptive"),
    ),
    "agenda": (agenda, ("agenda", "adaptive")),
    "shop": (shop, ("monitor", "adaptive")),
}
"""The world of each name, and its policies; the first is its fixed plan."""


def world_named(name: str) -> tuple[World, Sequence[str]]:
    """The world of that name."""
    if name not in WORLDS:
        raise BadInput(f"unknown world {quoted(name)}", hint=f"choose one of: {', '.join(WORLDS)}")
    return WORLDS[name]


@dataclass(frozen=True, slots=True)
class _Priced:
    platform_id: str
    price: int | None


_OF_OFFERS = {
    OfferChange.ARRIVED: ListingChange.ARRIVED,
    OfferChange.PRICE: ListingChange.PRICE,
    OfferChange.SALE: ListingChange.PRICE,
    OfferChange.SALE_OVER: ListingChange.PRICE,
    OfferChange.STOCK: ListingChange.EDITED,
    OfferChange.REMOVED: ListingChange.REMOVED,
    OfferChange.BACK: ListingChange.BACK,
}


def _shop_events(truth: ShopTruth, since: datetime, until: datetime) -> Iterable[ScoredEvent]:
    for event in truth.events(since, until):
        yield SiteEvent(at=event.at, what=_OF_OFFERS[event.what], listing=event.offer)


def _agenda_events(truth: AgendaTruth, since: datetime, until: datetime) -> Iterable[ScoredEvent]:
    found: list[SiteEvent] = []
    for each in truth.announced(until):
        told = _Priced(each.platform_id, each.of.price)
        if since < each.announced_at <= until:
            found.append(SiteEvent(at=each.announced_at, what=ListingChange.ARRIVED, listing=told))
        if since < each.until <= until:
            found.append(SiteEvent(at=each.until, what=ListingChange.REMOVED, listing=told))
    return sorted(found, key=lambda event: event.at)
