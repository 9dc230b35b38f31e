"""Virtual time sees the same rows as real time: the structured twin equals what parsing the HTML gives."""

from datetime import UTC, datetime, timedelta

import pytest

from larder.core.model.item import Extracted, Item
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.sdk.adapter import SiteAdapter
from larder.sdk.page import Page
from larder.sdk.selectors import read_selectors
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.state import ListingChange
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.layouts import Layout, selectors
from larder.sim.site import SimRequest
from larder.sim.wording import euros
from larder.stages.parse import parse

START = datetime(2026, 3, 1, tzinfo=UTC)
AT = START + timedelta(days=2)
TRUTH = ClassifiedsTruth(seed=5, start=START, stock=50)
EXACT = [Layout.JSONLD, Layout.CARDS, Layout.TABLE]


class Plain(SiteAdapter):
    id, version, kind = "plain", "1.0.0", Kind.LISTING


def site(layout: Layout) -> ClassifiedsSite:
    return ClassifiedsSite(name="homes.test", classifieds=TRUTH, layout=layout, per_page=20)


def parsed(layout: Layout, url: str, purpose: Purpose) -> Extracted:
    source = Source(
        id=1, slug="homes", name="Homes", kind=Kind.LISTING, site_id=1, adapter="plain",
        url="http://homes.test/listings", params={"selectors": selectors(layout)},
    )  # fmt: skip
    body = site(layout).respond(SimRequest.of(url), AT).body
    reading = parse(Page(url, body, "text/html"), source=source, adapter=Plain(), purpose=purpose)
    assert isinstance(reading, Extracted), reading
    return reading


@pytest.mark.parametrize("layout", EXACT)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_index_pages_agree(layout: Layout, number: int) -> None:
    url = f"http://homes.test/listings?page={number}"
    real, twin = parsed(layout, url, Purpose.INDEX), site(layout).read(url, AT)
    assert [item.fields for item in twin.items] == [item.fields for item in real.items]
    assert (twin.strategy, twin.last, twin.advertised) == (real.strategy, real.last, real.advertised)


@pytest.mark.parametrize("layout", EXACT)
def test_listings_agree(layout: Layout) -> None:
    for row in site(layout).read("/listings", AT).items:
        real, twin = (
            parsed(layout, row.fields["url"], Purpose.DETAIL),
            site(layout).read(row.fields["url"], AT),
        )
        assert [item.fields for item in twin.items] == [item.fields for item in real.items]
        assert twin.strategy == real.strategy


def test_a_row_that_changed_is_read_anew() -> None:
    place = site(Layout.CARDS)
    event = next(event for event in TRUTH.events(START, AT) if event.what is ListingChange.PRICE)
    for at in (event.at - timedelta(microseconds=1), event.at):
        rows = {item.fields["platform_id"]: item.fields["price"] for item in every_row(place, at)}
        assert rows == {key: euros(listing.price) for key, listing in TRUTH.live(at).items()}


def every_row(place: ClassifiedsSite, at: datetime) -> list[Item]:
    return [item for number in range(1, 5) for item in place.read(f"/listings?page={number}", at).items]


@pytest.mark.parametrize("layout", list(Layout))
def test_every_layout_can_be_read_by_its_own_selectors(layout: Layout) -> None:
    index = read_selectors(selectors(layout)).index
    assert index is not None
    page = Page("http://homes.test/", site(layout).respond(SimRequest.of("/listings"), AT).body, "text/html")
    rows = [index.read(row) for row in index.rows(page.tree)]
    shown = site(Layout.CARDS).read("/listings", AT).items
    for name in ("title", "url", "price", "seller"):
        assert [row[name] for row in rows] == [item.fields[name] for item in shown]


@pytest.mark.parametrize("layout", list(Layout))
def test_every_layout_says_where_its_index_ends(layout: Layout) -> None:
    total = TRUTH.count(AT)
    ends = {1: False, 2: False, 3: True}
    for number, last in ends.items():
        page = parsed(layout, f"http://homes.test/listings?page={number}", Purpose.INDEX)
        assert (page.last, page.advertised) == (last, total)


@pytest.mark.parametrize("layout", list(Layout))
def test_past_the_end_there_is_nothing(layout: Layout) -> None:
    url = "http://homes.test/listings?page=9"
    real, twin = parsed(layout, url, Purpose.INDEX), site(layout).read(url, AT)
    assert real.items == twin.items == ()
    assert real.last
    assert twin.last
