"""Connections to PostgreSQL that end at the worst moment: before the commit, or with its answer unheard."""

import asyncio
import threading
from collections.abc import AsyncIterator

import asyncpg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from larder.store.database import Database, open_database


@pytest.fixture
async def postgres(fresh_postgres: str) -> AsyncIterator[Database]:
    database = open_database(fresh_postgres)
    yield database
    await database.close()


async def test_work_whose_connection_was_lost_is_done_again(postgres: Database) -> None:
    tries = []

    def work(conn: Connection) -> int:
        tries.append(1)
        if len(tries) == 1:
            conn.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        return len(tries)

    assert await postgres.run(work) == 2


async def test_a_commit_that_did_not_come_through_is_done_again(
    postgres: Database, fresh_postgres: str, table: str
) -> None:
    tries = []

    def work(conn: Connection) -> int:
        tries.append(1)
        conn.execute(text(f"INSERT INTO {table} VALUES (1)"))
        pid = conn.execute(text("SELECT pg_backend_pid()")).scalar_one()
        if len(tries) == 1:
            ending = threading.Thread(target=asyncio.run, args=(_terminate(fresh_postgres, pid),))
            ending.start()
            ending.join()
        return len(tries)

    assert await postgres.run(work) == 2
    assert await postgres.run(_counted, table) == 1


async def test_a_commit_whose_answer_is_lost_is_asked_about(
    postgres: Database, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = AsyncConnection.commit

    async def unheard(conn: AsyncConnection) -> None:
        await commit(conn)
        monkeypatch.undo()
        raise DBAPIError("COMMIT", None, ConnectionError("gone"), connection_invalidated=True)

    def work(conn: Connection) -> str:
        conn.execute(text(f"INSERT INTO {table} VALUES (1)"))
        return "done"

    monkeypatch.setattr(AsyncConnection, "commit", unheard)
    assert await postgres.run(work) == "done"
    assert await postgres.run(_counted, table) == 1


@pytest.fixture
async def table(postgres: Database) -> str:
    def make(conn: Connection) -> None:
        conn.execute(text("CREATE TABLE told (n int)"))

    await postgres.run(make)
    return "told"


def _counted(conn: Connection, table: str) -> int:
    counted: int = conn.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
    return counted


async def _terminate(url: str, pid: int) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("SELECT pg_terminate_backend($1, 5000)", pid)
    await connection.close()


async def test_a_transaction_that_stands_still_is_ended_before_a_lease_is(postgres: Database) -> None:
    def max_wait(conn: Connection) -> str:
        return str(conn.execute(text("SHOW idle_in_transaction_session_timeout")).scalar_one())

    assert await postgres.run(max_wait) == "10s"
