"""Connections to PostgreSQL that end at the worst moment: before the commit, or with its answer unheard."""

import asyncio
import threading
from collections.abc import AsyncIterator

import asyncpg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from larder.store.database import Database, is_away, open_database


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


async def test_a_commit_whose_answer_is_lost_is_not_guessed_about(
    postgres: Database, fresh_postgres: str
) -> None:
    tries = []

    def work(conn: Connection) -> None:
        tries.append(1)
        pid = conn.execute(text("SELECT pg_backend_pid()")).scalar_one()
        ending = threading.Thread(target=asyncio.run, args=(_terminate(fresh_postgres, pid),))
        ending.start()
        ending.join()

    with pytest.raises(DBAPIError) as lost:
        await postgres.run(work)
    assert tries == [1]
    assert is_away(lost.value)


async def _terminate(url: str, pid: int) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("SELECT pg_terminate_backend($1, 5000)", pid)
    await connection.close()


async def test_a_transaction_that_stands_still_is_ended_before_a_lease_is(postgres: Database) -> None:
    def patience(conn: Connection) -> str:
        return str(conn.execute(text("SHOW idle_in_transaction_session_timeout")).scalar_one())

    assert await postgres.run(patience) == "10s"
