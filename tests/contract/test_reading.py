"""Work that only looks has a way of its own: it cannot write, and it waits for nobody who does."""

import asyncio
import shutil
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from larder.store.database import Database, open_database
from tests.contract.world import one, site


def add_site(conn: Connection, /) -> None:
    site(conn)


async def test_it_sees_what_was_committed(database: Database) -> None:
    await database.run(add_site)
    assert await database.read(one, "SELECT count(*) FROM sites") == 1


async def test_it_cannot_write(database: Database) -> None:
    with pytest.raises(DBAPIError):
        await database.read(add_site)
    assert await database.read(one, "SELECT count(*) FROM sites") == 0


async def test_on_sqlite_it_waits_for_no_writer(tmp_path: Path, migrated_sqlite: Path) -> None:
    """A writer is held in the middle of its work; readers come and go meanwhile, and see nothing of it."""
    database = open_database(f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / 'larder.db')}")
    loop, begun, over = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def slow(conn: Connection) -> None:
        site(conn)
        loop.call_soon_threadsafe(begun.set)
        over.wait()

    writing = asyncio.create_task(database.run(slow))
    await begun.wait()
    seen = {await database.read(one, "SELECT count(*) FROM sites") for _ in range(20)}
    over.set()
    await writing
    assert seen == {0}
    assert await database.read(one, "SELECT count(*) FROM sites") == 1
    await database.close()


async def test_many_look_at_once(database: Database) -> None:
    await database.run(add_site)
    looks = (database.read(one, "SELECT count(*) FROM sites") for _ in range(50))
    assert await asyncio.gather(*looks) == [1] * 50


async def test_a_look_that_failed_costs_no_other(database: Database) -> None:
    def fails(conn: Connection) -> None:
        one(conn, "SELECT count(*) FROM sites")
        raise ValueError("on the way")

    for _ in range(10):
        with pytest.raises(ValueError, match="on the way"):
            await database.read(fails)
    assert await database.read(one, "SELECT count(*) FROM sites") == 0
