"""Updates the circuit breakers of sources by how their fetches ended."""

from collections.abc import Sequence
from datetime import datetime

from larder.core.model.job import Purpose
from larder.core.model.source import FetcherName, Source
from larder.core.plurals import plural
from larder.core.policy.alerting import AlertName
from larder.core.policy.trust.circuit import (
    PROBE_LOST_AFTER,
    Circuit,
    CircuitState,
    CircuitWay,
    rules_for,
    way_of,
)
from larder.engine.progress.job_outcome import budget_refused, counts_for_circuit
from larder.engine.work_items import ProcessedPage
from larder.store.database import Connection
from larder.store.operations import circuits
from larder.store.operations.circuits import CircuitKey
from larder.store.operations.notifications import alerts


def update_circuits(
    conn: Connection, ended: Sequence[ProcessedPage], put_back: Sequence[ProcessedPage], *, now: datetime
) -> dict[CircuitKey, Circuit]:
    """Count each ended fetch for or against its circuit; return the circuits that changed.

    Jobs that were requeued while a circuit is open are held with the rest.
    """
    owners = {_key(each): each.work.source for each in (*ended, *put_back)}
    before = circuits.read(conn, list(owners))
    after = dict(before)
    for page in ended:
        key = _key(page)
        after[key] = _next_state(after[key], page, now=now)
    changed = {key: circuit for key, circuit in after.items() if circuit != before[key]}
    circuits.write(conn, changed)
    for key, circuit in after.items():
        _hold_or_release_jobs(conn, key, before[key], circuit, now=now)
    for key, circuit in changed.items():
        _alert(conn, key, owners[key], before[key], circuit, now=now)
    return changed


def alert_subject(source: Source, way: CircuitWay) -> str:
    """The subject of alerts about a circuit: a source, or its checks if an actor brings its pages.

    Checks and pages of one site fail together: an outage is one incident.
    """
    separate = way is CircuitWay.CHECKS and source.fetcher is FetcherName.ACTOR
    return _checks_of(source) if separate else source.slug


def _checks_of(source: Source) -> str:
    return f"{source.slug} (checks)"


def resolve_checks_alert(conn: Connection, source: Source, *, now: datetime) -> None:
    """Resolve an alert about the checks of a source if they are not held.

    The alert may date from a time when the source had another fetcher, or when all checks were distinguished.
    """
    if not _is_held(conn, source, CircuitWay.CHECKS):
        alerts.resolve(conn, AlertName.CIRCUIT_TRIPPED, _checks_of(source), now=now)


def _key(page: ProcessedPage) -> CircuitKey:
    source, check = page.work.source, page.work.job.request.purpose is Purpose.CHECK
    return CircuitKey(source.id, way_of(source.fetcher, check=check))


def _next_state(circuit: Circuit, page: ProcessedPage, *, now: datetime) -> Circuit:
    if counts_for_circuit(page):
        rules = rules_for(_key(page).way)
        fetched = page.fetched
        return circuit.failed(now, status=fetched.status, retry_at=fetched.retry_at, rules=rules)
    if not budget_refused(page) and (page.fetched.outcome.has_page or page.fetched.status is not None):
        return circuit.succeeded(now)
    return circuit


def _hold_or_release_jobs(
    conn: Connection, key: CircuitKey, was: Circuit, is_now: Circuit, *, now: datetime
) -> None:
    if is_now.state is CircuitState.OPEN and is_now.until is not None and is_now.until > now:
        circuits.hold_jobs(conn, key, until=is_now.until, others_after=PROBE_LOST_AFTER)
    elif was.state is not CircuitState.CLOSED and is_now.state is CircuitState.CLOSED:
        circuits.free_jobs(conn, key, now=now)


def _alert(
    conn: Connection, key: CircuitKey, source: Source, was: Circuit, is_now: Circuit, *, now: datetime
) -> None:
    """Alert when a circuit opens, unless that of the same pages did; resolve when all are closed."""
    name, subject = AlertName.CIRCUIT_TRIPPED, alert_subject(source, key.way)
    if is_now.trips > was.trips and is_now.until is not None:
        if key.way is CircuitWay.CHECKS and _is_held(conn, source, CircuitWay.PAGES):
            return
        failed = plural(is_now.failures, "fetch", "fetches")
        message = f"{failed} in a row failed; next attempt {is_now.until:%d %b %H:%M} UTC"
        alerts.raise_alert(
            conn, name, name.severity, subject, message, now=now, details={"trips": is_now.trips}
        )
    elif was.state is not CircuitState.CLOSED and is_now.state is CircuitState.CLOSED:
        others = [way for way in CircuitWay if way is not key.way and alert_subject(source, way) == subject]
        if not any(_is_held(conn, source, way) for way in others):
            alerts.resolve(conn, name, subject, now=now)
        resolve_checks_alert(conn, source, now=now)


def _is_held(conn: Connection, source: Source, way: CircuitWay) -> bool:
    key = CircuitKey(source.id, way)
    return circuits.read(conn, [key])[key].state is not CircuitState.CLOSED
