"""Why is a source not running?

Every shut gate is named, not only the first. The order goes from what a person decided to what passes by
itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from larder.core.model.hint import Hint, HintAction, NextStep
from larder.core.model.run import RunKind
from larder.core.policy.scheduling.backpressure import RETRY_AFTER_DISABLED, Rejected, Rejection


class Gate(StrEnum):
    """What can keep a run from starting, in the order of the report."""

    DISABLED = "disabled"
    NEEDS_REVIEW = "needs_review"
    TERMS = "terms"
    CIRCUIT_OPEN = "circuit_open"
    ADAPTER_DISABLED = "adapter_disabled"
    CANARY = "canary"
    ALREADY_RUNNING = "already_running"
    SITE_COOLING_DOWN = "site_cooling_down"
    QUEUE_FULL = "queue_full"
    SCHEDULER_BACKING_OFF = "scheduler_backing_off"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFacts:
    """The inputs of all gates. The defaults let everything pass."""

    source: str
    site: str
    adapter: str
    kind: str = "run"
    enabled: bool = True
    needs_review: bool = False
    strict: bool = True
    terms_reviewed: bool = True
    site_blocked: bool = False
    circuit_until: datetime | None = None
    """Set while the circuit is not closed."""
    adapter_enabled: bool = True
    adapter_why: str = ""
    adapter_probe_at: datetime | None = None
    """When a disabled adapter is probed, where the source allows that."""
    unproven: str = ""
    """The version of the adapter that must pass its canary first."""
    objections: str = ""
    """The canary's objections."""
    running: int | None = None
    """The open run of this source and kind."""
    paused: str | None = None
    """Why that run is paused."""
    cooling_until: datetime | None = None
    queue_full_until: datetime | None = None
    backing_off_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateReason:
    """One shut gate: what is wrong, until when (if time opens it), and what can be done."""

    gate: Gate
    says: str
    todo: Hint
    until: datetime | None = None

    @property
    def next_step(self) -> NextStep | None:
        """What can be done about it, for programs."""
        return self.todo.next_step


def closed_gates(facts: GateFacts, now: datetime) -> tuple[GateReason, ...]:
    """Every gate that is shut, in their order; empty: the run may start."""
    return tuple(
        reason for gates in (_gates_of_people, _adapter, _transient_gates) for reason in gates(facts, now)
    )


def rejection(closed: Sequence[GateReason], now: datetime) -> Rejected | None:
    """The rejection of work that only queue gates hold back; None if another gate is closed, or none is."""
    if not closed or any(reason.gate not in _REJECTIONS for reason in closed):
        return None
    first = closed[0]
    after = first.until - now if first.until else RETRY_AFTER_DISABLED
    return Rejected(reason=_REJECTIONS[first.gate], retry_after=after)


_REJECTIONS = {
    Gate.ADAPTER_DISABLED: Rejection.ADAPTER_DISABLED,
    Gate.SITE_COOLING_DOWN: Rejection.RATE_LIMITED,
    Gate.QUEUE_FULL: Rejection.QUEUE_FULL,
    Gate.SCHEDULER_BACKING_OFF: Rejection.RATE_LIMITED,
}


def _gates_of_people(facts: GateFacts, now: datetime) -> Iterator[GateReason]:
    """Gates that a person opens, and a source that cannot be reached."""
    source, site = facts.source, facts.site
    if not facts.enabled:
        yield _gate_reason(
            Gate.DISABLED, f"{source} is disabled", Hint(action="source.enable", target=source)
        )
    if facts.needs_review:
        message = f"{source} needs review"
        yield _gate_reason(Gate.NEEDS_REVIEW, message, Hint(action="source.review", target=source))
    if facts.site_blocked:
        message = f"{site} is blocked: no page of it is fetched"
        yield _gate_reason(Gate.TERMS, message, Hint(action="site.unblock", target=site))
    elif facts.strict and not facts.terms_reviewed:
        todo = Hint(text="read them, then confirm that you did", action="site.review", target=site)
        yield _gate_reason(Gate.TERMS, f"the terms of {site} are not reviewed yet", todo)
    if _is_ahead(facts.circuit_until, now):
        sent = "checks" if facts.kind == RunKind.VERIFICATION else "fetches"
        message = f"several {sent} of {source} in a row failed"
        todo = Hint(text="wait for the next probe, or see its last errors")
        yield _gate_reason(Gate.CIRCUIT_OPEN, message, todo, facts.circuit_until)


def _adapter(facts: GateFacts, now: datetime) -> Iterator[GateReason]:
    """An adapter that is disabled, or whose version is not proven."""
    adapter, version = facts.adapter, f"{facts.adapter} {facts.unproven}"
    if not facts.adapter_enabled and (facts.adapter_probe_at is None or now < facts.adapter_probe_at):
        why = f" ({facts.adapter_why.replace('_', ' ')})" if facts.adapter_why else ""
        todo = Hint(text="check what it reads, then enable it", action="adapter.enable", target=adapter)
        message = f"the adapter {adapter} is disabled{why}"
        yield _gate_reason(Gate.ADAPTER_DISABLED, message, todo, facts.adapter_probe_at)
    if facts.unproven and not facts.objections:
        todo = _canary_hint(facts, "wait for the next tick, or compare it now", "adapter.canary")
        yield _gate_reason(Gate.CANARY, f"{version} is new: it is compared on stored pages first", todo)
    elif facts.unproven:
        todo = _canary_hint(facts, "compare, then correct the adapter or accept it", "adapter.accept")
        yield _gate_reason(Gate.CANARY, f"{version} reads stored pages differently: {facts.objections}", todo)


def _canary_hint(facts: GateFacts, text: str, action: HintAction) -> Hint:
    return Hint(text=text, action=action, target=facts.adapter, options=(("site", facts.site),))


def _transient_gates(facts: GateFacts, now: datetime) -> Iterator[GateReason]:
    """Gates that open by themselves, or when another run ends."""
    run, label = str(facts.running), f"{facts.kind} of {facts.source}"
    if facts.running is not None and facts.paused is not None:
        message = f"{label} is paused as run {run}: {facts.paused}"
        yield _gate_reason(
            Gate.ALREADY_RUNNING, message, Hint(text="resume it", action="run.resume", target=run)
        )
    elif facts.running is not None:
        todo = Hint(text="wait for it, or stop it", action="run.stop", target=run)
        yield _gate_reason(Gate.ALREADY_RUNNING, f"{label} is running as run {run}", todo)
    if _is_ahead(facts.cooling_until, now):
        todo = Hint(text="nothing: it continues by itself")
        yield _gate_reason(
            Gate.SITE_COOLING_DOWN,
            f"{facts.site} asked for a pause",
            todo,
            facts.cooling_until,
        )
    if _is_ahead(facts.queue_full_until, now):
        message = f"too many jobs of {facts.site} are pending"
        todo = Hint(text="nothing, if their number falls; otherwise see the errors of the site")
        yield _gate_reason(Gate.QUEUE_FULL, message, todo, facts.queue_full_until)
    if _is_ahead(facts.backing_off_until, now):
        message = "most of the last jobs were rejected, so scheduling is paused"
        todo = Hint(text="nothing, if the queue gets shorter; otherwise add workers or raise the limits")
        yield _gate_reason(Gate.SCHEDULER_BACKING_OFF, message, todo, facts.backing_off_until)


def _gate_reason(gate: Gate, message: str, todo: Hint, until: datetime | None = None) -> GateReason:
    return GateReason(gate=gate, says=message, todo=todo, until=until)


def _is_ahead(until: datetime | None, now: datetime) -> bool:
    return until is not None and now < until
