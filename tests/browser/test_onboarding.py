"""A person who has never seen it: from a pasted address to a price history, by clicks alone."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from playwright.async_api import Page, expect
from sqlalchemy import Connection, func, select, update

from larder.core.model.record import Observed
from larder.sim.layouts import Layout
from larder.sim.shop_site import ShopSite
from larder.sim.wording import SiteBrand
from larder.store.pages.retention import delete_orphans
from larder.store.queue import schedules
from larder.store.tables import observations, records, sources, targets
from tests.browser.buttons import presses
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, World, addresses

pytestmark = BOTH_WAYS


@presses("/admin/sources/new/look", "/admin/sources/new/save")
async def test_from_a_pasted_address_to_a_price_history(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin")
    await page.get_by_role("link", name="Add a source").click()
    await page.get_by_label("Address of a page").fill(addresses(world.web, "shop.test")[0])
    await page.get_by_label("Allow a private network address").check()
    await page.get_by_role("button", name="Fetch").click()
    await expect(page.locator("h1")).to_contain_text("1 product found by json-ld")
    await expect(page.get_by_text("used", exact=True)).to_be_visible()
    await expect(page.locator("tbody").first).not_to_contain_text("_stock")
    await expect(page.locator("main")).not_to_contain_text("['http")
    await sound(page)
    called = await page.get_by_label("Display name").input_value()
    await page.get_by_label("Short name").fill("corner")
    await page.get_by_label(re.compile("I reviewed the terms of shop.test")).check()
    await page.get_by_label("Show the records publicly").check()
    await page.get_by_role("button", name="Save and run").click()
    await expect(page.get_by_role("status")).to_contain_text("corner is added")
    await expect(page.locator("h1")).to_have_text(called)
    await expect(page.locator(".line .mono")).to_have_text("corner")
    record = await world.until(_record_of("corner"))
    await expect(page.locator(".figure", has_text="active record")).to_contain_text("1")
    await expect(page.locator(".figure", has_text="fetches succeeded")).to_contain_text("100")
    await page.get_by_role("link", name="Show records").click()
    await expect(page.locator("tbody tr")).to_have_count(1)
    assert asked(world, "shop.test", "/robots.txt") == 1

    price = await _let_the_price_move(world, record)
    await world.until(_has_seen(record, price))
    visitor = await world.visitor()
    await visitor.goto("/?source=corner")
    await visitor.locator(".card a").first.click()
    await expect(visitor.get_by_role("img", name=re.compile("Price from"))).to_be_visible()
    await visitor.locator("summary", has_text=re.compile(r"\d+ prices")).click()
    rows = visitor.locator("section", has_text="Price").locator("tbody tr")
    assert await rows.count() >= 2
    assert await visitor.locator("#why-price mark").inner_text()


@presses("/admin/sources/new/look", "/admin/sources/new/save")
async def test_what_is_missing_is_chosen_by_pointing_and_saved_as_it_stands(world: World) -> None:
    page = await _looking_at_the_leaflet(world)
    await expect(page.locator("h1")).to_have_text("20 products found by heuristic, none would be stored")
    await expect(page.locator(".notice.warn")).to_contain_text("20 dropped: missing required field")
    await sound(page)
    stock = page.get_by_label("availability", exact=True)
    await stock.click()
    await page.get_by_role("button", name="In stock").first.click()
    await expect(stock).to_have_value("i.shelf")
    await expect(page.get_by_label("Row selector")).to_have_value("div.offer")
    await expect(page.get_by_label("title", exact=True)).to_have_value("a")
    await expect(page.get_by_label("URL", exact=True)).to_have_value("a@href")
    await page.get_by_label("price", exact=True).fill("b.cost")
    await page.get_by_label("Currency").fill("EUR")
    await page.get_by_label("Short name").fill("leaflet")
    await page.get_by_role("button", name="Save and run").click()
    await expect(page.get_by_role("status")).to_contain_text("leaflet is added")
    kept = await world.one(select(sources.c.params).where(sources.c.slug == "leaflet"))
    assert kept["selectors"]["index"]["row"] == "div.offer"
    assert kept["selectors"]["index"]["fields"]["availability"] == "i.shelf"


@presses("/admin/sources/new/look", "/admin/sources/new/preview")
async def test_each_field_shows_what_its_selector_finds_and_the_site_is_asked_once(world: World) -> None:
    page = await _looking_at_the_leaflet(world)
    before = asked(world, "leaflet.test", "/products")
    await page.get_by_label("Row selector").fill("div.offer")
    await page.get_by_label("title", exact=True).fill("h3 a")
    await page.get_by_label("price", exact=True).fill(".nowhere")
    await page.get_by_label("Display name").fill("The leaflet")
    await page.get_by_role("button", name="Update the preview").click()
    await expect(page.locator("[id='of-f.title']")).to_contain_text("Copper kettle 1")
    await expect(page.locator("[id='of-f.title']")).to_contain_text("in 20 of 20 rows")
    await expect(page.locator("[id='of-f.price']")).to_contain_text("no match in 20 rows")
    await expect(page.get_by_label("Display name")).to_have_value("The leaflet")
    await page.reload()
    await page.get_by_label("title", exact=True).press("Enter")
    await expect(page.get_by_label("title", exact=True)).to_have_value("h3 a")
    assert asked(world, "leaflet.test", "/products") == before


@presses("/admin/sources/new/look", "/admin/sources/new/preview", "/admin/sources/new/save")
async def test_a_selector_that_cannot_be_used_is_told_at_its_field(world: World) -> None:
    page = await _looking_at_the_leaflet(world)
    await page.get_by_label("title", exact=True).fill("h3 [")
    await page.get_by_label("price", exact=True).fill(".cost")
    for button in ("Update the preview", "Save and run"):
        await page.get_by_role("button", name=button).click()
        await expect(page.locator("[id='of-f.title']")).to_contain_text("invalid CSS selector")
        await expect(page.get_by_label("title", exact=True)).to_have_value("h3 [")
        await expect(page.get_by_label("price", exact=True)).to_have_value(".cost")
    await expect(page.get_by_role("status")).to_contain_text("Not saved")
    await page.get_by_label("title", exact=True).fill("")
    await page.get_by_label("Short name").fill("homes")
    await page.get_by_label("Save anyway").check()
    await page.get_by_role("button", name="Save and run").click()
    await expect(page.locator("[id='of-slug']")).to_contain_text("the name homes is taken")
    await expect(page.locator("main")).not_to_contain_text("--slug")


@presses("/admin/sources/new/look", "/admin/sources/new/preview", "/admin/sources/new/save")
async def test_without_scripts_what_would_store_nothing_is_saved_by_decision_only(world: World) -> None:
    page = await _looking_at_the_leaflet(world, scripts=False)
    await page.get_by_role("button", name="as listing").click()
    await expect(page.locator("h1")).to_contain_text("listing")
    await page.get_by_role("button", name="as product").click()
    await page.get_by_label("Short name").fill("decided")
    await page.get_by_role("button", name="Save and run").click()
    await expect(page.get_by_role("status")).to_contain_text("nothing on this page would be stored")
    assert await world.one(select(sources.c.id).where(sources.c.slug == "decided")) is None
    await page.get_by_label("Save anyway").check()
    await page.get_by_role("button", name="Save and run").click()
    await expect(page.get_by_role("status")).to_contain_text("decided is added")
    await world.close_pages()


@presses("/admin/sources/new/look", "/admin/sources/new/preview")
async def test_a_page_that_went_meanwhile_is_fetched_again_and_nothing_is_lost(world: World) -> None:
    page = await _looking_at_the_leaflet(world)
    await page.get_by_label("title", exact=True).fill("h3 a")
    await world.app.run(_let_bodies_go)
    await page.get_by_role("button", name="Update the preview").click()
    await expect(page.get_by_label("title", exact=True)).to_have_value("h3 a")
    await world.app.run(_let_bodies_go)
    await page.reload()
    await expect(page.get_by_role("status")).to_contain_text("has expired")
    await expect(page.get_by_label("Allow a private network address")).to_be_checked()
    await page.get_by_role("button", name="Fetch").click()
    await expect(page.get_by_label("title", exact=True)).to_have_value("h3 a")


@presses("/admin/sources/new/look", "/admin/sources/new/save")
async def test_a_source_that_waits_says_what_happens_next_and_claims_no_success(world: World) -> None:
    page = await _looking_at_the_leaflet(world)
    await page.get_by_label("Short name").fill("waiting")
    await page.get_by_label("Save anyway").check()
    await page.get_by_role("button", name="Save and run").click()
    await expect(page.get_by_role("status")).to_contain_text("does not run yet")
    await expect(page.get_by_role("region", name="Next", exact=True)).to_contain_text("Resolve")
    await expect(page.locator(".figure", has_text="no fetch yet")).to_contain_text("–")
    await expect(page.locator("main")).not_to_contain_text("No run yet")


@presses("/admin/sources/new/look")
async def test_what_cannot_be_fetched_says_why_and_keeps_what_was_typed(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/new")
    field = page.get_by_label("Address of a page")
    await field.fill("http://127.0.0.1:9/")
    await page.get_by_role("button", name="Fetch").click()
    await expect(page.get_by_role("status")).to_contain_text("private address")
    await expect(field).to_have_value("http://127.0.0.1:9/")
    await page.get_by_label("Allow a private network address").check()
    await page.get_by_role("button", name="Fetch").click()
    await expect(page.get_by_role("status")).to_contain_text("could not be fetched")
    await expect(page.get_by_label("Allow a private network address")).to_be_checked()
    await field.fill("ftp://example.com/")
    await page.get_by_role("button", name="Fetch").click()
    await expect(page.get_by_role("status")).to_contain_text("not a web address")
    await expect(field).to_have_value("ftp://example.com/")


@presses("/admin/sources/new/look")
async def test_a_source_is_called_as_its_page_is_and_by_a_name_that_is_free(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/new?url=http://homes.test/listings")
    await page.get_by_role("button", name="Fetch").click()
    title = await page.get_by_label("Display name").input_value()
    assert title
    assert title != "homes.test"
    await expect(page.get_by_label("Short name")).to_have_value("homes-2")


class Leaflet(ShopSite):
    """A shop whose page says nothing to machines."""

    def render(self, brand: SiteBrand, layout: Layout, content: object) -> str:  # noqa: ARG002
        offers = "".join(
            f'<div class="offer"><h3><a href="/product/{each}">Copper kettle {each}</a></h3>'
            f'<b class="cost">{10 + each},50</b><i class="shelf">In stock</i></div>'
            for each in range(1, 21)
        )
        return f"<title>The Leaflet: all our kettles</title><h1>This week</h1><main>{offers}</main>"


async def _looking_at_the_leaflet(world: World, *, scripts: bool = True) -> Page:
    shop = world.web.sites["shop.test"]
    assert isinstance(shop, ShopSite)
    world.web.sites.setdefault("leaflet.test", Leaflet(name="leaflet.test", assortment=shop.assortment))
    page = await world.operator(scripts=scripts)
    await page.goto("/admin/sources/new")
    await page.get_by_label("Address of a page").fill("http://leaflet.test/products")
    await page.get_by_label("Allow a private network address").check()
    await page.get_by_role("button", name="Fetch").click()
    await expect(page.locator("h1")).to_contain_text("found")
    return page


def _let_bodies_go(conn: Connection) -> None:
    """As a sweep does when nothing leads to them."""
    delete_orphans(conn, young=datetime.max.replace(tzinfo=UTC))


def asked(world: World, host: str, path: str) -> int:
    """How often a site was asked for a path."""
    return sum(visit.path == path for visit in world.web.request_log.for_host(host).requests)


def _record_of(slug: str) -> Callable[[Connection], int | None]:
    def found(conn: Connection) -> int | None:
        mine = select(func.min(records.c.id)).join(sources, sources.c.id == records.c.source_id)
        number: int | None = conn.scalar(mine.where(sources.c.slug == slug))
        return number

    return found


def _has_seen(record: int, price: int) -> Callable[[Connection], bool]:
    def found(conn: Connection) -> bool:
        mine = (observations.c.record_id == record) & (observations.c.field == Observed.PRICE)
        return price in conn.scalars(select(observations.c.amount).where(mine)).all()

    return found


async def _let_the_price_move(world: World, record: int) -> int:
    """Days pass on the site until its price is another, and the page is due again."""
    mine = select(records.c.platform_id, records.c.price_minor).where(records.c.id == record)
    name, before = await world.app.read(lambda conn: tuple(conn.execute(mine).one()))
    site = world.web.sites["shop.test"]
    assert isinstance(site, ShopSite)
    for _ in range(300):
        world.pass_days(1)
        offer = site.assortment.live(world.web.now()).get(name)
        if offer and offer.in_stock and offer.price != before:
            await world.app.run(_due, "corner", now=world.app.clock.now())
            return offer.price
    raise AssertionError("its price never moves")


def _due(conn: Connection, slug: str, *, now: datetime) -> None:
    source = conn.scalar(select(sources.c.id).where(sources.c.slug == slug))
    assert source is not None
    conn.execute(update(targets).where(targets.c.source_id == source).values(next_due_at=now))
    schedules.run_now(conn, source, now=now)
