"""The state of learning site profiles.

By source, the last attempt; by run, that its pages wait to be read again with the profile learned from them.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select, update

from larder.store.operations import key_values
from larder.store.tables import facts
from larder.store.tables.columns import moment

LEASE = timedelta(minutes=10)
"""After this time another worker takes over an unfinished replay."""
_ATTEMPT, _REPLAY = "profile_attempt:", "profile_replay:"


class LearningAttempt(NamedTuple):
    """The last attempt to learn a source's profile."""

    version: str
    """The version of its adapter's code."""
    details: int
    """Stored detail pages of the run that it learned from."""
    result: str


def load_attempts(conn: Connection, source_ids: Sequence[int]) -> dict[int, LearningAttempt]:
    """The last attempts of these sources."""
    names = {f"{_ATTEMPT}{i}": i for i in source_ids}
    rows = conn.execute(select(facts.c.name, facts.c.value).where(facts.c.name.in_(names)))
    return {names[row.name]: LearningAttempt(**row.value) for row in rows}


def list_attempts(conn: Connection, *, limit: int) -> dict[int, LearningAttempt]:
    """The latest attempts of all sources, by source."""
    query = select(facts.c.name, facts.c.value).where(facts.c.name.startswith(_ATTEMPT, autoescape=True))
    rows = conn.execute(query.order_by(facts.c.updated_at.desc(), facts.c.name).limit(limit))
    return {int(row.name.removeprefix(_ATTEMPT)): LearningAttempt(**row.value) for row in rows}


def save_attempt(conn: Connection, source_id: int, attempt: LearningAttempt, *, now: datetime) -> None:
    """Store the last attempt of a source."""
    key_values.write(conn, f"{_ATTEMPT}{source_id}", attempt._asdict(), now=now)


def add_replay(conn: Connection, run_id: int, *, now: datetime) -> None:
    """Mark a run's pages to be read again, by the caller."""
    key_values.write(conn, f"{_REPLAY}{run_id}", {"run": run_id}, now=now)


def claim_replay(conn: Connection, *, now: datetime) -> int | None:
    """Claim a run whose pages wait for a replay; None if there is none."""
    idle = facts.c.updated_at <= now - LEASE
    waiting = select(facts.c.name).where(facts.c.name.startswith(_REPLAY, autoescape=True), idle).limit(1)
    statement = update(facts).where(facts.c.name == waiting.scalar_subquery(), idle).values(updated_at=now)
    value: Any = conn.scalar(statement.returning(facts.c.value))
    return None if value is None else int(value["run"])


def release_replay(conn: Connection, run_id: int) -> None:
    """Release the rest of a replay, so that another worker can claim it."""
    key_values.write(conn, f"{_REPLAY}{run_id}", {"run": run_id}, now=moment(0))


def end_replay(conn: Connection, run_id: int) -> None:
    """Mark a run's pages as read again."""
    conn.execute(delete(facts).where(facts.c.name == f"{_REPLAY}{run_id}"))
