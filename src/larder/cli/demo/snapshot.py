"""A snapshot of the running demo: the dataset compared with the simulated sites."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from larder.actions.dataset import records as record_actions
from larder.actions.dataset.records import PriceChange, RecordLine
from larder.app import App
from larder.sim.demo import MARKETS, Market, fault_text
from larder.sim.scores import LinkScore, Score, SitePlatformId, score_links, score_market, total_score
from larder.sim.server import SimServer
from larder.store.database import Connection
from larder.store.reads import demo
from larder.store.reads.counts import SourceCounts
from larder.store.reads.operators import overview
from larder.store.reads.query import Query

LATEST_ROWS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketSnapshot:
    """The figures of one simulated site."""

    market: Market
    address: str
    score: Score
    badges: SourceCounts
    trouble: str
    """What is wrong with the site now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The state of the demo at one moment."""

    seconds: float
    """Seconds of real time since the start."""
    passed: timedelta
    """Simulated time since the start."""
    site_time: datetime
    now: datetime
    markets: Sequence[MarketSnapshot]
    prices: Sequence[PriceChange]
    newest: Sequence[RecordLine]
    together: LinkScore

    @property
    def everything(self) -> Score:
        """The score over all sites."""
        return total_score(market.score for market in self.markets)

    def summary(self) -> dict[str, Any]:
        """The figures as JSON."""
        everything = self.everything
        return {
            "seconds": round(self.seconds, 1),
            "days": round(self.passed / timedelta(days=1), 2),
            "records": everything.known + everything.gone,
            "live": everything.live,
            "known": everything.known,
            "recall": round(everything.recall, 4),
            "prices_right": round(everything.priced / everything.known, 4) if everything.known else 1.0,
            "gone_unnoticed": everything.gone,
            "requests": everything.requests,
            "requests_per_second": round(everything.rate, 1),
            "doubled": everything.doubled,
            "on_several_sites": self.together.things,
            "linked_rightly": round(self.together.right / max(1, self.together.pairs), 4),
            "sites": {
                each.market.site: {
                    "address": each.address,
                    "live": each.score.live,
                    "known": each.score.known,
                    "recall": round(each.score.recall, 4),
                    "requests": each.score.requests,
                    "limit": each.market.limit,
                    "trouble": each.trouble,
                }
                for each in self.markets
            },
        }


async def take_snapshot(app: App, web: SimServer) -> Snapshot:
    """Query the database, then the sites."""
    now = app.clock.now()
    state, badges, prices, newest = await app.read(_dataset_state, now)
    groups, checked = await app.read(_linked_records), await app.read(_verification_counts)
    addresses = web.addresses()
    return Snapshot(
        seconds=(app.wall.now() - web.start).total_seconds(),
        passed=now - web.start,
        site_time=web.now(),
        now=now,
        markets=[
            MarketSnapshot(
                market=market,
                address=addresses[market.site],
                score=score_market(web, market, state.get(market.slug, {}), checked),
                badges=badges.get(market.slug, SourceCounts()),
                trouble=fault_text(web, market),
            )
            for market in MARKETS
        ],
        prices=prices,
        newest=newest,
        together=score_links(web, groups.values()),
    )


DatasetState = tuple[
    Mapping[str, Mapping[str, int | None]],
    Mapping[str, SourceCounts],
    Sequence[PriceChange],
    Sequence[RecordLine],
]


def _linked_records(conn: Connection) -> Mapping[int, Sequence[SitePlatformId]]:
    """Records that the dataset links as one entity."""
    sites = {market.slug: market.site for market in MARKETS}
    found: dict[int, list[SitePlatformId]] = {}
    for record in demo.linked_records(conn):
        if record.source in sites:  # a visitor may have added other sources
            found.setdefault(record.entity_id, []).append((sites[record.source], record.platform_id))
    return found


def _verification_counts(conn: Connection) -> Mapping[str, int]:
    """How many whole pages were fetched for checks, by path."""
    return Counter(urlsplit(url).path for url in demo.fetched_for_verification(conn))


def _dataset_state(conn: Connection, now: datetime) -> DatasetState:
    """The state of the dataset: prices by source and platform id, badges, new records."""
    slugs = demo.all_slugs(conn)
    prices: dict[str, dict[str, int | None]] = {}
    for price in demo.active_prices(conn):
        prices.setdefault(price.source, {})[price.platform_id] = price.price_minor
    by_source = overview.badges_by_source(conn, now=now)
    badges = {slugs[key]: counts for key, counts in by_source.items() if key is not None}
    changed = record_actions.price_changes(conn, limit=LATEST_ROWS)
    return prices, badges, changed, record_actions.list_records(conn, Query(), limit=LATEST_ROWS, now=now)
