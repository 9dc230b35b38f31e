"""The demo's made-up web: three small housing markets, each built another way, an hour passing every second.

What is true there is known, so the demo can say of every number how far it is off.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from larder.core.model.run import RunKind, RunStatus
from larder.sim.classifieds import Classifieds
from larder.sim.layouts import Layout, selectors
from larder.sim.respond import Site
from larder.sim.server import SimServer
from larder.sim.witness import Witness
from larder.store import schedules
from larder.store.tables import runs, sources

SPEED = 3600.0
"""Site seconds in a second."""
PER_PAGE = 60
REST = timedelta(seconds=1.5)
"""Between two discoveries: half an hour would be two months on these sites."""
RECENT = 5.0
"""Seconds over which the rate of requests is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """One site of the demo and how Larder treats it."""

    slug: str
    layout: Layout
    stock: int
    limit: int
    """Requests a second that it allows."""
    declared: bool = False
    """Read by declared selectors; else the cascade finds out by itself."""

    @property
    def site(self) -> str:
        """Its name on the made-up web."""
        return f"{self.slug}.test"

    @property
    def source(self) -> dict[str, Any]:
        """What a person would say to add it."""
        params = {"selectors": selectors(self.layout)} if self.declared else {}
        return {
            "slug": self.slug,
            "url": f"http://{self.site}/listings",
            "kind": "listing",
            "currency": "EUR",
            "visibility": "public",
            "params": params,
        }

    @property
    def manners(self) -> dict[str, Any]:
        """The site's limits."""
        return {"spacing": 1 / self.limit, "at_once": 4, "local": True, "terms_reviewed_by": "the demo"}


MARKETS = (
    Market(slug="canalside", layout=Layout.JSONLD, stock=290, limit=25),
    Market(slug="rooftops", layout=Layout.CARDS, stock=220, limit=20, declared=True),
    Market(slug="flatboard", layout=Layout.TABLE, stock=110, limit=10, declared=True),
)


def open_web(start: datetime, *, port: int = 0) -> SimServer:
    """The markets, ready to be served from `start` on."""
    sites = [_site(market, seed, start) for seed, market in enumerate(MARKETS, start=11)]
    return SimServer(sites, start=start, speed=SPEED, port=port)


def _site(market: Market, seed: int, start: datetime) -> Site:
    truth = Classifieds(
        seed=seed, start=start, stock=market.stock, mean_life_days=20.0, price_changes_per_day=0.06
    )
    return Site(name=market.site, classifieds=truth, layout=market.layout, per_page=PER_PAGE)


def look_again(conn: Connection, *, now: datetime) -> None:
    """Make every source due that has rested: what an impatient operator would do by hand."""
    open_runs = select(runs.c.source_id).where(runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED)))
    rested = select(sources.c.id).where(sources.c.last_run_at < now - REST, sources.c.id.not_in(open_runs))
    for source_id in conn.scalars(rested).all():
        schedules.run_now(conn, source_id, now=now, kind=RunKind.DISCOVERY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How far the dataset is true to one site, and what that cost it."""

    live: int
    """Listings on the site."""
    known: int
    """Of these, in the dataset."""
    priced: int
    """Of these, with today's price."""
    gone: int
    """In the dataset as active, no longer on the site."""
    requests: int
    rate: float
    """Requests a second, lately."""
    doubled: int
    """Listing pages fetched more than once."""

    @property
    def recall(self) -> float:
        """The share of what is there that is known."""
        return self.known / self.live if self.live else 1.0


def score(web: SimServer, market: Market, prices: Mapping[str, int | None]) -> Score:
    """Compare active records (platform id → price) with the truth and with the site's own log."""
    there = web.sites[market.site].prices(web.now())
    witness = web.witness.of(market.site)
    known = there.keys() & prices.keys()
    return Score(
        live=len(there),
        known=len(known),
        priced=sum(prices[each] == there[each] for each in known),
        gone=len(prices.keys() - there.keys()),
        requests=len(witness.visits),
        rate=_rate(witness),
        doubled=sum(times - 1 for times in witness.fetched_twice().values()),
    )


def _rate(witness: Witness) -> float:
    """Visits a second over the last seconds, by the clock the witness itself uses."""
    since = time.monotonic() - RECENT
    return sum(visit.arrived > since for visit in witness.visits) / RECENT


def total(scores: Iterable[Score]) -> Score:
    """All markets together."""
    each = list(scores)
    return Score(
        live=sum(s.live for s in each),
        known=sum(s.known for s in each),
        priced=sum(s.priced for s in each),
        gone=sum(s.gone for s in each),
        requests=sum(s.requests for s in each),
        rate=sum(s.rate for s in each),
        doubled=sum(s.doubled for s in each),
    )
