"""Which records a full pass through an index saw and did not see."""

from datetime import datetime

from sqlalchemy import Connection

from larder.store.database.statement import Statement
from larder.store.tables.columns import micros

_SEEN = Statement(
    """
    SELECT count(*) FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at >= :began
    """,
    scalar=int,
    args={"source_id": "int", "began": "int"},
)

_MARK = Statement(
    """
    UPDATE records SET missed_by_pass = :pass_id
    WHERE source_id = :source_id AND active = 1 AND last_seen_at < :began
    RETURNING id
    """,
    scalar=int,
    args={"pass_id": "int", "source_id": "int", "began": "int"},
)

_AGAIN = Statement(
    """
    UPDATE records SET missed_by_pass = NULL
    WHERE source_id = :source_id AND missed_by_pass = :pass_id AND active = 1 AND seen_by_run > :pass_id
    RETURNING id
    """,
    scalar=int,
    args={"source_id": "int", "pass_id": "int"},
)


def count_seen_since(conn: Connection, source_id: int, began: datetime) -> int:
    """How many active records were seen since then."""
    return _SEEN(conn, source_id=source_id, began=micros(began))[0]


def mark_unseen(conn: Connection, source_id: int, *, pass_id: int, began: datetime) -> int:
    """Mark active records that were not seen since `began`; how many."""
    return len(_MARK(conn, source_id=source_id, pass_id=pass_id, began=micros(began)))


def count_seen_again(conn: Connection, source_id: int, *, pass_id: int) -> int:
    """How many records that this pass missed were seen by a later run."""
    return len(_AGAIN(conn, source_id=source_id, pass_id=pass_id))
