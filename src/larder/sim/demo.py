"""The demo's simulated sites: flats, products and events, whose days pass within a minute.

Their true content is known, so the demo can compare every figure with it. Sites of one kind share
part of what they show: the same flat on two boards, the same product in two shops. Time is the same there and
here: whenever nothing is at work, an hour is skipped, so that each run kind comes when its plan says.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.source import Kind, Plan
from larder.sim.agenda import AgendaTruth
from larder.sim.agenda_site import AgendaSite
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.faults import Fault, FaultKind, active_faults
from larder.sim.layouts import Layout, agenda_pages, selectors, shop_pages
from larder.sim.server import SimServer
from larder.sim.shop import ShopTruth
from larder.sim.shop_site import ShopSite
from larder.sim.site import SimSite
from larder.store.database import Connection
from larder.store.reads.demo import next_lane_at

PER_PAGE = 60
HOUR = SKIPPED_TIME = timedelta(hours=1)
"""The time skipped when nothing is active."""
LANE_WAIT = timedelta(seconds=5)
"""Work that is due within this time is waited for."""
FOREVER_HOURS = 10_000
"""Hours."""
TARGET_COUNT = 60
"""Addresses that are monitored, of a shop that is."""

_POOL = 5
_SAID = {FaultKind.ERROR: "out of order right now", FaultKind.REDRAWN: "redesigned since"}
_INDEXES = {Kind.LISTING: "listings", Kind.PRODUCT: "products", Kind.EVENT: "agenda"}
_TOWN = {"tz": "Europe/Amsterdam", "language": "nl", "latitude": 52.09, "longitude": 5.12}


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """One site of the demo and how Larder treats it."""

    slug: str
    layout: Layout
    stock: int
    """The approximate number of items at the start."""
    limit: int
    """Requests a second that it allows."""
    kind: Kind = Kind.LISTING
    plan: Plan = Plan.INDEX
    declared: bool = False
    """Read by declared selectors; else the cascade finds out by itself."""
    title_style: int = 0
    """How it words what it shares with others."""
    trouble: tuple[FaultKind, int, int] | None = None
    """Its faults, with the hours from and until which they last."""

    def faults(self, start: datetime) -> list[Fault]:
        """The faults with their times."""
        if self.trouble is None:
            return []
        kind, since, until = self.trouble
        return [Fault(kind=kind, since=start + since * HOUR, until=start + until * HOUR)]

    @property
    def site(self) -> str:
        """Its host name."""
        return f"{self.slug}.test"

    def source(self, address: str) -> dict[str, Any]:
        """The declaration with which a person would add its source, given its address."""
        return {
            "slug": self.slug,
            "url": f"{address}{_INDEXES[self.kind]}",
            "kind": self.kind,
            "plan": self.plan,
            "currency": "EUR",
            "visibility": "public",
            "params": {"images": 1} | ({"selectors": self._selectors} if self.declared else {}),
            **(_TOWN | {"max_items_per_run": 1_000} if self.kind is Kind.EVENT else {}),
            **({"upc_trusted": not self.declared} if self.kind is Kind.PRODUCT else {}),
        }

    @property
    def site_limits(self) -> dict[str, Any]:
        """The site's limits."""
        return {"spacing": 1 / self.limit, "at_once": 4, "local": True, "terms_reviewed_by": "the demo"}

    @property
    def _selectors(self) -> Mapping[str, Any]:
        match self.kind:
            case Kind.LISTING:
                return selectors(self.layout)
            case Kind.PRODUCT:
                return shop_pages.SELECTORS
            case Kind.EVENT:
                return agenda_pages.SELECTORS


MARKETS = (
    Market(slug="canalside", layout=Layout.JSONLD, stock=290, limit=25),
    Market(
        slug="rooftops",
        layout=Layout.CARDS,
        stock=220,
        limit=20,
        declared=True,
        trouble=(FaultKind.REDRAWN, 30, FOREVER_HOURS),
    ),
    Market(
        slug="flatboard",
        layout=Layout.TABLE,
        stock=110,
        limit=10,
        declared=True,
        trouble=(FaultKind.ERROR, 16, 24),
    ),
    Market(slug="toolbarn", layout=Layout.JSONLD, stock=150, limit=15, kind=Kind.PRODUCT),
    Market(
        slug="cornershop",
        layout=Layout.CARDS,
        stock=120,
        limit=12,
        kind=Kind.PRODUCT,
        plan=Plan.MONITOR,
        declared=True,
        title_style=1,
    ),
    Market(slug="stadsagenda", layout=Layout.JSONLD, stock=60, limit=10, kind=Kind.EVENT, plan=Plan.AGENDA),
    Market(
        slug="uitkrant",
        layout=Layout.CARDS,
        stock=60,
        limit=10,
        kind=Kind.EVENT,
        plan=Plan.AGENDA,
        declared=True,
        title_style=1,
    ),
)


def demo_server(clock: Callable[[], datetime], *, port: int = 0) -> SimServer:
    """A server of the sites as they are at the clock's time."""
    start = clock()
    sites = [_site(market, seed, start) for seed, market in enumerate(MARKETS, start=11)]
    return SimServer(sites, start=start, clock=clock, port=port)


def _site(market: Market, seed: int, start: datetime) -> SimSite:
    match market.kind:
        case Kind.LISTING:
            return _board(market, seed, start)
        case Kind.PRODUCT:
            return _shop(market, seed, start)
        case Kind.EVENT:
            agenda = AgendaTruth(seed=seed, start=start, title_style=market.title_style)
            return AgendaSite(
                name=market.site,
                agenda=agenda,
                layout=market.layout,
                per_page=PER_PAGE,
                faults=market.faults(start),
            )


def _board(market: Market, seed: int, start: datetime) -> ClassifiedsSite:
    truth = ClassifiedsTruth(
        seed=seed,
        start=start,
        stock=market.stock,
        mean_life_days=20.0,
        price_changes_per_day=0.06,
        pool=_POOL,
    )
    return ClassifiedsSite(
        name=market.site,
        classifieds=truth,
        layout=market.layout,
        per_page=PER_PAGE,
        faults=market.faults(start),
    )


def _shop(market: Market, seed: int, start: datetime) -> ShopSite:
    truth = ShopTruth(
        seed=seed,
        start=start,
        goods=200,
        coverage=market.stock / 200,
        title_style=market.title_style,
        gtin_share=0.6 if market.declared else 0.9,
        wrong_gtin_share=0.05 if market.declared else 0.0,
    )
    return ShopSite(
        name=market.site,
        assortment=truth,
        layout=market.layout,
        per_page=PER_PAGE,
        faults=market.faults(start),
    )


def target_urls(web: SimServer, market: Market) -> list[str]:
    """The targets of a market with the plan monitor: part of what it sold at the start."""
    site = web.sites[market.site]
    if market.plan is not Plan.MONITOR or not isinstance(site, ShopSite):
        return []
    return site.urls(web.start, web.addresses()[market.site].rstrip("/"))[:TARGET_COUNT]


def fault_text(web: SimServer, market: Market) -> str:
    """The faults of a site at this moment, in words."""
    return ", ".join(_SAID[kind] for kind in active_faults(web.sites[market.site].faults, web.now()))


def idle_time(conn: Connection, *, now: datetime) -> timedelta:
    """How long nothing will happen, an hour at most; zero while a lane has work or soon will."""
    soonest = next_lane_at(conn)
    if soonest is None:
        return SKIPPED_TIME
    return min(soonest - now, SKIPPED_TIME) if soonest > now + LANE_WAIT else timedelta(0)
