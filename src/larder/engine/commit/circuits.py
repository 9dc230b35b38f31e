"""Updates the circuit breakers of sources by how their fetches ended."""

from collections.abc import Sequence
from datetime import datetime

from larder.core.model.job import Purpose
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
from larder.store.operations import alerts, circuits
from larder.store.operations.circuits import CircuitKey


def update_circuits(
    conn: Connection, over: Sequence[ProcessedPage], put_back: Sequence[ProcessedPage] = (), *, now: datetime
) -> dict[CircuitKey, Circuit]:
    """Count each ended fetch for or against its circuit; return the circuits that changed.

    Jobs that were requeued while a circuit is open are held with the rest.
    """
    slugs = {_key(each): each.work.source.slug for each in (*over, *put_back)}
    before = circuits.read(conn, list(slugs))
    after = dict(before)
    for each in over:
        key = _key(each)
        after[key] = _next_state(after[key], each, now=now)
    changed = {key: circuit for key, circuit in after.items() if circuit != before[key]}
    circuits.write(conn, changed)
    for key, circuit in after.items():
        _hold_or_release_jobs(conn, key, before[key], circuit, now=now)
    for key, circuit in changed.items():
        _alert(conn, key, slugs[key], before[key], circuit, now=now)
    return changed


def alert_subject(slug: str, way: CircuitWay) -> str:
    """What an alert about a circuit is about: a source, or a source's checks."""
    return f"{slug} (checks)" if way is CircuitWay.CHECKS else slug


def _key(each: ProcessedPage) -> CircuitKey:
    source, check = each.work.source, each.work.job.request.purpose is Purpose.CHECK
    return CircuitKey(source.id, way_of(source.fetcher, check=check))


def _next_state(circuit: Circuit, each: ProcessedPage, *, now: datetime) -> Circuit:
    if counts_for_circuit(each):
        rules = rules_for(_key(each).way)
        fetched = each.fetched
        return circuit.failed(now, status=fetched.status, retry_at=fetched.retry_at, rules=rules)
    if not budget_refused(each) and (each.fetched.outcome.brought_a_page or each.fetched.status is not None):
        return circuit.succeeded(now)
    return circuit


def _hold_or_release_jobs(
    conn: Connection, key: CircuitKey, was: Circuit, is_now: Circuit, *, now: datetime
) -> None:
    if is_now.state is CircuitState.OPEN and is_now.until is not None and is_now.until > now:
        circuits.hold_jobs(conn, key, until=is_now.until, others=PROBE_LOST_AFTER)
    elif was.state is not CircuitState.CLOSED and is_now.state is CircuitState.CLOSED:
        circuits.free_jobs(conn, key, now=now)


def _alert(
    conn: Connection, key: CircuitKey, slug: str, was: Circuit, is_now: Circuit, *, now: datetime
) -> None:
    """Alert when a circuit opens, unless that of the same pages did; resolve the alert when it closes."""
    name, subject = AlertName.CIRCUIT_TRIPPED, alert_subject(slug, key.way)
    if is_now.trips > was.trips and is_now.until is not None:
        if key.way is CircuitWay.CHECKS and _pages_are_held(conn, key):
            return
        message = (
            f"{is_now.failures} fetches in a row failed; tried again from {is_now.until:%d %b %H:%M} UTC"
        )
        alerts.raise_alert(
            conn, name, name.severity, subject, message, now=now, details={"trips": is_now.trips}
        )
    elif was.state is not CircuitState.CLOSED and is_now.state is CircuitState.CLOSED:
        alerts.resolve(conn, name, subject, now=now)


def _pages_are_held(conn: Connection, key: CircuitKey) -> bool:
    """The circuit of the source's pages, which its checks ask for as well, is not closed."""
    pages = CircuitKey(key.source_id, CircuitWay.PAGES)
    return circuits.read(conn, [pages])[pages].state is not CircuitState.CLOSED
