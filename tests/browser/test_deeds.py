"""Every button does what it says: a person's clicks, and what the deployment is like afterwards."""

import re
from typing import Any

import pytest
from playwright.async_api import expect
from sqlalchemy import Connection, func, select, update

from larder.store.tables import (
    alerts,
    audit,
    candidates,
    dead_letters,
    keys,
    proxies,
    quarantine,
    records,
    runs,
    sites,
    sources,
    targets,
)
from tests.browser.world import World

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(180)]


async def one(world: World, query: Any) -> Any:
    return await world.app.look(lambda conn: conn.scalar(query))


async def test_run_now_goes_to_the_run_and_stays_live(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/homes")
    await page.locator("tr", has_text="sweep").get_by_role("button", name="Run now").click()
    await page.wait_for_url(re.compile(r"/admin/runs/\d+$"))
    await expect(page.locator("h1")).to_contain_text("Sweep")
    await expect(page.locator("[data-live], main").first.get_by_text("completed").first).to_be_visible(
        timeout=30_000
    )
    await expect(page.get_by_text("Coverage certificate")).to_be_visible(timeout=30_000)


async def test_a_run_is_voided_and_counts_again(world: World) -> None:
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())
    run = await one(world, select(func.min(runs.c.id)).where(runs.c.status == "completed"))
    await page.goto(f"/admin/runs/{run}")
    await page.get_by_role("button", name="Void").click()
    await expect(page.get_by_role("status")).to_contain_text("does not count")
    assert await one(world, select(runs.c.voided_by).where(runs.c.id == run)) == "ada"
    await page.get_by_role("button", name="Let it count again").click()
    await expect(page.get_by_role("status")).to_contain_text("counts again")
    assert await one(world, select(runs.c.voided_at).where(runs.c.id == run)) is None


async def test_a_source_is_switched_and_changed(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/evenings")
    await page.get_by_role("button", name="Switch off").click()
    await expect(page.get_by_text("evenings is switched off").last).to_be_visible()
    await page.get_by_role("button", name="Switch on").click()
    await page.get_by_label("Tier").select_option("hot")
    await page.get_by_label("Name").fill("Evenings out")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("h1")).to_have_text("Evenings out")
    assert await one(world, select(sources.c.tier).where(sources.c.slug == "evenings")) == "hot"


async def test_a_change_that_cannot_be_is_said_and_changes_nothing(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/sources/homes")
    await page.get_by_label("Time zone").fill("Mars/Olympus")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_contain_text("tz")
    assert await one(world, select(sources.c.tz).where(sources.c.slug == "homes")) == "Europe/Amsterdam"


async def test_a_site_is_blocked_and_let_be(world: World) -> None:
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto("/admin/sites/evenings.test")
    await page.get_by_label("Block this site").fill("they asked us to")
    await page.get_by_role("button", name="Block").click()
    await expect(page.get_by_text("Blocked: they asked us to")).to_be_visible()
    await page.get_by_role("button", name="Let it be fetched again").click()
    assert await one(world, select(sites.c.blocked).where(sites.c.domain == "evenings.test")) == 0
    await page.get_by_label("Preset").select_option("gentle")
    await page.get_by_label("Notes").fill("quiet at night")
    await page.get_by_role("button", name="Save").click()
    assert (
        await one(world, select(sites.c.notes).where(sites.c.domain == "evenings.test")) == "quiet at night"
    )


async def test_quarantine_is_decided_with_page_and_values_side_by_side(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/quarantine")
    await page.get_by_role("link", name="A kettle for nothing").first.click()
    await expect(page.get_by_text("What was read")).to_be_visible()
    await expect(page.get_by_text("What the page says")).to_be_visible()
    await page.get_by_label("price", exact=True).fill("12.50")
    await page.get_by_role("button", name="Release with these values").click()
    await expect(page.get_by_role("status")).to_contain_text("went on")
    await page.goto("/admin/quarantine")
    await page.get_by_label("All", exact=True).check()
    await page.get_by_label("Note").fill("not a price at all")
    await page.get_by_role("button", name="Reject the chosen").click()
    await expect(page.get_by_role("status")).to_contain_text("rejected")
    waiting = select(func.count()).select_from(quarantine).where(quarantine.c.status == "pending")
    assert await one(world, waiting) == 0


async def test_dead_letters_are_noted_retried_and_discarded_in_bulk(world: World) -> None:
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto("/admin/dead")
    odd = page.locator("form tbody tr", has_text="Odd")
    await odd.get_by_role("link", name="Odd").click()
    await page.get_by_label("Add a note").fill("the site moved")
    await page.get_by_role("button", name="Note").click()
    await expect(page.get_by_text("the site moved")).to_be_visible()
    await page.get_by_role("button", name="Discard").click()
    await page.locator("tr", has_text="ReadTimeout").get_by_role("button", name="Discard all").click()
    await expect(page.get_by_role("status")).to_contain_text("2 discarded")
    ended = select(func.count()).select_from(dead_letters).where(dead_letters.c.status == "discarded")
    assert await one(world, ended) == 3


async def test_an_alert_is_resolved(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/alerts")
    await (
        page.locator("section", has_text="more than half failed")
        .get_by_role("button", name="Resolved")
        .click()
    )
    await expect(page.get_by_role("status")).to_contain_text("Resolved")
    unsolved = select(func.count()).select_from(alerts)
    gone = unsolved.where(alerts.c.resolved_at.is_(None), alerts.c.name == "failure_rate")
    assert await one(world, gone) == 0


async def test_candidates_are_taken_in_or_turned_down(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/candidates")
    await page.get_by_role("button", name="Turn down").first.click()
    await page.get_by_role("button", name="Take in").first.click()
    await page.wait_for_url(re.compile("/admin/sources/"))
    decided = await world.app.look(lambda conn: sorted(conn.scalars(select(candidates.c.status)).all()))
    assert len(decided) == 2
    assert "new" not in decided


async def test_targets_are_added_imported_held_and_removed(world: World) -> None:
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto("/admin/targets")
    adding = page.locator("form", has_text="Watch a page")
    await adding.get_by_label("Address").fill("http://goods.test/product/brand-new")
    await adding.get_by_label("Source").fill("goods")
    await adding.get_by_role("button", name="Watch").click()
    row = page.locator("tr", has_text="brand-new")
    await row.get_by_role("button", name="Pause").click()
    await expect(page.locator("tr", has_text="brand-new").get_by_text("paused")).to_be_visible()
    await page.locator("tr", has_text="brand-new").get_by_role("button", name="Resume").click()
    await page.locator("tr", has_text="brand-new").get_by_role("button", name="Run now").click()
    await page.locator("tr", has_text="brand-new").get_by_role("button", name="Remove").click()
    assert await one(world, select(targets.c.id).where(targets.c.url.contains("brand-new"))) is None
    importing = page.locator("form", has_text="Import many")
    await importing.get_by_label("Source").fill("goods")
    body = b"url,interval\nhttp://goods.test/product/one,2d\nnot an address,1d\n"
    await importing.get_by_label("File").set_input_files(
        {"name": "targets.csv", "mimeType": "text/csv", "buffer": body}
    )
    await importing.get_by_role("button", name="Import").click()
    await expect(page.get_by_text("1 added, 0 changed, 1 bad lines.")).to_be_visible()
    await expect(page.get_by_text("line 3")).to_be_visible()


async def test_adapters_proxies_and_keys(world: World) -> None:
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto("/admin/adapters/willhaben")
    await page.get_by_label("Switch it off everywhere").fill("terms changed")
    await page.get_by_role("button", name="Disable").click()
    await page.get_by_role("button", name="Enable").click()
    await expect(page.get_by_role("status")).to_contain_text("willhaben is enabled")
    await page.goto("/admin/proxies")
    await page.get_by_label("Add a proxy").fill("socks5://ann:secret-word@127.0.0.1:9")
    await page.get_by_role("button", name="Add", exact=True).click()
    assert "secret-word" not in await page.content()
    await page.get_by_role("button", name="Switch off").click()
    await page.get_by_role("button", name="Remove").click()
    assert await one(world, select(func.count()).select_from(proxies)) == 0
    await page.goto("/admin/keys")
    await page.get_by_label("Name").fill("dashboard")
    await page.get_by_role("button", name="Give out a key").click()
    shown = await page.locator(".notice pre").inner_text()
    await page.goto("/admin/keys")
    assert shown not in await page.content()
    await page.locator("tr", has_text="dashboard").get_by_role("button", name="Revoke").click()
    await expect(page.locator("tr", has_text="dashboard").get_by_text("revoked")).to_be_visible()
    assert await one(world, select(keys.c.revoked_at).where(keys.c.name == "dashboard")) is not None


async def test_a_value_is_pinned_unpinned_and_a_record_erased(world: World) -> None:
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())

    def some_listing(conn: Connection) -> int:
        found = conn.scalar(select(func.max(records.c.id)).where(records.c.kind == "listing"))
        assert isinstance(found, int)
        return found

    record = await world.app.look(some_listing)
    await page.goto(f"/records/{record}")
    title = page.locator("#why-title")
    await title.locator("summary").click()
    await title.get_by_label("Pin another value").fill("A title by hand")
    await title.get_by_role("button", name="Pin").click()
    await expect(page.locator("h1")).to_have_text("A title by hand")
    await page.get_by_role("button", name="Unpin").click()
    await expect(page.locator("h1")).not_to_have_text("A title by hand")
    await page.get_by_label("Erase on request").fill("its owner asked")
    await page.get_by_role("button", name="Erase").click()
    await expect(page.get_by_role("status")).to_contain_text("erased")
    gone = await page.goto(f"/records/{record}")
    assert gone is not None
    assert gone.status == 404


async def test_signing_in_and_out_and_the_audit_of_it_all(world: World) -> None:
    page = await world.visitor()
    await page.goto("/admin/audit")
    await page.get_by_label("Key").fill("not a key")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_contain_text("no admin key")
    await page.get_by_label("Key").fill(world.key)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/admin/audit")
    await expect(page.get_by_text("signed in").first).to_be_visible()
    await page.get_by_role("button", name="Sign out").click()
    await page.goto("/admin/audit")
    await expect(page.get_by_label("Key")).to_be_visible()
    entered = select(audit.c.who).where(audit.c.action == "signed in").order_by(audit.c.id.desc())
    assert await one(world, entered) == "root"


async def test_a_run_is_followed_down_to_one_page(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/runs?source=homes&kind=discovery")
    await page.get_by_role("link", name=re.compile(r"discovery \d+")).last.click()
    await page.get_by_role("link", name="All pages of this run").click()
    await page.locator("tbody a").last.click()
    await expect(page.get_by_role("heading", name="Attempts to fetch it")).to_be_visible()
    await expect(page.locator("tbody tr", has_text="http").first).to_contain_text("ok")
    await expect(page.get_by_text("<html").first).to_be_visible()


async def test_watches_are_set_held_and_removed(world: World) -> None:
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto("/admin/watches")
    wanted = page.locator("form", has_text="When something appears")
    await wanted.get_by_label("Name").fill("Cheap flats")
    await wanted.get_by_label("Kind").select_option("listing")
    await wanted.get_by_label("At most").fill("1200")
    await wanted.get_by_role("button", name="Watch").click()
    row = page.locator("tr", has_text="Cheap flats")
    await expect(row).to_contain_text("120000")
    await row.get_by_role("button", name="Pause").click()
    await expect(row.get_by_text("paused")).to_be_visible()
    await row.get_by_role("button", name="Resume").click()
    await row.get_by_role("button", name="Remove").click()
    await expect(page.locator("tr", has_text="Cheap flats")).to_have_count(0)
    falling = page.locator("form", has_text="When a price falls")
    await falling.get_by_label("Name").fill("The kettle")
    await falling.get_by_label("Record").fill("1")
    await falling.get_by_role("button", name="Watch").click()
    await expect(page.locator("tr", has_text="The kettle")).to_contain_text("falling 10 %")


async def test_an_adapter_is_tried_on_stored_pages(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/adapters/listing")
    await page.get_by_role("button", name="Try it on stored pages").click()
    await expect(page.get_by_role("status")).to_contain_text("as before, 0 differ")
    await expect(page.locator("section", has_text="Canary").get_by_text("proven")).to_be_visible()


async def test_selectors_that_match_need_no_healing(world: World) -> None:
    def declare(conn: Connection) -> None:
        params = {"selectors": {"index": {"row": "article", "fields": {"title": "h2"}}}}
        conn.execute(update(sources).where(sources.c.slug == "homes").values(params=params))

    await world.app.do(declare)
    page = await world.operator()
    await page.goto("/admin/sources/homes")
    await page.get_by_role("link", name="Healing").click()
    await page.get_by_role("button", name="Look now").click()
    await expect(page.get_by_role("status")).to_contain_text("Looked")
