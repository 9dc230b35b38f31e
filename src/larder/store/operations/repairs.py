"""Repairs of declared selectors: suggested with their proof, applied, reverted.

`sources.repaired` holds the applied repairs in order, so that loading a source needs one query.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, insert, select, update

from larder.store.database.statement import fetch_as, select_as
from larder.store.json_safe import dumps
from larder.store.operations.ended_runs import list_ended, move_to
from larder.store.tables import repairs, runs, sources

LOOKED_TO = "healing_looked_to"


class RepairStatus(StrEnum):
    """The status of a repair."""

    SUGGESTED = "suggested"
    APPLIED = "applied"
    TAKEN_BACK = "taken_back"
    SUPERSEDED = "superseded"
    """A later check found another repair, or that none is needed."""


class RepairRow(NamedTuple):
    """A stored repair with its source's slug."""

    id: int
    source_id: int
    adapter: str
    field: str
    before: Any
    after: Any
    proof: Any
    status: str
    made_at: datetime
    applied_at: datetime | None
    taken_back_at: datetime | None
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRepair:
    """A selector that stopped matching, and its replacement (None: unknown)."""

    field: str
    before: Any
    after: Any
    proof: dict[str, Any]


def suggest(
    conn: Connection, source_id: int, adapter: str, part: str, found: Sequence[NewRepair], *, now: datetime
) -> list[int]:
    """Store the repairs found for one part, replacing earlier suggestions.

    If they are the same, only the proof is updated, so that a broken site does not fill the table.
    """
    before = list_by_source(conn, source_id, RepairStatus.SUGGESTED, part=part)
    proofs = {_named(repair.field, repair.before, repair.after): repair.proof for repair in found}
    if {_named(row.field, row.before, row.after) for row in before} == proofs.keys():
        for row in before:
            proof = proofs[_named(row.field, row.before, row.after)]
            conn.execute(update(repairs).where(repairs.c.id == row.id).values(proof=proof))
        return [row.id for row in before]
    supersede(conn, source_id, part)
    rows = [
        {
            "source_id": source_id,
            "adapter": adapter,
            "field": repair.field,
            "before": repair.before,
            "after": repair.after,
            "proof": repair.proof,
            "status": RepairStatus.SUGGESTED,
            "made_at": now,
        }
        for repair in found
    ]
    return [conn.scalars(insert(repairs).values(row).returning(repairs.c.id)).one() for row in rows]


def _named(field: str, before: Any, after: Any) -> str:
    return repr((field, dumps([before, after])))


def supersede(conn: Connection, source_id: int, part: str) -> int:
    """Mark the suggestions for a part as superseded; how many."""
    stale = (repairs.c.source_id == source_id) & (repairs.c.status == RepairStatus.SUGGESTED)
    of_part = repairs.c.field.like(f"{part}.%")
    statement = update(repairs).where(stale, of_part).values(status=RepairStatus.SUPERSEDED)
    return conn.execute(statement).rowcount


def list_by_source(
    conn: Connection, source_id: int, status: RepairStatus | None = None, *, part: str = ""
) -> list[RepairRow]:
    """A source's repairs, oldest first."""
    query = _with_slug().where(repairs.c.source_id == source_id)
    if status is not None:
        query = query.where(repairs.c.status == status)
    if part:
        query = query.where(repairs.c.field.like(f"{part}.%"))
    return fetch_as(conn, query.order_by(repairs.c.id), RepairRow)


def list_latest(conn: Connection, *, limit: int, status: RepairStatus | None = None) -> list[RepairRow]:
    """The latest repairs of all sources, newest first."""
    query = _with_slug()
    if status is not None:
        query = query.where(repairs.c.status == status)
    return fetch_as(conn, query.order_by(repairs.c.id.desc()).limit(limit), RepairRow)


def _with_slug() -> Select[Any]:
    columns = select_as(repairs, RepairRow).add_columns(sources.c.slug)
    return columns.join(sources, sources.c.id == repairs.c.source_id)


def apply(conn: Connection, source_id: int, ids: Sequence[int], *, now: datetime) -> list[int]:
    """Apply these repairs; returns those that were suggested."""
    condition = repairs.c.id.in_(ids) & (repairs.c.status == RepairStatus.SUGGESTED)
    values = {"status": RepairStatus.APPLIED, "applied_at": now}
    applied = sorted(conn.scalars(update(repairs).where(condition).values(values).returning(repairs.c.id)))
    _update_params(conn, source_id)
    return applied


def revert(conn: Connection, source_id: int, ids: Sequence[int], *, now: datetime) -> list[int]:
    """Revert these repairs; returns those that were applied."""
    condition = repairs.c.id.in_(ids) & (repairs.c.status == RepairStatus.APPLIED)
    values = {"status": RepairStatus.TAKEN_BACK, "taken_back_at": now}
    reverted = sorted(conn.scalars(update(repairs).where(condition).values(values).returning(repairs.c.id)))
    _update_params(conn, source_id)
    return reverted


def _update_params(conn: Connection, source_id: int) -> None:
    applied = [
        {"path": row.field, "before": row.before, "after": row.after}
        for row in list_by_source(conn, source_id, RepairStatus.APPLIED)
    ]
    condition = sources.c.id == source_id
    conn.execute(update(sources).where(condition).values(repaired=applied or None))


def claim_ended_runs(conn: Connection, kinds: Container[str], *, limit: int, now: datetime) -> list[int]:
    """Ended runs of these kinds since the last call, each returned once; the first call returns none."""
    ended = list_ended(conn, LOOKED_TO, limit=limit, now=now)
    if ended:
        move_to(conn, LOOKED_TO, ended[-1], now=now)
    return [row.id for row in ended if row.kind in kinds and row.source_id is not None]


def last_run(conn: Connection, source_id: int, kinds: Sequence[str]) -> int | None:
    """The latest ended run of a source of these kinds."""
    condition = (runs.c.source_id == source_id) & runs.c.kind.in_(kinds) & runs.c.finished_at.is_not(None)
    return conn.scalar(select(runs.c.id).where(condition).order_by(runs.c.id.desc()).limit(1))
