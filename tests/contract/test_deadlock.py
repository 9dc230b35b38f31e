"""Two units of work that lock each other out: the server ends one, and it is simply done again.

What people do to a run or a record never is such a one: it holds the lanes first, as drivers do.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, text, update

from larder.actions.dataset import corrections
from larder.actions.operations import runs
from larder.core.model.run import RunKind, RunStatus
from larder.store.database import Database
from larder.store.queue import lanes
from larder.store.queue import runs as stored_runs
from larder.store.tables import runs as runs_table
from tests.contract.world import HOUR, NOW, Pages, enqueue, one, rows, run, site, source, staged


async def test_the_loser_of_a_deadlock_is_tried_again(postgres: Database) -> None:
    await postgres.run(lambda conn: [site(conn, "a.test"), site(conn, "b.test")])
    tries: list[int] = []
    held: set[int] = set()

    async def cross(first: int, second: int) -> None:
        def work(conn: Connection) -> None:
            tries.append(first)
            touch = text("UPDATE sites SET notes = coalesce(notes, '') || 'x' WHERE id = :id")
            conn.execute(touch, {"id": first})
            held.add(first)
            while len(held) < 2:
                conn.execute(text("SELECT pg_sleep(0.01)"))
            conn.execute(touch, {"id": second})

        await postgres.run(work)

    await asyncio.gather(cross(1, 2), cross(2, 1))
    assert len(tries) > 2, "they did cross"
    assert await postgres.run(one, "SELECT count(*) FROM sites WHERE notes = 'xx'") == 2


def under_way(conn: Connection) -> None:
    """A discovery that is over, and a sweep with a page in line."""
    pages = Pages(conn, source(conn))
    first = run(conn, pages.source.id)
    pages.keep(pages.page(staged(1, price_minor=100, currency="EUR"), run_id=first))
    pages.keep(pages.page(staged(1, price_minor=90, currency="EUR"), run_id=first, at=NOW + HOUR))
    stored_runs.close(conn, first, RunStatus.COMPLETED, now=NOW)
    sweep = run(conn, pages.source.id, RunKind.SWEEP)
    state = {"sweep_start_page": 1, "page": 1, "passing": {"began_at": NOW.isoformat()}}
    conn.execute(update(runs_table).where(runs_table.c.id == sweep).values(state=state))
    enqueue(conn, sweep, ["http://homes.test/listing/1"], kind=RunKind.SWEEP)


def paused(conn: Connection, **given: Any) -> None:
    runs.pause(conn, 2, **given)


def resumed(conn: Connection, **given: Any) -> None:
    runs.resume(conn, 2, **given)


def stopped(conn: Connection, **given: Any) -> None:
    runs.stop(conn, 2, **given)


def voided(conn: Connection, **given: Any) -> None:
    corrections.void(conn, 1, **given)


def unvoided(conn: Connection, **given: Any) -> None:
    corrections.unvoid(conn, 1, **given)


def pinned(conn: Connection, **given: Any) -> None:
    corrections.pin(conn, 1, "title", "By hand", **given)


def erased(conn: Connection, **given: Any) -> None:
    corrections.erase(conn, 1, reason="asked to", **given)


BEFORE: dict[Callable[..., None], Callable[..., None]] = {resumed: paused, unvoided: voided}
WRITES = (
    "UPDATE runs SET heartbeat_at = heartbeat_at + 1",
    "UPDATE jobs SET updated_at = updated_at + 1",
    "UPDATE records SET times_seen = times_seen + 1",
    "UPDATE observations SET confirmed_at = confirmed_at + 1",
    "UPDATE schedules SET next_at = next_at + 1",
)
"""What a driver writes under the lanes it holds."""


@pytest.mark.parametrize("action", [paused, resumed, stopped, voided, unvoided, pinned, erased])
async def test_what_people_do_waits_for_the_driver_and_holds_nothing_that_it_needs(
    postgres: Database, action: Callable[..., None]
) -> None:
    given = {"who": "ann", "now": NOW + 2 * HOUR}
    await postgres.run(under_way)
    if action in BEFORE:
        await postgres.run(BEFORE[action], **given)
    tries: list[str] = []

    def once(conn: Connection) -> None:
        tries.append(action.__name__)
        action(conn, **given)

    engine = postgres._engine  # type: ignore[attr-defined]
    async with engine.connect() as driving:
        await driving.run_sync(lanes.lock, [1])
        waiting = asyncio.create_task(postgres.run(once))
        while not await postgres.run(one, "SELECT count(*) FROM pg_locks WHERE NOT granted"):
            assert not waiting.done(), "it did not wait for the driver"
        for statement in WRITES:
            await driving.execute(text(statement))
        await driving.commit()
        await waiting
    assert tries == [action.__name__], "neither had to give way to the other"
    assert await postgres.run(rows, "SELECT count(*) FROM audit") == [(1 + (action in BEFORE),)]
