"""Requests are counted by hour and purpose; an hour takes the place of the same hour of yesterday."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from larder.core.model.job import Purpose
from larder.store.database import Database
from larder.store.queue import request_hours, sources

HOUR = timedelta(hours=1)
NOW = datetime(2026, 3, 2, 10, 20, tzinfo=UTC)


async def added(database: Database, slug: str) -> int:
    row = {"slug": slug, "kind": "listing", "url": f"https://{slug}.test/", "adapter": "listing"}
    return await database.run(sources.add, row, now=NOW)


async def test_requests_add_up_within_a_day(database: Database) -> None:
    one, other = await added(database, "one"), await added(database, "other")
    for ago, many in ((24, 100), (23, 7), (1, 5), (0, 2), (0, 1)):
        made = {(one, Purpose.INDEX): many, (one, Purpose.CHECK): 1, (other, Purpose.DETAIL): 1}
        await database.run(request_hours.add, made, now=NOW - ago * HOUR)
    spent = await database.run(request_hours.spent, one, now=NOW)
    assert (spent.requests, spent.checks) == (19, 4)
    assert spent.hours == pytest.approx(23 + 1 / 3)
    spent = await database.run(request_hours.spent, other, now=NOW)
    assert (spent.requests, spent.checks) == (4, 0)


async def test_a_source_that_asked_nothing_spent_nothing(database: Database) -> None:
    spent = await database.run(request_hours.spent, await added(database, "one"), now=NOW)
    assert (spent.requests, spent.checks) == (0, 0)
    assert spent.hours < 1


async def test_drivers_that_count_at_once_do_not_wait_for_each_other(database: Database) -> None:
    made = {(await added(database, f"s{n}"), Purpose.INDEX): 1 for n in range(40)}
    turned = dict(reversed(made.items()))
    await asyncio.gather(*(database.run(request_hours.add, each, now=NOW) for each in [made, turned] * 10))
    counts = [(await database.run(request_hours.spent, source, now=NOW)).requests for source, _ in made]
    assert counts == [20] * 40
