"""Bringing a database to the schema this version of Larder knows, and saying so when it cannot be."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from larder.core.errors import Unusable
from larder.store import search
from larder.store.tables import metadata

HEAD = "0002"


def revision(conn: Connection) -> str | None:
    """The revision a database is at; None for an empty one."""
    return MigrationContext.configure(conn).get_current_revision()


def upgrade(conn: Connection, to: str = "head") -> None:
    """Apply what is missing."""
    _refuse_newer(conn)
    command.upgrade(_config(conn), to)


def downgrade(conn: Connection, to: str) -> None:
    """Go back to an earlier revision; `base` empties the database."""
    command.downgrade(_config(conn), to)


def create(conn: Connection) -> None:
    """All tables at once, without history: for databases that live as long as a test or a simulation."""
    metadata.create_all(conn)
    search.create(conn)


def check(conn: Connection) -> None:
    """Refuse a database that this version cannot work on."""
    _refuse_newer(conn)
    if (found := revision(conn)) != HEAD:
        raise Unusable(
            f"the database is at revision {found or 'none'}, this version needs {HEAD}",
            hint="run: larder db upgrade",
        )


def _refuse_newer(conn: Connection) -> None:
    found = revision(conn)
    if found is not None and found > HEAD:
        raise Unusable(
            f"the database was written by a newer Larder (revision {found}, this version knows {HEAD})",
            hint="install that version again, or point LARDER_DATABASE at another database",
        )


def _config(conn: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = conn
    return config
