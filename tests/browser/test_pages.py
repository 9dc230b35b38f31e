"""Every page, at both widths and in both themes: it loads, it fits, and everybody can use it."""

from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import Connection, func, select

from larder.actions.dataset import watches
from larder.store.reads.query import Query
from larder.store.tables import images, quarantine, records, runs
from tests.browser.buttons import named, pages, presses
from tests.browser.looks import COLOURS, LAYOUT, wrong_with
from tests.browser.world import IN_A_BROWSER, THEMES, WIDTHS, Mode, World

pytestmark = IN_A_BROWSER

NOWHERE = "/nothing-here"
PUBLIC = (
    "/",
    "/?kind=product",
    "/?q=met",
    "/?kind=listing&q=zzzz",
    "/events",
    "/map",
    "/sign-in",
    NOWHERE,
)
ADMIN = (
    "", "/alerts", "/alerts?all=1", "/runs", "/sources", "/sources/homes", "/sources/homes/profile",
    "/sources/new", "/sites", "/sites/homes.test", "/records", "/targets", "/candidates", "/verification",
    "/adapters", "/adapters/listing", "/quarantine", "/dead", "/errors", "/requests", "/proxies", "/keys",
    "/audit", "/language-model",
)  # fmt: skip
ELSEWHERE = {
    "/images/*",
    "/records.csv",
    "/admin/records/records.csv",
    "/admin/records/prices.csv",
    "/admin/live/overview",
    "/admin/live/runs",
    "/admin/live/runs/*",
    "/admin/live/sources/*",
    "/admin/sources/*/healing",
    "/admin/sources/new/preview",
}
"""Files, live parts of pages that are visited, and two pages that a deed leads to; each has its own test."""


PARTS = 4
"""Pages are visited in so many tests, so that none takes long."""


@pytest.mark.parametrize("part", range(PARTS))
async def test_every_page_is_whole_and_accessible(world: World, part: int) -> None:
    page = await world.operator()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    found: dict[str, Any] = {}
    for path in (await _every(world))[part::PARTS]:
        said.clear()
        response = await page.goto(path, wait_until="domcontentloaded")
        assert response is not None
        status = response.status
        wrong = [*_unexpected(said, status), *await _wrong_in_any_mode(page)]
        if wrong or status != (404 if path == NOWHERE else 200):
            found[path] = [status, *wrong]
    assert found == {}


async def _wrong_in_any_mode(page: Page) -> list[str]:
    """At both widths and in both themes: all rules once, and then those that the mode can break."""
    wrong = []
    for wide, theme in product(WIDTHS, THEMES):
        await page.set_viewport_size(WIDTHS[wide])
        await page.emulate_media(color_scheme=theme)
        asked = COLOURS if theme == "dark" else LAYOUT if wide == "phone" else ()
        found = await wrong_with(page, asked)
        wrong += [f"{wide}, {theme}: {each}" for each in found]
    return wrong


async def test_no_page_is_left_out(world: World) -> None:
    visited = {named(path.split("?")[0], "GET") for path in await _every(world) if path != NOWHERE}
    assert pages() - visited == ELSEWHERE


async def _every(world: World) -> list[str]:
    return [*PUBLIC, *(f"/admin{each}" for each in ADMIN), *await _single(world)]


async def _single(world: World) -> list[str]:
    """A page about one thing each."""

    def some(conn: Connection) -> list[str]:
        asked = Query(text="home", price_max=Decimal(1200))
        watch = watches.add(conn, "Cheap homes", asked, who="ada", now=world.app.clock.now())
        first = conn.execute(select(records.c.kind, func.min(records.c.id)).group_by(records.c.kind))
        run, item = conn.scalar(select(func.min(runs.c.id))), conn.scalar(select(func.min(quarantine.c.id)))
        return [
            *(f"/records/{row[1]}" for row in first),
            f"/admin/runs/{run}",
            f"/admin/runs/{run}/pages",
            "/admin/pages/1",
            "/admin/watches",
            f"/admin/watches/{watch.id}",
            f"/admin/quarantine/{item}",
            "/admin/dead/1",
        ]

    return await world.app.run(some)


def _unexpected(said: list[str], status: int) -> list[str]:
    """What the browser complained of; that a page is not there is no complaint of ours."""
    return [each for each in said if not (status == 404 and "404" in each)]


async def test_pages_are_readable_without_scripts(world: World) -> None:
    page = await world.operator(scripts=False)
    await page.goto("/")
    assert await page.locator(".card").count() > 5
    first = page.locator(".card h3 a").first
    title = await first.inner_text()
    await first.click()
    await expect(page.locator("h1")).to_have_text(title)
    await page.goto("/admin/runs")
    assert await page.locator("tbody tr").count() >= 3


async def test_the_keyboard_reaches_the_search_and_the_content(world: World) -> None:
    page = await world.visitor()
    await page.goto("/")
    await page.keyboard.press("/")
    assert await page.evaluate("document.activeElement.name") == "q"
    await page.goto("/")
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.textContent") == "Skip to content"


async def test_on_a_phone_the_menu_opens_and_leads_on(world: World) -> None:
    page = await world.operator(Mode(wide="phone", theme="dark"))
    await page.goto("/admin")
    menu = page.get_by_role("navigation", name="Admin")
    await expect(menu).to_be_hidden()
    await page.get_by_text("Menu", exact=True).click()
    assert await wrong_with(page) == []
    await menu.get_by_role("link", name="Quarantine").click()
    await expect(page.locator("h1")).to_have_text("Quarantine")


@pytest.mark.usefixtures("witnessed")
@presses("/theme")
async def test_the_theme_is_the_visitors_own_choice(world: World) -> None:
    page = await world.visitor()
    await page.goto("/events")
    await page.get_by_role("button", name="Use the dark theme").click()
    await expect(page.locator("html")).to_have_css("background-color", "rgb(21, 24, 26)")
    await expect(page.get_by_role("button", name="Use the light theme")).to_be_visible()
    assert page.url.endswith("/events")


async def test_stored_images_are_shown_from_our_own_store(world: World) -> None:
    stored = select(images.c.record_id).where(images.c.content_hash.is_not(None)).limit(1)
    record = await world.until(lambda conn: conn.scalar(stored))
    page = await world.visitor()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(f"/records/{record}", wait_until="networkidle")
    shown = page.locator(".photos img").first
    assert await shown.evaluate("each => each.naturalWidth") > 0
    assert [url for url in asked if not url.startswith(world.address)] == []
    assert (await page.request.get("/images/999999")).status == 404
