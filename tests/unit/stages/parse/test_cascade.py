"""The order of the strategies, what wins, and what is said when nothing does."""

from typing import Any

import pytest

from larder import adapters
from larder.core.errors import BadInput
from larder.core.model.item import Extracted, Failed, Item
from larder.core.model.job import Purpose
from larder.core.model.outcome import FailReason
from larder.core.model.source import Kind, Source
from larder.sdk import Page, SiteAdapter
from larder.stages.parse import attempts, parse, parse_payload

CARDS = """<html><body><ul>
<li class=card data-id=7><h2><a href=/flat/7>Two rooms by the canal</a></h2><b class=price>€ 900</b></li>
<li class=card data-id=8><h2><a href=/flat/8>Attic</a></h2><b class=price>€ 700</b></li>
</ul><span class=count>2 of 31 flats</span><a class=next href=/flats?page=2>more</a></body></html>"""
DECLARED = {
    "index": {
        "row": "li.card",
        "fields": {"title": "h2 a", "url": "h2 a@href", "price": ".price", "platform_id": "@data-id"},
        "next": "a.next@href",
        "total": {"css": ".count", "regex": r"of (\d+)"},
    }
}
PRODUCT_LD = """<script type="application/ld+json">{"@type":"Product","name":"Kettle","sku":"K-1",
"offers":{"@type":"Offer","price":"24.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script>"""


def source(kind: Kind = Kind.LISTING, **params: Any) -> Source:
    return Source(
        id=1, slug="s", name="S", kind=kind, site_id=1, adapter=kind, url="https://x.test/f", params=params
    )


def read(html: str, of: Source, purpose: Purpose = Purpose.INDEX) -> Extracted | Failed:
    return parse(Page(of.url, html), source=of, adapter=adapters.find(of.adapter), purpose=purpose)


def test_declared_selectors_give_an_item_a_row() -> None:
    result = read(CARDS, source(selectors=DECLARED))
    assert isinstance(result, Extracted)
    assert result.strategy == "selectors"
    assert [dict(item.fields) for item in result.items] == [
        {
            "title": "Two rooms by the canal",
            "url": "https://x.test/flat/7",
            "price": "€ 900",
            "platform_id": "7",
        },
        {"title": "Attic", "url": "https://x.test/flat/8", "price": "€ 700", "platform_id": "8"},
    ]
    assert result.last is False
    assert result.advertised == 31


def test_structured_markup_comes_before_selectors() -> None:
    declared = {"detail": {"fields": {"title": "h1", "price": ".p"}}}
    page = f"<h1>Our kettle</h1><i class=p>99</i>{PRODUCT_LD}"
    result = read(page, source(Kind.PRODUCT, selectors=declared), Purpose.DETAIL)
    assert isinstance(result, Extracted)
    assert result.strategy == "json-ld"
    assert result.items[0].fields["price"] == "24.90"
    narrowed = source(Kind.PRODUCT, selectors=declared, strategies=["selectors"])
    result = read(page, narrowed, Purpose.DETAIL)
    assert isinstance(result, Extracted)
    assert result.items[0].fields == {"title": "Our kettle", "price": "99"}


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        pytest.param("", FailReason.EMPTY_PAGE, id="nothing came"),
        pytest.param("<p>Welcome to our new look</p>", FailReason.SELECTOR_NOT_FOUND, id="no row matches"),
        pytest.param(
            "<title>Just a moment...</title>Checking your browser", FailReason.BLOCKED_PAGE, id="a challenge"
        ),
    ],
)
def test_a_page_without_rows_says_why(html: str, reason: FailReason) -> None:
    result = read(html, source(selectors=DECLARED))
    assert isinstance(result, Failed)
    assert result.reason is reason


def test_an_empty_index_is_no_failure() -> None:
    result = read("<h1>Flats</h1><p>No results found</p>", source(selectors=DECLARED))
    assert result == Extracted(last=True, advertised=0)


def test_a_wrong_declaration_is_told() -> None:
    with pytest.raises(BadInput, match=r"selectors\.index\.row"):
        read(CARDS, source(selectors={"index": {"row": "li[[", "fields": {"title": "a"}}}))
    with pytest.raises(BadInput, match="unknown strategy"):
        read(CARDS, source(strategies=["guess"]))


def test_later_strategies_add_what_the_winner_left_out() -> None:
    page = PRODUCT_LD.replace('"sku":"K-1",', "") + "<h1>Kettle</h1><p>SKU: K-1</p>"
    result = read(page, source(Kind.PRODUCT), Purpose.DETAIL)
    assert isinstance(result, Extracted)
    (item,) = result.items
    assert item.fields["sku"] == "K-1"
    assert item.strategies["sku"] == "heuristic"
    assert "price" not in item.strategies


def test_a_strategy_that_raises_is_noted_and_the_next_one_tried() -> None:
    class Broken(SiteAdapter):
        id, version, kind = "broken", "1.0.0", Kind.PRODUCT

        def read_detail(self, page: Page) -> Extracted:
            raise KeyError(page.visible or "layout")

    of = source(Kind.PRODUCT)
    result = parse(Page(of.url, PRODUCT_LD), source=of, adapter=Broken(), purpose=Purpose.DETAIL)
    assert isinstance(result, Extracted)
    assert result.items[0].fields["title"] == "Kettle"
    assert result.notes == ("adapter broken: KeyError: 'layout'",)


@pytest.mark.parametrize(("last", "found"), [(None, "https://x.test/list?page=2"), (True, None)])
def test_the_next_page_is_found_for_an_adapter_that_only_reads_rows(
    last: bool | None, found: str | None
) -> None:
    class Rows(SiteAdapter):
        id, version, kind = "rows", "1.0.0", Kind.PRODUCT

        def read_index(self, page: Page) -> Extracted:
            return Extracted(items=(Item(fields={"title": page.url}),), last=last)

    page = Page("https://x.test/list", b'<link rel="next" href="/list?page=2"><p>rows')
    result = parse(page, source=source(Kind.PRODUCT), adapter=Rows(), purpose=Purpose.INDEX)
    assert isinstance(result, Extracted)
    assert (result.next_page and result.next_page.url) == found


def test_every_strategys_finding_can_be_seen() -> None:
    of = source(Kind.PRODUCT, selectors={"detail": {"fields": {"title": "h1"}}})
    page = Page(of.url, f"<h1>Our kettle</h1>{PRODUCT_LD}")
    found = attempts(page, source=of, adapter=adapters.find("product"), purpose=Purpose.DETAIL)
    titles = {each.strategy: [item.fields.get("title") for item in each.items] for each in found}
    assert titles == {
        "adapter product": [],
        "feed": [],
        "json-ld": ["Kettle"],
        "microdata": [],
        "embedded": [],
        "selectors": ["Our kettle"],
        "heuristic": [],
    }


def test_what_came_without_a_page_passes_through() -> None:
    ready = [Item(fields={"title": "x"})]
    assert parse_payload(ready, adapter=adapters.find("listing")) == Extracted(
        items=tuple(ready), strategy="payload"
    )
    rows = parse_payload([{"title": "y"}], adapter=adapters.find("listing"))
    assert isinstance(rows, Extracted)
    assert rows.items[0].fields == {"title": "y"}


def test_a_cut_page_says_so() -> None:
    result = read("x" * 10_500_000, source(Kind.PRODUCT), Purpose.DETAIL)
    assert result.notes == ("page cut at its size limit",)


@pytest.mark.parametrize(
    ("notice", "reason"),
    [
        ("<p>Currently unavailable</p>", FailReason.OOS_NO_PRICE),
        ("<div><span>Ausverkauft!</span></div>", FailReason.OOS_NO_PRICE),
        ("<p>This chair is sold out</p>", FailReason.OOS_NO_PRICE),
        ("<p>Service temporarily unavailable</p>", FailReason.PRICE_NOT_FOUND),
        ("<p hidden>Sold out</p>", FailReason.PRICE_NOT_FOUND),
        ("<aside><p>Sold out</p></aside>", FailReason.PRICE_NOT_FOUND),
        (
            "<p>We make chairs, and the oak one is often sold out in winter.</p>",
            FailReason.PRICE_NOT_FOUND,
        ),
    ],
)
def test_l10_2_a_product_page_that_says_out_of_stock_and_shows_no_price(
    notice: str, reason: FailReason
) -> None:
    head = "<title>Oak chair</title><body><main><h1>Oak chair</h1>"
    html = f"<html>{head}<p>Of oak.</p>{notice}</main></body></html>"
    found = read(html, source(Kind.PRODUCT), Purpose.DETAIL)
    assert isinstance(found, Failed)
    assert found.reason is reason
