"""Schedules: which are due, with everything the gates judge, in one query."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    select,
    update,
)

from larder.core.model.run import RunKind, RunStatus
from larder.core.model.source import FetcherName
from larder.core.policy.trust.canary import CanaryState
from larder.core.policy.trust.circuit import CircuitWay
from larder.store.database.statement import Statement, json_value
from larder.store.queue.source_rows import SOURCE_COLUMNS, ScheduleRow, fetch_schedules
from larder.store.tables import adapter_states, canaries, circuits, lanes, runs, schedules, sites, sources
from larder.store.tables.columns import micros

MAX_DUE = 500

_ANYTHING = Statement(
    """
    SELECT EXISTS (SELECT 1 FROM sources WHERE adopted_at IS NULL)
        OR EXISTS (SELECT 1 FROM schedules WHERE next_at <= :now)
        OR EXISTS (SELECT 1 FROM runs WHERE status = 'running' AND heartbeat_at < :silent_since)
    """,
    scalar=int,
    args={"now": "int", "silent_since": "int"},
)


_MEMORY = Statement(
    "SELECT memory FROM schedules WHERE source_id = :source_id AND kind = :kind",
    scalar=object,
    args={"source_id": "int", "kind": "text"},
)
_REMEMBER = Statement(
    """
    UPDATE schedules SET memory = told.memory FROM {rows} AS told
    WHERE schedules.source_id = told.source_id AND schedules.kind = told.kind
    """,
    rows={"source_id": "int", "kind": "text", "memory": "json"},
)
_NEXT = Statement(
    """
    UPDATE schedules SET next_at = :next_at, gates = NULL, gated_since = NULL
    WHERE source_id = :source_id AND kind = :kind
    """,
    args={"source_id": "int", "kind": "text", "next_at": "int"},
)
_CONCERNED = Statement(
    """
    SELECT sources.site_id FROM (
      SELECT source_id FROM schedules WHERE next_at <= :now ORDER BY next_at LIMIT :limit
    ) AS due JOIN sources ON sources.id = due.source_id WHERE sources.site_id IS NOT NULL
    UNION
    SELECT site_id FROM sources WHERE adopted_at IS NULL AND site_id IS NOT NULL
    UNION
    SELECT sources.site_id FROM runs JOIN sources ON sources.id = runs.source_id
    WHERE runs.status = 'running' AND runs.heartbeat_at < :silent_since AND sources.site_id IS NOT NULL
    UNION
    SELECT site_id FROM jobs WHERE status = 'pending' AND created_at < :stale_since
    """,
    scalar=int,
    args={"now": "int", "limit": "int", "silent_since": "int", "stale_since": "int"},
)


_OPEN_RUN = and_(
    runs.c.source_id == schedules.c.source_id,
    runs.c.kind == schedules.c.kind,
    runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED)),
)
_SWITCHED_OFF = and_(
    adapter_states.c.adapter == sources.c.adapter,
    adapter_states.c.site_id.in_((0, sources.c.site_id)),
    adapter_states.c.enabled == 0,
)
"""Whether the source's adapter is disabled, everywhere or on this site."""


def list_lanes(
    conn: Connection, *, silent_since: datetime, stale_since: datetime, now: datetime
) -> list[int]:
    """The lanes whose work a tick may change."""
    return _CONCERNED(
        conn,
        now=micros(now),
        limit=MAX_DUE,
        silent_since=micros(silent_since),
        stale_since=micros(stale_since),
    )


def any_due(conn: Connection, *, silent_since: datetime, now: datetime) -> bool:
    """Whether a tick has anything to do: three index look-ups, whatever the size of the tables."""
    return bool(_ANYTHING(conn, now=micros(now), silent_since=micros(silent_since))[0])


def list_due(conn: Connection, *, now: datetime) -> list[ScheduleRow]:
    """Schedules that are due, the longest overdue first."""
    return fetch_schedules(conn, _due(), {"now": now})


def list_by_source(conn: Connection, source_id: int) -> list[ScheduleRow]:
    """All schedules of a source, due or not."""
    return fetch_schedules(conn, _with_facts().where(sources.c.id == source_id).order_by(schedules.c.kind))


def list_all(conn: Connection) -> dict[int, list[ScheduleRow]]:
    """The same for every source, by its id."""
    found: dict[int, list[ScheduleRow]] = {}
    for row in fetch_schedules(conn, _with_facts().order_by(schedules.c.kind)):
        found.setdefault(row.source.id, []).append(row)
    return found


@cache
def _due() -> Select[Any]:
    ready = _with_facts().where(schedules.c.next_at <= bindparam("now")).order_by(schedules.c.next_at)
    return ready.limit(MAX_DUE).with_for_update(of=schedules, skip_locked=True)


@cache
def _with_facts() -> Select[Any]:
    """A select of every adopted source's schedules, in the columns of `ScheduleRow`.

    Built once: each tick uses it.
    """
    proven = canaries.alias("proven")
    return (
        select(
            *SOURCE_COLUMNS,
            schedules.c.kind.label("run_kind"),
            schedules.c.next_at,
            schedules.c.memory,
            schedules.c.gates,
            lanes.c.cooling_until,
            circuits.c.state.label("circuit_state"),
            circuits.c.until.label("circuit_until"),
            _why_off().label("adapter_off"),
            _probe_at().label("probe_at"),
            proven.c.active.label("active_version"),
            proven.c.candidate.label("candidate_version"),
            proven.c.status.label("canary"),
            proven.c.comparison,
            _refused_beside().label("refused_beside"),
            runs.c.id.label("open_run"),
            runs.c.status.label("open_run_status"),
            runs.c.error.label("open_run_error"),
        )
        .select_from(schedules)
        .join(sources, sources.c.id == schedules.c.source_id)
        .join(sites, sites.c.id == sources.c.site_id)
        .join(lanes, lanes.c.site_id == sites.c.id)
        .outerjoin(circuits, (circuits.c.source_id == sources.c.id) & (circuits.c.way == _circuit_way()))
        .outerjoin(proven, proven.c.source_id == sources.c.id)
        .outerjoin(runs, _OPEN_RUN)
    )


def _circuit_way() -> ColumnElement[str]:
    """The circuit that gates a run of this kind: as `circuit.way_of` names it."""
    return case(
        (schedules.c.kind == RunKind.VERIFICATION, CircuitWay.CHECKS.value),
        (sources.c.fetcher == FetcherName.ACTOR, CircuitWay.ACTOR.value),
        else_=CircuitWay.PAGES.value,
    )


def _why_off() -> ScalarSelect[Any]:
    """Why the adapter is disabled; NULL where it is enabled."""
    return (
        select(func.coalesce(adapter_states.c.why, "manual")).where(_SWITCHED_OFF).limit(1).scalar_subquery()
    )


def _probe_at() -> ScalarSelect[Any]:
    """When one run may probe a disabled adapter; NULL if an operator has to decide."""
    probe_at = adapter_states.c.probe_at
    return (
        select(func.max(probe_at))
        .where(_SWITCHED_OFF)
        .having(func.count() == func.count(probe_at))
        .scalar_subquery()
    )


def _refused_beside() -> ScalarSelect[Any]:
    """An adapter version that a source of the same site and adapter refused."""
    beside = sources.alias("beside")
    return (
        select(func.max(canaries.c.candidate))
        .join(beside, beside.c.id == canaries.c.source_id)
        .where(canaries.c.status == CanaryState.REFUSED, beside.c.adapter == sources.c.adapter)
        .where(beside.c.site_id == sources.c.site_id)
        .scalar_subquery()
    )


def set_next(conn: Connection, source_id: int, kind: str, *, next_at: datetime) -> None:
    """Set when a run of this kind is due next; its gates are judged again then."""
    _NEXT(conn, source_id=source_id, kind=str(kind), next_at=micros(next_at))


def keep_kinds(conn: Connection, source_id: int, kinds: Collection[str]) -> None:
    """Delete the schedules of a source for run kinds that its plan does not have."""
    condition = (schedules.c.source_id == source_id) & schedules.c.kind.not_in(kinds)
    conn.execute(delete(schedules).where(condition))


def set_gated(
    conn: Connection,
    source_id: int,
    kind: str,
    gates: Sequence[Mapping[str, Any]],
    *,
    look_at: datetime,
    now: datetime,
) -> None:
    """Store why a run of this kind was held back."""
    condition = (schedules.c.source_id == source_id) & (schedules.c.kind == kind)
    since = {} if conn.scalar(select(schedules.c.gated_since).where(condition)) else {"gated_since": now}
    conn.execute(update(schedules).where(condition).values(next_at=look_at, gates=list(gates), **since))


def wake_gated(
    conn: Connection,
    source_id: int | None = None,
    *,
    site_id: int | None = None,
    adapter: str | None = None,
    now: datetime,
) -> None:
    """Check at once schedules that a gate held back which has opened, of a source, a site or an adapter."""
    conditions = ((sources.c.id, source_id), (sources.c.site_id, site_id), (sources.c.adapter, adapter))
    query = select(sources.c.id).where(
        *(column == value for column, value in conditions if value is not None)
    )
    condition = schedules.c.gated_since.is_not(None) & schedules.c.source_id.in_(query)
    conn.execute(update(schedules).where(condition, schedules.c.next_at > now).values(next_at=now))


def run_now(conn: Connection, source_id: int, *, now: datetime, kind: str | None = None) -> int:
    """Make a source's schedules due at once; how many."""
    condition = schedules.c.source_id == source_id
    if kind is not None:
        condition &= schedules.c.kind == kind
    return conn.execute(update(schedules).where(condition).values(next_at=now)).rowcount


def save_memory(conn: Connection, source_id: int, kind: str, memory: Mapping[str, Any]) -> None:
    """Save the memory for the next run of this kind."""
    _REMEMBER(conn, [(source_id, str(kind), dict(memory))])


def memory_of(conn: Connection, source_id: int, kind: str) -> Mapping[str, Any]:
    """The memory of the last run of this kind; empty before the first."""
    return next(map(json_value, _MEMORY(conn, source_id=source_id, kind=kind)), None) or {}
