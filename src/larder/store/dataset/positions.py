"""The positions of records in the order of their index, and records that are missing at their position."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement
from larder.store.tables.columns import micros


class IndexPosition(NamedTuple):
    """The position of a record; None: it is not known."""

    id: int
    index_position: int | None
    missed_at: int | None
    first_seen_at: int


class MovedRecord(NamedTuple):
    """A record and its new position; None: no longer known."""

    id: int
    position: int | None


class ExpectedRecord(NamedTuple):
    """A record that a page should have shown."""

    id: int
    index_position: int
    last_seen_at: int
    seen_by_run: int | None
    missed_at: int | None
    missed_looks: int | None
    """Looks in a row that missed it, the last of them at `missed_at`."""


class IndexEdges(NamedTuple):
    """The highest position of a source's active records, when one was first seen, and how many have a
    position.
    """

    highest: int | None
    first_seen_at: int | None
    records: int


class _Neighbour(NamedTuple):
    position: int | None


_POSITIONS = Statement(
    """
    SELECT records.id, records.index_position, records.missed_at, records.first_seen_at
    FROM {rows} AS asked JOIN records ON records.id = asked.id
    """,
    row=IndexPosition,
    rows={"id": "int"},
)
_MOVE = Statement(
    "UPDATE records SET index_position = moved.position FROM {rows} AS moved WHERE records.id = moved.id",
    rows={"id": "int", "position": "int"},
)
_BETWEEN = Statement(
    """
    SELECT id, index_position, last_seen_at, seen_by_run, missed_at, missed_looks FROM records
    WHERE source_id = :source_id AND active = 1 AND index_position IS NOT NULL
      AND index_position > :low AND index_position < :high AND last_seen_at < :at
    ORDER BY index_position LIMIT :limit
    """,
    row=ExpectedRecord,
    args={"source_id": "int", "low": "int", "high": "int", "at": "int", "limit": "int"},
)
_ABOVE = Statement(
    """
    SELECT id, index_position, last_seen_at, seen_by_run, missed_at, missed_looks FROM records
    WHERE source_id = :source_id AND active = 1 AND index_position IS NOT NULL AND index_position > :position
    ORDER BY index_position LIMIT :limit
    """,
    row=ExpectedRecord,
    args={"source_id": "int", "position": "int", "limit": "int"},
)
_EDGES = Statement(
    """
    SELECT max(index_position) AS highest, min(first_seen_at) AS first_seen_at, count(*) AS records
    FROM records WHERE source_id = :source_id AND active = 1 AND index_position IS NOT NULL
    """,
    row=IndexEdges,
    args={"source_id": "int"},
)
_NEXT_BELOW = Statement(
    """
    SELECT max(index_position) AS position FROM records
    WHERE source_id = :source_id AND active = 1 AND index_position IS NOT NULL AND index_position < :position
    """,
    row=_Neighbour,
    args={"source_id": "int", "position": "int"},
)
_NEXT_ABOVE = Statement(
    """
    SELECT min(index_position) AS position FROM records
    WHERE source_id = :source_id AND active = 1 AND index_position IS NOT NULL AND index_position > :position
    """,
    row=_Neighbour,
    args={"source_id": "int", "position": "int"},
)
_MISS = Statement(
    """
    UPDATE records SET missed_at = missed.at, missed_looks = missed.looks
    FROM {rows} AS missed WHERE records.id = missed.id
    """,
    rows={"id": "int", "at": "int", "looks": "int"},
)
_HIDE = Statement(
    """
    UPDATE records SET active = 0, verification = 'unseen', deactivated_at = :now
    FROM {rows} AS absent WHERE records.id = absent.id AND records.active = 1
    RETURNING records.id
    """,
    scalar=int,
    rows={"id": "int"},
    args={"now": "int"},
)


def by_id(conn: Connection, ids: Sequence[int]) -> dict[int, IndexPosition]:
    """The positions of records."""
    return {row.id: row for row in _POSITIONS(conn, [(i,) for i in ids])}


def move(conn: Connection, moves: Sequence[MovedRecord]) -> None:
    """Set the positions of records."""
    _MOVE(conn, moves)


def list_between(
    conn: Connection, source_id: int, span: tuple[int, int], *, not_seen_at: datetime, limit: int
) -> list[ExpectedRecord]:
    """Active records strictly between two positions that were not seen at that moment, the lowest first."""
    low, high = span
    return _BETWEEN(conn, source_id=source_id, low=low, high=high, at=micros(not_seen_at), limit=limit)


def list_above(conn: Connection, source_id: int, position: int, *, limit: int) -> list[ExpectedRecord]:
    """The next active records above a position, the lowest first."""
    return _ABOVE(conn, source_id=source_id, position=position, limit=limit)


def edges(conn: Connection, source_id: int) -> IndexEdges:
    """The range of positions of a source's active records."""
    return _EDGES(conn, source_id=source_id)[0]


def neighbours(conn: Connection, source_id: int, span: tuple[int, int]) -> tuple[int | None, int | None]:
    """The next positions below and above these two; None if there are none."""
    low, high = span
    below = _NEXT_BELOW(conn, source_id=source_id, position=low)[0].position
    return below, _NEXT_ABOVE(conn, source_id=source_id, position=high)[0].position


def miss(conn: Connection, looks: Mapping[int, int], at: datetime) -> None:
    """Mark records as missed for so many looks in a row (by record), the last of them then."""
    _MISS(conn, [(i, micros(at), many) for i, many in looks.items()])


def find(conn: Connection, ids: Sequence[int]) -> None:
    """Unmark records that were missed and are seen again."""
    _MISS(conn, [(i, None, None) for i in ids])


def hide(conn: Connection, ids: Sequence[int], *, now: datetime) -> list[int]:
    """Hide records as `unseen`; returns those that were shown."""
    return _HIDE(conn, [(i,) for i in ids], now=micros(now))
