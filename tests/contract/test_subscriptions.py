"""Feeds and calendars of searches: what the public may see, unharmed by hostile text, on both databases."""

from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from sqlalchemy import Connection, update

from larder.core.model.item import Staged
from larder.core.model.source import Kind
from larder.engine.background.watches import evaluate_watches
from larder.rendering.subscriptions import ATOM, SubscriptionEntry, atom, calendar, rss
from larder.store.dataset import changes
from larder.store.tables import records, sources
from tests.contract.faces import HIDDEN, Faces, opened, stocked
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


async def _evaluate(faces: Faces, *, now: datetime) -> None:
    """Evaluate the watches over all changes so far."""
    await faces.settled()
    await faces.app.run(evaluate_watches, now=now)


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


async def test_a_search_is_an_rss_feed(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, public_url="https://larder.test") as faces:
        await faces.app.run(_agenda)
        feed = await faces.anyone.get("/records.rss", params={"kind": "listing", "q": "Home"})
        browse = await faces.anyone.get("/", params={"q": "Home"})
        other = await faces.anyone.get("/records.pdf")
    assert feed.headers["content-type"].startswith("application/rss+xml")
    items = ElementTree.fromstring(feed.content).findall("channel/item")
    assert sorted(str(each.findtext("title")) for each in items) == [f"Home {n} homes" for n in range(1, 6)]
    assert all(str(each.findtext("pubDate")).endswith("GMT") for each in items)
    assert HIDDEN not in feed.text
    assert 'href="/records.rss?q=Home"' in browse.text
    assert 'rel="alternate" type="application/atom+xml"' in browse.text
    assert other.status_code == 404


async def _watch(faces: Faces, **asked: Any) -> dict[str, Any]:
    made = await faces.admin.post("/api/admin/watches", json=asked)
    assert made.status_code == 201, made.text
    with_feed = await faces.admin.post(f"/api/admin/watches/{made.json()['id']}/feed")
    found: dict[str, Any] = with_feed.json()
    return found


def _titles(feed: Any) -> list[str]:
    assert feed.status_code == 200, feed.text
    read = ElementTree.fromstring(feed.content)
    return [str(each.findtext(f"{{{ATOM}}}title")) for each in read.findall(f"{{{ATOM}}}entry")]


def _appear(conn: Connection) -> None:
    """Three new records; one of a hidden source."""
    for slug, visibility in (("fresh", "public"), ("other", "public"), (f"{HIDDEN}-fresh", "hidden")):
        kept = Pages(conn, source(conn, slug, domain=f"{slug}.test", visibility=visibility))
        kept.keep(kept.page(staged(1, title=f"Attic {slug}")))


def _set_visibility(conn: Connection, slug: str, visibility: str) -> None:
    conn.execute(update(sources).where(sources.c.slug == slug).values(visibility=visibility))


async def test_a_watch_has_a_private_feed_of_what_it_reported(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as faces:
        await faces.app.run(_agenda)
        await _evaluate(faces, now=NOW)
        open_one = await _watch(faces, name="attics", query={"text": "attic"})
        operators = await _watch(faces, name="all attics", query={"text": "attic"}, hidden=True)
        assert _titles(await faces.anyone.get(f"{open_one['feed']}.atom")) == []
        await _evaluate(faces, now=NOW)
        await faces.app.run(_appear)
        await _evaluate(faces, now=NOW + HOUR)
        told = await faces.anyone.get(f"{open_one['feed']}.atom")
        assert sorted(_titles(told)) == ["Attic fresh", "Attic other"]
        assert told.headers["cache-control"].startswith("private")
        again = await faces.anyone.get(
            f"{open_one['feed']}.atom", headers={"if-none-match": told.headers["etag"]}
        )
        assert again.status_code == 304
        assert len(_titles(await faces.anyone.get(f"{operators['feed']}.atom"))) == 3
        as_rss = await faces.anyone.get(f"{open_one['feed']}.rss")
        assert len(ElementTree.fromstring(as_rss.content).findall("channel/item")) == 2
        await faces.app.run(_set_visibility, "other", "hidden")
        assert _titles(await faces.anyone.get(f"{open_one['feed']}.atom")) == ["Attic fresh"]


async def test_the_address_of_a_private_feed_can_be_replaced_and_ended(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path) as faces:
        await faces.app.run(_agenda)
        watch = await _watch(faces, name="concerts", query={"text": "concert"})
        page = f"/admin/watches/{watch['id']}"
        days = await faces.anyone.get(f"{watch['feed']}.ics")
        shown = await faces.admin.get(page)
        renewed = await faces.admin.post(f"{page}/make-feed")
        ended = await faces.anyone.get(f"{watch['feed']}.atom")
        now = (await faces.admin.get("/api/admin/watches")).json()["items"][0]["feed"]
        fresh = await faces.anyone.get(f"{now}.atom")
        await faces.admin.post(f"{page}/remove-feed")
        gone = [await faces.anyone.get(f"{now}.{form}") for form in ("atom", "rss", "ics")]
        guesses = [await faces.anyone.get(f"/feeds/{each}.atom") for each in ("", "None", "null", "a" * 500)]
        audit = await faces.admin.get("/api/admin/audit")
    assert "SUMMARY:Concert agenda" in days.text
    assert HIDDEN not in days.text
    assert f"{watch['feed']}.atom" in shown.text
    assert (renewed.status_code, ended.status_code, fresh.status_code) == (303, 404, 200)
    assert now != watch["feed"]
    assert {each.status_code for each in (*gone, *guesses)} == {404}
    assert watch["feed"].removeprefix("/feeds/") not in audit.text


def _vanish(conn: Connection, record_id: int) -> None:
    gone = {"active": 0, "verification": "gone"}
    found = conn.execute(update(records).where(records.c.id == record_id).values(gone).returning(records))
    changes.add(conn, [changes.NewChange(record_id, found.one().source_id, "gone", None)], now=NOW + HOUR)


async def test_what_is_gone_is_in_the_feed_of_its_watch(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as faces:
        await faces.app.run(_agenda)
        await _evaluate(faces, now=NOW)
        watch = await _watch(faces, name="home", record=1, on="gone")
        await _evaluate(faces, now=NOW)
        await faces.app.run(_vanish, 1)
        await _evaluate(faces, now=NOW + HOUR)
        assert _titles(await faces.anyone.get(f"{watch['feed']}.atom")) == ["Gone: Home 1 homes"]


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
def test_hostile_text_harms_no_rss_feed(where: str) -> None:
    address = 'https://larder.test/?q="><x>&'
    written = rss([entry(**{where: HOSTILE})], title=HOSTILE, address=address, home=address)
    (read,) = ElementTree.fromstring(written).findall("channel/item")
    told = read.findtext("title" if where == "title" else "description")
    assert str(told).startswith("Jazz]]> <b>&amp;, night")


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
