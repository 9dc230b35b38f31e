"""Voids what a run stored, and restores it.

Versions and observations are marked, not deleted; what was current before them is current again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, or_, select, union, update

from larder.store.database.statement import Statement, in_batches
from larder.store.tables import observations, records, runs, versions

_CHAIN = """
    UPDATE observations SET superseded_at = chain.next_at
    FROM (
      SELECT observations.id AS id,
             LEAD(observations.observed_at) OVER (
               PARTITION BY observations.record_id, observations.field
               ORDER BY observations.observed_at, observations.id
             ) AS next_at
      FROM {rows} AS asked JOIN observations ON observations.record_id = asked.id
      WHERE observations.voided_at IS NULL
    ) AS chain
    WHERE observations.id = chain.id AND chain.next_at IS {which}
      AND coalesce(observations.superseded_at, -1) <> coalesce(chain.next_at, -1)
"""
_CLOSE = Statement(_CHAIN.replace("{which}", "NOT NULL"), rows={"id": "int"})
_OPEN = Statement(_CHAIN.replace("{which}", "NULL"), rows={"id": "int"})


def records_touched_by(conn: Connection, run_id: int) -> list[int]:
    """The records with a version or an observation of this run."""
    by_version = select(versions.c.record_id).where(versions.c.run_id == run_id)
    by_fact = select(observations.c.record_id).where(observations.c.run_id == run_id)
    return list(conn.scalars(union(by_version, by_fact)))


def void_run(conn: Connection, run_id: int, *, by: str, now: datetime) -> None:
    """Mark what this run stored as void."""
    for table in (versions, observations):
        condition = (table.c.run_id == run_id) & table.c.voided_at.is_(None)
        conn.execute(update(table).where(condition).values(voided_at=now))
    conn.execute(update(runs).where(runs.c.id == run_id).values(voided_at=now, voided_by=by))


def restore_run(conn: Connection, run_id: int) -> None:
    """Restore a void run, except for what a replay had voided before.

    Its observations are superseded first, because only one of each field is current at a time.
    """
    then = select(runs.c.voided_at).where(runs.c.id == run_id).scalar_subquery()
    spoke = (versions.c.run_id == run_id) & (versions.c.voided_at == then)
    conn.execute(update(versions).where(spoke).values(voided_at=None))
    condition = (observations.c.run_id == run_id) & (observations.c.voided_at == then)
    conn.execute(update(observations).where(condition).values(superseded_at=observations.c.observed_at))
    conn.execute(update(observations).where(condition).values(voided_at=None))
    conn.execute(update(runs).where(runs.c.id == run_id).values(voided_at=None, voided_by=None))


def void_replaced(
    conn: Connection, version_ids: Sequence[int], fact_ids: Sequence[int], *, now: datetime
) -> None:
    """Void versions and observations that a replay replaces."""
    for table, ids in ((versions, version_ids), (observations, fact_ids)):
        for batch in in_batches(ids):
            conn.execute(update(table).where(table.c.id.in_(batch)).values(voided_at=now))


def rebuild_chains(conn: Connection, record_ids: Sequence[int]) -> None:
    """Make the latest observation of each field the current one.

    Observations that end are closed before another is opened.
    """
    rows = [(i,) for i in record_ids]
    _CLOSE(conn, rows)
    _OPEN(conn, rows)


def without_versions(conn: Connection, record_ids: Sequence[int]) -> list[int]:
    """Records without a version that is not void."""
    query = select(versions.c.record_id).where(
        versions.c.record_id.in_(record_ids), versions.c.voided_at.is_(None)
    )
    unversioned = select(records.c.id).where(records.c.id.in_(record_ids), records.c.id.not_in(query))
    return list(conn.scalars(unversioned))


def clear_records(conn: Connection, record_ids: Sequence[int], *, now: datetime) -> None:
    """Empty and deactivate records that have no version left."""
    blank: dict[str, Any] = {
        "content": {},
        "content_hash": "",
        "row_hash": None,
        "active": 0,
        "deactivated_at": now,
    }
    conn.execute(
        update(records)
        .where(records.c.id.in_(record_ids), or_(records.c.active == 1, records.c.content_hash != ""))
        .values(blank)
    )
