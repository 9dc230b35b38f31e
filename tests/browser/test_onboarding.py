"""A person who has never seen it: from a pasted address to a price history, by clicks alone."""

import re
from collections.abc import Callable
from datetime import datetime

from playwright.async_api import expect
from sqlalchemy import Connection, func, select, update

from larder.core.model.record import Observed
from larder.sim.shopfront import ShopSite
from larder.store import schedules
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
    await page.get_by_label("The site may live on a private address").check()
    await page.get_by_role("button", name="Look").click()
    await expect(page.locator("h1")).to_contain_text("1 product found by json-ld")
    await expect(page.get_by_text("taken")).to_be_visible()
    await sound(page)
    await page.get_by_label("Short name").fill("corner")
    await page.get_by_label(re.compile("I read the terms of shop.test")).check()
    await page.get_by_label("Show its records to the public").check()
    await page.get_by_role("button", name="Save and run").click()
    await expect(page.locator("h1")).to_contain_text("shop.test")
    record = await world.until(_record_of("corner"))
    assert asked(world, "shop.test", "/robots.txt") == 1

    price = await _let_the_price_move(world, record)
    await world.until(_has_seen(record, price))
    visitor = await world.visitor()
    await visitor.goto("/?source=corner")
    await visitor.locator(".card a").first.click()
    await expect(visitor.get_by_role("img", name=re.compile("Price from"))).to_be_visible()
    await visitor.get_by_text(re.compile(r"All \d+ prices")).click()
    rows = visitor.locator("section", has_text="Price").locator("tbody tr")
    assert await rows.count() >= 2
    assert await visitor.locator("#why-price mark").inner_text()


@presses("/admin/sources/new/look")
async def test_selectors_are_chosen_by_pointing(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/new")
    await page.get_by_label("Address of a page").fill("http://homes.test/listings")
    await page.get_by_role("button", name="Look").click()
    await page.get_by_text("Adjust selectors").click()
    await sound(page)
    title = page.get_by_label("title", exact=True)
    await title.click()
    await page.locator("[data-path]").first.click()
    chosen = await title.input_value()
    assert chosen
    await page.get_by_role("button", name="Look again").click()
    await expect(page.get_by_label("title", exact=True)).to_have_value(chosen)
    before = asked(world, "homes.test", "/listings")
    await page.reload()
    assert asked(world, "homes.test", "/listings") == before


@presses("/admin/sources/new/look")
async def test_what_cannot_be_fetched_says_why_and_what_to_do(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/new")
    await page.get_by_label("Address of a page").fill("http://127.0.0.1:9/")
    await page.get_by_role("button", name="Look").click()
    await expect(page.get_by_role("status")).to_contain_text("private address")
    await page.get_by_label("Address of a page").fill("ftp://example.com/")
    await page.get_by_role("button", name="Look").click()
    await expect(page.get_by_role("status")).to_contain_text("not a web address")


def asked(world: World, host: str, path: str) -> int:
    """How often a site was asked for a path."""
    return sum(visit.path == path for visit in world.web.witness.of(host).visits)


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
    name, before = await world.app.look(lambda conn: tuple(conn.execute(mine).one()))
    site = world.web.sites["shop.test"]
    assert isinstance(site, ShopSite)
    for _ in range(300):
        world.pass_days(1)
        offer = site.assortment.live(world.web.now()).get(name)
        if offer and offer.in_stock and offer.price != before:
            await world.app.do(_due, "corner", now=world.app.clock.now())
            return offer.price
    raise AssertionError("its price never moves")


def _due(conn: Connection, slug: str, *, now: datetime) -> None:
    source = conn.scalar(select(sources.c.id).where(sources.c.slug == slug))
    assert source is not None
    conn.execute(update(targets).where(targets.c.source_id == source).values(next_due_at=now))
    schedules.run_now(conn, source, now=now)
