"""Where a unit of work runs.

A unit of work is a plain function over a connection: it commits as a whole or not at all. Three places
can run it: one writer thread on SQLite, `run_sync` on PostgreSQL, and the caller itself (`inline`),
which is how virtual time needs neither a thread nor a loop. Work that only looks has a way of its own,
`read`, on which the database itself refuses to write.
"""

import asyncio
import queue
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, runtime_checkable

from sqlalchemy import Connection, Engine, NullPool, PoolProxiedConnection, create_engine, event, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from larder.core.errors import Unusable
from larder.store import holdable
from larder.store.statement import loads
from larder.store.tables.columns import moment

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[Concatenate[Connection, P], T]

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 30000",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -65536",
)

READERS = 4
"""Threads that look things up in SQLite while one writes."""

RECONNECT = (0.0, 1.0, 5.0)
"""Seconds to wait before a unit of work whose connection was lost is tried again."""
_PATIENCE = {
    "server_settings": {
        "idle_in_transaction_session_timeout": "10s",
        "tcp_keepalives_idle": "10",
        "tcp_keepalives_interval": "5",
        "tcp_keepalives_count": "4",
    }
}


class Database(Protocol):
    """A place to run units of work."""

    async def run(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(connection, …)` in one transaction and give back what it gives."""
        ...

    async def read(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for work that only looks: it waits for no writer, and no writer for it."""
        ...

    async def close(self) -> None:
        """Let go of every connection."""
        ...


Version = int | str
"""Another one after each commit, whoever made it."""


@runtime_checkable
class Versioned(Protocol):
    """A database that can say whether anything was committed since it was asked last."""

    async def version(self) -> Version:
        """Its version now."""
        ...


class InlineDatabase:
    """SQLite in the caller's own thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._conn = engine.connect()

    async def run(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run at once."""
        return self.now(work, *args, **kwargs)

    async def read(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run at once: there is nobody to wait for."""
        return self.now(work, *args, **kwargs)

    def now(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The same without a coroutine."""
        with self._conn.begin():
            return work(self._conn, *args, **kwargs)

    async def close(self) -> None:
        """Close the one connection."""
        self._conn.close()
        self._engine.dispose()


class SqliteDatabase:
    """SQLite behind one writer thread and a few that read: the event loop never waits for the disk."""

    def __init__(self, engine: Engine, reading: Engine) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="larder-sqlite")
        self._engine = engine
        self._inline: InlineDatabase | None = None
        self._reading = reading
        self._readers = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="larder-reader")
        self._idle: queue.SimpleQueue[InlineDatabase] = queue.SimpleQueue()
        self._witness: PoolProxiedConnection | None = None

    async def run(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run in the writer thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: self._work(work, *args, **kwargs))

    def _work(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if self._inline is None:
            self._inline = InlineDatabase(self._engine)
        return self._inline.now(work, *args, **kwargs)

    async def read(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run in a reader's thread, on what was committed when it began."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, lambda: self._look(work, *args, **kwargs))

    def _look(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            reader = self._idle.get_nowait()
        except queue.Empty:
            reader = InlineDatabase(self._reading)
        try:
            return reader.now(work, *args, **kwargs)
        finally:
            self._idle.put(reader)

    async def version(self) -> Version:
        """Looked up in memory that all connections share: no thread, no disk."""
        if self._witness is None:
            self._witness = self._reading.raw_connection()
        driver = cast("sqlite3.Connection", self._witness.driver_connection)
        ((found,),) = driver.execute("PRAGMA data_version")
        return int(found)

    async def close(self) -> None:
        """Finish what is queued, then close."""
        if self._witness is not None:
            self._witness.close()
        if self._inline is not None:
            await asyncio.wrap_future(self._thread.submit(asyncio.run, self._inline.close()))
        self._thread.shutdown()
        self._readers.shutdown()
        while not self._idle.empty():
            await self._idle.get_nowait().close()


class PostgresDatabase:
    """PostgreSQL through asyncpg; each unit of work has a connection of its own.

    A unit of work that was undone (its connection was lost, it lost a deadlock) is done again. Whether a
    commit came through whose answer did not is asked, never guessed. The server ends a transaction that
    stands still: a process that was frozen, or whose machine is gone, must not keep its locks from others.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def run(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run on a pooled connection, if need be on a second and a third."""
        for wait in RECONNECT:
            try:
                return await self._once(lambda conn: work(conn, *args, **kwargs))
            except _UndoneError:
                await asyncio.sleep(wait)
        try:
            return await self._once(lambda conn: work(conn, *args, **kwargs))
        except _UndoneError as undone:
            raise undone.error from undone

    async def read(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run on a pooled connection that may not write; what was lost on the way is asked for again."""
        for wait in RECONNECT:
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
        """The snapshot that a reader would get: another one as soon as a transaction came or went."""
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
        """Whether the transaction of that number was committed; one without a number wrote nothing."""
        if number is None:
            return True
        while True:
            async with self._engine.connect() as conn:
                status = await conn.scalar(text("SELECT txid_status(:number)"), {"number": number})
            if status != "in progress":
                return bool(status == "committed")
            await asyncio.sleep(RECONNECT[1])

    async def close(self) -> None:
        """Empty the pool."""
        await self._engine.dispose()


class _UndoneError(Exception):
    """Nothing of a unit of work came through."""

    def __init__(self, error: DBAPIError) -> None:
        super().__init__(str(error))
        self.error = error


def _refused(error: DBAPIError) -> bool:
    """The server undid it, not for what it did: deadlock, serialization failure, standing still."""
    state = str(getattr(error.orig, "sqlstate", ""))
    return state.startswith("40") or state == "25P03"


def open_database(url: str) -> Database:
    """The database a URL names: `sqlite:///path` or `postgresql://…`."""
    if url.startswith("sqlite:"):
        return SqliteDatabase(sqlite_engine(url), sqlite_engine(url, reading=True))
    if url.startswith(("postgresql:", "postgres:")):
        return PostgresDatabase(
            create_async_engine(async_url(url), pool_size=10, connect_args=_PATIENCE, **_json())
        )
    raise Unusable(
        f"cannot use the database {url.rsplit('@', maxsplit=1)[-1]!r}",
        hint="give LARDER_DATABASE a URL that starts with sqlite:/// or postgresql://",
    )


def inline_database(url: str = "sqlite://") -> InlineDatabase:
    """A SQLite database run in place; in memory unless told otherwise."""
    return InlineDatabase(sqlite_engine(url))


def time_of(conn: Connection) -> tuple[datetime, float]:
    """The database server's own time, and our monotonic clock's at the same moment."""
    asked = time.monotonic()
    told: int = conn.exec_driver_sql(
        "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
    ).scalar_one()
    return moment(told), (asked + time.monotonic()) / 2


def sqlite_engine(url: str, *, reading: bool = False) -> Engine:
    """An engine whose transactions take the write lock when they begin; `reading`: that can take none."""
    begins = "BEGIN" if reading else "BEGIN IMMEDIATE"
    engine = create_engine(url, poolclass=NullPool, connect_args={"check_same_thread": False}, **_json())

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (*_PRAGMAS, *(("PRAGMA query_only = ON",) if reading else ())):
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def begin(conn: Connection) -> None:
        driver = cast("sqlite3.Connection", conn.connection.driver_connection)
        try:
            driver.execute(begins)
        except sqlite3.Error as error:
            raise DBAPIError.instance(begins, None, error, sqlite3.Error) from error

    return engine


def sqlite_path(url: str) -> Path | None:
    """The file behind a SQLite URL."""
    path = url.removeprefix("sqlite:///")
    return Path(path) if url.startswith("sqlite:///") and path else None


def async_url(url: str) -> str:
    """The same PostgreSQL database, as SQLAlchemy's asyncpg wants it."""
    return "postgresql+asyncpg://" + url.split("://", 1)[1]


def _json() -> dict[str, Any]:
    return {
        "json_serializer": lambda value: holdable.pack(value).decode(),
        "json_deserializer": loads,
    }


def disk_is_full(error: BaseException) -> bool:
    """There is no room for what was to be written."""
    said = _first_line(error)
    return ("disk" in said and "full" in said) or "No space left" in said


def _first_line(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).split("\n", 1)[0]


def explain(error: DBAPIError | OSError) -> Unusable:
    """One line for a person, from what a driver said."""
    said = _first_line(error)
    if disk_is_full(error):
        return Unusable(
            f"the disk is full ({said})", hint="free some space and start again; nothing is half-written"
        )
    if "readonly" in said or "unable to open" in said or "ermission" in said:
        return Unusable(f"the database cannot be written ({said})", hint="check the folder's owner and mode")
    if isinstance(error, OperationalError) and "locked" in said:
        return Unusable("the database is locked by another program", hint="close it, or wait and try again")
    return Unusable(f"the database cannot be used ({said})", hint="check LARDER_DATABASE; is its server up?")
