"""All that was ever said of records and still counts, in order of time: what a replay folds anew."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, select

from larder.store.database.statement import AnyRow, Statement, in_batches
from larder.store.tables import observations, records, sightings, versions

_CONFIRMED = Statement(
    """
    UPDATE observations SET confirmed_at = same.at
    FROM {rows} AS same WHERE observations.id = same.id AND observations.confirmed_at < same.at
    """,
    rows={"id": "int", "at": "int"},
)


def records_shown_on(conn: Connection, page_ids: Sequence[int]) -> set[int]:
    """The records that these pages showed when they were last read."""
    told = select(sightings.c.records).where(sightings.c.page_id.in_(page_ids))
    return {record_id for shown in conn.scalars(told) for record_id in shown}


def list_observations(conn: Connection, ids: Sequence[int]) -> Sequence[AnyRow]:
    """Every observed fact of these records that counts, in order of time."""
    counted = select(observations).where(
        observations.c.record_id.in_(ids), observations.c.voided_at.is_(None)
    )
    return conn.execute(counted.order_by(observations.c.observed_at, observations.c.id)).all()


def list_versions(conn: Connection, ids: Sequence[int]) -> Sequence[AnyRow]:
    """Every version of these records that counts, in order of time."""
    counted = select(versions).where(versions.c.record_id.in_(ids), versions.c.voided_at.is_(None))
    return conn.execute(counted.order_by(versions.c.observed_at, versions.c.id)).all()


def confirm_observations(conn: Connection, rows: Sequence[tuple[int, int]]) -> None:
    """(fact, at): it was seen again."""
    _CONFIRMED(conn, rows)


def unseen_since(conn: Connection, seen: Sequence[tuple[int, datetime]]) -> set[int]:
    """(record, at) → those that nothing was heard of at or after that time, by a page or by a check."""
    found: set[int] = set()
    for batch in in_batches(seen):
        at = dict(batch)
        named = select(records.c.id, records.c.last_seen_at, records.c.checked_at)
        for row in conn.execute(named.where(records.c.id.in_(list(at)))):
            heard = max(filter(None, (row.last_seen_at, row.checked_at)))
            found |= {row.id} if heard < at[row.id] else set()
    return found


def delete_sightings(conn: Connection, page_ids: Sequence[int]) -> None:
    """What these pages showed is about to be told anew."""
    conn.execute(delete(sightings).where(sightings.c.page_id.in_(page_ids)))
