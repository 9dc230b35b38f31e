"""A site that misleads is added by its address alone and read once: its profile is learned from that run."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from larder.core.model.source import Kind
from tests.acceptance.any_site import read_once
from tests.acceptance.conftest import PATIENCE, Shell, Up
from tests.platform_sites import MISLEADING, SHAPES, Shape
from tests.platform_sites.server import HOST, ShapeServer, serving

SHOP = MISLEADING[0]
TRUTH = {thing.title: int((thing.price or 0) * 100) for thing in SHOP.things}
PRICES = "SELECT title, price_minor FROM records"
READ_AGAIN = """
SELECT 1 FROM facts WHERE name LIKE 'profile_attempt:%'
  AND NOT EXISTS (SELECT 1 FROM facts WHERE name LIKE 'profile_replay:%')
"""
LEARNED = "SELECT who, details FROM audit WHERE action = 'site profile'"


@pytest.fixture
def shop() -> Iterator[ShapeServer]:
    with serving(SHOP) as server:
        yield server


@pytest.mark.parametrize("shape", MISLEADING, ids=lambda shape: shape.name)
def test_one_run_of_a_misleading_site_is_read_right(shape: Shape, tmp_path: Path) -> None:
    """Requests are those of the run itself, and the audit log names who decided."""
    found = read_once(shape, tmp_path)

    assert (found.recall, found.titles, found.prices, found.dates) == (1, 1, 1, 1), found
    assert (found.doubled, found.invented, found.asked_twice) == (0, 0, []), found
    assert found.requests == 1, found
    assert found.status == "completed", found.run
    ((who, details),) = _ask(tmp_path, LEARNED)
    assert (who, json.loads(details)) == ("learning", {"reading": "profile"})


@pytest.mark.parametrize("kind", Kind)
def test_a_site_that_is_read_right_is_left_as_it_is(kind: Kind, tmp_path: Path) -> None:
    """No profile, no other version, nothing read again."""
    shape = next(shape for name, shape in sorted(SHAPES.items()) if shape.kind is kind)
    found = read_once(shape, tmp_path)

    assert (found.recall, found.prices, found.dates, found.requests <= 1) == (1, 1, 1, True), found
    assert _ask(tmp_path, LEARNED) == []
    assert _ask(tmp_path, "SELECT count(*) FROM versions WHERE voided_at IS NOT NULL") == [(0,)]
    ((params,),) = _ask(tmp_path, "SELECT params FROM sources")
    assert not {"profile", "selectors"} & json.loads(params or "{}").keys()
    ((attempt,),) = _ask(tmp_path, "SELECT value FROM facts WHERE name = 'profile_attempt:1'")
    assert json.loads(attempt)["result"] == "nothing better"


async def test_a_tick_learns_before_it_ends(larder: Shell, shop: ShapeServer) -> None:
    await _add(larder, shop)

    await larder("tick", "--budget", "60s")

    assert dict(await larder.ask(PRICES)) == TRUTH


async def test_a_running_larder_learns_beside_its_work(larder: Shell, shop: ShapeServer) -> None:
    """With Celery another process learns, and what it logs is not in the output of `up`."""
    await _add(larder, shop)
    running = Up(process=await larder.start("up", "--json"))

    await running.until("run ended")
    async with asyncio.timeout(PATIENCE):
        while not await larder.ask(READ_AGAIN):
            await larder("status")

    assert await running.end() == 0
    assert dict(await larder.ask(PRICES)) == TRUTH


async def _add(larder: Shell, server: ShapeServer) -> None:
    await larder("source", "add", server.address, "--kind", SHOP.kind, "--terms-reviewed", "--local")
    await larder("site", "set", HOST, "--spacing", "1ms")


def _ask(folder: Path, sql: str) -> list[Any]:
    (database,) = folder.rglob("larder.db")
    with sqlite3.connect(database) as rows:
        return rows.execute(sql).fetchall()
