"""One browser for a worker, one world for a module: opening them costs seconds, looking next to nothing."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree, which

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from larder.stages.fetch.browser.process import PLAIN
from tests.browser.looks import sound
from tests.browser.world import Mode, World, opened, stock

expect.set_options(timeout=60_000)
"""Milliseconds: a busy machine is slow, and no test measures time."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: Path) -> AsyncIterator[Browser]:
    """One for all tests of a worker; each visitor has a profile of their own.

    Where it is installed, Chromium without windows: it takes a quarter less CPU for the same pages.
    """
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(
            executable_path=which("chromium-headless-shell") or chromium,
            args=["--no-sandbox", "--disable-gpu", PLAIN],
        )
        yield found
        await found.close()


@pytest.fixture(scope="session")
def start() -> datetime:
    """When the made-up sites stand still."""
    return datetime.now(UTC).replace(microsecond=0)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stocked(tmp_path_factory: pytest.TempPathFactory, start: datetime) -> Path:
    """The folder of a deployment whose sources ran once."""
    folder = tmp_path_factory.mktemp("stocked")
    await stock(folder, start)
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    browser: Browser,
    stocked: Path,
    start: datetime,
) -> AsyncIterator[World]:
    """A copy of the stocked one, looked at as the module says, or on a wide window by day."""
    folder = copytree(stocked, tmp_path_factory.mktemp("world"), dirs_exist_ok=True)
    async with opened(folder, browser, getattr(request, "param", Mode()), start) as found:
        yield found


@pytest_asyncio.fixture(loop_scope="session")
async def witnessed(request: pytest.FixtureRequest, world: World) -> AsyncIterator[None]:
    """What a test leaves on the screen is sound, and it pressed what it says."""
    await world.close_pages()
    world.pressed.clear()
    yield
    for page in world.open_pages():
        await sound(page)
    await world.close_pages()
    said = {name for mark in request.node.iter_markers("presses") for name in mark.args}
    assert said - world.pressed == set()
