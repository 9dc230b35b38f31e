"""When the runs of a source are due: by its own intervals, else the deployment's, else the run kind's."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial

from larder.core.errors import BadInput
from larder.core.model.run import RunKind, Trigger
from larder.core.model.source import Plan, Tier
from larder.core.policy.run_limits import limit_of
from larder.core.policy.scheduling.cadence import MAX_INTERVAL, MIN_INTERVAL, Cadence
from larder.core.policy.scheduling.spending import Spending, SpendingPlan
from larder.runs import FOLDS, INTERVALS, LastRun
from larder.runs.adaptive import spending_plan
from larder.store.database import Connection
from larder.store.queue import request_hours, schedules, selections
from larder.store.queue.source_rows import ScheduleRow, SourceRow

SPENDING = ("request_price", "requests_per_day", "verified_within_hours", "verified_percent")
Intervals = Mapping[str, timedelta]
"""Intervals that a deployment sets for all its sources (`discovery_every` …)."""


def cadence_of(source: SourceRow, usual: Intervals) -> Cadence:
    """A source's cadence; `BadInput` if a stored number is no possible interval between two runs."""
    own = source.policy or {}
    if source.cadence_hours is not None:
        _check_interval("cadence_hours", source.cadence_hours, timedelta(hours=1))
    for name in (interval for interval in INTERVALS if interval in own):
        _check_interval(name, own[name], timedelta(seconds=1))
    return Cadence(
        plan=Plan(source.plan),
        tier=Tier(source.tier),
        tz=source.tz,
        cadence_hours=source.cadence_hours,
        spending=Spending.of({name: limit_of(name, source.params or {}) for name in SPENDING}),
        intervals={**usual, **{name: timedelta(seconds=own[name]) for name in INTERVALS if name in own}},
    )


def _check_interval(name: str, value: float, unit: timedelta) -> None:
    least, most = MIN_INTERVAL / unit, MAX_INTERVAL / unit
    if not least <= value <= most:  # also false for NaN
        raise BadInput(f"{name} is {value}", hint=f"set {name} to a number from {least:.6g} to {most:.0f}")


def trigger_for(row: ScheduleRow, usual: Intervals, now: datetime) -> Trigger:
    """The trigger of a run that the schedule opens now."""
    return FOLDS[RunKind(row.run_kind)].trigger(cadence_of(row.source, usual), row.memory or {}, now)


def spending_of(conn: Connection, row: ScheduleRow, usual: Intervals, now: datetime) -> SpendingPlan | None:
    """The spending plan of a source with the plan `adaptive`; None for other plans."""
    if row.source.plan != Plan.ADAPTIVE:
        return None
    discovery, sweep = (
        schedules.memory_of(conn, row.source.id, kind) for kind in (RunKind.DISCOVERY, RunKind.SWEEP)
    )
    spent = request_hours.spent(conn, row.source.id, now=now)
    return spending_plan(cadence_of(row.source, usual), discovery, sweep, spent)


def next_at(
    conn: Connection, row: ScheduleRow, usual: Intervals, trigger: Trigger, now: datetime
) -> datetime:
    """When the next run of this kind is due."""
    fading = partial(selections.next_fading_at, conn, row.source.id, now=now)
    others = partial(schedules.memory_of, conn, row.source.id)
    spent = partial(request_hours.spent, conn, row.source.id, now=now)
    last = LastRun(
        memory=row.memory or {}, trigger=trigger, next_fading_at=fading, memory_of=others, spent=spent
    )
    return FOLDS[RunKind(row.run_kind)].next_at(cadence_of(row.source, usual), now, last)
