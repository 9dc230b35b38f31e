"""The versions and observations of records that are not void, in order of time, for a replay."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from larder.store.database.statement import Statement, fetch_as, in_batches, select_as
from larder.store.dataset.history import VersionRow
from larder.store.tables import observations, records, sightings, versions


class ConfirmedObservation(NamedTuple):
    """An observation that was made again, and when."""

    id: int
    at: int


class ObservationRow(NamedTuple):
    """A stored observation."""

    id: int
    record_id: int
    field: str
    amount: int | None
    word: str | None
    run_id: int
    page_id: int | None
    adapter_version: str
    observed_at: datetime
    confirmed_at: datetime
    superseded_at: datetime | None
    voided_at: datetime | None


_CONFIRMED = Statement(
    """
    UPDATE observations SET confirmed_at = same.at
    FROM {rows} AS same WHERE observations.id = same.id AND observations.confirmed_at < same.at
    """,
    rows={"id": "int", "at": "int"},
)


def records_shown_on(conn: Connection, page_ids: Sequence[int]) -> set[int]:
    """The records that these pages showed when they were last read."""
    query = select(sightings.c.records).where(sightings.c.page_id.in_(page_ids))
    return {record_id for shown in conn.scalars(query) for record_id in shown}


def list_observations(conn: Connection, ids: Sequence[int]) -> list[ObservationRow]:
    """The observations of these records that are not void, in order of time."""
    query = select_as(observations, ObservationRow).where(
        observations.c.record_id.in_(ids), observations.c.voided_at.is_(None)
    )
    return fetch_as(conn, query.order_by(observations.c.observed_at, observations.c.id), ObservationRow)


def list_versions(conn: Connection, ids: Sequence[int]) -> list[VersionRow]:
    """The versions of these records that are not void, in order of time."""
    query = select_as(versions, VersionRow).where(
        versions.c.record_id.in_(ids), versions.c.voided_at.is_(None)
    )
    return fetch_as(conn, query.order_by(versions.c.observed_at, versions.c.id), VersionRow)


def confirm_observations(conn: Connection, rows: Sequence[ConfirmedObservation]) -> None:
    """Confirm observations that were seen again."""
    _CONFIRMED(conn, rows)


def unseen_since(conn: Connection, seen: Sequence[tuple[int, datetime]]) -> set[int]:
    """(record, at) → records neither seen nor checked at or after that time."""
    found: set[int] = set()
    for batch in in_batches(seen):
        at = dict(batch)
        query = select(records.c.id, records.c.last_seen_at, records.c.checked_at)
        for row in conn.execute(query.where(records.c.id.in_(list(at)))):
            latest = max(filter(None, (row.last_seen_at, row.checked_at)))
            found |= {row.id} if latest < at[row.id] else set()
    return found


def delete_sightings(conn: Connection, page_ids: Sequence[int]) -> None:
    """Delete the sightings of pages that are read again."""
    conn.execute(delete(sightings).where(sightings.c.page_id.in_(page_ids)))
