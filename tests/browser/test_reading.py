"""How pages are read: adapters and their drift, versions that read otherwise, selectors that are mended."""

from datetime import timedelta

from playwright.async_api import expect
from sqlalchemy import Connection, func, insert, select, update

from larder.store.operations import repairs
from larder.store.operations.repairs import NewRepair
from larder.store.queue import schedules
from larder.store.tables import adapter_states, canaries, drift_batches, runs, sites, sources, targets
from tests.browser.buttons import presses
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, World

pytestmark = BOTH_WAYS

DECLARED = {"selectors": {"index": {"row": "article", "fields": {"title": "h2", "price": ".price"}}}}


@presses("/admin/adapters/*/disable", "/admin/adapters/*/enable")
async def test_an_adapter_is_switched_off_with_a_reason_and_on_again(world: World) -> None:
    off = select(adapter_states.c.why).where(
        adapter_states.c.adapter == "willhaben", adapter_states.c.enabled == 0
    )
    page = await world.operator()
    await page.goto("/admin/adapters/willhaben")
    await page.get_by_label("Disable on all sites").fill("terms changed")
    await page.get_by_role("button", name="Disable").click()
    await expect(page.get_by_text("Disabled on all sites: terms changed")).to_be_visible()
    assert await world.one(off) == "terms changed"
    await page.goto("/admin/adapters")
    await expect(page.locator("tr", has_text="willhaben")).to_contain_text("all sites: terms changed")
    await page.get_by_role("link", name="willhaben").click()
    await page.get_by_role("button", name="Enable").click()
    await expect(page.get_by_role("status")).to_contain_text("willhaben is enabled")
    assert await world.one(off) is None


async def test_the_drift_of_an_adapter_is_drawn_site_by_site(world: World) -> None:
    def drifted(conn: Connection) -> None:
        site = conn.scalar(select(sites.c.id).where(sites.c.domain == "homes.test"))
        for number, failed in enumerate((0, 2, 15)):
            at = world.app.clock.now() - timedelta(hours=3 - number)
            batch = {"adapter": "listing", "site_id": site, "attempted": 20, "failed": failed, "at": at}
            conn.execute(insert(drift_batches).values(**batch, valid=20 - failed))

    await world.app.run(drifted)
    page = await world.operator()
    await page.goto("/admin/adapters/listing")
    chart = page.get_by_role("img", name="Failure rate of the latest batches on homes.test")
    await expect(chart).to_be_visible()
    await expect(chart.locator("rect.fill-red")).to_have_count(1)
    await expect(chart.locator("title", has_text="15 of 20 pages failed")).to_have_count(1)


@presses("/admin/adapters/*/canary")
async def test_an_adapter_is_tried_on_stored_pages(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/adapters/listing")
    await page.get_by_role("button", name="Compare on stored pages").click()
    await expect(page.get_by_role("status")).to_contain_text("unchanged, 0 different")
    await expect(page.locator("section", has_text="Canary").get_by_text("proven")).to_be_visible()


@presses("/admin/adapters/*/canary")
async def test_a_version_that_reads_otherwise_is_shown_and_accepted(world: World) -> None:
    sample = {"page": 1, "url": "http://goods.test/product/1", "item": "Kettle"}
    comparison = {
        "pages": 3,
        "items": 3,
        "objections": ["price differs on 2 of 3 items"],
        "fields": [{"field": "price", "had": 3, "changed": 2, "lost": 0, "gained": 0}],
        "samples": [{**sample, "field": "price", "was": "12.50", "now": "19.90"}],
    }

    def refused(conn: Connection) -> None:
        values = {"active": "0.1", "candidate": "0.2", "status": "refused", "comparison": comparison}
        mine = select(sources.c.id).where(sources.c.slug == "goods").scalar_subquery()
        conn.execute(update(canaries).where(canaries.c.source_id == mine).values(values))

    await world.app.run(refused)
    page = await world.operator()
    await page.goto("/admin/adapters/product")
    await expect(page.get_by_text("price differs on 2 of 3 items")).to_be_visible()
    await expect(page.locator(".was")).to_have_text("12.50")
    await expect(page.locator(".is")).to_have_text("19.90")
    await sound(page)
    await page.get_by_role("button", name="Accept the new values").click()
    await expect(page.get_by_role("status")).to_contain_text("is active")
    accepted = select(canaries.c.accepted_by).where(canaries.c.accepted_by.is_not(None))
    assert await world.one(accepted) == "ada"


@presses("/admin/sources/*/healing/look")
async def test_selectors_that_match_need_no_healing(world: World) -> None:
    def declare(conn: Connection) -> None:
        params = {"selectors": {"detail": {"fields": {"title": "h1"}}}}
        source_id = conn.scalar(
            update(sources).where(sources.c.slug == "goods").values(params=params).returning(sources.c.id)
        )
        assert isinstance(source_id, int)
        conn.execute(update(targets).values(next_due_at=world.app.clock.now()))
        schedules.run_now(conn, source_id, now=world.app.clock.now())

    def read_twice(conn: Connection) -> bool:
        mine = select(sources.c.id).where(sources.c.slug == "goods").scalar_subquery()
        over = select(func.count()).where(runs.c.source_id == mine, runs.c.status == "completed")
        return (conn.scalar(over) or 0) > 1

    world.pass_days(1)
    await world.app.run(declare)
    await world.until(read_twice)
    page = await world.operator()
    await page.goto("/admin/sources/goods")
    await page.get_by_role("link", name="Selector repairs").click()
    await page.get_by_role("button", name="Check now").click()
    await expect(page.get_by_role("status")).to_contain_text("Compared: 0 selectors stopped matching")
    await expect(page.get_by_text("All selectors match")).to_be_visible()


@presses("/admin/sources/*/healing/apply", "/admin/sources/*/healing/take-back")
async def test_a_proven_repair_is_shown_applied_and_taken_back(world: World) -> None:
    proof = {"proven": True, "agreed": 9, "examples": [["€ 750", "€ 750"]], "doubts": []}
    found = NewRepair(field="index.fields.price", before=".price", after=".rent", proof=proof)

    def suggested(conn: Connection) -> int:
        source_id = conn.scalar(select(sources.c.id).where(sources.c.slug == "homes"))
        assert isinstance(source_id, int)
        declares = update(sources).where(sources.c.id == source_id).values(params=DECLARED, enabled=0)
        conn.execute(declares)
        repairs.suggest(conn, source_id, "listing", "index", [found], now=world.app.clock.now())
        return source_id

    source_id = await world.app.run(suggested)
    page = await world.operator()
    await page.goto("/admin/sources/homes/healing")
    row = page.locator("tr", has_text="index.fields.price")
    for told in ("proven", ".price", ".rent", "€ 750 → € 750", "9"):
        await expect(row).to_contain_text(told)
    await sound(page)
    await page.get_by_role("button", name="Apply proven selectors").click()
    await expect(page.get_by_role("heading", name="Applied")).to_be_visible()
    assert (await world.app.read(_repairs, source_id)) == ["applied"]
    await page.get_by_role("button", name="Revert").click()
    await expect(page.get_by_role("heading", name="Earlier")).to_be_visible()
    assert (await world.app.read(_repairs, source_id)) == ["taken_back"]


@presses("/admin/sources/*/healing/ask")
async def test_what_became_of_a_question_is_shown_where_it_was_asked(world: World) -> None:
    proof = {"proven": False, "run": 1, "since_page": 1, "doubts": ["price: no selector reads it right"]}
    found = NewRepair(field="index.fields.price", before=".price", after=None, proof=proof)

    def suggested(conn: Connection) -> None:
        source_id = conn.scalar(select(sources.c.id).where(sources.c.slug == "homes"))
        assert isinstance(source_id, int)
        conn.execute(update(sources).where(sources.c.id == source_id).values(params=DECLARED, enabled=0))
        repairs.suggest(conn, source_id, "listing", "index", [found], now=world.app.clock.now())

    await world.app.run(suggested)
    before, model = world.app.settings, {"llm_url": "http://127.0.0.1:9/v1", "llm_model": "m-1"}
    world.app.settings = before.replaced(**model)
    try:
        page = await world.operator()
        await page.goto("/admin/sources/homes/healing")
        await page.get_by_role("button", name="Ask the language model").click()
        await expect(page.get_by_role("status")).to_contain_text("Language model: index: not asked")
        await expect(page.get_by_text("no known value is on the new pages").first).to_be_visible()
        await sound(page)
    finally:
        world.app.settings = before


def _repairs(conn: Connection, source_id: int) -> list[str]:
    return [row.status for row in repairs.list_by_source(conn, source_id)]
