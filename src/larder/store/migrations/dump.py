"""Whole databases as files: SQLite by its online backup, PostgreSQL by pg_dump and pg_restore.

Both capture the database at one moment, while others continue to write. Passwords are passed to the tools in
the environment, never on the command line, which other users of the machine can read.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, func, inspect, select
from sqlalchemy.engine import make_url

from larder.core.errors import Unusable
from larder.store.database.write_errors import damaged, is_damage
from larder.store.pages.blobs import pack_of
from larder.store.tables import blobs, metadata, secrets

_POSTGRES_BINARIES = Path("/usr/lib/postgresql")


def copy_sqlite(path: Path, to: Path) -> None:
    """Copy the database as it is at the end of the copy; writers continue meanwhile."""
    to.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(to)) as copy:
            source.backup(copy, pages=4_096, sleep=0)
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if is_damage(error):
            raise damaged(str(error)) from error
        raise Unusable(
            f"the database {path} cannot be copied ({error})", hint="free disk space, then try again"
        ) from error


def damage_of(path: Path) -> str:
    """The damage that SQLite finds in a file, which it reads in full; empty: none."""
    try:
        with closing(sqlite3.connect(path)) as conn:
            ((found,),) = conn.execute("PRAGMA integrity_check(1)").fetchall()
    except sqlite3.Error as error:
        found = str(error)
    return "" if found == "ok" else " ".join(str(found).split())


def check_sqlite(path: Path) -> None:
    """Refuse a file that SQLite finds damaged."""
    if found := damage_of(path):
        raise Unusable(f"the database in the backup is damaged ({found})", hint="use another backup")


def dump_postgres(url: str, to: Path) -> None:
    """Write the database into a file that `load_postgres` reads."""
    to.touch(mode=0o600)
    _tool("pg_dump", ["--format=custom", "--no-owner", "--no-privileges", f"--file={to}"], url)


def load_postgres(url: str, dump: Path) -> None:
    """Load a dump into an empty database, whole or not at all."""
    options = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
    _tool("pg_restore", [*options, f"--dbname={_parts(url)['PGDATABASE']}", str(dump)], url)


def is_empty(conn: Connection) -> bool:
    """Whether the database has no tables at all."""
    return not inspect(conn).get_table_names()


def count_tables(conn: Connection) -> dict[str, int]:
    """Rows by table."""
    return {
        table.name: conn.scalar(select(func.count()).select_from(table)) or 0
        for table in metadata.sorted_tables
    }


def needed_packs(conn: Connection) -> dict[str, int]:
    """For each pack of page bodies, the last byte that is referenced."""
    needed: dict[str, int] = {}
    for (location,) in conn.execute(select(blobs.c.location)):
        pack, (offset, length) = pack_of(location), location.rsplit(":", 2)[1:]
        needed[pack] = max(needed.get(pack, 0), int(offset) + int(length))
    return needed


def count_secrets(conn: Connection) -> int:
    """The number of values that are encrypted with the key of the deployment."""
    return conn.scalar(select(func.count()).select_from(secrets)) or 0


def _tool(name: str, options: Sequence[str], url: str) -> None:
    command = [_find(name), *options]
    try:
        done = subprocess.run(  # noqa: S603 - a tool that was looked up, with our own options
            command, env={**os.environ, **_parts(url)}, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise Unusable(f"{name} cannot be started ({error})", hint="install PostgreSQL's client") from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Unusable(f"{name} failed: {last}", hint=f"{name} must be as new as the server; see its message")


def _find(name: str) -> str:
    """The newest installed version: an older one refuses to read a newer server."""
    installed = sorted(_POSTGRES_BINARIES.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    found = str(installed[-1]) if installed else shutil.which(name)
    if not found:
        raise Unusable(f"{name} is not installed", hint="install PostgreSQL's client: postgresql-client")
    return found


def _parts(url: str) -> Mapping[str, str]:
    """A database URL as the environment variables of PostgreSQL's tools."""
    parsed = make_url(url)
    values = {
        "PGHOST": parsed.host or str(parsed.query.get("host", "")),
        "PGPORT": str(parsed.port or ""),
        "PGUSER": parsed.username or "",
        "PGPASSWORD": str(parsed.password or ""),
        "PGDATABASE": parsed.database or "",
        "PGSSLMODE": str(parsed.query.get("sslmode", "")),
    }
    return {name: value for name, value in values.items() if value}
