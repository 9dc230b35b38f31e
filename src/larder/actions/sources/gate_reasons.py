"""Explains why a source runs or not: each run kind with its closed gates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from ipaddress import ip_address

from larder.actions.sources.spending import SpendingView, view_spending
from larder.core.model.source import Plan, Visibility
from larder.core.policy.scheduling.gates import GateFacts, GateReason, closed_gates
from larder.engine.scheduling.backpressure import QueueState
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.scheduling.gate_facts import gate_facts
from larder.runs import run_kinds
from larder.store.database import Connection
from larder.store.queue import schedules, sources
from larder.store.queue.source_rows import ScheduleRow, SourceRow
from larder.store.reads.lookup import source_row
from larder.store.reads.operators.disputed_fields import DisputedField, list_disputed_fields
from larder.store.reads.operators.request_counts import request_counts
from larder.store.reads.operators.runs import RunView, latest_closed_runs


@dataclass(frozen=True, slots=True, kw_only=True)
class KindState:
    """One run kind of a source: when it is due, and every reason that would prevent it then."""

    kind: str
    next_at: datetime | None
    open_run: int | None
    reasons: Sequence[GateReason]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceGates:
    """A source and its run kinds."""

    source: str
    site: str | None
    kinds: Sequence[KindState]
    review_reason: str | None
    waits_for: Sequence[str]
    """Run kinds of its plan that are not scheduled here."""
    visibility: str
    latest_runs: Sequence[RunView] = ()
    """The latest closed run of each of its kinds; only for a single source."""
    disputed: Sequence[DisputedField] = ()
    """Fields on which readings disagree; only for a single source."""
    guarded: bool = False
    """Its site is at a private address and not marked as local."""
    spending: SpendingView | None = None
    """The spending of the plan `adaptive`; only for a single source."""

    @property
    def blocked_by(self) -> list[GateReason]:
        """Each closed gate once, except `already_running`."""
        return distinct_reasons([reason for kind in self.kinds for reason in kind.reasons])

    @property
    def state(self) -> str:
        """running, held back, ready or idle."""
        if any(kind.open_run for kind in self.kinds):
            return "running"
        if self.blocked_by:
            return "held back"
        return "ready" if any(kind.next_at for kind in self.kinds) else "idle"

    @property
    def hidden(self) -> bool:
        """Whether its records are hidden from public reads."""
        return self.visibility == Visibility.HIDDEN


def why(conn: Connection, slug: str, settings: DispatchSettings, *, now: datetime) -> SourceGates:
    """Why a source is running or not."""
    row = source_row(conn, slug)
    gates = explain_row(conn, row, settings, now=now)
    disputed = list_disputed_fields(conn, row.id)
    return replace(gates, latest_runs=latest_closed_runs(conn, slug), disputed=disputed)


def explain_row(
    conn: Connection, row: SourceRow, settings: DispatchSettings, *, now: datetime
) -> SourceGates:
    """The same for a source row."""
    planned = schedules.list_by_source(conn, row.id)
    status = _why(row, planned, settings, QueueState.read(conn, settings), now=now)
    counts = request_counts(conn, row.id, row.site_id, now=now)
    return replace(status, spending=view_spending(planned, counts))


def explain_all(conn: Connection, settings: DispatchSettings, *, now: datetime) -> Mapping[str, SourceGates]:
    """The gates of all sources, by slug, in as many queries as for one."""
    queue, planned = QueueState.read(conn, settings), schedules.list_all(conn)
    return {
        row.slug: _why(row, planned.get(row.id, ()), settings, queue, now=now)
        for row in sources.list_sources(conn)
    }


def _why(
    row: SourceRow,
    planned: Sequence[ScheduleRow],
    settings: DispatchSettings,
    queue: QueueState,
    *,
    now: datetime,
) -> SourceGates:
    kinds = [_planned(schedule, settings, queue, now) for schedule in planned]
    return SourceGates(
        source=row.slug,
        site=row.domain,
        kinds=kinds or [_unplanned(row, settings, now)],
        review_reason=row.review_reason,
        waits_for=[str(kind) for kind in run_kinds(Plan(row.plan)) if kind not in settings.kinds],
        visibility=row.visibility,
        guarded=row.domain is not None and _private(row.domain) and not row.site_local,
    )


def _private(domain: str) -> bool:
    """Whether the name is private; the address behind a public name is checked when it is fetched."""
    try:
        return not ip_address(domain.strip("[]")).is_global
    except ValueError:
        return "." not in domain or domain.rsplit(".", 1)[-1] in ("localhost", "local", "internal")


def _planned(row: ScheduleRow, settings: DispatchSettings, queue: QueueState, now: datetime) -> KindState:
    closed = closed_gates(gate_facts(row, settings, queue, now), now)
    return KindState(kind=row.run_kind, next_at=row.next_at, open_run=row.open_run, reasons=closed)


def _unplanned(row: SourceRow, settings: DispatchSettings, now: datetime) -> KindState:
    """A source without a schedule: new, refused, or with a plan of which nothing is scheduled."""
    facts = GateFacts(
        source=row.slug,
        site=row.domain or "its site",
        adapter=row.adapter,
        enabled=bool(row.enabled),
        needs_review=bool(row.needs_review),
        strict=settings.strict,
        terms_reviewed=row.terms_reviewed_at is not None or row.domain is None,
        site_blocked=bool(row.site_blocked),
    )
    return KindState(kind=f"plan {row.plan}", next_at=None, open_run=None, reasons=closed_gates(facts, now))


def distinct_reasons(closed: Sequence[GateReason]) -> list[GateReason]:
    """Each gate once, in order, without `already_running`."""
    return list({reason.gate: reason for reason in closed if reason.gate != "already_running"}.values())
