"""One world for each module of browser tests: opening it costs seconds, looking at it next to nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.browser.world import World, opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory, chromium: Path) -> AsyncIterator[World]:
    async with opened(tmp_path_factory.mktemp("world"), chromium) as found:
        yield found
