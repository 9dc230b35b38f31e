"""Full text: what a person's words ask for, and the records that have it."""

from typing import Any

from sqlalchemy import Connection, Select, func

from larder.store.tables import records


def understand(conn: Connection, text: str) -> str:  # noqa: ARG001
    """What is asked for."""
    return text.lower()


def narrow(conn: Connection, begun: Select[Any], wanted: str) -> Select[Any]:  # noqa: ARG001
    """What is left of `begun`."""
    return begun.where(func.lower(records.c.title).contains(wanted, autoescape=True))
