"""The passage behind a value: found as it stands on the page, whatever way the page writes it."""

from datetime import UTC, datetime

import pytest

from larder import adapters
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.extraction.snippet import Snippet, snippets
from larder.sdk import Page
from larder.stages.normalize import Context

URL = "http://shop.test/kettle"
SOURCE = Source(id=1, slug="s", name="S", kind=Kind.PRODUCT, site_id=1, adapter="product", url=URL)
LD = """<html><body><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product",
"name": %s, "sku": "K-1", "offers": {"@type": "Offer", "price": "49.90", "priceCurrency": "EUR",
"availability": "https://schema.org/InStock"}}</script><h1>Kettle</h1></body></html>"""


def _found(html: str) -> dict[str, Snippet]:
    context = Context.of(SOURCE, base_url=URL, observed_at=datetime(2026, 1, 1, tzinfo=UTC))
    page = Page(URL, html)
    read = snippets(
        page,
        source=SOURCE,
        adapter=adapters.find("product"),
        purpose=Purpose.DETAIL,
        identity_key="SKU:K-1",
        context=context,
    )
    return dict(read)


@pytest.mark.parametrize(
    ("written", "match"),
    [
        ('"Kettle with lid"', "Kettle with lid"),
        ('"Kettle 2\\/3 litre"', "Kettle 2\\/3 litre"),
        ('"Kettle \\"Old\\" style"', 'Kettle \\"Old\\" style'),
    ],
    ids=["plain", "escaped slash", "escaped quotes"],
)
def test_a_title_is_found_as_the_page_writes_it(written: str, match: str) -> None:
    assert _found(LD % written)["title"].match == match


def test_what_stands_around_it_comes_along_and_the_strategy_is_named() -> None:
    price = _found(LD % '"Kettle"')["price_minor"]
    assert price.match == "49.90"
    assert price.before.endswith('"price": "')
    assert price.after.startswith('", "priceCurrency"')
    assert price.strategy == "json-ld"


def test_a_page_that_says_nothing_gives_nothing() -> None:
    assert _found("<html><body><p>Nothing here.</p></body></html>") == {}


def test_a_value_is_shown_in_the_piece_that_was_read() -> None:
    seen = '<html><head><title>Kettle</title></head><body><span class="now">€49.90</span>'
    price = _found(LD.replace("<html><body>", seen) % '"Kettle"')["price_minor"]
    assert price.before.endswith('"price": "')
    assert _found(LD.replace("<html><body>", seen) % '"Kettle"')["title"].before.endswith('"name": "')


MARKED = """<html><body><p class="was">49.90</p><div itemscope itemtype="https://schema.org/Product">
<h1 itemprop="name">Kettle</h1><meta itemprop="sku" content="K-1">
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b>49.90</b>
<span itemprop="price">49.90</span><meta itemprop="priceCurrency" content="EUR">
<link itemprop="availability" href="https://schema.org/InStock"></div></div></body></html>"""


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_marked_value_is_shown_where_it_is_marked(end: str) -> None:
    price = _found(MARKED.replace("\n", end))["price_minor"]
    assert price.strategy == "microdata"
    assert price.before.endswith('<span itemprop="price">')


def test_a_number_is_not_shown_inside_another() -> None:
    written = (LD % '"Kettle"').replace('"sku"', '"gtin13": "1494990490", "mpn": "149.90", "sku"')
    assert _found(written)["price_minor"].before.endswith('"price": "')


def test_of_several_on_a_page_the_items_own_is_shown() -> None:
    other = (
        '{"@context": "https://schema.org", "@type": "Product", "name": "Pot", "sku": "P-1", '
        '"offers": {"@type": "Offer", "price": "49.90", "priceCurrency": "EUR"}}'
    )
    page = (LD % '"Kettle"').replace('json">', f'json">{other}</script><script type="application/ld+json">')
    context = Context.of(SOURCE, base_url=URL, observed_at=datetime(2026, 1, 1, tzinfo=UTC))
    read = snippets(
        Page(URL, page),
        source=SOURCE,
        adapter=adapters.find("product"),
        purpose=Purpose.INDEX,
        identity_key="SKU:K-1",
        context=context,
    )
    assert '"K-1"' in read["price_minor"].before
