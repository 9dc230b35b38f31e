"""The deployment's own few facts (is the scheduler backing off? until when?), by name."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from larder.store.tables import facts


def read(conn: Connection, name: str) -> Any:
    """What was last written under a name, or None."""
    return conn.scalar(select(facts.c.value).where(facts.c.name == name))


def write(conn: Connection, name: str, value: Any, *, now: datetime) -> None:
    """Replace a fact."""
    conn.execute(delete(facts).where(facts.c.name == name))
    conn.execute(insert(facts).values(name=name, value=value, updated_at=now))
