"""The change feed, for operators and downstream systems: what happened to records after a cursor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.store import changes
from larder.store.changes import Cursor
from larder.store.statement import AnyRow, loads
from larder.store.tables.columns import moment


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One thing that happened."""

    cursor: str
    at: datetime
    record_id: int
    source_id: int
    change: str
    details: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A page of the feed; `next` goes on from there, for ever."""

    changes: Sequence[ChangeLine]
    next: str


def since(conn: Connection, cursor: str | None = None, *, limit: int = 100) -> Feed:
    """What came after `cursor`, oldest first; from the beginning without one."""
    place = Cursor() if cursor is None else Cursor.parse(cursor)
    rows = changes.since(conn, place, most=limit)
    ends = changes.place_of(rows[-1]) if rows else place
    return Feed(changes=[_line(row) for row in rows], next=str(ends))


def _line(row: AnyRow) -> ChangeLine:
    return ChangeLine(
        cursor=str(changes.place_of(row)),
        at=moment(row.at),
        record_id=row.record_id,
        source_id=row.source_id,
        change=row.change,
        details=loads(row.details),
    )
