"""Runs units of work.

A unit of work is a plain function over a connection; it commits as a whole or not at all. It runs in the
writer thread on SQLite, through `run_sync` on PostgreSQL, or in the caller (`inline`), so that virtual time
needs neither a thread nor a loop. `read` runs work that only reads; there the database refuses to write.
"""

import time
from datetime import datetime

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError as DriverError
from sqlalchemy.exc import SQLAlchemyError as DatabaseError

from larder.core.errors import Unusable
from larder.core.quoting import quoted
from larder.store.database.ports import Database, Listening, UnitOfWork, Version, Versioned
from larder.store.database.sqlite import (
    InlineDatabase,
    inline_database,
    open_for_reading,
    open_sqlite,
    sqlite_path,
)
from larder.store.tables.columns import micros, micros_or_none, moment, moment_or_none

__all__ = [
    "Connection",
    "Database",
    "DatabaseError",
    "DriverError",
    "InlineDatabase",
    "Listening",
    "UnitOfWork",
    "Version",
    "Versioned",
    "inline_database",
    "micros",
    "micros_or_none",
    "moment",
    "moment_or_none",
    "open_database",
    "open_for_reading",
    "server_time",
    "sqlite_path",
]


def open_database(url: str, *, statement_seconds: float = 0) -> Database:
    """The database a URL names: `sqlite:///path` or `postgresql://…`.

    PostgreSQL cancels a statement that takes longer than `statement_seconds` (0: never).
    """
    if url.startswith("sqlite:"):
        return open_sqlite(url)
    if url.startswith(("postgresql:", "postgres:")):
        from larder.store.database.postgres import open_postgres  # noqa: PLC0415 - loaded when it is named

        return open_postgres(url, statement_seconds=statement_seconds)
    raise Unusable(
        f"cannot use the database {quoted(url.rsplit('@', maxsplit=1)[-1])}",
        hint="give LARDER_DATABASE a URL that starts with sqlite:/// or postgresql://",
    )


def server_time(conn: Connection) -> tuple[datetime, float]:
    """The database server's time, and our monotonic clock at the same moment."""
    before = time.monotonic()
    micros_now: int = conn.exec_driver_sql(
        "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
    ).scalar_one()
    return moment(micros_now), (before + time.monotonic()) / 2
