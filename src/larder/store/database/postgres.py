"""PostgreSQL: each unit of work has its own connection and is retried if it was rolled back."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.util import greenlet_spawn

from larder.store.database.change_listener import ChangeListener
from larder.store.database.ports import JSON, LAST_CHANGE, UnitOfWork, Version
from larder.store.database.statement import Statement

P = ParamSpec("P")
T = TypeVar("T")

RETRY_DELAYS = (0.0, 1.0, 5.0)
"""Seconds to wait before each retry of a unit of work whose connection was lost."""
IDLE_IN_TRANSACTION = "10s"
_KEEPALIVES = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "4"}
NO_PREPARED_STATEMENTS = "prepared_statement_cache_size"
"""Set to 0 in the URL if a pooler gives each transaction another connection, as PgBouncer does."""


class PostgresDatabase:
    """PostgreSQL through asyncpg; each unit of work has its own connection.

    A unit of work that was rolled back (lost connection, deadlock) is retried. If the answer to a commit was
    lost, the server is queried whether it committed. The server ends idle transactions, so that a frozen
    process does not hold its locks. `reading`: connections that refuse to write; their statements need no
    transaction. A pooler forwards no settings when a connection starts: `limits` are then set at the begin of
    each transaction, of reads as well.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        reading: AsyncEngine | None = None,
        limits: Mapping[str, str] | None = None,
    ) -> None:
        self._engine = engine
        self._reading = reading
        self._limits = limits or {}
        self._commits = 0
        self._listener = None if reading is None else ChangeListener(engine)  # a pooler forwards none

    async def run(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run on a pooled connection; retry if the connection is lost."""
        for wait in RETRY_DELAYS:
            try:
                return await self._once(lambda conn: work(conn, *args, **kwargs))
            except _UndoneError:
                await asyncio.sleep(wait)
        try:
            return await self._once(lambda conn: work(conn, *args, **kwargs))
        except _UndoneError as undone:
            raise undone.error from undone

    async def read(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run on a pooled read-only connection; retry if the connection is lost."""
        for wait in RETRY_DELAYS:
            try:
                return await self._read_only(lambda conn: work(conn, *args, **kwargs))
            except DBAPIError as error:
                if not (error.connection_invalidated or _refused(error)):
                    raise
                await asyncio.sleep(wait)
        return await self._read_only(lambda conn: work(conn, *args, **kwargs))

    async def _read_only(self, work: Callable[[Connection], T]) -> T:
        if self._reading is not None:
            async with self._reading.connect() as conn:
                return await conn.run_sync(work)
        async with self._engine.connect() as conn:
            await conn.execution_options(postgresql_readonly=True)
            await conn.run_sync(self._limit)
            return await conn.run_sync(work)

    def _limit(self, conn: Connection) -> None:
        if self._limits:
            settings = (f"set_config('{name}', '{value}', true)" for name, value in self._limits.items())
            conn.exec_driver_sql(f"SELECT {', '.join(settings)}").close()

    async def version(self) -> Version:
        """The current snapshot, which changes with every transaction that begins or ends; one round trip."""
        async with (self._reading or self._engine).connect() as conn:
            if self._reading is None:
                await conn.execution_options(isolation_level="AUTOCOMMIT")
            found = await conn.exec_driver_sql(_VERSION)
            row: Sequence[Any] = found.one()
            return Version(row[0], (self._commits, row[1]))

    def changes_announced(self) -> tuple[int, int] | None:
        """Commits of this process, and operators' changes of any.

        None while the listener is not connected.
        """
        announced = None if self._listener is None else self._listener.count
        return None if announced is None else (self._commits, announced)

    async def _once(self, work: Callable[[Connection], T]) -> T:
        """Run in one greenlet: each switch into another one costs as much as several statements."""
        ending = _Ending()
        try:
            return await greenlet_spawn(self._transaction, work, ending)
        except DBAPIError as error:
            connection_lost = error.connection_invalidated
            if ending.begun and connection_lost and await self._is_committed(ending.number):
                return cast("T", ending.result)
            if connection_lost or _refused(error):
                raise _UndoneError(error) from error
            raise
        finally:
            self._commits += 1

    def _transaction(self, work: Callable[[Connection], T], ending: "_Ending") -> T:
        with self._engine.sync_engine.connect() as conn:
            self._limit(conn)
            ending.result = result = work(conn)
            ending.number = _TRANSACTION(conn)[0]
            ending.begun = True
            conn.commit()
        return result

    async def _is_committed(self, number: int | None) -> bool:
        """Whether the transaction with that id was committed; one without an id wrote nothing."""
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
        if self._listener is not None:
            await self._listener.close()
        await self._engine.dispose()
        if self._reading is not None:
            await self._reading.dispose()


_VERSION = f"SELECT CAST(pg_current_snapshot() AS text), ({LAST_CHANGE})"


_TRANSACTION: Statement[int | None] = Statement("SELECT txid_current_if_assigned() AS id", scalar=int)


@dataclass(slots=True)
class _Ending:
    """The progress of a unit of work: its result and its transaction's id, once its commit is sent."""

    result: object = None
    number: int | None = None
    begun: bool = False


class _UndoneError(Exception):
    """A unit of work was rolled back."""

    def __init__(self, error: DBAPIError) -> None:
        super().__init__(str(error))
        self.error = error


def _refused(error: DBAPIError) -> bool:
    """Whether it was rolled back for a reason other than its content.

    Deadlock, serialization failure, idle timeout.
    """
    state = str(getattr(error.orig, "sqlstate", ""))
    return state.startswith("40") or state == "25P03"


def open_postgres(url: str, *, statement_seconds: float) -> PostgresDatabase:
    """The database on a server, through a pool; a statement that takes longer is cancelled (0: never)."""
    limits = {
        "jit": "off",  # statements are short: compiling them costs more than running them
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION,
        "statement_timeout": str(round(statement_seconds * 1000)),
    }
    if make_url(url).query.get(NO_PREPARED_STATEMENTS) == "0":
        return PostgresDatabase(_engine(url, {}, **_UNPREPARED), limits=limits)
    settings = {**limits, **_KEEPALIVES}
    reading = _engine(url, _READING, server_settings={**settings, "default_transaction_read_only": "on"})
    return PostgresDatabase(_engine(url, {}, server_settings=settings), reading=reading)


_READING: dict[str, Any] = {"isolation_level": "AUTOCOMMIT", "pool_size": 8, "max_overflow": 0}
"""More concurrent connections would only wait for each other in the server."""
_PREPARED: dict[str, Any] = {"statement_cache_size": 500}
"""A driver has more statements than the hundred that asyncpg caches."""
_UNPREPARED: dict[str, Any] = {"statement_cache_size": 0, "prepared_statement_name_func": lambda: ""}
"""An unnamed statement lasts until the next one, so that nothing remains on a shared connection."""


def _engine(url: str, options: Mapping[str, Any], **connect_args: Any) -> AsyncEngine:
    """An engine that uses the last used connection first: it has its statements prepared."""
    pool: dict[str, Any] = {"pool_size": 10, "pool_use_lifo": True, **options}
    return create_async_engine(_async_url(url), connect_args={**_PREPARED, **connect_args}, **pool, **JSON)


def _async_url(url: str) -> str:
    """The same PostgreSQL database as a URL for SQLAlchemy's asyncpg dialect."""
    return "postgresql+asyncpg://" + url.split("://", 1)[1]
