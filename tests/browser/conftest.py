"""One world for each module of browser tests: opening it costs seconds, looking at it next to nothing."""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.browser.looks import fits, sound
from tests.browser.world import Mode, World, opened

HERE = Path(__file__).parent
EVERY = os.environ.get("LARDER_TEST_MODES") == "every"
LATER = frozenset(
    f"test_{each}" for each in ("browsing", "dataset", "empty", "reading", "sources", "trust", "waiting")
)
"""What these press is pressed over HTTP by contract tests, too."""
MODES = (Mode(), Mode(wide="phone", theme="dark"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that share a world go to the same worker, so that it is opened once.

    Every deed in both modes, and every page in all four, takes minutes: that is for `make prove`, which asks
    for every mode. Else modules that act take turns, some wait for it altogether, and pages are looked at by
    day on a wide window and by night on a phone.
    """
    ours = [each for each in items if each.path.parent == HERE]
    acting = sorted({each.path.stem for each in ours if "world" in _given(each)})
    turns = {stem: MODES[number % 2] for number, stem in enumerate(acting)}
    left_out = set()
    for item in ours:
        given = _given(item)
        item.add_marker(pytest.mark.xdist_group(f"{item.path.stem} {given.get('world', '')}"))
        wanted = [turns.get(item.path.stem)] if "world" in given else MODES
        mode = given.get("world", given.get("mode", wanted[0]))
        if not EVERY and (mode not in wanted or item.path.stem in LATER):
            left_out.add(item)
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [each for each in items if each not in left_out]


def _given(item: pytest.Item) -> dict[str, Any]:
    """What a test is parametrised with."""
    found = getattr(item, "callspec", None)
    return dict(found.params) if found else {}


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
    """What a test leaves on the screen fits (with every mode: is sound), and it pressed what it says."""
    await world.close_pages()
    world.pressed.clear()
    yield
    for page in world.open_pages():
        await (sound(page) if EVERY else fits(page))
    await world.close_pages()
    said = {name for mark in request.node.iter_markers("presses") for name in mark.args}
    assert said - world.pressed == set()
