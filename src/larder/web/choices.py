"""What fields of a form offer to choose from."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, select

from larder.store.database import Connection
from larder.store.tables import sources

MOST = 1_000
"""Sources that a field offers; beyond that one has to know its name."""


def slugs(conn: Connection, *only: ColumnElement[bool]) -> Sequence[str]:
    """The sources that there are, for fields that ask for one."""
    return list(conn.scalars(select(sources.c.slug).where(*only).order_by(sources.c.slug).limit(MOST)))
