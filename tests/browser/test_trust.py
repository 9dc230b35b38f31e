"""Is my data true? The overview as it changes, the truth beside the dataset, and the evidence of checks."""

import re
from typing import Any

from playwright.async_api import expect
from sqlalchemy import Connection, func, insert, select

from larder.sim.classifieds.site import ClassifiedsSite
from larder.store.tables import alerts, pages, records, verifications
from tests.browser.world import BOTH_WAYS, World

pytestmark = BOTH_WAYS


async def test_the_overview_says_how_true_how_new_how_wrong_and_at_what_cost(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin")
    held = await world.one(select(func.count()).select_from(records).where(records.c.active == 1))
    await expect(page.get_by_role("heading", name=f"{held} active records")).to_be_visible()
    await expect(page.get_by_role("img", name="Records by freshness")).to_be_visible()
    await expect(page.locator(".legend")).to_contain_text("recently verified")
    newest = await world.one(select(records.c.title).order_by(records.c.id.desc()).limit(1))
    await expect(page.get_by_role("region", name="New").get_by_role("link").first).to_have_text(newest)
    wrong = page.get_by_role("region", name="Needs attention")
    await expect(wrong).to_contain_text("more than half failed")
    asked = await world.one(select(func.count()).select_from(pages))
    await expect(page.locator(".figure", has_text="requests in 24 h").locator("b")).to_have_text(str(asked))
    await expect(page.get_by_role("img", name="Requests in each of the last 24 hours")).to_be_visible()


async def test_what_goes_wrong_appears_without_a_reload(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin")
    await page.evaluate("window.neverReloaded = true")

    def alarmed(conn: Connection) -> None:
        told = {"name": "queue_lag", "severity": "P1", "subject": "goods", "message": "the queue grows"}
        now = world.app.clock.now()
        conn.execute(insert(alerts).values(**told, times=1, first_at=now, last_at=now))

    await world.app.run(alarmed)
    wrong = page.get_by_role("region", name="Needs attention")
    await expect(wrong.get_by_text("the queue grows")).to_be_visible()
    assert await page.evaluate("window.neverReloaded")


async def test_the_truth_of_made_up_sites_stands_beside_what_is_known(world: World) -> None:
    site = world.web.sites["homes.test"]
    assert isinstance(site, ClassifiedsSite)
    live = site.classifieds.count(world.web.now())
    known = await world.one(select(func.count()).where(records.c.kind == "listing", records.c.active == 1))

    async def truth() -> list[dict[str, Any]]:
        told: dict[str, Any] = {
            "site": "homes.test",
            "address": "http://homes.localhost/",
            "trouble": "redesigned since",
        }
        told |= {"live": live, "known": known, "recall": known / live}
        return [{**told, "prices_right": 1.0, "gone": 0, "requests": 31}]

    world.app.truth = truth
    page = await world.operator()
    await page.goto("/admin")
    row = page.get_by_role("region", name="Compared with the truth").locator("tbody tr")
    await expect(row).to_contain_text("homes.test")
    await expect(row).to_contain_text("redesigned since")
    await expect(row.locator("td").nth(1)).to_contain_text(str(live))
    await expect(row.locator("td").nth(2)).to_contain_text(str(known))


async def test_checks_are_shown_with_what_they_asked_and_what_was_answered(world: World) -> None:
    record = await world.app.run(_checked, world)
    page = await world.operator()
    await page.goto("/admin/verification")
    rows = page.locator(".scroll tbody tr")
    await expect(rows).to_have_count(2)
    await page.locator(".chips").get_by_role("link", name="gone").click()
    await expect(rows).to_have_count(1)
    for told in ("HEAD", "410", "gone", "the site says it is gone"):
        await expect(rows).to_contain_text(told)
    await rows.get_by_role("link").click()
    await page.wait_for_url(re.compile(rf"/records/{record}$"))
    await expect(page.get_by_role("heading", name="Checks")).to_be_visible()
    await expect(page.locator("tr", has_text="the site says it is gone")).to_contain_text("410")


def _checked(conn: Connection, world: World) -> int:
    record = conn.scalar(select(func.min(records.c.id)).where(records.c.kind == "listing"))
    assert isinstance(record, int)
    common = {"record_id": record, "run_id": 1, "at": world.app.clock.now(), "method": "HEAD"}
    conn.execute(insert(verifications).values(**common, status=200, outcome="alive", settled=1))
    gone = {"status": 410, "outcome": "gone", "reason": "the site says it is gone"}
    conn.execute(insert(verifications).values(**common, **gone))
    return record
