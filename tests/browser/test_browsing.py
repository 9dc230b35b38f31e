"""What a visitor finds: search and filters, how sure we are, histories, places, what is on, and why."""

import re
from datetime import datetime, timedelta

from playwright.async_api import Page, expect
from sqlalchemy import Connection, func, insert, select

from larder.core.model.record import Observed
from larder.store.dataset.verifications import MissingPageRow, mark_missing
from larder.store.tables import observations, records
from larder.store.tables.columns import micros
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, World

pytestmark = BOTH_WAYS

KINDS = {"Listings": "homes", "Products": "goods", "Events": "evenings"}


async def test_things_are_browsed_by_kind_and_page_by_page(world: World) -> None:
    page = await world.visitor()
    await page.goto("/")
    first = await _addresses(page)
    await page.get_by_role("link", name="More").click()
    await page.wait_for_url(re.compile("after="))
    further = await _addresses(page)
    assert further
    assert not set(first) & set(further)
    for chip, source in KINDS.items():
        await page.get_by_role("group", name="Kinds").get_by_role("link", name=chip).click()
        cards = page.locator(".card")
        await expect(cards.filter(has_text=source).first).to_be_visible()
        await expect(cards.filter(has_not_text=source)).to_have_count(0)


async def test_a_long_badge_stays_inside_its_card(world: World) -> None:
    """Of a record whose page answered 404: when it did, and that it is being checked."""
    newest = select(records.c.source_id, records.c.canonical_url).order_by(records.c.first_seen_at.desc())
    listing = newest.where(records.c.kind == "listing").limit(1)
    row = (await world.app.read(lambda conn: conn.execute(listing).all()))[0]
    missing = MissingPageRow(row.source_id, row.canonical_url, micros(world.app.clock.now()), 404)
    await world.app.run(mark_missing, [missing])
    page = await world.visitor()
    await page.goto("/?kind=listing")
    badge = page.locator(".card .badge").filter(has_text="being checked").first
    await expect(badge).to_be_visible()
    right = await badge.evaluate(_RIGHT_EDGE_BESIDE_ITS_CARD)
    assert right <= 0


_RIGHT_EDGE_BESIDE_ITS_CARD = """
badge => badge.getBoundingClientRect().right - badge.closest('.card').getBoundingClientRect().right
"""


async def test_what_is_asked_for_by_price_and_order_is_what_is_shown(world: World) -> None:
    between = (records.c.kind == "listing") & records.c.price_minor.between(80_000, 200_000)
    cheapest = await world.one(select(func.min(records.c.price_minor)).where(between))
    page = await world.visitor()
    await page.goto("/")
    await page.get_by_role("group", name="Kinds").get_by_role("link", name="Listings").click()
    await _filters(page, world)
    await page.get_by_label("Source").fill("homes")
    await page.get_by_label("Price from").fill("800")
    await page.get_by_label("Price to").fill("2,000")
    await page.get_by_label("Sort by").select_option("lowest price")
    await page.get_by_role("button", name="Search").click()
    await page.wait_for_url(re.compile("sort=price"))
    prices = [_cents(text) for text in await page.locator(".card .price").all_inner_texts()]
    assert prices == sorted(prices)
    assert prices[0] == cheapest
    assert prices[-1] <= 200_000
    await expect(page.get_by_label("Price from")).to_be_visible()  # what is chosen stays in sight


async def test_the_search_is_used_from_the_keyboard_alone(world: World) -> None:
    title = await world.one(select(records.c.title).where(records.c.kind == "product").limit(1))
    page = await world.visitor()
    await page.goto("/")
    await page.keyboard.press("/")
    await page.keyboard.type(title)
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile("q="))
    await expect(page.locator(".card").first).to_contain_text(title)
    await page.locator(".card a").first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("h1")).to_have_text(title)


async def test_how_sure_we_are_is_said_with_its_reason(world: World) -> None:
    page = await world.visitor()
    await page.goto("/?kind=product")
    badge = page.locator(".card .badge").first
    await expect(badge).to_contain_text("recently verified")
    reason = re.compile(r"\d+ of 100: (seen|checked alive) .*, falling [\d.]+ points an hour")
    await expect(badge).to_have_attribute("title", reason)
    await expect(badge).to_contain_text(reason)
    await page.locator(".card a").first.click()
    fresh = page.locator("section", has_text="Is it still available?")
    await expect(fresh.get_by_text(reason)).to_be_visible()


async def test_price_availability_and_seller_have_a_history(world: World) -> None:
    record = await world.app.run(_moved, world)
    page = await world.visitor()
    await page.goto(f"/records/{record}")
    await expect(page.get_by_role("img", name=re.compile("Price from €99.00 to"))).to_be_visible()
    prices = page.locator("section", has_text="solid: observed")
    await prices.get_by_text("2 prices").click()
    await expect(prices.locator("tbody tr")).to_have_count(2)
    await expect(prices.locator("tbody tr").last).to_contain_text("€99.00")
    words = page.locator("section", has_text="Availability and seller").locator("tbody tr")
    await expect(words.filter(has_text="out of stock")).to_have_count(1)
    await expect(words.filter(has_text="in stock")).not_to_have_count(0)
    await expect(words.filter(has_text="The shop before")).to_have_count(1)
    await page.goto("/?kind=product")
    await expect(page.locator(".card svg.spark")).to_have_count(1)


async def test_on_the_map_a_circle_leads_closer_and_a_place_to_its_record(world: World) -> None:
    page = await world.visitor()
    await page.goto("/map?kind=listing")
    drawn = page.get_by_role("group", name="Map of places")
    await drawn.get_by_role("link", name=re.compile(r"^\d+ (places|of the newest)")).first.focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile("near="))
    await expect(page.locator(".card").first).to_be_visible()
    at = await world.app.read(_a_place)
    await page.goto(f"/map?kind=listing&near={at}&within=0.05")
    await expect(page.get_by_text("within 0.05 km")).to_be_visible()
    place = drawn.locator('a[href^="/records/"]').first
    name = await place.get_attribute("aria-label")
    await place.focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile(r"/records/\d+$"))
    await expect(page.locator("h1")).to_have_text(name or "nothing")
    await expect(page.get_by_role("heading", name="Where", exact=True)).to_be_visible()
    await page.go_back()
    await page.get_by_role("link", name="Double the distance").click()
    await expect(page.get_by_text("within 0.1 km")).to_be_visible()
    await page.get_by_role("link", name="Everywhere").click()
    await page.get_by_role("link", name="Show all as cards").click()
    await page.wait_for_url(re.compile(r"/\?kind=listing$"))


async def test_what_is_on_comes_in_the_order_in_which_it_happens(world: World) -> None:
    page = await world.visitor()
    await page.goto("/events")
    shown = [int(each.rsplit("/", 1)[1]) for each in await _addresses(page)]
    starts = dict(await world.app.read(_starts))
    assert len(shown) > 3
    assert [starts[each] for each in shown] == sorted(starts[each] for each in shown)
    await expect(page.locator(".card:not(.event)")).to_have_count(0)


async def test_every_value_of_every_kind_says_where_it_was_read(world: World) -> None:
    page = await world.operator()
    for kind in ("listing", "product", "event"):
        record = await world.one(select(func.min(records.c.id)).where(records.c.kind == kind))
        title = await world.one(select(records.c.title).where(records.c.id == record))
        await page.goto(f"/records/{record}")
        told = page.locator(".why-list > details")
        assert await told.count() > 4
        await told.evaluate_all("every => every.forEach(each => each.open = true)")
        await expect(page.locator("#why-title mark")).to_have_text(title)
        await expect(page.locator("#why-title .why p").first).to_contain_text("json-ld")
        for each in await told.all():
            await expect(each.locator(".why p").first).to_contain_text(
                re.compile(r"ago.*, by .* in\s+run \d+|Worked out from the other values", re.DOTALL)
            )
        await sound(page)
    await page.locator("#why-title").get_by_role("link", name=re.compile(r"run \d+")).click()
    await expect(page.get_by_role("heading", name="Latest pages")).to_be_visible()


async def test_what_is_shown_is_had_as_a_file(world: World) -> None:
    page = await world.visitor()
    await page.goto("/?kind=product")
    async with page.expect_download() as begun:
        await page.get_by_role("link", name="CSV").click()
    lines = (await (await begun.value).path()).read_text().splitlines()
    assert "title" in lines[0]
    assert len(lines) == 1 + await page.locator(".card").count()


def _a_place(conn: Connection) -> str:
    listed = (records.c.kind == "listing") & records.c.latitude.is_not(None)
    row = conn.execute(select(records.c.latitude, records.c.longitude).where(listed).limit(1)).one()
    return f"{row.latitude},{row.longitude}"


async def _filters(page: Page, world: World) -> None:
    """On a phone they are folded away."""
    if world.mode.wide == "phone":
        await page.locator("summary", has_text="Filters").click()


async def _addresses(page: Page) -> list[str]:
    found = await page.locator(".card h3 a").evaluate_all("every => every.map(each => each.pathname)")
    return [str(each) for each in found]


def _starts(conn: Connection) -> list[tuple[int, datetime]]:
    found = conn.execute(select(records.c.id, records.c.starts_at).where(records.c.kind == "event"))
    return [(row.id, row.starts_at) for row in found]


def _cents(text: str) -> int:
    return round(float(re.sub(r"[^\d.]", "", text.split("/", maxsplit=1)[0])) * 100)


def _moved(conn: Connection, world: World) -> int:
    """A thing that cost something else, was sold out, and was another's, until two days ago."""
    held = (observations.c.field == Observed.PRICE) & (records.c.kind == "product")
    query = select(observations).join(records, records.c.id == observations.c.record_id).where(held)
    now, known = world.app.clock.now(), conn.execute(query.limit(1)).one()
    before = {
        "record_id": known.record_id, "run_id": known.run_id, "adapter_version": known.adapter_version,
        "observed_at": now - timedelta(days=5), "confirmed_at": now - timedelta(days=2),
        "superseded_at": now - timedelta(days=2),
    }  # fmt: skip
    conn.execute(insert(observations).values(**before, field=Observed.PRICE, amount=9_900, word="EUR"))
    for name, word in ((Observed.AVAILABILITY, "out_of_stock"), (Observed.SELLER, "The shop before")):
        conn.execute(insert(observations).values(**before, field=name, word=word))
    return int(known.record_id)
