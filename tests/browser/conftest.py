"""One world for each module of browser tests: opening it costs seconds, looking at it next to nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.browser.looks import sound
from tests.browser.world import Mode, World, opened

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a world go to the same worker, so that it is opened once."""
    for item in (each for each in items if each.path.parent == HERE):
        given = getattr(item, "callspec", None)
        mode = given.params.get("world", "") if given else ""
        item.add_marker(pytest.mark.xdist_group(f"{item.path.stem} {mode}"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, chromium: Path
) -> AsyncIterator[World]:
    """Looked at as the module says, or on a wide window by day."""
    mode = getattr(request, "param", Mode())
    async with opened(tmp_path_factory.mktemp("world"), chromium, mode) as found:
        yield found


@pytest_asyncio.fixture(loop_scope="module")
async def witnessed(request: pytest.FixtureRequest, world: World) -> AsyncIterator[None]:
    """What a test leaves on the screen is sound, and it pressed what it says it presses."""
    await world.close_pages()
    world.pressed.clear()
    yield
    for page in world.open_pages():
        await sound(page)
    await world.close_pages()
    said = {name for mark in request.node.iter_markers("presses") for name in mark.args}
    assert said - world.pressed == set()
