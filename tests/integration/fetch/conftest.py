"""What the tests of the fetch stage share."""

from collections.abc import AsyncIterator

import pytest

from tests.integration.fetch.hostile import Hostile, Stage, fetch_stage, hostile_server


@pytest.fixture
async def server() -> AsyncIterator[Hostile]:
    async with hostile_server() as hostile:
        yield hostile


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with fetch_stage() as ready:
        yield ready
