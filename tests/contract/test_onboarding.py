"""A source from a pasted address, below the browser: what is kept, what is refused, what is never fetched."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import Connection, select

from larder.actions.operations import fetch
from larder.actions.sources import known_sites, sites, sources
from larder.actions.sources.spec import SourceSpec
from larder.core.errors import Conflict
from larder.core.model.source import Kind, Plan
from larder.store.operations import audit
from larder.store.pages import retention
from larder.store.tables import blobs
from larder.store.tables import sources as sources_table
from tests.contract.faces import Faces
from tests.contract.world import HOUR, NOW

HERE = "/admin/sources/new"
OFFER = (
    '<div class="offer"><h3><a href="/p/{0}">Copper kettle {0}</a></h3><b class="cost">€ 1{0},50</b>'
    '<i class="shelf">In stock</i></div>'
)
LEAFLET = f"<title>The leaflet</title><h1>Now</h1>{''.join(map(OFFER.format, range(1, 9)))}".encode()
CHOSEN = {
    "row": "div.offer", "f.title": "h3 a", "f.url": "h3 a@href", "f.price": "b.cost",
    "f.availability": "i.shelf",
}  # fmt: skip


async def kept(shown: Faces) -> str:
    """A page that somebody looks at."""
    store = shown.app.blobs()
    (stored,) = await store.put([LEAFLET])
    await store.close()
    await shown.app.run(fetch.keep_body, stored, now=NOW)
    return stored.content_hash


async def draft(shown: Faces, **said: str) -> dict[str, str]:
    return {"url": "https://leaflet.test/", "page": await kept(shown), "kind": "product", **said}


async def answer_to(shown: Faces, said: dict[str, str]) -> Any:
    """What a person sees who tried to save that."""
    sent = await shown.admin.post(f"{HERE}/save", data=said)
    return await shown.admin.get(sent.headers["location"])


async def params_of(shown: Faces, slug: str) -> Any:
    chosen = select(sources_table.c.params).where(sources_table.c.slug == slug)
    return await shown.app.read(lambda conn: conn.scalar(chosen))


async def test_l10_27_a_look_at_a_private_address_is_audited(shown: Faces) -> None:
    look = {"url": "http://127.0.0.1:9/secret", "local": "1"}
    await shown.admin.post(f"{HERE}/look", data=look)
    await shown.admin.post(f"{HERE}/look", data={"url": "http://127.0.0.1:9/other"})
    entries = await shown.app.read(audit.list_entries)
    looked = [each for each in entries if each.action == "private address fetched"]
    assert [(each.subject, each.who, each.details) for each in looked] == [
        ("127.0.0.1", "ada", {"url": look["url"]})
    ]


async def test_what_stands_in_the_fields_is_what_is_saved(shown: Faces) -> None:
    answered = await shown.admin.post(f"{HERE}/save", data=await draft(shown, slug="leaflet", **CHOSEN))
    assert answered.headers["location"] == "/admin/sources/leaflet"
    fields = {name.removeprefix("f."): css for name, css in CHOSEN.items() if name != "row"}
    selectors = {"index": {"row": "div.offer", "fields": fields}}
    assert await params_of(shown, "leaflet") == {"selectors": selectors}


async def test_place_time_zone_and_tier_are_saved_with_the_source(shown: Faces) -> None:
    """The first run already reads dates in the zone of the site."""
    said = {"place": "Utrecht, NL", "tz": "Europe/Amsterdam", "tier": "hot"}
    await shown.admin.post(f"{HERE}/save", data=await draft(shown, slug="leaflet", **CHOSEN, **said))
    table = sources_table.c
    chosen = select(table.latitude, table.longitude, table.tz, table.tier).where(table.slug == "leaflet")
    latitude, longitude, *others = await shown.app.read(lambda conn: tuple(conn.execute(chosen).one()))
    assert (round(latitude, 1), round(longitude, 1), others) == (52.1, 5.1, ["Europe/Amsterdam", "hot"])


async def test_a_catalogue_is_imported_whole_or_not_at_all(shown: Faces) -> None:
    first = "sources:\n  - {slug: one, kind: listing, url: 'https://one.example/homes'}\n"
    second = "  - {slug: two, kind: listing, plan: weekly, url: 'https://two.example/homes'}\n"
    refused = await shown.admin.post(f"{HERE}/import", data={"yaml": first + second})
    told = (await shown.admin.get(refused.headers["location"])).text
    assert "Nothing was imported: catalogue:3: `plan`" in told
    known = select(sources_table.c.slug).where(sources_table.c.slug.in_(("one", "two")))
    assert await shown.app.read(lambda conn: conn.scalars(known).all()) == []
    taken = await shown.admin.post(
        f"{HERE}/import", data={"yaml": first + second.replace("weekly", "market")}
    )
    told = (await shown.admin.get(taken.headers["location"])).text
    assert "2 added, 0 changed, 0 unchanged. 2 sources cannot run yet: open them to see why." in told
    assert sorted(await shown.app.read(lambda conn: conn.scalars(known).all())) == ["one", "two"]


async def test_l10_17_a_pasted_page_of_a_known_shop_becomes_a_target_of_its_source(shown: Faces) -> None:
    shop = SourceSpec(url="https://leaflet.test/", kind=Kind.PRODUCT, plan=Plan.MONITOR, slug="leaflet")
    await shown.app.run(sources.add, shop, shown.app.dispatcher, who="ada", now=NOW)
    page = {"url": "https://leaflet.test/p/1", "plan": "monitor", "anyway": "1"}
    said = {**await draft(shown), **page}
    named = await shown.admin.post(f"{HERE}/save", data={**said, "slug": "kettles"})
    assert named.headers["location"] == "/admin/sources/kettles"
    await shown.admin.post("/admin/sources/kettles/remove", data={"records": "kept"})
    saved = await shown.admin.post(f"{HERE}/save", data={**said, "slug": "leaflet-2"})
    assert saved.headers["location"] == "/admin/targets?source=leaflet"
    told = await shown.admin.get(saved.headers["location"])
    assert re.search(r"The page is now target \d+ of leaflet, which checks pages of its site\.", told.text)
    assert page["url"] in told.text


async def test_nothing_is_saved_of_which_nothing_would_be_stored_unless_one_says_so(shown: Faces) -> None:
    said = await draft(shown, slug="empty", **{**CHOSEN, "f.price": "h3 a"}, only="1")
    refused = await answer_to(shown, said)
    assert "8 products found by selectors, none would be stored" in " ".join(refused.text.split())
    assert "8 dropped: " in " ".join(refused.text.split())
    assert "as listing: 8 stored" in refused.text
    named = select(sources_table.c.id).where(sources_table.c.slug == "empty")
    assert await shown.app.read(lambda conn: conn.scalar(named)) is None
    decided = await shown.admin.post(f"{HERE}/save", data={**said, "anyway": "1"})
    assert decided.headers["location"] == "/admin/sources/empty"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"f.title": "h3 ["}, "invalid CSS selector"),
        ({"row": "div["}, "invalid CSS selector"),
        (
            {"f.title": "", "f.url": "", "f.price": "", "f.availability": ""},
            "at least a selector for the title",
        ),
        ({"slug": "Not So"}, "lower-case letters, digits and dashes"),
        ({"currency": "Euro"}, "three letters, such as EUR"),
        ({"slug": "homes"}, "the name homes is taken"),
        ({"place": "Nowhere At All, XX"}, "not a known place"),
        ({"place": "500, 5"}, "not a known place"),
        ({"tz": "Utrecht"}, "not a time zone"),
    ],
    ids=[
        "a field",
        "the row",
        "a row of nothing",
        "a short name",
        "a currency",
        "a name that is taken",
        "an unknown place",
        "impossible coordinates",
        "a time zone",
    ],
)
async def test_a_mistake_is_told_and_all_else_stays(shown: Faces, said: dict[str, str], told: str) -> None:
    sent = await draft(shown, **{"slug": "mistaken", "name": "Typed by hand", **CHOSEN, **said})
    answered = await answer_to(shown, sent)
    assert answered.status_code == 200
    assert "Not saved" in answered.text
    assert told in answered.text
    assert 'aria-invalid="true"' in answered.text
    assert 'value="Typed by hand"' in answered.text
    assert "--slug" not in answered.text


async def test_another_look_takes_everything_along(shown: Faces) -> None:
    said = await draft(shown, slug="leaflet", name="Ours", public="1", **CHOSEN)
    answered = await shown.admin.post(
        f"{HERE}/preview", data={**said, "plan": "monitor", "suggested": "monitor"}
    )
    asked = {name: each for name, (each,) in parse_qs(urlsplit(answered.headers["location"]).query).items()}
    assert asked == said
    chosen = await shown.admin.post(f"{HERE}/preview", data={**said, "plan": "monitor", "suggested": "index"})
    assert "plan=monitor" in chosen.headers["location"]
    earlier = await shown.admin.post(f"{HERE}/preview", data={**said, "plan": "watch", "suggested": "index"})
    assert "plan=monitor" in earlier.headers["location"]


async def test_a_page_is_kept_for_a_day_after_the_last_look(shown: Faces) -> None:
    said = await draft(shown)

    async def there(after: timedelta) -> bool:
        young = NOW + after - retention.GRACE
        await shown.app.run(retention.delete_orphans, young=young)
        found = select(blobs.c.content_hash).where(blobs.c.content_hash == said["page"])
        return await shown.app.read(lambda conn: conn.scalar(found)) is not None

    assert await there(20 * HOUR)
    assert await shown.app.run(fetch.extend_body, said["page"], now=NOW + 20 * HOUR)
    assert await there(40 * HOUR)
    assert not await there(50 * HOUR)
    assert not await shown.app.run(fetch.extend_body, said["page"], now=NOW + 50 * HOUR)


async def test_an_address_alone_fetches_nothing(shown: Faces) -> None:
    gone = {"url": "http://127.0.0.1:9/", "page": "0" * 64, "local": "1", "f.title": "h3 a"}
    answered = await shown.admin.get(f"{HERE}/preview", params=gone)
    assert "has expired" in answered.text
    assert '<input type="hidden" name="f.title" value="h3 a">' in answered.text


async def test_a_page_that_went_and_does_not_come_again_costs_nothing_that_was_typed(shown: Faces) -> None:
    gone = {"url": "http://127.0.0.1:9/", "page": "0" * 64, "f.title": "h3 a", "name": "Ours"}
    for button in ("preview", "save"):
        answered = await shown.admin.post(f"{HERE}/{button}", data=gone)
        place = urlsplit(answered.headers["location"])
        assert place.path == HERE
        assert parse_qs(place.query)["f.title"] == ["h3 a"]
        assert parse_qs(place.query)["name"] == ["Ours"]


async def test_a_page_that_went_as_it_was_saved_is_told_of_at_an_address_that_can_be_loaded(
    shown: Faces,
) -> None:
    answered = await answer_to(shown, {"page": await kept(shown), "f.title": "h3 a"})
    assert "has expired" in answered.text
    assert 'name="f.title" value="h3 a"' in answered.text


async def test_a_short_name_that_nobody_chose_is_a_free_one(shown: Faces) -> None:
    how = shown.app.dispatcher

    def adding(conn: Connection, slug: str) -> str:
        spec = SourceSpec(url="https://homes.test/", slug=slug, kind="listing")  # type: ignore[arg-type]
        return sources.add(conn, spec, how, who="test", now=NOW).slug

    assert await shown.app.read(known_sites.free_slug, "https://homes.test/") == "homes-2"
    assert await shown.app.run(adding, "") == "homes-2"
    assert await shown.app.read(known_sites.free_slug, "https://homes.test/") == "homes-3"
    with pytest.raises(Conflict) as taken:
        await shown.app.run(adding, "homes")
    assert "--" not in taken.value.hint.text


async def test_l10_23_a_blocked_site_is_not_looked_at(shown: Faces) -> None:
    await shown.app.run(sites.block, "leaflet.test", "they asked us", who="ada", now=NOW)
    answered = await shown.admin.post(f"{HERE}/look", data={"url": "https://leaflet.test/"})
    told = await shown.admin.get(answered.headers["location"])
    assert "could not be fetched: terms" in told.text
    assert "the site is blocked" in told.text
