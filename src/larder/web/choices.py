"""Options of form fields."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, select

from larder.store.database import Connection
from larder.store.tables import sources

MOST = 1_000
"""Sources that a field offers."""


def slugs(conn: Connection, *only: ColumnElement[bool]) -> Sequence[str]:
    """Slugs of the sources, for fields that ask for one."""
    return list(conn.scalars(select(sources.c.slug).where(*only).order_by(sources.c.slug).limit(MOST)))
