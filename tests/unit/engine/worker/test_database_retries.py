"""How patient a database is with itself, fault by fault; in virtual time."""

import sqlite3
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from larder.engine.clock import VirtualClock
from larder.engine.worker.database_retries import RetryingDatabase
from larder.sim.virtual import run_inline
from larder.store.database import InlineDatabase, inline_database

START = datetime(2026, 3, 2, tzinfo=UTC)


def said_by_sqlite(error: sqlite3.Error, name: str = "") -> DBAPIError:
    if name:
        error.sqlite_errorname = name
    wrapped: DBAPIError = DBAPIError.instance("INSERT", None, error, sqlite3.Error)  # type: ignore[assignment]
    return wrapped


WRITE = said_by_sqlite(sqlite3.OperationalError("database is locked"))
CONNECTION = ConnectionRefusedError("nobody there")
UNIQUE = said_by_sqlite(sqlite3.IntegrityError("UNIQUE"), "SQLITE_CONSTRAINT_UNIQUE")
FOREIGN_KEY = said_by_sqlite(sqlite3.IntegrityError("FOREIGN KEY"), "SQLITE_CONSTRAINT_FOREIGNKEY")
FULL = said_by_sqlite(sqlite3.OperationalError("database or disk is full"))
OURS = ValueError("what is this?")


class Troubled:
    """A database that fails in the given ways, one after the other, and then works."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.tries = 0
        self.inner: InlineDatabase = inline_database()

    async def run(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.tries += 1
        if self.errors:
            raise self.errors.pop(0)
        return await self.inner.run(work, *args, **kwargs)

    async def read(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return await self.run(work, *args, **kwargs)

    async def close(self) -> None:
        await self.inner.close()


def answer_of(conn: Connection) -> int:
    answer: int = conn.exec_driver_sql("SELECT 42").scalar_one()
    return answer


def waited(*errors: Exception) -> tuple[timedelta, int]:
    """How long a work waited in all until it was done, and how often it was tried."""
    clock, troubled = VirtualClock(START), Troubled(*errors)
    assert run_inline(RetryingDatabase(troubled, clock).run(answer_of)) == 42
    return clock.now() - START, troubled.tries


@pytest.mark.parametrize(
    ("errors", "seconds"),
    [
        pytest.param([WRITE], 10, id="a refused write, once"),
        pytest.param([WRITE] * 2, 20, id="a refused write, twice"),
        pytest.param([CONNECTION], 1, id="a lost connection, once"),
        pytest.param([CONNECTION] * 2, 3, id="a lost connection, twice"),
        pytest.param([CONNECTION] * 3, 7, id="a lost connection, three times"),
        pytest.param([WRITE, CONNECTION, WRITE, CONNECTION], 23, id="each kind has a count of its own"),
    ],
)
def test_what_may_pass_is_waited_for(errors: list[Exception], seconds: int) -> None:
    assert waited(*errors) == (timedelta(seconds=seconds), len(errors) + 1)


@pytest.mark.parametrize(
    ("error", "tries", "seconds"),
    [
        pytest.param(WRITE, 3, 20, id="refused for good"),
        pytest.param(CONNECTION, 4, 7, id="nobody there for good"),
        pytest.param(UNIQUE, 1, 0, id="doubled"),
        pytest.param(FOREIGN_KEY, 1, 0, id="orphaned"),
        pytest.param(FULL, 1, 0, id="a full disk is a person's job at once"),
        pytest.param(OURS, 1, 0, id="a bug of ours"),
    ],
)
def test_what_does_not_pass_is_told_as_it_came(error: Exception, tries: int, seconds: int) -> None:
    clock, troubled = VirtualClock(START), Troubled(*[error] * 10)
    with pytest.raises(type(error)) as raised:
        run_inline(RetryingDatabase(troubled, clock).run(answer_of))
    assert raised.value is error
    assert (troubled.tries, clock.now() - START) == (tries, timedelta(seconds=seconds))


def test_a_look_is_not_waited_for() -> None:
    clock, troubled = VirtualClock(START), Troubled(CONNECTION)
    with pytest.raises(ConnectionRefusedError):
        run_inline(RetryingDatabase(troubled, clock).read(answer_of))
    assert clock.now() == START
