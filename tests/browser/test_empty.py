"""A deployment with nothing in it: every list says what it is for, and what to do next."""

from collections.abc import AsyncIterator
from datetime import datetime

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browser.looks import wrong_with
from tests.browser.world import BOTH_WAYS, World, opened

pytestmark = BOTH_WAYS

PUBLIC = {"/": "No public records yet", "/events": "No events", "/map": "No locations"}
ADMIN = {
    "/": "No records yet",
    "/admin/alerts": "No open alerts",
    "/admin/runs": "No runs",
    "/admin/sources": "No sources yet",
    "/admin/sites": "No sites yet",
    "/admin/records": "No records",
    "/admin/targets": "No targets yet",
    "/admin/watches": "No watches yet",
    "/admin/candidates": "No candidates",
    "/admin/verification": "No checks yet",
    "/admin/quarantine": "No items in quarantine",
    "/admin/dead": "No dead letters",
    "/admin/errors": "No errors",
    "/admin/requests": "No failed requests",
    "/admin/proxies": "No proxies",
    "/admin/language-model": "No language model is configured",
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    browser: Browser,
    start: datetime,
) -> AsyncIterator[World]:
    """Just installed."""
    async with opened(tmp_path_factory.mktemp("bare"), browser, request.param, start) as found:
        yield found


async def test_a_visitor_is_told_that_nothing_is_there_yet(world: World) -> None:
    assert await _wrong(await world.visitor(), PUBLIC) == {}


async def test_an_operator_is_told_what_to_do_next_on_every_page(world: World) -> None:
    assert await _wrong(await world.operator(), ADMIN) == {}


async def test_the_first_page_leads_to_the_first_source(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin")
    await expect(page.get_by_role("heading", name="0 active records")).to_be_visible()
    await expect(page.get_by_text("No records yet. The first run of a source adds them.")).to_be_visible()
    await page.goto("/admin/sources")
    await page.get_by_role("link", name="Add the first source").click()
    await expect(page.get_by_label("Address of a page")).to_be_focused()


async def _wrong(page: Page, expected: dict[str, str]) -> dict[str, list[str]]:
    """By address: what is not as it should be."""
    found = {path: await _wrong_at(page, path, heading) for path, heading in expected.items()}
    return {path: wrong for path, wrong in found.items() if wrong}


async def _wrong_at(page: Page, path: str, heading: str) -> list[str]:
    await page.goto(path, wait_until="domcontentloaded")
    said = page.locator(".empty")
    await expect(said.get_by_role("heading", name=heading)).to_be_visible()
    explained = await said.locator("p").inner_text()
    return [*([] if len(explained) > 20 else ["it does not say what to do"]), *await wrong_with(page)]
