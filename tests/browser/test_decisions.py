"""What only a person decides, by clicks: runs under way, terms, repairs, versions, what is one thing."""

import re

import pytest
from playwright.async_api import expect
from sqlalchemy import Connection, func, select, update

from larder.actions import entities, sites
from larder.actions.spec import SiteSpec
from larder.store import repairs
from larder.store.repairs import NewRepair
from larder.store.tables import canaries, records, runs, sources
from larder.store.tables import sites as sites_table
from tests.browser.world import World

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(180)]

DECLARED = {"selectors": {"index": {"row": "article", "fields": {"title": "h2", "price": ".price"}}}}


async def test_a_sweep_shows_its_pages_left_and_is_paused_resumed_and_stopped(world: World) -> None:
    slow = SiteSpec(spacing=60, at_once=1)
    await world.app.do(sites.change, "homes.test", slow, who="test", now=world.app.clock.now())
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto("/admin/sources/homes")
    await page.locator("tr", has_text="sweep").get_by_role("button", name="Run now").click()
    await page.wait_for_url(re.compile(r"/admin/runs/\d+$"))
    await expect(page.get_by_text(re.compile(r"\d+ pages left"))).to_be_visible()
    await expect(page.get_by_role("progressbar", name="Pages walked")).to_be_visible()
    for button, status in (("Pause", "paused"), ("Resume", "running"), ("Stop", "stopped")):
        await page.get_by_role("button", name=button).click()
        await expect(page.locator(".badge").get_by_text(status, exact=True).first).to_be_visible()
    number = int(page.url.rsplit("/", 1)[1])
    ended = select(runs.c.status).where(runs.c.id == number)
    assert await world.app.look(lambda conn: conn.scalar(ended)) == "stopped"


async def test_terms_are_read_and_a_source_is_looked_over(world: World) -> None:
    def unread(conn: Connection) -> None:
        conn.execute(update(sites_table).values(terms_reviewed_at=None, terms_reviewed_by=None))
        conn.execute(update(sources).where(sources.c.slug == "evenings").values(needs_review=1))

    await world.app.do(unread)
    page = await world.operator()
    await page.goto("/admin/sources/evenings")
    await page.get_by_role("button", name="I read the site's terms").click()
    await expect(page.get_by_role("status")).to_contain_text("marked as read by ada")
    await page.get_by_role("button", name="Looked over").click()
    await expect(page.locator(".badge").get_by_text("held back")).to_have_count(0)
    read_by = select(sites_table.c.terms_reviewed_by).where(sites_table.c.domain == "evenings.test")
    assert await world.app.look(lambda conn: conn.scalar(read_by)) == "ada"


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

    source_id = await world.app.do(suggested)
    page = await world.operator()
    await page.goto("/admin/sources/homes/healing")
    row = page.locator("tr", has_text="index.fields.price")
    await expect(row).to_contain_text("proven")
    await expect(row).to_contain_text(".rent")
    await page.get_by_role("button", name="Apply what is proven").click()
    await expect(page.get_by_role("heading", name="Mended")).to_be_visible()
    assert (await world.app.look(_repairs, source_id)) == ["applied"]
    await page.get_by_role("button", name="Take back").click()
    await expect(page.get_by_role("heading", name="Earlier")).to_be_visible()
    assert (await world.app.look(_repairs, source_id)) == ["taken_back"]


def _repairs(conn: Connection, source_id: int) -> list[str]:
    return [row.status for row in repairs.of_source(conn, source_id)]


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

    await world.app.do(refused)
    page = await world.operator()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto("/admin/adapters/product")
    await expect(page.get_by_text("price differs on 2 of 3 items")).to_be_visible()
    await expect(page.locator(".was")).to_have_text("12.50")
    await expect(page.locator(".is")).to_have_text("19.90")
    await page.get_by_role("button", name="The new values are right").click()
    await expect(page.get_by_role("status")).to_contain_text("is active")
    accepted = select(canaries.c.accepted_by).where(canaries.c.accepted_by.is_not(None))
    assert await world.app.look(lambda conn: conn.scalar(accepted)) == "ada"


async def test_the_same_thing_elsewhere_is_shown_and_told_apart(world: World) -> None:
    def linked(conn: Connection) -> tuple[int, int]:
        first = conn.scalar(select(func.min(records.c.id)).where(records.c.kind == "product"))
        source_id = conn.scalar(select(sources.c.id).where(sources.c.slug == "homes"))
        other = conn.scalar(
            select(func.max(records.c.id)).where(records.c.kind == "product", records.c.id != first)
        )
        assert isinstance(first, int)
        assert isinstance(other, int)
        conn.execute(update(records).where(records.c.id == other).values(source_id=source_id))
        entities.link(conn, first, other, who="test", now=world.app.clock.now())
        return first, other

    first, other = await world.app.do(linked)
    visitor = await world.visitor()
    await visitor.goto(f"/records/{first}")
    elsewhere = visitor.locator("section", has_text="The same thing elsewhere")
    await expect(elsewhere.locator(f'a[href="/records/{other}"]')).to_be_visible()
    page = await world.operator()
    await page.goto(f"/records/{first}")
    await page.get_by_role("button", name="This one is another thing").click()
    await expect(page.get_by_role("status")).to_contain_text("told apart")
    await visitor.reload()
    await expect(elsewhere).to_have_count(0)
