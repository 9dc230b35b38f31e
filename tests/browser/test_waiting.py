"""What waits for a person: items in quarantine, dead letters, alerts, candidates, errors."""

import re
from collections.abc import Sequence
from typing import Any

from playwright.async_api import Locator, Page, expect
from sqlalchemy import Column, Connection, func, insert, select, update

from larder.store.tables import alerts, candidates, dead_letters, jobs, quarantine, records, runs
from tests.browser.buttons import presses
from tests.browser.lists import ask, nothing_fits
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, World

pytestmark = BOTH_WAYS


@presses("/admin/quarantine/*/release", "/admin/quarantine/reject")
async def test_quarantine_is_decided_with_page_and_values_side_by_side(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/quarantine")
    await page.get_by_role("link", name="A kettle for nothing").last.click()
    await expect(page.get_by_text("Extracted values")).to_be_visible()
    await expect(page.get_by_text("Stored page")).to_be_visible()
    await page.get_by_label("price", exact=True).fill("12.50")
    await page.get_by_role("button", name="Release with these values").click()
    await expect(page.get_by_role("status")).to_contain_text("was released")
    released = select(records.c.price_minor).where(records.c.title == "A kettle for nothing")
    assert await world.one(released) == 1250
    await page.goto("/admin/quarantine")
    await page.get_by_role("link", name="A kettle for nothing").last.click()
    await page.get_by_label("Reject").fill("a misprint")
    await page.get_by_role("button", name="Reject").click()
    await expect(page.get_by_role("status")).to_contain_text("was rejected")
    assert await world.one(select(quarantine.c.note).where(quarantine.c.status == "rejected")) == "a misprint"
    await page.get_by_role("checkbox", name="All", exact=True).check()
    await page.get_by_label("Note").fill("not a price at all")
    await page.get_by_role("button", name="Reject selected").click()
    await expect(page.get_by_role("status")).to_contain_text("rejected")
    await expect(page.get_by_role("heading", name="No items in quarantine")).to_be_visible()
    assert await world.app.read(_counted, quarantine.c.status) == {"rejected": 2, "released": 1}


async def test_quarantine_is_filtered_by_status_reason_and_source(world: World) -> None:
    def decided(conn: Connection) -> None:
        item = {"title": "A lamp at two prices", "price": "3.00"}
        values = {"source_id": 1, "reason": "ambiguous_price", "item": item, "status": "rejected"}
        now = world.app.clock.now()
        conn.execute(insert(quarantine).values(**values, observed_at=now, created_at=now))

    await world.app.run(decided)
    page = await world.operator()
    await page.goto("/admin/quarantine")
    rows = await ask(page, {"Status": "rejected", "Reason": "ambiguous_price"})
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("A lamp at two prices")
    await ask(page, {"Source": "goods"})
    await nothing_fits(page)


@presses("/admin/dead/*/note", "/admin/dead/discard")
async def test_dead_letters_are_noted_and_discarded_one_by_one_chosen_and_by_group(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/dead?type=Odd")
    await page.locator("form tbody tr", has_text="Odd").get_by_role("link", name="Odd").click()
    await page.get_by_label("Add a note").fill("the site moved")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("the site moved")).to_be_visible()
    await page.get_by_role("button", name="Discard").click()
    await expect(page.get_by_role("status")).to_contain_text("1 discarded")
    await page.goto("/admin/dead?type=ReadTimeout")
    await page.get_by_role("checkbox", name=re.compile("Dead letter")).first.check()
    await page.get_by_label("Note").fill("nobody misses it")
    await page.get_by_role("button", name="Discard selected").click()
    await expect(page.get_by_role("status")).to_contain_text("1 discarded")
    await page.locator("tr", has_text="ReadTimeout").get_by_role("button", name="Discard all").click()
    await expect(page.get_by_role("status")).to_contain_text("1 discarded")
    assert await world.app.read(_counted, dead_letters.c.status) == {"discarded": 3}
    await expect(page).to_have_url(re.compile(r"/admin/dead\?type=ReadTimeout$"))
    await page.goto("/admin/dead")
    await page.locator("form tbody").get_by_role("link", name="Odd").click()
    await expect(page.get_by_text("by ada")).to_be_visible()
    await expect(page.get_by_role("button", name="Retry")).to_have_count(0)
    noted = select(func.count()).where(dead_letters.c.notes.contains("nobody misses it"))
    assert await world.one(noted) == 1


@presses("/admin/dead/retry")
async def test_dead_letters_are_retried_one_by_one_chosen_and_by_group(world: World) -> None:
    first, second, third, fourth = await world.app.run(_failed_pages, world)
    page = await world.operator()
    await page.goto(f"/admin/dead/{first}")
    await page.get_by_role("button", name="Retry").click()
    await expect(page.get_by_role("status")).to_contain_text("Retried: 1.")
    await page.get_by_role("checkbox", name=f"Dead letter {second}", exact=True).check()
    await page.get_by_role("button", name="Retry selected").click()
    await expect(page.get_by_role("status")).to_contain_text("Retried: 1.")
    await _group(page, "ServerError").get_by_role("button", name="Retry all").click()
    await expect(page.get_by_role("status")).to_contain_text("Retried: 2.")
    mine = select(func.count()).where(dead_letters.c.id.in_([first, second, third, fourth]))
    assert await world.until(lambda conn: conn.scalar(mine.where(dead_letters.c.status == "resolved")) == 4)


@presses("/admin/dead/retry")
async def test_a_letter_that_cannot_be_retried_says_why(world: World) -> None:
    def lost(conn: Connection) -> None:
        values = {"source_id": 1, "stage": "fetch", "category": "network", "type": "Lost", "payload": {}}
        conn.execute(insert(dead_letters).values(**values, created_at=world.app.clock.now()))

    await world.app.run(lost)
    page = await world.operator()
    await page.goto("/admin/dead?type=Lost")
    await page.get_by_role("checkbox", name="All", exact=True).check()
    await page.get_by_role("button", name="Retry selected").click()
    await expect(page.get_by_role("status")).to_contain_text("none of these can be retried")
    assert await world.one(select(dead_letters.c.status).where(dead_letters.c.type == "Lost")) == "pending"


@presses("/admin/alerts/*/resolve")
async def test_an_alert_is_resolved_and_stays_among_all(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/alerts")
    alert = page.locator("section", has_text="more than half failed")
    await alert.get_by_role("button", name="Mark resolved").click()
    await expect(page.get_by_role("status")).to_contain_text("Alert resolved")
    await expect(alert).to_have_count(0)
    mine = select(alerts.c.resolved_at).where(alerts.c.name == "failure_rate")
    assert await world.one(mine) is not None
    await page.locator(".chips").get_by_role("link", name="All").click()
    await expect(alert).to_contain_text("resolved")


@presses("/admin/candidates/scout")
async def test_a_scout_is_started(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/candidates")
    await page.get_by_label("Region").fill("Drenthe")
    await page.get_by_role("button", name="Scout").click()
    await expect(page.get_by_role("heading", name="Scout")).to_be_visible()
    await expect(page.get_by_role("link", name="NL-01")).to_be_visible()


@presses("/admin/candidates/*/reject", "/admin/candidates/*/accept")
async def test_candidates_are_taken_in_or_turned_down(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/candidates")
    await page.get_by_role("button", name="Reject").first.click()
    await expect(page.get_by_role("status")).to_contain_text("Rejected")
    await page.get_by_role("button", name="Accept").click()
    await page.wait_for_url(re.compile("/admin/sources/"))
    assert await world.app.read(_counted, candidates.c.status) == {"accepted": 1, "rejected": 1}
    await page.goto("/admin/candidates")
    await expect(page.get_by_role("heading", name="No candidates")).to_be_visible()
    await sound(page)
    await page.locator(".chips").get_by_role("link", name="rejected").click()
    await expect(page.locator("tbody tr")).to_contain_text("Agenda of a town")


async def test_errors_are_found_by_category_source_and_words(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/errors")
    rows = await ask(page, {"Words": "broke", "Category": "parse", "Source": "homes"})
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("a page that broke")
    await ask(page, {"Words": "unheard of"})
    await nothing_fits(page)


def _group(page: Page, type_: str) -> Locator:
    return page.locator("tr", has=page.get_by_role("button", name="Retry all")).filter(has_text=type_)


def _counted(conn: Connection, column: Column[Any]) -> dict[str, int]:
    return {row[0]: row[1] for row in conn.execute(select(column, func.count()).group_by(column))}


def _failed_pages(conn: Connection, world: World) -> Sequence[int]:
    """Four pages of flats that a run of old gave up, two of them for the same reason."""
    over = (
        select(jobs.c.id, jobs.c.run_id, jobs.c.source_id, jobs.c.url)
        .join(runs, runs.c.id == jobs.c.run_id)
        .where(runs.c.status == "completed", jobs.c.purpose == "detail", jobs.c.source_id == 1)
        .limit(4)
    )
    found, now = conn.execute(over).all(), world.app.clock.now()
    conn.execute(update(jobs).where(jobs.c.id.in_([row.id for row in found])).values(status="dead"))
    types = ("ConnectError", "Truncated", "ServerError", "ServerError")
    letters = [
        {
            "job_id": row.id, "run_id": row.run_id, "source_id": row.source_id, "stage": "fetch",
            "category": "network", "type": type_, "message": "no answer", "payload": {"url": row.url},
            "created_at": now,
        }
        for row, type_ in zip(found, types, strict=True)
    ]  # fmt: skip
    return conn.scalars(insert(dead_letters).returning(dead_letters.c.id), letters).all()
