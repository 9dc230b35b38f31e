"""SQLite: one writer thread and a few readers.

Each transaction takes the write lock when it begins, so that none fails half-way because it cannot get it.
"""

import asyncio
import os
import queue
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import ParamSpec, TypeVar, cast

from sqlalchemy import Connection, Engine, FromClause, NullPool, PoolProxiedConnection, create_engine, event
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.exc import DBAPIError

from larder.store.database.ports import JSON, LAST_CHANGE, UnitOfWork, Version

P = ParamSpec("P")
T = TypeVar("T")

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 30000",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -65536",
    "PRAGMA wal_autocheckpoint = 4000",
)

IN_MEMORY = "sqlite://"
STATEMENTS = 512
"""Prepared statements cached by a connection; a driver's loop has more of them than the default of 128."""
READER_THREADS = 4
"""Threads that read while one writes."""


class _Hinting(SQLiteCompiler):
    """Renders index hints, which SQLAlchemy leaves out for SQLite."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:  # noqa: ARG002 - its shape
        return text


class InlineDatabase:
    """SQLite in the caller's own thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._conn = engine.connect()

    async def run(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run in the caller's thread."""
        return self.now(work, *args, **kwargs)

    async def read(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run in the caller's thread."""
        return self.now(work, *args, **kwargs)

    def now(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """As `run`, without `await`."""
        with self._conn.begin():
            return work(self._conn, *args, **kwargs)

    async def close(self) -> None:
        """Close the one connection."""
        self.close_now()

    def close_now(self) -> None:
        """As `close`, without `await`."""
        self._conn.close()
        self._engine.dispose()


class SqliteDatabase:
    """SQLite behind one writer thread and a few reader threads; the event loop never waits for the disk."""

    def __init__(self, engine: Engine, read_only: Engine) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="larder-sqlite")
        self._engine = engine
        self._inline: InlineDatabase | None = None
        self._reading = read_only
        self._readers = ThreadPoolExecutor(max_workers=READER_THREADS, thread_name_prefix="larder-reader")
        self._idle: queue.SimpleQueue[InlineDatabase] = queue.SimpleQueue()
        self._version_connection: PoolProxiedConnection | None = None
        self._commits = 0

    async def run(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run in the writer thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: self._work(work, *args, **kwargs))

    def _work(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if self._inline is None:
            self._inline = InlineDatabase(self._engine)
        try:
            return self._inline.now(work, *args, **kwargs)
        finally:
            self._commits += 1

    async def read(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run in a reader thread, on what was committed when it began."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, lambda: self._read_only(work, *args, **kwargs))

    def _read_only(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            reader = self._idle.get_nowait()
        except queue.Empty:
            reader = InlineDatabase(self._reading)
        try:
            return reader.now(work, *args, **kwargs)
        finally:
            self._idle.put(reader)

    async def version(self) -> Version:
        """Read the version from shared memory and one page, without a thread."""
        if self._version_connection is None:
            self._version_connection = self._reading.raw_connection()
        driver = cast("sqlite3.Connection", self._version_connection.driver_connection)
        ((commits,),) = driver.execute("PRAGMA data_version")
        ((change,),) = driver.execute(LAST_CHANGE)
        return Version(commits, (self._commits, change))

    async def close(self) -> None:
        """Finish queued work, then close."""
        if self._version_connection is not None:
            self._version_connection.close()
        if self._inline is not None:
            await asyncio.wrap_future(self._thread.submit(asyncio.run, self._inline.close()))
        self._thread.shutdown()
        self._readers.shutdown()
        while not self._idle.empty():
            await self._idle.get_nowait().close()


def open_sqlite(url: str) -> SqliteDatabase:
    """The database in a file, for concurrent callers; only the owner can read the file."""
    path = sqlite_path(url)
    if path is not None:
        make_private(path)
    return SqliteDatabase(_engine(url), _engine(url, read_only=True))


def make_private(path: Path) -> None:
    """Create the file readable by its owner only, or remove other permissions; SQLite's other files get its
    mode.

    An existing file is not opened: closing it would release the locks that this process holds on it. If this
    fails, opening the database reports the reason, or the file has another owner, who decides.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with suppress(OSError):
            if S_ISREG(mode := each.stat().st_mode) and mode & 0o077:
                each.chmod(0o600)


def inline_database(url: str = IN_MEMORY) -> InlineDatabase:
    """A SQLite database in the caller's thread; in memory by default."""
    return InlineDatabase(_in_memory() if url == IN_MEMORY else _engine(url))


def open_for_reading(url: str) -> InlineDatabase:
    """A read-only SQLite database in the caller's thread."""
    return InlineDatabase(_engine(url, read_only=True))


@cache
def _in_memory() -> Engine:
    """An engine whose connections each have a database of their own and share compiled statements."""
    return _engine(IN_MEMORY)


def _engine(url: str, *, read_only: bool = False) -> Engine:
    """An engine whose transactions take the write lock when they begin; `reading`: they cannot write."""
    begins = "BEGIN" if read_only else "BEGIN IMMEDIATE"
    connect_args = {"check_same_thread": False, "cached_statements": STATEMENTS}
    engine = create_engine(url, poolclass=NullPool, connect_args=connect_args, **JSON)
    engine.dialect.statement_compiler = _Hinting

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (*_PRAGMAS, *(("PRAGMA query_only = ON",) if read_only else ())):
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
