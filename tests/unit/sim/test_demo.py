"""The demo's web: seven sites, what they share, and a score that tells the truth about links."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import chain, combinations, repeat

import pytest

from larder.core.model.source import Kind, Plan
from larder.sim.demo import HOUR, MARKETS, TARGET_COUNT, Market, demo_server, fault_text, target_urls
from larder.sim.request_log import LoggedRequest
from larder.sim.scores import LinkScore, score_links, score_market
from larder.sim.server import SimServer

START = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
async def web() -> SimServer:
    """Not served: its time stands at the start."""
    return demo_server(lambda: START)


def places(web: SimServer, kind: Kind) -> dict[str, list[tuple[str, str]]]:
    """By thing: where it is to be found."""
    found: dict[str, list[tuple[str, str]]] = {}
    for site in (market.site for market in MARKETS if market.kind is kind):
        for number in web.sites[site].prices(START):
            if which := web.sites[site].entity_of(number, START):
                found.setdefault(which, []).append((site, number))
    return found


@pytest.mark.parametrize("kind", list(Kind))
def test_sites_of_a_kind_share_things(web: SimServer, kind: Kind) -> None:
    shared = [each for each in places(web, kind).values() if len(each) > 1]
    assert len(shared) > 20
    assert all(len({site for site, _ in each}) == len(each) for each in shared)


def test_links_are_scored_by_pairs(web: SimServer) -> None:
    one, two, *_ = (each for each in places(web, Kind.PRODUCT).values() if len(each) > 1)
    alone = [one[0]]
    assert score_links(web, [one, two, alone]) == LinkScore(things=2, pairs=2, right=2)
    mixed = [one[0], two[1]]
    assert score_links(web, [mixed]) == LinkScore(things=1, pairs=1, right=0)
    assert score_links(web, [[*one, two[0]]]) == LinkScore(things=1, pairs=3, right=1)


def test_homes_that_nobody_else_advertises_are_no_pair(web: SimServer) -> None:
    site = MARKETS[0].site
    lonely = [
        (site, number)
        for number in web.sites[site].prices(START)
        if not web.sites[site].entity_of(number, START)
    ]
    first, second = next(combinations(lonely, 2))
    assert score_links(web, [[first, second]]).right == 0


def test_a_watched_shop_is_scored_by_what_is_watched(web: SimServer) -> None:
    (watched,) = (market for market in MARKETS if market.plan is Plan.MONITOR)
    urls = target_urls(web, watched)
    assert len(urls) == TARGET_COUNT
    site = web.sites[watched.site]
    prices = site.prices(START)
    known = {url.rpartition("/")[2].partition("-")[0]: 0 for url in urls[:10]}
    right = {name: prices[name] for name in known}
    told = score_market(web, watched, {**right, "1": 5})
    assert (told.live, told.known, told.priced, told.gone) == (TARGET_COUNT, 10, 10, 1)
    assert score_market(web, watched, known).priced == 0
    assert len(prices) > TARGET_COUNT


def test_every_other_market_is_scored_by_all_that_is_there(web: SimServer) -> None:
    for market in MARKETS:
        if market.plan is not Plan.MONITOR:
            prices = web.sites[market.site].prices(START)
            assert score_market(web, market, prices).recall == 1.0
            assert score_market(web, market, {}).live == len(prices) > 30


def test_a_page_that_is_read_again_within_hours_is_doubled_unless_it_was_a_check(web: SimServer) -> None:
    market = MARKETS[0]
    for hours in (0, 1, 30):
        at = START + timedelta(hours=hours)
        web.request_log.record(
            LoggedRequest(
                arrived=hours,
                left=hours,
                at=at,
                host=market.site,
                method="GET",
                path="/listing/1",
                status=200,
            )
        )
    assert score_market(web, market, {}).doubled == 1
    assert score_market(web, market, {}, {"/listing/1": 1}).doubled == 0


async def test_what_goes_wrong_is_told_while_it_does() -> None:
    ill = {market.slug: market for market in MARKETS if market.trouble}
    assert set(ill) == {"flatboard", "rooftops"}
    for hour, told in ((0, ("", "")), (17, ("out of order right now", "")), (40, ("", "redesigned since"))):
        later = demo_server(_clock(hour))
        assert (fault_text(later, ill["flatboard"]), fault_text(later, ill["rooftops"])) == told


def _clock(hour: int) -> Callable[[], datetime]:
    """It stands at the start when it is read first, and some hours later ever after."""
    moments = chain([START], repeat(START + hour * HOUR))
    return lambda: next(moments)


def test_sources_are_where_a_browser_finds_them(web: SimServer) -> None:
    (watched,) = (market for market in MARKETS if market.plan is Plan.MONITOR)
    address = web.addresses()[watched.site]
    assert watched.source(address)["url"] == f"{address}products"
    assert all(url.startswith(f"{address}product/") for url in target_urls(web, watched))


@pytest.mark.parametrize(
    "market", [each for each in MARKETS if each.kind is not Kind.EVENT], ids=lambda m: m.slug
)
def test_l10_16_the_demo_asks_for_images_and_its_sites_serve_them(web: SimServer, market: Market) -> None:
    assert market.source("http://demo.test/")["params"]["images"] == 1
    path = "/photo/41000001.png" if market.kind is Kind.LISTING else "/image/41000001-1.png"
    answer = web.sites[market.site].image(path)
    assert answer is not None
    assert answer.kind == "image/png"
    assert isinstance(answer.content, bytes)
    assert answer.content.startswith(b"\x89PNG")
