"""PostgreSQL: each unit of work has its own connection and is retried if it was rolled back."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from larder.store.database.ports import JSON, Version, Work

P = ParamSpec("P")
T = TypeVar("T")

RETRY_DELAYS = (0.0, 1.0, 5.0)
"""Seconds to wait before each retry of a unit of work whose connection was lost."""
_PATIENCE = {
    "server_settings": {
        "idle_in_transaction_session_timeout": "10s",
        "tcp_keepalives_idle": "10",
        "tcp_keepalives_interval": "5",
        "tcp_keepalives_count": "4",
    }
}


class PostgresDatabase:
    """PostgreSQL through asyncpg; each unit of work has its own connection.

    A unit of work that was rolled back (lost connection, deadlock) is retried. Where the answer to a commit
    was lost, the server is asked whether it committed. The server ends idle transactions, so that a frozen
    process does not hold its locks.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def run(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run on a pooled connection; retry where the connection is lost."""
        for wait in RETRY_DELAYS:
            try:
                return await self._once(lambda conn: work(conn, *args, **kwargs))
            except _UndoneError:
                await asyncio.sleep(wait)
        try:
            return await self._once(lambda conn: work(conn, *args, **kwargs))
        except _UndoneError as undone:
            raise undone.error from undone

    async def read(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run on a pooled read-only connection; retry where the connection is lost."""
        for wait in RETRY_DELAYS:
            try:
                return await self._look(lambda conn: work(conn, *args, **kwargs))
            except DBAPIError as error:
                if not (error.connection_invalidated or _refused(error)):
                    raise
                await asyncio.sleep(wait)
        return await self._look(lambda conn: work(conn, *args, **kwargs))

    async def _look(self, work: Callable[[Connection], T]) -> T:
        async with self._engine.connect() as conn:
            await conn.execution_options(postgresql_readonly=True)
            return await conn.run_sync(work)

    async def version(self) -> Version:
        """The current snapshot; changes with every transaction that begins or ends."""
        async with self._engine.connect() as conn:
            found = await conn.exec_driver_sql("SELECT CAST(pg_current_snapshot() AS text)")
            return str(found.scalar_one())

    async def _once(self, work: Callable[[Connection], T]) -> T:
        committing, number = False, None
        try:
            async with self._engine.connect() as conn:
                result = await conn.run_sync(work)
                number = await conn.scalar(text("SELECT txid_current_if_assigned()"))
                committing = True
                await conn.commit()
        except DBAPIError as error:
            lost = error.connection_invalidated
            if committing and lost and await self._came_through(number):
                return result
            if lost or _refused(error):
                raise _UndoneError(error) from error
            raise
        return result

    async def _came_through(self, number: int | None) -> bool:
        """Whether the transaction of that id was committed; one without an id wrote nothing."""
        if number is None:
            return True
        while True:
            async with self._engine.connect() as conn:
                status = await conn.scalar(text("SELECT txid_status(:number)"), {"number": number})
            if status != "in progress":
                return bool(status == "committed")
            await asyncio.sleep(RETRY_DELAYS[1])

    async def close(self) -> None:
        """Close the pool."""
        await self._engine.dispose()


class _UndoneError(Exception):
    """A unit of work was rolled back."""

    def __init__(self, error: DBAPIError) -> None:
        super().__init__(str(error))
        self.error = error


def _refused(error: DBAPIError) -> bool:
    """Rolled back for another reason than its content: deadlock, serialization failure, idle timeout."""
    state = str(getattr(error.orig, "sqlstate", ""))
    return state.startswith("40") or state == "25P03"


def open_postgres(url: str) -> PostgresDatabase:
    """The database on a server, through a pool."""
    return PostgresDatabase(
        create_async_engine(_async_url(url), pool_size=10, connect_args=_PATIENCE, **JSON)
    )


def _async_url(url: str) -> str:
    """The same PostgreSQL database, as SQLAlchemy's asyncpg wants it."""
    return "postgresql+asyncpg://" + url.split("://", 1)[1]
