"""Texts on cards, the map and a record's page; on both databases."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import Connection, insert, update
from starlette.routing import Mount

from larder.core.model.source import Kind
from larder.rendering.response_cache import ResponseCache
from larder.store.tables import entities, records, sources
from tests.contract.faces import Faces, opened
from tests.contract.world import NOW, Pages, run, source, staged

HERE: dict[str, Any] = {"latitude": 52.16, "longitude": 4.49}
MANY = 505
"""More than one page of a file, and more than a search ranks."""
"""Pages of a file, of one row each: more than anybody turns by hand."""
SOON = (NOW + timedelta(days=3)).isoformat()


@pytest.fixture
async def shown(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path) as found:
        await found.app.run(_filled)
        yield found


def _filled(conn: Connection) -> None:
    """One event by its own place and one by its source's; one thing that two others have, too."""
    evenings = [
        staged(1, kind=Kind.EVENT, title="Drums & bass", starts_at=SOON, coordinates_from="page", **HERE),
        staged(
            2,
            kind=Kind.EVENT,
            title="Poems",
            starts_at=SOON,
            coordinates_from="default",
            address="Oude Singel 31, Leiden",
            price_minor=0,
            time_known=True,
            images=[{"position": 0, "url": "http://evenings.test/poems.png"}],
            **HERE,
        ),
    ]
    homes = [staged(3, title="A room & a half", rooms=1, description="Drums are not welcome.")]
    for slug, items in (("evenings", evenings), ("homes", homes), ("flats", homes), ("rooms", homes)):
        source_id = source(conn, slug, domain=f"{slug}.test", visibility="public")
        pages = Pages(conn, source_id)
        pages.keep(pages.page(*items, run_id=run(conn, source_id)))
    entity = conn.execute(
        insert(entities).values(kind="listing", created_at=NOW).returning(entities.c.id)
    ).scalar_one()
    conn.execute(update(records).where(records.c.kind == "listing").values(entity_id=entity))


async def _text(shown: Faces, path: str) -> str:
    """The words of a page, as one line."""
    answered = await shown.anyone.get(path)
    assert answered.status_code == 200, answered.text[:300]
    return " ".join(re.sub(r"<(?!/?mark)[^>]*>", " ", answered.text).split())


async def test_a_point_that_is_its_sources_own_is_on_no_map(shown: Faces) -> None:
    drawn = (await shown.anyone.get("/map")).text
    assert 'aria-label="Drums &amp; bass"' in drawn
    assert 'aria-label="Poems"' not in drawn
    assert "3 matches; 1 with a location" in await _text(shown, "/map")


async def test_whose_point_it_is_is_said_and_the_point_given_to_nobody(shown: Faces) -> None:
    page = await _text(shown, "/records/2")
    assert "The page has no coordinates; the location of the source is used." in page.replace("&#39;", "'")
    assert "openstreetmap" not in (await shown.anyone.get("/records/2")).text
    assert "openstreetmap" in (await shown.anyone.get("/records/1")).text


async def test_an_event_without_a_point_is_listed_and_says_so(shown: Faces) -> None:
    def fill(conn: Connection) -> None:
        source_id = source(conn, "talks", domain="talks.test", visibility="public")
        pages = Pages(conn, source_id)
        talk = staged(9, kind=Kind.EVENT, title="A talk", starts_at=SOON, venue="Town Hall")
        pages.keep(pages.page(talk, run_id=run(conn, source_id)))

    await shown.app.run(fill)
    listed = await shown.anyone.get("/events")
    (number,) = set(re.findall(r'href="/records/(\d+)"[^>]*>\s*A talk', listed.text))
    assert 'aria-label="A talk"' not in (await shown.anyone.get("/map")).text
    assert "The location is unknown: the record is not on the map" in await _text(shown, f"/records/{number}")


async def test_how_many_there_are_is_said_as_far_as_it_is_known(shown: Faces) -> None:
    assert "3 records" in await _text(shown, "/")
    assert "2 records" in await _text(shown, "/?kind=event")
    assert "1 record " in await _text(shown, "/?q=poems")


async def test_l10_16_who_else_has_it_is_named(shown: Faces) -> None:
    assert "flats, also on homes, rooms" in await _text(shown, "/?source=flats")
    await shown.app.run(_parted)
    assert "flats, also on homes" in await _text(shown, "/?source=flats")


def _parted(conn: Connection) -> None:
    last = update(records).where(records.c.id == 5).values(entity_id=None)
    conn.execute(last)


async def test_words_are_marked_in_the_title_or_told_from_elsewhere(shown: Faces) -> None:
    found = await _text(shown, "/?q=drums")
    assert "<mark>Drums</mark> &amp; bass" in found
    assert found.count("bass") == 1
    assert "<mark>Drums</mark> are not welcome." in found
    assert "A room &amp; a half" in found


async def test_values_are_said_plainly(shown: Faces) -> None:
    page = await _text(shown, "/records/2")
    assert "time known · yes" in page
    assert f"{NOW + timedelta(days=3):%a %d %b %Y, %H:%M}" in page
    assert "images · 1 image" in page
    assert "http://evenings.test/poems.png" in page
    assert "free" in await _text(shown, "/?q=poems")
    assert "1 room " in await _text(shown, "/?kind=listing")
    assert "seen now" in await _text(shown, "/?kind=listing")


async def test_a_price_is_asked_for_as_it_is_shown(shown: Faces) -> None:
    await shown.app.run(_priced)
    assert "1 record " in await _text(shown, "/?kind=listing&from=1,100&to=1,200")
    assert "No results" in await _text(shown, "/?to=JPY 1,200")
    assert "1 record " in await _text(shown, "/?from=JPY 5,000")


def _priced(conn: Connection) -> None:
    for record_id, minor, currency in ((3, 1_150_00, "EUR"), (4, 5_000, "JPY")):
        priced = {"price_minor": minor, "currency": currency}
        conn.execute(update(records).where(records.c.id == record_id).values(priced))


async def test_a_source_among_many_can_be_chosen_and_stays_chosen(shown: Faces) -> None:
    await shown.app.run(_crowded)
    found = (await shown.anyone.get("/?source=s119")).text
    assert '<option value="s119"></option>' in found
    (field,) = re.findall(r'<input\s+name="source"[^>]*>', found)
    assert 'value="s119"' in field


def _crowded(conn: Connection) -> None:
    for number in range(120):
        source(conn, f"s{number}", domain=f"s{number}.test", visibility="public")


@pytest.mark.parametrize("path", ["/", "/map", "/events"])
async def test_what_was_asked_goes_along_with_the_next_search(shown: Faces, path: str) -> None:
    asked = {"category": "music", "availability": "in_stock", "sort": "newest"}
    found = (await shown.anyone.get(path, params=asked)).text
    assert '<input name="category" value="music">' in found
    assert '<option value="in_stock" selected>' in found
    assert '<option value="newest" selected>' in found


async def test_a_map_of_nothing_that_matches_says_so(shown: Faces) -> None:
    assert "No results" in await _text(shown, "/map?q=zzzz")
    assert "No locations" in await _text(shown, "/map?q=poems")


async def test_a_file_holds_all_that_was_asked_for_in_whatever_order(shown: Faces) -> None:
    await shown.app.run(_many)
    for asked in (
        {},
        {"sort": "price"},
        {"q": "kettle"},
        {"near": "52,5", "within": "9", "sort": "distance"},
    ):
        lines = (await shown.anyone.get("/records.csv", params={"source": "many", **asked})).text.splitlines()
        assert len(lines) == 1 + MANY, asked
    near_enough = (await shown.anyone.get("/records.csv", params={"q": "kettle zzzz"})).text.splitlines()
    assert len(near_enough) > 1


def _many(conn: Connection) -> None:
    source_id = source(conn, "many", domain="many.test", visibility="public")
    pages = Pages(conn, source_id)
    said: dict[str, Any] = {"title": "Kettle", "price_minor": 100, "currency": "EUR"}
    kettles = (staged(each, **said, latitude=52.0, longitude=5.0) for each in range(MANY))
    pages.keep(pages.page(*kettles, run_id=run(conn, source_id)))


@pytest.mark.parametrize("path", ["/", "/map", "/events"])
async def test_visitors_share_a_page_until_something_changes(shown: Faces, path: str) -> None:
    pages: ResponseCache = _pages_of(shown)
    first = (await shown.anyone.get(path)).text
    assert len(pages._bodies) == 1
    assert (await shown.anyone.get(path)).text == first
    dark = (await shown.anyone.get(path, headers={"cookie": "larder_theme=dark"})).text
    assert ('data-theme="dark"' in first, 'data-theme="dark"' in dark) == (False, True)
    signed_in = (await shown.admin.get(path)).text
    assert signed_in == (await shown.admin.get(path)).text
    assert len(pages._bodies) == 2

    await shown.app.run(lambda conn: conn.execute(update(sources).values(visibility="hidden")).close())
    hidden = (await shown.anyone.get(path)).text
    assert ("Drums" in first, "Drums" in hidden) == (True, False)


async def test_an_invalid_form_is_not_shared(shown: Faces) -> None:
    for _ in range(2):
        assert (await shown.anyone.get("/", params={"from": "cheap"})).status_code == 400
    assert not _pages_of(shown)._bodies


def _pages_of(shown: Faces) -> ResponseCache:
    transport: Any = shown.anyone._transport
    (mount,) = [each for each in transport.app.routes if isinstance(each, Mount) and each.path == ""]
    found: ResponseCache = cast("Any", mount.app)._app.state.public_pages
    return found
