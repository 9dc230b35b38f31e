"""Runs: started by a click, followed live and page by page, held, stopped, taken back."""

import re

from playwright.async_api import Locator, Page, expect
from sqlalchemy import Connection, func, insert, select

from larder.actions.sources import sites
from larder.actions.sources.spec import SiteSpec
from larder.store.tables import errors, runs
from tests.browser.buttons import presses
from tests.browser.lists import ask, nothing_fits
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, LOCAL, World

pytestmark = BOTH_WAYS

STATE = "State and checkpoint"


async def test_a_run_tells_its_checkpoint_and_its_errors(world: World) -> None:
    run = await world.one(select(func.min(runs.c.id)).where(runs.c.status == "completed"))

    def broke(conn: Connection) -> None:
        said = {"category": "parse", "type": "Oops", "message": "a row without an end", "stage": "parse"}
        conn.execute(insert(errors).values(at=world.app.clock.now(), run_id=run, source_id=1, **said))

    await world.app.run(broke)
    page = await world.operator()
    await page.goto(f"/admin/runs/{run}")
    await expect(page.get_by_role("row", name=re.compile("a row without an end"))).to_be_visible()
    await page.get_by_text(STATE).click()
    await expect(page.get_by_role("heading", name="Checkpoint")).to_be_visible()


@presses("/admin/runs/*/void", "/admin/runs/*/unvoid")
async def test_a_run_is_voided_and_counts_again(world: World) -> None:
    page = await world.operator()
    run = await world.one(select(func.min(runs.c.id)).where(runs.c.status == "completed"))
    await page.goto(f"/admin/runs/{run}")
    await page.get_by_role("button", name="Void").click()
    await expect(page.get_by_role("status")).to_contain_text("is voided")
    await expect(_badge(page, "voided")).to_be_visible()
    assert await world.one(select(runs.c.voided_by).where(runs.c.id == run)) == "ada"
    await page.get_by_role("button", name="Restore").click()
    await expect(page.get_by_role("status")).to_contain_text("its values count again")
    assert await world.one(select(runs.c.voided_at).where(runs.c.id == run)) is None


async def test_runs_are_found_by_kind_status_and_source(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/runs")
    rows = await ask(page, {"Kind": "monitor"})
    await expect(rows.filter(has_text="goods").first).to_be_visible()
    await expect(rows.filter(has_not_text="monitor")).to_have_count(0)
    await ask(page, {"Kind": "", "Status": "completed", "Source": "homes"})
    await expect(rows.filter(has_text="homes").first).to_be_visible()
    await expect(rows.filter(has_not_text="homes")).to_have_count(0)
    await ask(page, {"Status": "failed"})
    await nothing_fits(page)


async def test_a_run_is_followed_down_to_one_page(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/runs?source=homes&kind=discovery")
    await page.get_by_role("link", name=re.compile(r"discovery \d+")).last.click()
    await page.get_by_role("link", name="All pages of this run").click()
    await page.locator("tbody a").last.click()
    await expect(page.get_by_role("heading", name="Fetch attempts")).to_be_visible()
    await expect(page.locator("tbody tr", has_text="http").first).to_contain_text("ok")
    await expect(page.get_by_text("<html").first).to_be_visible()


@presses("/admin/sources/*/run")
async def test_a_run_goes_on_before_ones_eyes_without_a_reload(world: World) -> None:
    page = await world.operator()
    number = await _sweep(page)
    await page.evaluate("window.neverReloaded = true")
    await expect(page.locator("h1")).to_have_text(f"Sweep {number}")
    await expect(_badge(page, "completed")).to_be_visible()
    certificate = page.locator("section", has_text="Coverage certificate")
    await expect(certificate.get_by_text("to the last page")).to_be_visible()
    await expect(page.get_by_role("link", name=re.compile(r"^index 1"))).to_be_visible()
    await expect(page.get_by_role("button", name="Void")).to_be_visible()
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert await page.evaluate("window.neverReloaded")
    assert await world.one(select(runs.c.status).where(runs.c.id == number)) == "completed"


@presses("/admin/sources/*/run", "/admin/runs/*/pause", "/admin/runs/*/resume", "/admin/runs/*/stop")
async def test_a_sweep_shows_its_pages_left_and_is_paused_resumed_and_stopped(world: World) -> None:
    """Comes last: what it asked of a site at so slow a pace would hold up whoever asks next."""
    await _pace(world, SiteSpec(spacing=30, at_once=1))
    page = await world.operator()
    number = await _sweep(page)
    await expect(page.get_by_text(re.compile(r"^Page \d+( of \d+)?$"))).to_be_visible()
    await expect(page.get_by_text(re.compile("limit: page 50|pages? left"))).to_be_visible()
    await sound(page)
    readers = [await _reading(world, page.url, by_mouse=by_mouse) for by_mouse in (True, False)]
    for button, status in (("Pause", "paused"), ("Resume", "running"), ("Stop", "stopped")):
        await page.get_by_role("button", name=button).click()
        await expect(_badge(page, status)).to_be_visible()
        await expect(_badge(readers[0], status)).to_be_visible()
        assert await world.one(select(runs.c.status).where(runs.c.id == number)) == status
    for reader in readers:
        await expect(_badge(reader, "stopped")).to_be_visible()
        await expect(reader.get_by_role("heading", name="Checkpoint")).to_be_visible()
        await expect(reader.get_by_text(STATE)).to_be_focused()
    await _pace(world, LOCAL)


async def _reading(world: World, url: str, *, by_mouse: bool) -> Page:
    """Somebody else who opened its state, which has the focus since, and looks on."""
    page = await world.operator()
    await page.goto(url)
    state = page.get_by_text(STATE)
    await (state.click() if by_mouse else state.press("Enter"))
    await expect(page.get_by_role("heading", name="Checkpoint")).to_be_visible()
    return page


async def _pace(world: World, spec: SiteSpec) -> None:
    await world.app.run(sites.change, "homes.test", spec, who="test", now=world.app.clock.now())


async def _sweep(page: Page) -> int:
    """Started by a click; its number."""
    await page.goto("/admin/sources/homes")
    await page.locator("tr", has_text="sweep").get_by_role("button", name="Run now").click()
    await page.wait_for_url(re.compile(r"/admin/runs/\d+$"))
    return int(page.url.rsplit("/", 1)[1])


def _badge(page: Page, text: str) -> Locator:
    return page.locator("main .badge").get_by_text(text, exact=True).first
