"""A source is added from a feed and read twice: all at first, then only what is new or changed."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.served import Answer, Site, add_source, serving, shell

XML = "application/xml; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Thing:
    number: int
    price: int

    @property
    def path(self) -> str:
        return f"/things/{self.number}-copper-lamp"

    @property
    def title(self) -> str:
        return f"Copper lamp number {self.number}"


FIRST = [Thing(n, 100 + n) for n in range(1, 7)]
SECOND = [Thing(1, 55), *FIRST[1:], Thing(7, 107)]
"""One is cheaper, one is new."""


def rss(site: Site, things: list[Thing]) -> None:
    items = "".join(
        f"<item><title>{t.title}</title><link>{site.url(t.path)}</link><guid>{site.url(t.path)}</guid>"
        f"<description>For {t.price}.00 euros</description></item>"
        for t in things
    )
    site.answers["/feed"] = Answer(
        f"<rss version='2.0'><channel><title>Lamps</title>{items}</channel></rss>", XML
    )


def atom(site: Site, things: list[Thing]) -> None:
    items = "".join(
        f"<entry><title>{t.title}</title><link href='{t.path}'/><id>urn:lamp:{t.number}</id></entry>"
        for t in things
    )
    body = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>Lamps</title>{items}</feed>"
    site.answers["/feed"] = Answer(body, "application/atom+xml")


def json_feed(site: Site, things: list[Thing]) -> None:
    items = [{"id": str(t.number), "url": site.url(t.path), "title": t.title} for t in things]
    body = {"version": "https://jsonfeed.org/version/1.1", "title": "Lamps", "items": items}
    site.answers["/feed"] = Answer(json.dumps(body), "application/feed+json")


def google_xml(site: Site, things: list[Thing]) -> None:
    items = "".join(
        f"<item><g:id>L{t.number}</g:id><g:title>{t.title}</g:title><g:link>{site.url(t.path)}</g:link>"
        f"<g:price>{t.price}.00 EUR</g:price><g:availability>in stock</g:availability></item>"
        for t in things
    )
    body = f"<rss version='2.0' xmlns:g='http://base.google.com/ns/1.0'><channel>{items}</channel></rss>"
    site.answers["/feed"] = Answer(body, XML)


def google_csv(site: Site, things: list[Thing]) -> None:
    rows = "".join(f'L{t.number},"{t.title}",{site.url(t.path)},{t.price}.00 EUR,in stock\n' for t in things)
    site.answers["/feed"] = Answer(f"id,title,link,price,availability\n{rows}", "text/csv")


def sitemaps(site: Site, things: list[Thing]) -> None:
    """An index of three: things, plain and gzipped, and pages that are none."""
    halves = {"/sitemap-products-1.xml": things[:3], "/sitemap-products-2.xml.gz": things[3:]}
    names = "".join(
        f"<sitemap><loc>{site.url(path)}</loc></sitemap>" for path in (*halves, "/sitemap-pages.xml")
    )
    site.answers["/feed"] = Answer(f"<sitemapindex>{names}</sitemapindex>", XML)
    for path, half in halves.items():
        urls = "".join(f"<url><loc>{site.url(t.path)}</loc></url>" for t in half)
        body = f"<urlset>{urls}</urlset>".encode()
        packed = path.endswith(".gz")
        site.answers[path] = Answer(
            gzip.compress(body) if packed else body, "application/gzip" if packed else XML
        )


def details(site: Site, things: list[Thing]) -> None:
    for thing in things:
        site.answers[thing.path] = Answer(
            f"<html lang=en><head><title>{thing.title}</title></head><body><h1>{thing.title}</h1>"
            f"<b>€ {thing.price}.00</b><button>Add to cart</button></body></html>"
        )


FORMATS: dict[str, tuple[Callable[[Site, list[Thing]], None], bool]] = {
    "RSS": (rss, False),
    "Atom": (atom, False),
    "JSON Feed": (json_feed, False),
    "Google XML": (google_xml, True),
    "Google CSV": (google_csv, True),
    "sitemap index": (sitemaps, False),
}
"""Each with whether its rows tell the price."""


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_products_of_a_feed_are_read_twice(name: str, tmp_path: Path) -> None:
    serve, priced = FORMATS[name]
    larder = shell(tmp_path)
    with serving() as site:
        serve(site, FIRST)
        details(site, FIRST)
        options = ("--kind", "product", "--plan", "index", "--currency", "EUR")
        add_source(larder, site.url("/feed"), *options)
        first = larder("run", "start", "it")
        found = records(larder)
        asked_first = dict(site.asked)
        serve(site, SECOND)
        details(site, SECOND)
        second = larder("run", "start", "it", "--kind", "discovery")
        again = records(larder)
        runs = larder("run", "list", "--json").json
    assert found == {t.title: t.price * 100 for t in FIRST}, first.out
    assert [run["status"] for run in runs] == ["completed", "completed"], second.out
    assert {path: times for path, times in asked_first.items() if times > 1} == {}
    assert (runs[0]["inserted"], len(again)) == (1, len(SECOND))
    assert again[SECOND[-1].title] == SECOND[-1].price * 100
    if priced:
        assert again[SECOND[0].title] == 5500
    assert {path for path, times in site.asked.items() if times > 1 and path.startswith("/things/")} == set()


def test_events_of_a_calendar_are_read_twice(tmp_path: Path) -> None:
    larder = shell(tmp_path)
    with serving() as site:
        site.answers["/feed"] = calendar(["20991101T200000", "20991102T200000"])
        add_source(larder, site.url("/feed"), "--kind", "event", "--plan", "agenda")
        larder("run", "start", "it")
        found = records(larder)
        site.answers["/feed"] = calendar(["20991101T200000", "20991102T200000", "20991103T200000"])
        larder("run", "start", "it")
        again = records(larder)
        runs = larder("run", "list", "--json").json
    assert len(found) == 2
    assert len(again) == 3
    assert [(run["status"], run["inserted"]) for run in runs] == [("completed", 1), ("completed", 2)]
    assert site.asked["/feed"] == 2


def calendar(starts: list[str]) -> Answer:
    events = "".join(
        f"BEGIN:VEVENT\r\nUID:jazz-{start}\r\nSUMMARY:Jazz night {start[6:8]}\r\n"
        f"DTSTART;TZID=Europe/Amsterdam:{start}\r\nLOCATION:Town hall\\, Utrecht\r\nEND:VEVENT\r\n"
        for start in starts
    )
    return Answer(f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n", "text/calendar")


def records(larder: Any) -> dict[str, int | None]:
    listed = larder("records", "list", "--json").json
    return {record["title"]: record["price_minor"] for record in listed}
