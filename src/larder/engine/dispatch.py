"""The tick: new sources are adopted, what is due is started or told why not, what went quiet is ended."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from larder.core.errors import BadInput
from larder.core.model.run import EXTRACTS, RunKind, Trigger
from larder.core.model.source import Plan
from larder.core.policy.alerting import AlertName
from larder.core.policy.backpressure import (
    RETRY_AFTER_FULL,
    Backoff,
    QueueLimits,
    Rejected,
    admit,
)
from larder.core.policy.cadence import STAGGER, run_kinds
from larder.core.policy.canary import Standing
from larder.core.policy.circuit import CircuitState
from larder.core.policy.gates import Facts, Gate, Reason, reasons
from larder.core.policy.priority import dispatch_priority
from larder.core.policy.stall import HEARTBEAT_LOST_AFTER, STALE_AFTER
from larder.core.policy.targets import STALE_AFTER as TARGET_STALE_AFTER
from larder.core.ports import Chance
from larder.engine import beats, finish, probes, quiet
from larder.engine.ledger import Entry
from larder.runs import FOLDS, Start
from larder.sdk.adapter import SiteAdapter
from larder.sdk.revision import version_of
from larder.sdk.urls import is_http, registrable_domain
from larder.store import (
    alerts,
    canaries,
    circuits,
    facts,
    jobs,
    lanes,
    runs,
    schedules,
    sources,
    targets,
)
from larder.store.statement import AnyRow

LOOK_AGAIN = timedelta(minutes=1)
"""A source that is held back is looked at this often, unless its gate says when it opens."""
SILENCE = HEARTBEAT_LOST_AFTER
SCHEDULER = "scheduler"
TYPICAL_RUN = 50
"""Jobs that an open run keeps in line at a time; an opened run counts as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatcher:
    """How this deployment dispatches."""

    adapters: Mapping[str, SiteAdapter]
    chance: Chance
    strict: bool = True
    stagger: timedelta = STAGGER
    limits: QueueLimits = field(default_factory=QueueLimits)
    kinds: frozenset[RunKind] = frozenset({RunKind.DISCOVERY})
    """The run kinds that are scheduled here."""
    cadence: Mapping[str, timedelta] = field(default_factory=dict)
    """Beats that this deployment sets for all its sources (`discovery_every` …)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """What a tick did."""

    adopted: int = 0
    opened: Sequence[int] = ()
    held_back: Mapping[str, Sequence[str]] = field(default_factory=dict)


def tick(conn: Connection, how: Dispatcher, *, now: datetime) -> Ticked:
    """One look at everything that is due."""
    if not schedules.anything(conn, silent_since=now - SILENCE, now=now):
        return Ticked()
    lanes.lock(conn, _lanes_concerned(conn, now))
    adopted = adopt(conn, how, now=now)
    quiet.put_aside(conn, now=now)
    quiet.end_silent(conn, now=now)
    queue = Queue.read(conn, how)
    opened: list[int] = []
    held_back: dict[str, list[str]] = {}
    rejected = 0
    for row in sorted(schedules.due(conn, now=now), key=lambda row: -_priority(row, now)):
        shut = reasons(facts_of(row, how, queue, now), now)
        if shut:
            rejected += Gate.QUEUE_FULL in {reason.gate for reason in shut} and not queue.backoff.paused(now)
            held_back.setdefault(row.slug, []).extend(reason.gate for reason in shut)
            _hold_back(conn, row, shut, how, now=now)
            continue
        if run_id := _open_or_refuse(conn, row, how, now=now):
            opened.append(run_id)
            queue.opened(row.adapter)
    _back_off(conn, queue.backoff, accepted=len(opened), rejected=rejected, now=now)
    return Ticked(adopted=adopted, opened=opened, held_back=held_back)


def _lanes_concerned(conn: Connection, now: datetime) -> list[int]:
    return schedules.lanes_concerned(conn, silent_since=now - SILENCE, stale_since=now - STALE_AFTER, now=now)


def why(conn: Connection, source_id: int, how: Dispatcher, *, now: datetime) -> dict[str, list[Reason]]:
    """For each run kind of a source: every reason that it would not start now."""
    queue = Queue.read(conn, how)
    return {
        row.run_kind: list(reasons(facts_of(row, how, queue, now), now))
        for row in schedules.of_source(conn, source_id)
    }


# -- new sources -------------------------------------------------------------------------------------------


def adopt(conn: Connection, how: Dispatcher, *, now: datetime) -> int:
    """Rows that somebody added, by whatever way, become sources that run."""
    fresh = sources.not_adopted(conn)
    for row in fresh:
        try:
            domain = check(row.adapter, row.url, how.adapters)
            plan = _plan(row, how, now)
        except NONSENSE as error:
            said = str(error) if isinstance(error, BadInput) else f"cannot be run: {error}"
            sources.refuse(conn, row.id, said, now=now)
            continue
        site_id = row.site_id or sources.ensure_site(conn, domain, now=now)
        lanes.ensure(conn, site_id)
        sources.adopt(conn, row.id, site_id, plan, now=now)
    return len(fresh)


NONSENSE = (BadInput, LookupError, TypeError, ValueError, AttributeError)
"""What a row that somebody wrote by hand can give rise to."""
FINDS = frozenset({RunKind.COLLECT, RunKind.DISCOVERY, RunKind.MONITOR})
"""What finds records begins at once; what keeps them true comes when there is something to keep."""


def _plan(row: AnyRow, how: Dispatcher, now: datetime) -> dict[str, datetime]:
    """The first moment of each run kind that a source has here."""
    cadence = beats.cadence_of(row, how.cadence)
    kinds = [kind for kind in run_kinds(Plan(row.plan)) if kind in how.kinds]
    return {str(kind): now if kind in FINDS else cadence.next_at(kind, now) for kind in kinds}


def check(adapter: str, url: str, adapters: Mapping[str, SiteAdapter]) -> str:
    """The site's domain, if a source with this adapter and URL can run at all."""
    if adapter not in adapters:
        known = ", ".join(sorted(adapters))
        raise BadInput(f"there is no adapter {adapter!r}", hint=f"known adapters: {known}")
    domain = registrable_domain(url) if is_http(url) else None
    if domain is None:
        raise BadInput(f"{url!r} is not a web address", hint="give one that starts with https:// or http://")
    return domain


# -- gates -------------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class Queue:
    """How full the queues are, and whether the scheduler backs off."""

    pending: dict[str, int]
    limits: QueueLimits
    backoff: Backoff

    @classmethod
    def read(cls, conn: Connection, how: Dispatcher) -> "Queue":
        """As it is now."""
        stored = facts.read(conn, "scheduler_backoff") or {}
        backoff = Backoff(
            pause=timedelta(seconds=stored.get("pause", 0)),
            until=_time(stored.get("until")),
            since=_time(stored.get("since")),
        )
        return cls(pending=jobs.pending_by_adapter(conn), limits=how.limits, backoff=backoff)

    def opened(self, adapter: str) -> None:
        """One more run will fill the queue."""
        self.pending[adapter] = self.pending.get(adapter, 0) + TYPICAL_RUN

    def full(self, adapter: str) -> bool:
        """No room for one more run of this adapter."""
        verdict = admit(
            adapter_pending=self.pending.get(adapter, 0),
            all_pending=sum(self.pending.values()),
            limits=self.limits,
        )
        return isinstance(verdict, Rejected)


def unproven(row: AnyRow, adapters: Mapping[str, SiteAdapter]) -> str:
    """The version that would read this source's pages, where it is not the one that is proven."""
    adapter = adapters.get(row.adapter)
    if adapter is None or row.active_version is None:
        return ""
    version = version_of(adapter, sources.params_of(row))
    return "" if version == row.active_version else version


def _objections(row: AnyRow, version: str) -> str:
    """What its canary brought up against this very version."""
    refused = row.canary == Standing.REFUSED and row.candidate_version == version
    return "; ".join((row.comparison or {}).get("objections", ())) if refused else ""


def facts_of(row: AnyRow, how: Dispatcher, queue: Queue, now: datetime) -> Facts:
    """What the gates look at, for one source and run kind."""
    closed = row.circuit_state in (None, CircuitState.CLOSED)
    version = unproven(row, how.adapters)
    return Facts(
        source=row.slug,
        site=row.domain,
        adapter=row.adapter,
        kind=row.run_kind,
        enabled=bool(row.enabled),
        needs_review=bool(row.needs_review),
        strict=how.strict,
        terms_reviewed=row.terms_reviewed_at is not None,
        site_blocked=bool(row.site_blocked),
        circuit_until=None if closed else row.circuit_until,
        adapter_enabled=row.adapter_off is None,
        adapter_why=row.adapter_off or "",
        adapter_probe_at=row.probe_at if row.reenables_itself and row.run_kind in EXTRACTS else None,
        unproven=version,
        objections=_objections(row, version),
        running=row.open_run,
        cooling_until=row.cooling_until,
        queue_full_until=now + RETRY_AFTER_FULL if queue.full(row.adapter) else None,
        backing_off_until=queue.backoff.until,
    )


def _hold_back(
    conn: Connection, row: AnyRow, shut: Sequence[Reason], how: Dispatcher, *, now: datetime
) -> None:
    opens = [reason.until for reason in shut if reason.until is not None]
    look_at = max([now + LOOK_AGAIN, *opens]) if len(opens) == len(shut) else now + LOOK_AGAIN
    gates = [{**asdict(reason), "until": reason.until and reason.until.isoformat()} for reason in shut]
    schedules.set_gated(conn, row.id, row.run_kind, gates, look_at=look_at, now=now)
    if row.run_kind == RunKind.MONITOR:
        targets.neglect(conn, row.id, before=now - TARGET_STALE_AFTER, now=now)
    if version := unproven(row, how.adapters):
        canaries.nominate(conn, row.id, version)


def _back_off(conn: Connection, before: Backoff, *, accepted: int, rejected: int, now: datetime) -> None:
    after = before.ticked(now, accepted=accepted, rejected=rejected, retry_after=RETRY_AFTER_FULL)
    if after != before:
        stored = {
            "pause": after.pause.total_seconds(),
            "until": after.until and after.until.isoformat(),
            "since": after.since and after.since.isoformat(),
        }
        facts.write(conn, "scheduler_backoff", stored, now=now)
    if after.pause > before.pause:
        name = AlertName.REJECTIONS_SPIKE
        message = f"{rejected} of {accepted + rejected} runs that were due found no room in the queue"
        alerts.raise_alert(conn, name, name.severity, SCHEDULER, message, now=now)
    if after.overdue(now):
        message = f"nothing new is scheduled since {after.since:%H:%M}: most jobs are turned away"
        name = AlertName.SCHEDULER_BACKING_OFF
        alerts.raise_alert(conn, name, name.severity, SCHEDULER, message, now=now)
    elif before.since is not None and after.since is None:
        for name in (AlertName.REJECTIONS_SPIKE, AlertName.SCHEDULER_BACKING_OFF):
            alerts.resolve(conn, name, SCHEDULER, now=now)


def _time(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored)


def _priority(row: AnyRow, now: datetime) -> float:
    return dispatch_priority(
        now,
        last_run_at=row.last_run_at,
        items_seen=row.items_seen,
        reliability=row.reliability,
        failures=row.consecutive_failures,
    )


# -- runs --------------------------------------------------------------------------------------------------


def _idle(conn: Connection, row: AnyRow, how: Dispatcher, *, now: datetime) -> bool:
    """A watch whose targets are all still to come is put off, without a run that does nothing."""
    if row.run_kind != RunKind.MONITOR or targets.any_due(conn, row.id, now=now):
        return False
    until = beats.next_at(conn, row, how.cadence, Trigger.SCHEDULED, now)
    schedules.put_off(conn, row.id, row.run_kind, until=until)
    return True


def _open_or_refuse(conn: Connection, row: AnyRow, how: Dispatcher, *, now: datetime) -> int | None:
    """Start a run; a source whose row makes no sense is set aside, and keeps no other from starting."""
    try:
        with conn.begin_nested():
            check(row.adapter, row.url, how.adapters)
            if _idle(conn, row, how, now=now):
                return None
            return open_run(conn, row, how, trigger=beats.trigger_of(row, how.cadence, now), now=now)
    except NONSENSE as error:
        sources.refuse(conn, row.id, f"cannot be run: {error}", now=now)
        return None


def open_run(conn: Connection, row: AnyRow, how: Dispatcher, *, trigger: Trigger, now: datetime) -> int:
    """Start a run: its first pages stand in line when this commits."""
    source, kind = sources.as_source(row), RunKind(row.run_kind)
    adapter = how.adapters[source.adapter]
    trigger = trigger if row.adapter_off is None else Trigger.RECHECK
    run_id = runs.open_run(
        conn,
        source_id=source.id,
        kind=kind,
        trigger=trigger,
        adapter=adapter.id,
        adapter_version=version_of(adapter, source.params),
        now=now,
    )
    begins = now if trigger is Trigger.MANUAL else now + how.stagger * how.chance.random()
    canaries.runs_with(conn, source.id, version_of(adapter, source.params), now=now)
    entry = Entry.of(runs.load(conn, [run_id])[run_id], source, adapter)
    step = FOLDS[kind].start(Start(source=source, memory=row.memory or {}, trigger=trigger, now=now))
    if entry.probing:
        probes.begin(conn, entry, step.state, now=now)
    else:
        entry.take(conn, step, now=now, begins=begins)
    jobs.enqueue(conn, entry.new_jobs, now=now)
    lanes.wake(conn, {source.site_id: begins})
    runs.advance(conn, [entry.progress()], now=now)
    if entry.finished:
        finish.finish(conn, [entry], now=now)
    _probe(conn, row, now=now)
    next_at = beats.next_at(conn, row, how.cadence, trigger, now)
    schedules.set_next(conn, source.id, kind, next_at=next_at, run_id=run_id, now=now)
    return run_id


def _probe(conn: Connection, row: AnyRow, *, now: datetime) -> None:
    """A run of a source whose cooldown is over is its circuit's probe."""
    if row.circuit_state not in (None, CircuitState.CLOSED):
        circuit = circuits.read(conn, [row.id])[row.id]
        circuits.write(conn, {row.id: circuit.probing(now)})
