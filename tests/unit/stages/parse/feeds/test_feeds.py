"""Documents for machines are read as an index: each format, in bounds, and without entities."""

# ruff: noqa: E501

import gzip
import json
from typing import Any

import pytest

from larder.core.model.item import Extracted, Strategy
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.cascade import run_cascade
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.feeds import feed_of
from larder.stages.parse.feeds.document import MAX_ROWS
from larder.stages.parse.feeds.safe_xml import read_entries
from larder.stages.parse.feeds.sitemaps import item_rows, wanted_sitemaps

AT = "https://shop.test/feed"


def extracted(body: str | bytes, kind: Kind = Kind.PRODUCT) -> Extracted:
    notes: list[str] = []
    task = ExtractionTask(page=Page(AT, body), kind=kind, purpose=Purpose.INDEX)
    found = run_cascade(task, tuple(Strategy), notes)
    assert isinstance(found, Extracted)
    return found


def rows(body: str | bytes, kind: Kind = Kind.PRODUCT) -> list[dict[str, Any]]:
    found = extracted(body, kind)
    assert found.strategy == Strategy.FEED
    return [dict(item.fields) for item in found.items]


RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Ads</title><link>https://shop.test</link>
<image><url>https://shop.test/logo.png</url><title>Logo</title><link>https://shop.test</link></image>
<item><title>Red &amp;amp; blue bike</title><link>/ads/1</link><guid isPermaLink="false">77</guid>
<description><![CDATA[<p>Nearly <b>new</b></p>]]></description><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate>
<media:thumbnail url="https://shop.test/1.jpg"/></item>
<item><title>Table</title><guid>https://shop.test/ads/2</guid></item></channel></rss>"""


def test_rss() -> None:
    first, second = rows(RSS, Kind.LISTING)
    assert first == {
        "title": "Red & blue bike",
        "url": "https://shop.test/ads/1",
        "description": "Nearly new",
        "posted_at": "Mon, 02 Nov 2026 10:00:00 GMT",
        "images": ["https://shop.test/1.jpg"],
    }
    assert second == {"title": "Table", "url": "https://shop.test/ads/2"}


def test_atom_and_its_next_page() -> None:
    found = extracted(
        """<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><link rel="self" href="/feed"/>
        <link rel="next" href="/feed?page=2"/><entry><title type="html">A &lt;i&gt;thing&lt;/i&gt;</title>
        <link rel="edit" href="/edit/1"/><link href="/things/1"/><id>urn:1</id><published>2026-11-01</published></entry></feed>"""
    )
    assert [dict(item.fields) for item in found.items] == [
        {"title": "A thing", "url": "https://shop.test/things/1", "posted_at": "2026-11-01"}
    ]
    assert found.next_page is not None
    assert found.next_page.url == "https://shop.test/feed?page=2"
    assert found.last is False


def test_rdf_as_classifieds_use_it() -> None:
    body = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
    <channel rdf:about="/"><title>Bikes</title></channel>
    <item rdf:about="https://shop.test/7.html"><title>Bike</title></item></rdf:RDF>"""
    assert rows(body) == [{"title": "Bike", "url": "https://shop.test/7.html"}]


GOOGLE = """<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>
<item><g:id>SKU-1</g:id><title>Kettle</title><link>https://shop.test/kettle</link><g:price>49.00 EUR</g:price>
<g:sale_price>39.00 EUR</g:sale_price><g:availability>in_stock</g:availability><g:brand>Corner</g:brand>
<g:gtin>4006381333931</g:gtin><g:image_link>https://shop.test/k.jpg</g:image_link></item></channel></rss>"""


def test_a_product_feed_in_xml_gives_records() -> None:
    (item,) = extract(GOOGLE, url=AT, kind="product").items
    wanted = {
        "title": "Kettle",
        "price": "39.00",
        "currency": "EUR",
        "availability": "in_stock",
        "sku": "SKU-1",
    }
    assert {name: item[name] for name in wanted} == wanted
    assert item["url"] == "https://shop.test/kettle"


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_a_product_feed_as_a_table(delimiter: str) -> None:
    lines = [
        ["id", "title", "link", "price", "availability", "image_link"],
        ["S-1", '"Kettle, red"', "/kettle", "49.00 EUR", "in stock", "/k.jpg"],
        ["S-2", "Pan", "/pan", "19.00 EUR", "out of stock", ""],
        ["S-3", "", "", "", "", ""],
    ]
    found = rows("\n".join(delimiter.join(line) for line in lines))
    assert [row["title"] for row in found] == ["Kettle, red", "Pan"]
    assert found[0]["url"] == "https://shop.test/kettle"
    assert found[0]["price"] == "49.00 EUR"
    assert found[1]["availability"] == "out of stock"


def test_json_feed() -> None:
    body = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "News",
        "next_url": "https://shop.test/feed?p=2",
        "items": [
            {"id": "1", "url": "/a", "title": "A", "image": "/a.jpg", "content_html": "<p>Text</p>"},
            {"id": "2"},
        ],
    }
    found = extracted(json.dumps(body))
    assert [dict(item.fields) for item in found.items] == [
        {
            "title": "A",
            "url": "https://shop.test/a",
            "description": "Text",
            "images": ["https://shop.test/a.jpg"],
        }
    ]
    assert found.next_page is not None
    assert found.next_page.url.endswith("?p=2")


CALENDAR = "\r\n".join([
    "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTIMEZONE", "TZID:Europe/Amsterdam", "END:VTIMEZONE",
    "BEGIN:VEVENT", "UID:1@hall.test", "SUMMARY:Concert\\, with a long na", " me", "URL:/agenda/1",
    "DTSTART;TZID=Europe/Amsterdam:20261201T201500", "DTEND;TZID=Europe/Amsterdam:20261201T223000",
    "LOCATION:Great Hall\\, Singel 1\\, Utrecht", "GEO:52.09;5.12", "BEGIN:VALARM", "TRIGGER:-PT15M", "SUMMARY:Alarm",
    "END:VALARM", "STATUS:CANCELLED", "END:VEVENT",
    "BEGIN:VEVENT", "UID:2", "SUMMARY:Festival", "DTSTART;VALUE=DATE:20261205", "DTEND;VALUE=DATE:20261208", "END:VEVENT",
    "BEGIN:VEVENT", "UID:3", "SUMMARY:Talk", "DTSTART:20261210T190000Z", "DURATION:PT1H30M", "END:VEVENT",
    "BEGIN:VEVENT", "UID:4", "SUMMARY:Broken day", "DTSTART:20261399T190000Z", "END:VEVENT", "END:VCALENDAR",
])  # fmt: skip


def test_a_calendar() -> None:
    concert, festival, talk, broken = rows(CALENDAR, Kind.EVENT)
    assert concert == {
        "title": "Concert, with a long name",
        "starts_at": "2026-12-01T20:15+01:00",
        "ends_at": "2026-12-01T22:30+01:00",
        "url": "https://shop.test/agenda/1",
        "venue": "Great Hall",
        "location_text": "Great Hall, Singel 1, Utrecht",
        "status": "EventCancelled",
        "platform_id": "1@hall.test",
        "latitude": "52.09",
        "longitude": "5.12",
    }
    assert (festival["starts_at"], festival["ends_at"]) == ("2026-12-05", "2026-12-07")
    assert (talk["starts_at"], talk["ends_at"]) == ("2026-12-10T19:00+00:00", "2026-12-10T20:30+00:00")
    assert broken == {"title": "Broken day", "platform_id": "4"}


def test_a_calendar_is_recognised_as_an_agenda() -> None:
    found = extract(CALENDAR, url=AT)
    assert found.ok
    assert found.items[1]["starts_at"].startswith("2026-12-05")


SITEMAP = """<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>https://shop.test/a</loc><lastmod>2026-01-01</lastmod>
<image:image><image:loc>https://shop.test/a.jpg</image:loc></image:image></url><url><loc>https://shop.test/b</loc></url></urlset>"""


@pytest.mark.parametrize("body", [SITEMAP, gzip.compress(SITEMAP.encode())], ids=["plain", "gzipped"])
def test_a_sitemap_names_addresses(body: str | bytes) -> None:
    found = extracted(body)
    assert [item.fields["url"] for item in found.items] == ["https://shop.test/a", "https://shop.test/b"]
    assert (found.last, found.advertised, found.next_page) == (True, 2, None)


def test_a_sitemap_index_names_further_indexes() -> None:
    body = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>/sitemap-1.xml</loc></sitemap>
    <sitemap><loc>https://shop.test/sitemap-2.xml.gz</loc><lastmod>2026-01-01</lastmod></sitemap></sitemapindex>"""
    found = extracted(body)
    assert found.items == ()
    assert found.indexes == ("https://shop.test/sitemap-1.xml", "https://shop.test/sitemap-2.xml.gz")


def test_entities_are_refused_and_nothing_grows() -> None:
    declared = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(1, 30))
    bomb = f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e1 "lol">{declared}]><rss><channel><item><title>&e30;</title></item></channel></rss>'
    found = read_entries(bomb, frozenset({"item"}))
    assert found.entries == []
    assert "declares entities" in found.broken
    outside = '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&x;</title></item></channel></rss>'
    assert read_entries(outside, frozenset({"item"})).entries == []


def test_a_feed_that_breaks_off_gives_what_came_before_and_says_so() -> None:
    found = extracted(RSS[: RSS.index("<title>Table")], Kind.LISTING)
    assert len(found.items) == 1
    assert any(note.startswith("feed:") for note in found.notes)


def test_entities_of_html_in_xml_do_not_cost_the_feed() -> None:
    body = "<rss><channel><item><title>Caf&eacute;&nbsp;table & chairs</title><link>/t</link></item></channel></rss>"
    assert rows(body) == [{"title": "Café table & chairs", "url": "https://shop.test/t"}]


def test_a_feed_is_read_in_bounds() -> None:
    urls = "".join(f"<url><loc>https://shop.test/{n}</loc></url>" for n in range(MAX_ROWS + 500))
    found = extracted(f"<urlset>{urls}</urlset>")
    assert len(found.items) == MAX_ROWS
    assert found.advertised == MAX_ROWS + 500
    deep = read_entries("<rss>" + "<item>" * 100 + "</item>" * 100 + "</rss>", frozenset({"item"}))
    assert "nested deeper" in deep.broken


@pytest.mark.parametrize(
    "body",
    [
        "<html><body><p>rss</p></body></html>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><p>Hi</p></body></html>",
        '{"items": [{"title": "A", "price": 3}]}',
        "Title, links and a price: all in one line\nbut this is text",
        "",
    ],
)
def test_other_documents_are_no_feeds(body: str) -> None:
    assert feed_of(Page(AT, body)) is None


def test_an_empty_feed_is_empty_and_not_broken() -> None:
    found = extracted("<rss><channel><title>Nothing yet</title></channel></rss>")
    assert (found.items, found.last) == ((), True)


@pytest.mark.parametrize(
    ("kind", "names", "wanted"),
    [
        (
            Kind.PRODUCT,
            ["product-sitemap.xml", "page-sitemap.xml", "post-sitemap.xml"],
            ["product-sitemap.xml"],
        ),
        (
            Kind.PRODUCT,
            ["sitemap_products_1.xml?from=1", "sitemap_collections_1.xml"],
            ["sitemap_products_1.xml?from=1"],
        ),
        (Kind.EVENT, ["sitemap-1.xml", "tag-sitemap.xml"], ["sitemap-1.xml"]),
        (Kind.LISTING, ["sitemap-1.xml", "sitemap-2.xml"], ["sitemap-1.xml", "sitemap-2.xml"]),
        (Kind.LISTING, ["blog.xml", "tags.xml"], ["blog.xml", "tags.xml"]),
    ],
    ids=["named after it", "with a query", "not named after others", "all alike", "none fits: all"],
)
def test_sitemaps_are_chosen_by_their_name(kind: Kind, names: list[str], wanted: list[str]) -> None:
    urls = [f"https://shop.test/{name}" for name in names]
    assert wanted_sitemaps(urls, kind) == tuple(f"https://shop.test/{name}" for name in wanted)


def test_a_few_pages_of_another_shape_are_no_things() -> None:
    rows = [{"url": f"https://shop.test/p/{1000 + n}-lamp"} for n in range(30)]
    others = [
        {"url": "https://shop.test/"},
        {"url": "https://shop.test/about-us"},
        {"url": "https://shop.test/contact"},
    ]
    assert item_rows([*others, *rows]) == rows
    assert item_rows(others) == others[1:]
