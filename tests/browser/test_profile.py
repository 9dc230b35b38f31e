"""A site explains itself: its profile is learned, both readings stand side by side, and a click chooses."""

import re

from playwright.async_api import expect
from sqlalchemy import Connection, select, update

from larder.core.model.site_profile import with_profile
from larder.store.tables import sources
from tests.browser.buttons import presses
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, World
from tests.platform_sites import MISLEADING
from tests.platform_sites.pages import learned

pytestmark = BOTH_WAYS


async def _reading(world: World, slug: str) -> object:
    params = await world.one(select(sources.c.params).where(sources.c.slug == slug))
    return params["profile"]["reading"]


@presses("/admin/sources/*/profile/learn")
async def test_a_profile_is_learned_from_the_pages_of_the_last_run(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/homes")
    await page.get_by_role("link", name="Site profile").click()
    await expect(page.get_by_text("Pages are read without a site profile")).to_be_visible()
    await page.get_by_role("button", name="Learn").click()
    await expect(page.get_by_role("status")).to_contain_text("The profile is in use")
    title = page.get_by_role("row", name=re.compile("title"))
    await expect(title).to_contain_text(re.compile(r"([5-9]|1[0-2]) of \1"))
    await sound(page)
    assert await _reading(world, "homes") == "profile"


@presses("/admin/sources/*/profile/use", "/admin/sources/*/profile/general")
async def test_two_readings_stand_side_by_side_and_a_click_chooses(world: World) -> None:
    weak = learned(MISLEADING[0], pages=3)
    assert weak is not None

    def propose(conn: Connection) -> None:
        params = with_profile({}, weak)
        conn.execute(update(sources).where(sources.c.slug == "goods").values(params=params))

    await world.app.run(propose)
    page = await world.operator()
    await page.goto("/admin/sources/goods")
    await page.get_by_role("link", name="Compare them and choose").click()
    await expect(page.get_by_text("The proof is weak: choose a reading")).to_be_visible()
    first = next(each for each in weak.samples if each.field == "price")
    row = page.get_by_role("row", name=re.compile(f"price.*{re.escape(first.general)}")).first
    await expect(row).to_contain_text(first.profile)
    await sound(page)
    await page.get_by_role("button", name="Use the profile").click()
    await expect(page.get_by_role("status")).to_contain_text("The profile is in use")
    assert await _reading(world, "goods") == "profile"
    await page.get_by_role("button", name="Use the general reading").click()
    await expect(page.get_by_role("status")).to_contain_text("The general reading is in use")
    assert await _reading(world, "goods") == "general"


@presses("/admin/sources/new/look", "/admin/sources/new/learn")
@presses("/admin/sources/new/preview", "/admin/sources/new/save")
async def test_a_profile_is_proposed_before_a_source_is_saved(world: World) -> None:
    """Compared with five detail pages, put aside by one click, taken by another, and saved as it stands."""
    page = await world.operator()
    await page.goto("/admin/sources/new")
    await page.get_by_label("Address of a page").fill("http://homes.test/listings")
    await page.get_by_label("Allow a private network address").check()
    await page.get_by_role("button", name="Fetch").click()
    await page.get_by_role("button", name="Fetch detail pages and compare").click()
    proposed = page.get_by_role("region", name="Site profile")
    await expect(proposed).to_contain_text("profile in use")
    await expect(proposed.get_by_role("row", name=re.compile("title")).first).to_contain_text("5 of 5")
    await sound(page)
    await page.get_by_role("button", name="Use the general reading").click()
    await expect(proposed).to_contain_text("general reading in use")
    await page.get_by_role("button", name="Use the profile").click()
    await expect(proposed).to_contain_text("profile in use")
    await page.get_by_label("Short name").fill("explained")
    await page.get_by_role("button", name="Save and run").click()
    await expect(page.get_by_role("status")).to_contain_text("explained is added")
    assert await _reading(world, "explained") == "profile"


@presses("/admin/sources/*/profile/ask")
async def test_a_language_model_is_not_asked_what_rules_can_prove(world: World) -> None:
    def forget(conn: Connection) -> None:
        conn.execute(update(sources).where(sources.c.slug == "homes").values(params={}))

    await world.app.run(forget)
    before, model = world.app.settings, {"llm_url": "http://127.0.0.1:9/v1", "llm_model": "m-1"}
    world.app.settings = before.replaced(**model)
    try:
        page = await world.operator()
        await page.goto("/admin/sources/homes/profile")
        await page.get_by_role("button", name="Ask the language model").click()
        await expect(page.get_by_role("status")).to_contain_text("rules prove every field of the rows")
        await sound(page)
    finally:
        world.app.settings = before
