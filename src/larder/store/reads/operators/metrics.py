"""Counts for `/metrics`, for the whole deployment: whichever process asks, the answer is the same.

Gauges are read as they are now. Counters are read as what was added in a window of time, or by a run since it
was last looked at; every query goes along an index and gives back groups, never pages or jobs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, case, func, or_, select

from larder.store.database.statement import fetch_as, json_value
from larder.store.reads import counts
from larder.store.reads.counts import SourceCounts
from larder.store.tables import (
    adapter_states,
    alerts,
    circuits,
    dead_letters,
    jobs,
    outbox,
    pages,
    quarantine,
    runs,
    schedules,
    sites,
    sources,
    targets,
)

MAX_GATED = 5_000
"""Schedules whose gates are counted."""
BUCKETS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0)
"""Upper bounds of the histograms, in seconds."""


class FetchCount(NamedTuple):
    """How many requests of a source ended with an outcome."""

    source_id: int
    outcome: str
    requests: int


class SourceLabels(NamedTuple):
    """What names a source in a metric, and how it stands."""

    id: int
    slug: str
    site: str
    adapter: str
    enabled: bool
    last_run_at: datetime | None
    consecutive_failures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauges:
    """How everything stands now."""

    sources: Sequence[SourceLabels]
    records: Mapping[int, SourceCounts]
    pending: Mapping[str, int]
    """Jobs by site."""
    jobs: Mapping[str, int]
    """Jobs that run or are stale, by status."""
    runs: Mapping[str, int]
    targets: Mapping[str, int]
    gates: Mapping[str, int]
    circuits: Mapping[int, int]
    """Circuits that are not closed, by source."""
    adapters: Mapping[tuple[str, str], bool]
    """Whether it is enabled, by adapter and site; an empty site: everywhere."""
    alerts: Mapping[tuple[str, str], int]
    """By name and severity."""
    dead_letters: int
    quarantined: int
    outbox: int


class RunCounts(NamedTuple):
    """The counters of one run."""

    id: int
    source_id: int | None
    kind: str
    status: str
    finished_at: datetime | None
    attempted: int
    failed: int
    extracted: int
    inserted: int
    updated: int
    unchanged: int
    dropped: int
    quarantined: int
    left_out: Any

    @property
    def reasons(self) -> Mapping[str, int]:
        """Items that were left out, by reason."""
        return {reason: left["items"] for reason, left in (json_value(self.left_out) or {}).items()}


class Histogram(NamedTuple):
    """How many took at most so long, by `BUCKETS`; not cumulative."""

    label: str
    many: int
    seconds: float
    buckets: Sequence[int]


def gauges(conn: Connection, *, now: datetime) -> Gauges:
    """How everything stands now."""
    waits = dead_letters.c.status == "pending"
    condition = quarantine.c.status == "pending"
    unsent = outbox.c.status == "pending"
    return Gauges(
        sources=_sources(conn),
        records=counts.by_source(conn, now=now),
        pending=_pending(conn),
        jobs=_by(conn, jobs.c.status, jobs.c.status.in_(("running", "stale"))),
        runs=_by(conn, runs.c.status, runs.c.status.in_(("running", "paused"))),
        targets=_by(conn, targets.c.status, targets.c.enabled == 1),
        gates=_gates(conn),
        circuits=_by(conn, circuits.c.source_id, circuits.c.state != "closed"),
        adapters=_adapters(conn),
        alerts=_alerts(conn),
        dead_letters=_many(conn, waits),
        quarantined=_many(conn, condition),
        outbox=_many(conn, unsent),
    )


def run_counts(conn: Connection, *, since: datetime) -> list[RunCounts]:
    """The counters of every run that is open or ended after `since`."""
    columns = [runs.c[name] for name in RunCounts._fields]
    query = select(*columns).where(or_(runs.c.finished_at.is_(None), runs.c.finished_at > since))
    return [RunCounts(*row) for row in conn.execute(query)]


def fetches(conn: Connection, after: datetime, until: datetime) -> list[FetchCount]:
    """Requests that ended in a window, by source and outcome."""
    query = select(pages.c.source_id, pages.c.outcome, func.count().label("requests"))
    query = query.where(*_within(pages.c.fetched_at, after, until))
    return fetch_as(conn, query.group_by(pages.c.source_id, pages.c.outcome), FetchCount)


def fetch_times(conn: Connection, after: datetime, until: datetime) -> list[Histogram]:
    """How long those requests took, by fetcher."""
    window = _within(pages.c.fetched_at, after, until)
    return _histograms(conn, pages.c.fetcher, pages.c.duration_ms / 1000.0, *window)


def parse_times(conn: Connection, after: datetime, until: datetime) -> list[Histogram]:
    """How long reading their pages took, by adapter."""
    window = _within(pages.c.fetched_at, after, until)
    return _histograms(conn, sources.c.adapter, pages.c.parse_ms / 1000.0, pages.c.parse_ms.is_not(None),
                       pages.c.source_id == sources.c.id, *window)  # fmt: skip


def wait_times(conn: Connection, after: datetime, until: datetime) -> list[Histogram]:
    """How long jobs that ended in a window had waited for their site's rate limit, by stage."""
    ready = case((jobs.c.not_before > jobs.c.created_at, jobs.c.not_before), else_=jobs.c.created_at)
    waited = _plain(jobs.c.slot_opens_at) - _plain(ready)
    seconds = case((waited > 0, waited), else_=0) / 1_000_000.0
    window = _within(jobs.c.finished_at, after, until)
    return _histograms(conn, jobs.c.purpose, seconds, jobs.c.slot_opens_at.is_not(None), *window)


def _plain(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Microseconds, without their conversion into a datetime."""
    return func.coalesce(column, 0, type_=jobs.c.attempts.type)


def _within(column: ColumnElement[Any], after: datetime, until: datetime) -> tuple[ColumnElement[bool], ...]:
    return column > after, column <= until


def _histograms(
    conn: Connection, label: ColumnElement[Any], seconds: ColumnElement[Any], *conditions: ColumnElement[bool]
) -> list[Histogram]:
    above = [0.0, *BUCKETS]
    sums = [
        func.sum(case(((seconds > low if low else seconds >= 0) & (seconds <= high), 1), else_=0))
        for low, high in zip(above, BUCKETS, strict=False)
    ]
    query = select(label, func.count(), func.sum(seconds), *sums).where(*conditions).group_by(label)
    return [
        Histogram(name, many, float(total or 0), [int(each or 0) for each in buckets])
        for name, many, total, *buckets in conn.execute(query)
    ]


def _sources(conn: Connection) -> list[SourceLabels]:
    query = (
        select(sources, sites.c.domain)
        .outerjoin(sites, sites.c.id == sources.c.site_id)
        .where(sources.c.removed_at.is_(None))
        .order_by(sources.c.id)
    )
    return [
        SourceLabels(
            row.id, row.slug, row.domain or "", row.adapter, bool(row.enabled), row.last_run_at,
            row.consecutive_failures,
        )
        for row in conn.execute(query)
    ]  # fmt: skip


def _pending(conn: Connection) -> Mapping[str, int]:
    query = (
        select(sites.c.domain, func.count().label("many"))
        .join(jobs, jobs.c.site_id == sites.c.id)
        .where(jobs.c.status == "pending")
        .group_by(sites.c.domain)
    )
    return {row.domain: row.many for row in conn.execute(query)}


def _adapters(conn: Connection) -> Mapping[tuple[str, str], bool]:
    query = select(adapter_states.c.adapter, sites.c.domain, adapter_states.c.enabled).outerjoin(
        sites, sites.c.id == adapter_states.c.site_id
    )
    return {(row.adapter, row.domain or ""): bool(row.enabled) for row in conn.execute(query)}


def _alerts(conn: Connection) -> Mapping[tuple[str, str], int]:
    query = select(alerts.c.name, alerts.c.severity, func.count().label("many"))
    query = query.where(alerts.c.resolved_at.is_(None)).group_by(alerts.c.name, alerts.c.severity)
    return {(row.name, row.severity): row.many for row in conn.execute(query)}


def _gates(conn: Connection) -> Mapping[str, int]:
    """Schedules that wait, by the gates that hold them up."""
    held_up = select(schedules.c.gates).where(schedules.c.gates.is_not(None)).limit(MAX_GATED)
    return Counter(str(gate["gate"]) for row in conn.execute(held_up) for gate in json_value(row.gates) or ())


def _by(conn: Connection, column: ColumnElement[Any], condition: ColumnElement[bool]) -> Mapping[Any, int]:
    query: Select[Any] = select(column, func.count()).where(condition).group_by(column)
    return dict(tuple(row) for row in conn.execute(query))


def _many(conn: Connection, condition: ColumnElement[bool]) -> int:
    return conn.scalar(select(func.count()).where(condition)) or 0
