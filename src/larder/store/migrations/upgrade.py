"""Upgrades a database to the schema of this version of Larder, or raises an error with the reason.

Every start reads the revision, which Alembic stores in its own table; Alembic is loaded only to migrate.
"""

from functools import cache
from pathlib import Path
from typing import Literal

from sqlalchemy import (
    Connection,
    ExecutableDDLElement,
    column,
    create_mock_engine,
    inspect,
    select,
    table,
)

from larder.core.errors import Unusable
from larder.core.model.hint import Hint
from larder.store.migrations import copy_tables
from larder.store.tables import metadata

HEAD = "0027"
_VERSION = table("alembic_version", column("version_num"))


def revision(conn: Connection) -> str | None:
    """The revision a database is at; None for an empty one."""
    if not inspect(conn).has_table(_VERSION.name):
        return None
    return conn.execute(select(_VERSION.c.version_num)).scalar_one_or_none()


def upgrade(conn: Connection, to: str = "head") -> None:
    """Apply missing migrations."""
    _refuse_newer(revision(conn))
    _migrate(conn, "upgrade", to)


def downgrade(conn: Connection, to: str) -> None:
    """Revert to an earlier revision; `base` empties the database."""
    _migrate(conn, "downgrade", to)


def create(conn: Connection) -> None:
    """Create all tables at once, without history, for databases of tests and simulations."""
    from larder.store import search  # noqa: PLC0415 - few commands make a database

    for statement in _statements(conn.engine.url.drivername):
        conn.exec_driver_sql(statement)
    search.create(conn)


def check(conn: Connection) -> None:
    """Refuse a database whose revision differs from this version's."""
    _refuse_newer(found := revision(conn))
    if found != HEAD:
        raise Unusable(
            f"the database is at revision {found or 'none'}, this version needs {HEAD}",
            hint=Hint(text="upgrade it", action="database.upgrade"),
        )
    if copy_tables.is_incomplete(conn):
        raise Unusable(
            "the database is the target of an unfinished copy",
            hint=Hint(text="with LARDER_DATABASE as it was before, repeat the copy", action="database.copy"),
        )


@cache
def _statements(driver: str) -> tuple[str, ...]:
    """The statements that create the tables, compiled once: simulations create databases by the hundred."""
    written: list[str] = []

    def write(statement: ExecutableDDLElement, *_: object) -> None:
        written.append(str(statement.compile(dialect=engine.dialect)))

    engine = create_mock_engine(f"{driver}://", write)
    metadata.create_all(engine, checkfirst=False)
    return tuple(written)


def _refuse_newer(found: str | None) -> None:
    if found is not None and found > HEAD:
        raise Unusable(
            f"the database was written by a newer Larder (revision {found}, this version knows {HEAD})",
            hint="install that version again, or point LARDER_DATABASE at another database",
        )


def _migrate(conn: Connection, way: Literal["upgrade", "downgrade"], to: str) -> None:
    from alembic import command  # noqa: PLC0415 - slow to load
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = conn
    getattr(command, way)(config, to)
