"""Feeds and calendars of searches: what the public may see, unharmed by hostile text, on both databases."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from sqlalchemy import Connection

from larder.core.model.item import Staged
from larder.core.model.source import Kind
from larder.rendering.subscriptions import ATOM, SubscriptionEntry, atom, calendar
from tests.contract.faces import HIDDEN, opened, stocked
from tests.contract.world import DAY, HOUR, NOW, Pages, source, staged

HOSTILE = "Jazz]]> <b>&amp;\x00\x0b, night; \\ ä\r\nEND:VEVENT\r\nBEGIN:VEVENT\nX:1 \ud83c" + "ü" * 100


def entry(**values: object) -> SubscriptionEntry:
    told: dict[str, object] = {
        "id": 7, "title": "Jazz", "page": "http://larder.test/records/7", "link": None, "text": "",
        "published": NOW, "updated": NOW, "starts": NOW + DAY, **values,
    }  # fmt: skip
    return SubscriptionEntry(**told)  # type: ignore[arg-type]


def _agenda(conn: Connection) -> None:
    stocked(conn)
    for slug, visibility in (("agenda", "public"), (f"{HIDDEN}-agenda", "hidden")):
        kept = Pages(conn, source(conn, slug, domain=f"{slug}.test", visibility=visibility, kind=Kind.EVENT))
        kept.keep(
            kept.page(
                _event(
                    100, f"Concert {slug}", starts_at=(NOW + DAY).isoformat(), venue="De Zaal", city="Utrecht"
                ),
                _event(101, f"Market {slug}", starts_at="2026-01-08T00:00:00+01:00", time_known=False),
                _event(
                    102, f"Over {slug}", starts_at=(NOW - DAY).isoformat(), ends_at=(NOW - HOUR).isoformat()
                ),
            )
        )


def _event(number: int, title: str, **fields: Any) -> Staged:
    return staged(number, kind=Kind.EVENT, title=title, **fields)


async def test_a_search_is_a_feed_and_an_agenda_a_calendar(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, public_url="https://larder.test") as faces:
        await faces.app.run(_agenda)
        feed = await faces.anyone.get("/records.atom", params={"kind": "listing", "q": "Home"})
        days = await faces.anyone.get("/events.ics")
        again = await faces.anyone.get("/events.ics", headers={"if-none-match": days.headers["etag"]})
        browse = await faces.anyone.get("/", params={"q": "Home"})
        events = await faces.anyone.get("/events")
        wrong = await faces.anyone.get("/records.atom", params={"from": "cheap"})
    assert feed.headers["content-type"].startswith("application/atom+xml")
    read = ElementTree.fromstring(feed.content)
    titles = [each.findtext(f"{{{ATOM}}}title") for each in read.findall(f"{{{ATOM}}}entry")]
    assert sorted(map(str, titles)) == [f"Home {number} homes" for number in range(1, 6)]
    ids = {each.findtext(f"{{{ATOM}}}id") for each in read.findall(f"{{{ATOM}}}entry")}
    assert "https://larder.test/records/1" in ids
    assert days.headers["content-type"].startswith("text/calendar")
    lines = days.text.split("\r\n")
    assert [line for line in lines if line.startswith("SUMMARY")] == [
        "SUMMARY:Concert agenda",
        "SUMMARY:Market agenda",
    ]
    assert "DTSTART:20260106T000000Z" in lines
    assert "DTSTART;VALUE=DATE:20260108" in lines
    assert "DTEND;VALUE=DATE:20260109" in lines
    assert "LOCATION:De Zaal\\, Utrecht" in lines
    assert HIDDEN not in feed.text + days.text
    assert again.status_code == 304
    assert 'href="/records.atom?q=Home"' in browse.text
    assert 'href="/events.ics?"' in events.text
    assert wrong.status_code == 400


@pytest.mark.parametrize("where", ["title", "text", "place"])
def test_hostile_text_harms_no_calendar(where: str) -> None:
    written = calendar([entry(**{where: HOSTILE})], title="Larder", host="larder.test")
    lines = written.replace(b"\r\n ", b"").decode().split("\r\n")
    assert max(map(len, written.split(b"\r\n"))) <= 75
    assert [line for line in lines if line.startswith(("BEGIN", "END", "X:"))] == [
        "BEGIN:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "END:VCALENDAR",
    ]  # fmt: skip
    assert "\x00" not in written.decode()


@pytest.mark.parametrize("where", ["title", "text"])
def test_hostile_text_harms_no_feed(where: str) -> None:
    address = 'https://larder.test/?q="><x>&'
    written = atom([entry(**{where: HOSTILE})], title=HOSTILE, address=address, home=address)
    (read,) = ElementTree.fromstring(written).findall(f"{{{ATOM}}}entry")
    told = read.findtext(f"{{{ATOM}}}{'title' if where == 'title' else 'summary'}")
    assert str(told).startswith("Jazz]]> <b>&amp;, night")


def test_an_empty_feed_and_calendar_are_whole() -> None:
    assert ElementTree.fromstring(atom([], title="", address="a", home="b")).tag == f"{{{ATOM}}}feed"
    assert calendar([entry(starts=None)], title="", host="h").count(b"VEVENT") == 0
