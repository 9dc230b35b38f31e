"""Sources and sites: why each runs or does not, and the buttons that change that."""

import re

from playwright.async_api import expect
from sqlalchemy import Connection, func, select, update

from larder.actions.sources import sources as source_actions
from larder.actions.sources.spec import SourceSpec
from larder.store.tables import runs, sites, sources
from tests.browser.buttons import presses
from tests.browser.lists import nothing_fits
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, SOURCES, World

pytestmark = BOTH_WAYS


async def test_the_list_says_of_each_source_whether_it_runs_and_why(world: World) -> None:
    def held(conn: Connection) -> None:
        conn.execute(update(sources).where(sources.c.slug == "homes").values(needs_review=1))

    await world.app.run(held)
    page = await world.operator()
    await page.goto("/admin/sources")
    rows = page.locator("tbody tr")
    await expect(rows).to_have_count(len(SOURCES))
    await expect(rows.filter(has_text="homes.test")).to_contain_text("needs review")
    await expect(rows.filter(has_text="goods.test")).not_to_contain_text("needs review")
    chips = page.locator(".chips")
    await chips.get_by_role("link", name="held back 1").click()
    await expect(rows).to_have_count(1)
    await chips.get_by_role("link", name="plan monitor 1").click()
    await nothing_fits(page)
    await chips.get_by_role("link", name="held back 1").click()
    await expect(rows).to_contain_text(["goods.test"])
    await page.goto("/admin/sources/homes")
    await sound(page)
    await page.get_by_role("button", name="Mark as reviewed").click()
    await expect(page.get_by_role("status")).to_contain_text("homes is marked as reviewed")
    assert await world.one(select(sources.c.needs_review).where(sources.c.slug == "homes")) == 0


async def test_l9_a_source_names_what_its_latest_run_could_not_read(world: World) -> None:
    def lose(conn: Connection) -> None:
        lost = {
            "not_found": {"items": 7, "details": "homes.test: answered 404", "page": "http://homes.test/7"}
        }
        mine = select(sources.c.id).where(sources.c.slug == "homes").scalar_subquery()
        latest = select(func.max(runs.c.id)).where(runs.c.source_id == mine, runs.c.kind == "discovery")
        conn.execute(
            update(runs)
            .where(runs.c.id == latest.scalar_subquery())
            .values(status="partial", finished_at=runs.c.started_at, not_read=lost)
        )

    await world.app.run(lose)
    page = await world.operator()
    await page.goto("/admin/sources/homes")
    lost = page.get_by_role("region", name="Not read or not stored")
    await expect(lost).to_contain_text("7 pages not read: not found (homes.test: answered 404)")
    await sound(page)


@presses("/admin/sources/*/run")
async def test_a_source_runs_now_from_the_list(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources")
    await page.locator("tr", has_text="goods.test").get_by_role("button", name="Run now").click()
    await page.wait_for_url(re.compile(r"/admin/runs/\d+$"))
    number = int(page.url.rsplit("/", 1)[1])
    slug = select(sources.c.slug).join(runs, runs.c.source_id == sources.c.id).where(runs.c.id == number)
    assert await world.one(slug) == "goods"


@presses("/admin/sources/*/disable", "/admin/sources/*/enable", "/admin/sources/*/change")
async def test_a_source_is_switched_and_changed(world: World) -> None:
    mine = sources.c.slug == "evenings"
    page = await world.operator()
    await page.goto("/admin/sources/evenings")
    await page.get_by_role("button", name="Disable").click()
    await expect(page.get_by_role("status")).to_contain_text("evenings is disabled")
    assert await world.one(select(sources.c.enabled).where(mine)) == 0
    await page.get_by_role("button", name="Enable").click()
    await expect(page.get_by_role("status")).to_contain_text("evenings is enabled")
    assert await world.one(select(sources.c.enabled).where(mine)) == 1
    await page.get_by_label("Tier").select_option("hot")
    await page.get_by_label("Name", exact=True).fill("Evenings out")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("h1")).to_have_text("Evenings out")
    assert await world.one(select(sources.c.tier).where(mine)) == "hot"


@presses("/admin/sources/*/remove")
async def test_l10_12_a_source_is_removed_with_its_records_hidden(world: World) -> None:
    spare = SourceSpec.model_validate({"url": "http://evenings.test/spare", "slug": "spare", "kind": "event"})
    app = world.app
    await app.run(source_actions.save, spare, app.dispatcher, who="ada", now=app.clock.now())
    page = await world.operator()
    await page.goto("/admin/sources/spare")
    await page.get_by_label("Its records").select_option("hidden")
    await page.get_by_role("button", name="Remove source").click()
    await expect(page.get_by_role("status")).to_contain_text("spare is removed")
    await expect(page.get_by_role("link", name="spare")).to_have_count(0)
    gone = select(sources.c.visibility).where(sources.c.removed_at.is_not(None))
    assert await world.one(gone) == "hidden"


@presses("/admin/sources/*/change")
async def test_a_change_that_cannot_be_is_said_and_changes_nothing(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/homes")
    await page.get_by_label("Time zone").fill("Mars/Olympus")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_contain_text("tz")
    assert await world.one(select(sources.c.tz).where(sources.c.slug == "homes")) == "Europe/Amsterdam"


@presses("/admin/sites/*/review", "/admin/sources/*/review")
async def test_terms_are_read_and_a_source_is_looked_over(world: World) -> None:
    def unread(conn: Connection) -> None:
        mine = sites.c.domain.in_(("evenings.test", "homes.test"))
        conn.execute(update(sites).where(mine).values(terms_reviewed_at=None, terms_reviewed_by=None))
        conn.execute(update(sources).where(sources.c.slug == "evenings").values(needs_review=1))

    await world.app.run(unread)
    page = await world.operator()
    await page.goto("/admin/sources/evenings")
    await page.get_by_role("button", name="I reviewed the terms").click()
    await expect(page.get_by_role("status")).to_contain_text("marked as reviewed by ada")
    await page.get_by_role("button", name="Mark as reviewed").click()
    await expect(page.get_by_role("status")).to_contain_text("evenings is marked as reviewed")
    await expect(page.locator(".badge").get_by_text("held back")).to_have_count(0)
    await page.goto("/admin/sites/homes.test")
    await page.get_by_role("button", name="I reviewed the terms").click()
    await expect(page.locator("section", has_text="Terms")).to_contain_text("by ada")
    read_by = select(sites.c.domain).where(sites.c.terms_reviewed_by == "ada").order_by(sites.c.domain)
    found = await world.app.read(lambda conn: conn.scalars(read_by).all())
    assert list(found) == ["evenings.test", "homes.test"]


@presses("/admin/sites/*/block", "/admin/sites/*/unblock", "/admin/sites/*/change")
async def test_a_site_is_blocked_let_be_and_given_another_pace(world: World) -> None:
    mine = sites.c.domain == "evenings.test"
    page = await world.operator()
    await page.goto("/admin/sites")
    await expect(page.locator("tr", has_text="evenings.test")).to_contain_text("8 concurrent")
    await page.get_by_role("link", name="evenings.test").click()
    await page.get_by_label("Block this site").fill("they asked us to")
    await page.get_by_role("button", name="Block").click()
    await expect(page.get_by_text("Blocked: they asked us to")).to_be_visible()
    assert await world.one(select(sites.c.blocked_reason).where(mine)) == "they asked us to"
    await sound(page)
    await page.get_by_role("button", name="Unblock").click()
    await expect(page.get_by_role("status")).to_contain_text("is unblocked")
    assert await world.one(select(sites.c.blocked).where(mine)) == 0
    await page.get_by_label("Preset").select_option("gentle")
    await page.get_by_label("Notes").fill("quiet at night")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_contain_text("was saved")
    assert await world.one(select(sites.c.notes).where(mine)) == "quiet at night"
    assert await world.one(select(sites.c.preset).where(mine)) == "gentle"
    for emptied in ("Seconds between requests", "Concurrent requests", "Notes"):
        await page.get_by_label(emptied).fill("")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("2 s between requests, 1 concurrent")).to_be_visible()
    assert await world.one(select(sites.c.notes).where(mine)) is None
