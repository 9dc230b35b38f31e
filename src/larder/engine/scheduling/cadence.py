"""When the runs of a source come: its own beats, the deployment's, and what fades in between."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from larder.core.model.run import RunKind, Trigger
from larder.core.model.source import Plan, Tier
from larder.core.policy.scheduling.cadence import VERIFICATION_OF_FADED_EVERY, Cadence, checks_all
from larder.store.database.statement import AnyRow
from larder.store.queue import selections

Intervals = Mapping[str, timedelta]
"""Beats that a deployment sets for all its sources (`discovery_every` …)."""
INTERVAL_FIELDS = ("discovery_every", "sweep_every", "verification_every", "monitor_every")


def cadence_of(row: AnyRow, usual: Intervals) -> Cadence:
    """A source's beats: its own, else the deployment's, else SPEC's."""
    return Cadence(
        plan=Plan(row.plan),
        tier=Tier(row.tier),
        tz=row.tz,
        cadence_hours=row.cadence_hours,
        **{**usual, **_own_intervals(row.policy or {})},
    )


def _own_intervals(policy: Mapping[str, Any]) -> dict[str, timedelta]:
    return {name: timedelta(seconds=policy[name]) for name in INTERVAL_FIELDS if name in policy}


def trigger_for(row: AnyRow, usual: Intervals, now: datetime) -> Trigger:
    """Between two verifications of all candidates, those of the faded alone are rechecks."""
    if row.run_kind != RunKind.VERIFICATION:
        return Trigger.SCHEDULED
    full = checks_all(now, _checked_all_at(row), cadence_of(row, usual).verification_every)
    return Trigger.SCHEDULED if full else Trigger.RECHECK


def next_at(conn: Connection, row: AnyRow, usual: Intervals, trigger: Trigger, now: datetime) -> datetime:
    """The next beat; a verification comes sooner, but at most hourly, when a record falls below the line."""
    kind, cadence = RunKind(row.run_kind), cadence_of(row, usual)
    if kind is not RunKind.VERIFICATION:
        return cadence.next_at(kind, now)
    fades_at = selections.next_fading_at(conn, row.id, now=now)
    soonest = None if fades_at is None else max(fades_at, now + VERIFICATION_OF_FADED_EVERY)
    last = _checked_all_at(row) if trigger is Trigger.RECHECK else None
    return cadence.next_at(kind, last or now, fades_at=soonest)


def _checked_all_at(row: AnyRow) -> datetime | None:
    stored = (row.memory or {}).get("checked_all_at")
    return None if stored is None else datetime.fromisoformat(stored)
