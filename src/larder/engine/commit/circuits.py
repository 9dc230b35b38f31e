"""Updates the circuit breakers of sources by how their fetches ended."""

from collections.abc import Sequence
from datetime import datetime

from larder.core.policy.alerting import AlertName
from larder.core.policy.trust.circuit import PROBE_LOST_AFTER, Circuit, CircuitState, rules_for
from larder.engine.progress.job_outcome import budget_refused, counts_for_circuit
from larder.engine.work_items import ProcessedPage
from larder.store.database import Connection
from larder.store.operations import alerts, circuits


def update_circuits(
    conn: Connection, over: Sequence[ProcessedPage], put_back: Sequence[ProcessedPage] = (), *, now: datetime
) -> dict[int, Circuit]:
    """Count each ended fetch for or against its source; return the circuits that changed.

    Jobs that were requeued while a circuit is open are held with the rest.
    """
    sources = {each.work.source.id: each.work.source for each in (*over, *put_back)}
    before = circuits.read(conn, list(sources))
    after = dict(before)
    for each in over:
        source_id = each.work.source.id
        after[source_id] = _next_state(after[source_id], each, now=now)
    changed = {i: circuit for i, circuit in after.items() if circuit != before[i]}
    circuits.write(conn, changed)
    for source_id, circuit in after.items():
        _hold_or_release_jobs(conn, source_id, before[source_id], circuit, now=now)
    for source_id, circuit in changed.items():
        _alert(conn, sources[source_id].slug, before[source_id], circuit, now=now)
    return changed


def _next_state(circuit: Circuit, each: ProcessedPage, *, now: datetime) -> Circuit:
    if counts_for_circuit(each):
        rules = rules_for(each.work.source.fetcher)
        fetched = each.fetched
        return circuit.failed(now, status=fetched.status, retry_at=fetched.retry_at, rules=rules)
    if not budget_refused(each) and (each.fetched.outcome.brought_a_page or each.fetched.status is not None):
        return circuit.succeeded(now)
    return circuit


def _hold_or_release_jobs(
    conn: Connection, source_id: int, was: Circuit, is_now: Circuit, *, now: datetime
) -> None:
    if is_now.state is CircuitState.OPEN and is_now.until is not None and is_now.until > now:
        circuits.hold_jobs(conn, source_id, until=is_now.until, others=PROBE_LOST_AFTER)
    elif was.state is not CircuitState.CLOSED and is_now.state is CircuitState.CLOSED:
        circuits.free_jobs(conn, source_id, now=now)


def _alert(conn: Connection, slug: str, was: Circuit, is_now: Circuit, *, now: datetime) -> None:
    """Alert when a circuit opens; resolve the alert when it closes."""
    name = AlertName.CIRCUIT_TRIPPED
    if is_now.trips > was.trips and is_now.until is not None:
        message = (
            f"{is_now.failures} fetches in a row failed; tried again from {is_now.until:%d %b %H:%M} UTC"
        )
        alerts.raise_alert(conn, name, name.severity, slug, message, now=now, details={"trips": is_now.trips})
    elif was.state is not CircuitState.CLOSED and is_now.state is CircuitState.CLOSED:
        alerts.resolve(conn, name, slug, now=now)
