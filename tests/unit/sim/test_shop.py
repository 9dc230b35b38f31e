"""A made-up shop: its truth is a function of time, and reading its pages gives that truth."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest

from larder.core.model.item import Extracted, Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.sdk.adapter import SiteAdapter
from larder.sdk.page import Page
from larder.sim.faults import Fault, FaultKind
from larder.sim.layouts import Layout, shop_pages
from larder.sim.pictures import parcel
from larder.sim.product_catalogue import FAMILY_SIZE, catalogue_product
from larder.sim.shop import Offer, OfferChange, ShopTruth
from larder.sim.shop_site import ShopSite
from larder.sim.site import RemovedItems, SimRequest
from larder.stages.normalize import Context, normalize
from larder.stages.parse import parse

START = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
AT = START + 9 * DAY


class Plain(SiteAdapter):
    id, version, kind = "plain", "1.0.0", Kind.PRODUCT


def truth(**rules: Any) -> ShopTruth:
    return ShopTruth(**{"seed": 3, "start": START, "goods": 60, **rules})


def site(layout: Layout = Layout.JSONLD, **rules: Any) -> ShopSite:
    return ShopSite(name="goods.test", assortment=truth(**rules), layout=layout, per_page=20)


def read(shop: ShopSite, path: str, purpose: Purpose, *, declared: bool) -> list[Staged]:
    params = {"selectors": shop_pages.SELECTORS} if declared else {}
    source = Source(
        id=1, slug="goods", name="Goods", kind=Kind.PRODUCT, site_id=1, adapter="plain",
        url="http://goods.test/products", params=params, currency="EUR",
    )  # fmt: skip
    url = f"http://goods.test{path}"
    page = Page(url, shop.respond(SimRequest.of(url), AT).body, "text/html")
    reading = parse(page, source=source, adapter=Plain(), purpose=purpose)
    assert isinstance(reading, Extracted), reading
    context = Context.of(source, base_url=url, observed_at=AT, index=purpose is Purpose.INDEX)
    staged = [normalize(item, context) for item in reading.items]
    assert all(isinstance(each, Staged) for each in staged), staged
    return [each for each in staged if isinstance(each, Staged)]


WAYS = pytest.mark.parametrize(
    ("layout", "declared"),
    [(Layout.JSONLD, False), (Layout.CARDS, True), (Layout.CARDS, False)],
    ids=["json-ld", "declared selectors", "heuristic"],
)


@pytest.mark.parametrize(
    ("layout", "declared"), [(Layout.JSONLD, False), (Layout.CARDS, True)], ids=["json-ld", "selectors"]
)
def test_every_index_page_says_what_is_sold(layout: Layout, declared: bool) -> None:
    shop = site(layout)
    live = shop.assortment.live(AT)
    pages = -(-len(live) // 20)
    rows = [
        row
        for number in range(1, pages + 1)
        for row in read(shop, f"/products?page={number}", Purpose.INDEX, declared=declared)
    ]
    told = {row.fields["platform_id"]: (row.fields["title"], row.fields["price_minor"]) for row in rows}
    assert told == {key: (offer.title, offer.price) for key, offer in live.items()}


@WAYS
def test_a_product_page_gives_the_selling_price_and_not_the_crossed_out_one(
    layout: Layout, declared: bool
) -> None:
    shop = site(layout, sales_per_day=0.3)
    offers = list(shop.assortment.live(AT).values())
    assert any(offer.was for offer in offers)
    assert any(offer.tiers for offer in offers)
    for offer in offers:
        (staged,) = read(shop, f"/product/{offer.platform_id}", Purpose.DETAIL, declared=declared)
        assert staged.fields["price_minor"] == offer.price, offer
        assert staged.fields["availability"] == ("in_stock" if offer.in_stock else "out_of_stock")


@pytest.mark.parametrize(
    ("layout", "declared"), [(Layout.JSONLD, False), (Layout.CARDS, True)], ids=["json-ld", "selectors"]
)
def test_a_product_page_gives_codes_maker_and_reviews(layout: Layout, declared: bool) -> None:
    shop = site(layout)
    for offer in shop.assortment.live(AT).values():
        (staged,) = read(shop, f"/product/{offer.platform_id}", Purpose.DETAIL, declared=declared)
        told = staged.fields
        assert (told["title"], told["brand"], told["sku"]) == (offer.title, offer.good.brand, offer.sku)
        assert (told.get("gtin"), told["mpn"]) == (offer.gtin, offer.good.mpn)
        assert told.get("rating") == offer.rating
        assert told.get("review_count", 0) == offer.reviews
        assert [image["url"][-6:] for image in told["images"]] == ["-1.png", "-2.png"]


def test_the_truth_is_the_same_however_it_is_asked() -> None:
    forward, backward = truth(), truth()
    moments = [START + DAY * day for day in range(0, 40, 4)]
    seen = {at: dict(forward.live(at)) for at in moments}
    assert {at: dict(backward.live(at)) for at in reversed(moments)} == seen
    offers = [offer for live in seen.values() for offer in live.values()]
    assert all(backward.last_known(offer.platform_id, START + 99 * DAY) is not None for offer in offers)


def test_events_lead_from_one_moment_to_the_other() -> None:
    shop = truth()
    before, after = shop.live(START), shop.live(START + 30 * DAY)
    there, prices = set(before), {key: offer.price for key, offer in before.items()}
    for event in shop.events(START, START + 30 * DAY):
        there = _moved(there, event.what, event.offer)
        prices[event.offer.platform_id] = event.offer.price
    assert there == set(after)
    assert {key: prices[key] for key in there} == {key: offer.price for key, offer in after.items()}


def _moved(there: set[str], what: OfferChange, offer: Offer) -> set[str]:
    return there - {offer.platform_id} if what is OfferChange.REMOVED else there | {offer.platform_id}


def test_in_time_everything_happens_that_can() -> None:
    happened = Counter(event.what for event in truth().events(START, START + 120 * DAY))
    assert set(happened) == set(OfferChange)


def test_two_shops_of_one_catalogue_sell_partly_the_same_in_other_words() -> None:
    one, two = truth(), truth(seed=4, title_style=1)
    first, second = ({each.entity: each for each in shop.live(AT).values()} for shop in (one, two))
    both = first.keys() & second.keys()
    assert both
    assert first.keys() - both
    assert second.keys() - both
    assert all(first[thing].title != second[thing].title for thing in both)
    assert sum(first[thing].price != second[thing].price for thing in both) > len(both) / 2


def test_no_two_goods_are_the_same_and_each_has_near_twins() -> None:
    goods = [catalogue_product(1, number) for number in range(400)]
    assert len({each.gtin for each in goods}) == 400
    assert len({(each.brand, each.model, each.trait) for each in goods}) == 400
    for family in (goods[at : at + FAMILY_SIZE] for at in range(0, 400, FAMILY_SIZE)):
        assert len({(each.brand, each.model) for each in family}) == 1
        assert all(a.trait != b.trait for a, b in combinations(family, 2))


def test_codes_may_be_missing_or_the_familys() -> None:
    shop = truth(goods=400, gtin_share=0.5, wrong_gtin_share=0.3)
    offers = list(shop.live(AT).values())
    stated = [offer for offer in offers if offer.gtin]
    assert 0.4 < len(stated) / len(offers) < 0.6
    assert 0.1 < sum(offer.gtin != offer.good.gtin for offer in stated) / len(stated) < 0.35


def test_what_is_no_longer_sold_is_answered_as_the_shop_does() -> None:
    shop = site(mean_life_days=5.0, reappearing=0.0)
    gone = next(e.offer for e in shop.assortment.events(START, AT) if e.what is OfferChange.REMOVED)
    path = f"http://goods.test/product/{gone.platform_id}"
    assert shop.respond(SimRequest.of(path), AT).status == 404
    shop.removed = RemovedItems.GONE
    assert shop.respond(SimRequest.of(path), AT).status == 410
    assert shop.respond(SimRequest.of("http://goods.test/product/1"), AT).status == 404


def test_faults_hold_here_too() -> None:
    shop = site()
    page = SimRequest.of("http://goods.test/products")
    plain = shop.respond(page, AT).body
    shop.faults.append(Fault(kind=FaultKind.REDRAWN, since=AT, until=AT + DAY))
    assert b"ld+json" in plain
    assert b"ld+json" not in shop.respond(page, AT).body
    shop.faults.append(Fault(kind=FaultKind.BLOCKED, since=AT, until=AT + DAY))
    assert shop.respond(page, AT).status == 403


def test_pictures_are_served() -> None:
    shop = site()
    (offer, *_) = shop.assortment.live(AT).values()
    answer = shop.respond(
        SimRequest.of(shop_pages.pictures(shop.brand_at("http://goods.test"), offer)[0]), AT
    )
    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/png")
    assert answer.body == parcel(f"{offer.platform_id}-1") != parcel(f"{offer.platform_id}-2")
