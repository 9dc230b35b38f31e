"""Ended runs, each returned once to each background task that processes them.

A task's cursor is stored in the database, so that it continues where it stopped. Its first call returns none.
"""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, and_, or_

from larder.store.database.statement import fetch_as, select_as
from larder.store.operations import key_values
from larder.store.tables import runs
from larder.store.tables.columns import micros, moment


class EndedRun(NamedTuple):
    """A run that has ended."""

    id: int
    finished_at: datetime
    kind: str
    source_id: int | None


def list_ended(conn: Connection, reader: str, *, limit: int, now: datetime) -> list[EndedRun]:
    """Runs that ended after the reader's position, oldest first."""
    place = key_values.read(conn, reader)
    if place is None:
        key_values.write(conn, reader, {"at": micros(now), "run": 0}, now=now)
        return []
    at, run = moment(place["at"]), place["run"]
    later = or_(runs.c.finished_at > at, and_(runs.c.finished_at == at, runs.c.id > run))
    query = select_as(runs, EndedRun).where(later).order_by(runs.c.finished_at, runs.c.id).limit(limit)
    return fetch_as(conn, query, EndedRun)


def move_to(conn: Connection, reader: str, run: EndedRun, *, now: datetime) -> None:
    """Set the reader's position after this run."""
    key_values.write(conn, reader, {"at": micros(run.finished_at), "run": run.id}, now=now)
