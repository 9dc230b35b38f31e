"""Versions and observations of records, append-only.

A version is a snapshot of what one page said. An observation is a fact whose history is stored (price,
availability, seller): seeing it again confirms it, another value supersedes it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from larder.core.model.job import Purpose
from larder.store.database.statement import Statement, fetch_as, select_as
from larder.store.tables import versions
from larder.store.tables.columns import micros

NO_RUN = 0
"""The run of a version that no run wrote."""


class NewVersion(NamedTuple):
    """A snapshot of what a page said."""

    record_id: int
    run_id: int
    page_id: int | None
    adapter: str
    adapter_version: str
    purpose: str
    content: dict[str, Any]
    strategies: dict[str, Any] | None
    observed_at: int


class NewObservation(NamedTuple):
    """A fact whose history is kept; `superseded_at` if a later fact of the same batch replaces it."""

    record_id: int
    field: str
    amount: int | None
    word: str | None
    run_id: int
    page_id: int | None
    adapter_version: str
    observed_at: int
    confirmed_at: int
    superseded_at: int | None


class ConfirmedFact(NamedTuple):
    """The current fact of a record was seen again at this time."""

    record_id: int
    field: str
    at: int


class ConfirmedRecord(NamedTuple):
    """A record that was seen again, and when."""

    id: int
    at: int


class CurrentFact(NamedTuple):
    """The current value of a fact."""

    record_id: int
    field: str
    amount: int | None
    word: str | None


class VersionRow(NamedTuple):
    """A stored version."""

    id: int
    record_id: int
    run_id: int
    page_id: int | None
    adapter: str
    adapter_version: str
    purpose: str
    content: Any
    strategies: Any
    observed_at: datetime
    created_at: datetime
    voided_at: datetime | None


_VERSION = Statement(
    """
    INSERT INTO versions (record_id, run_id, page_id, adapter, adapter_version, purpose, content, strategies,
                          observed_at, created_at)
    SELECT record_id, run_id, page_id, adapter, adapter_version, purpose, content, strategies,
           observed_at, :now
    FROM {rows} AS snapshot
    """,
    rows=NewVersion,
    args={"now": "int"},
)

_SUPERSEDE = Statement(
    """
    UPDATE observations SET superseded_at = newer.observed_at
    FROM {rows} AS newer
    WHERE observations.record_id = newer.record_id AND observations.field = newer.field
      AND observations.superseded_at IS NULL AND observations.voided_at IS NULL
    """,
    rows={"record_id": "int", "field": "text", "observed_at": "int"},
)

_OBSERVE = Statement(
    """
    INSERT INTO observations (record_id, field, amount, word, run_id, page_id, adapter_version, observed_at,
                              confirmed_at, superseded_at)
    SELECT record_id, field, amount, word, run_id, page_id, adapter_version, observed_at, confirmed_at,
           superseded_at
    FROM {rows} AS fact
    """,
    rows=NewObservation,
)

_CONFIRM = Statement(
    """
    UPDATE observations SET confirmed_at = same.at
    FROM {rows} AS same
    WHERE observations.record_id = same.record_id AND observations.field = same.field
      AND observations.superseded_at IS NULL AND observations.voided_at IS NULL
      AND observations.confirmed_at < same.at
    """,
    rows=ConfirmedFact,
)

_CONFIRM_FIELD = Statement(
    """
    UPDATE observations SET confirmed_at = :at
    FROM {rows} AS same
    WHERE observations.record_id = same.id AND observations.field = :field
      AND observations.superseded_at IS NULL AND observations.voided_at IS NULL
      AND observations.confirmed_at < :at
    """,
    rows={"id": "int"},
    args={"field": "text", "at": "int"},
)

_CONFIRM_ALL = Statement(
    """
    UPDATE observations SET confirmed_at = same.at
    FROM {rows} AS same
    WHERE observations.record_id = same.record_id AND observations.superseded_at IS NULL
      AND observations.voided_at IS NULL AND observations.confirmed_at < same.at
    """,
    rows={"record_id": "int", "at": "int"},
)

_CURRENT_FACTS = Statement(
    """
    SELECT observations.record_id, observations.field, observations.amount, observations.word
    FROM {rows} AS asked JOIN observations ON observations.record_id = asked.id
    WHERE observations.superseded_at IS NULL AND observations.voided_at IS NULL
    """,
    row=CurrentFact,
    rows={"id": "int"},
)


def add_versions(conn: Connection, rows: Sequence[NewVersion], *, now: datetime) -> None:
    """Store snapshots of what pages said."""
    _VERSION(conn, rows, now=micros(now))


def add_derived_versions(
    conn: Connection, contents: Mapping[int, Mapping[str, Any]], *, author: str, version: str, now: datetime
) -> None:
    """Add a version that was not read from a page to each record.

    Its purpose is index if the record has only index versions.
    """
    read = versions.c.record_id.in_(list(contents)) & (versions.c.purpose != Purpose.INDEX)
    detailed = set(conn.scalars(select(versions.c.record_id).where(read)))
    rows = [
        NewVersion(
            record_id=record_id,
            run_id=NO_RUN,
            page_id=None,
            adapter=author,
            adapter_version=version,
            purpose=Purpose.DETAIL if record_id in detailed else Purpose.INDEX,
            content=dict(content),
            strategies=dict.fromkeys(content, author),
            observed_at=micros(now),
        )
        for record_id, content in contents.items()
    ]
    add_versions(conn, rows, now=now)


def add_observations(conn: Connection, rows: Sequence[NewObservation]) -> None:
    """Store new facts; the ones they replace are superseded, not overwritten."""
    first = {(row.record_id, row.field): row.observed_at for row in reversed(rows)}
    _SUPERSEDE(conn, [(record_id, name, at) for (record_id, name), at in first.items()])
    _OBSERVE(conn, rows)


def confirm_fields(conn: Connection, rows: Sequence[ConfirmedFact]) -> None:
    """Confirm current facts that were seen again."""
    _CONFIRM(conn, rows)


def confirm_field(conn: Connection, ids: Sequence[int], field: str, at: int) -> None:
    """Confirm the current fact of each of these records at the same time."""
    _CONFIRM_FIELD(conn, [(i,) for i in ids], field=field, at=at)


def confirm_records(conn: Connection, rows: Sequence[ConfirmedRecord]) -> None:
    """Confirm all current facts of records that were seen again."""
    _CONFIRM_ALL(conn, rows)


def list_current_facts(conn: Connection, ids: Sequence[int]) -> list[CurrentFact]:
    """The current observations of these records."""
    return _CURRENT_FACTS(conn, [(i,) for i in ids])


def list_versions(conn: Connection, ids: Sequence[int]) -> list[VersionRow]:
    """The versions of records that are not void, in the order in which they were observed."""
    query = select_as(versions, VersionRow).where(
        versions.c.record_id.in_(ids), versions.c.voided_at.is_(None)
    )
    ordered = query.order_by(versions.c.record_id, versions.c.observed_at, versions.c.id)
    return fetch_as(conn, ordered, VersionRow)
