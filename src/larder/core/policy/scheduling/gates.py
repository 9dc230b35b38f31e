"""Why is a source not running?

Every shut gate is named, not only the first. The order goes from what a person decided to what passes by
itself.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from larder.core.model.hint import Hint, HintAction, NextStep


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
class Facts:
    """All that the gates look at. The defaults let everything pass."""

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
class Reason:
    """One shut gate: what is wrong, until when (if time opens it), and what can be done."""

    gate: Gate
    says: str
    todo: Hint
    until: datetime | None = None

    @property
    def next_step(self) -> NextStep | None:
        """What can be done about it, for programs."""
        return self.todo.next_step


def reasons(facts: Facts, now: datetime) -> tuple[Reason, ...]:
    """Every gate that is shut, in their order; empty: the run may start."""
    return tuple(reason for judge in _GATES if (reason := judge(facts, now)) is not None)


def _disabled(facts: Facts, _: datetime) -> Reason | None:
    if facts.enabled:
        return None
    return Reason(
        gate=Gate.DISABLED,
        says=f"{facts.source} is switched off",
        todo=Hint(action="source.enable", target=facts.source),
    )


def _needs_review(facts: Facts, _: datetime) -> Reason | None:
    if not facts.needs_review:
        return None
    return Reason(
        gate=Gate.NEEDS_REVIEW,
        says=f"{facts.source} waits for a person to look it over",
        todo=Hint(action="source.review", target=facts.source),
    )


def _terms(facts: Facts, _: datetime) -> Reason | None:
    if facts.site_blocked:
        return Reason(
            gate=Gate.TERMS,
            says=f"{facts.site} is blocked: nothing of it is fetched",
            todo=Hint(action="site.unblock", target=facts.site),
        )
    if facts.terms_reviewed or not facts.strict:
        return None
    return Reason(
        gate=Gate.TERMS,
        says=f"nobody has reviewed the terms of {facts.site} yet",
        todo=Hint(text="read them, then confirm it", action="site.review", target=facts.site),
    )


def _circuit_open(facts: Facts, now: datetime) -> Reason | None:
    if not _ahead(facts.circuit_until, now):
        return None
    return Reason(
        gate=Gate.CIRCUIT_OPEN,
        says=f"{facts.source} could not be reached several times in a row",
        todo=Hint(text="wait for the probe, or look at its last errors"),
        until=facts.circuit_until,
    )


def _adapter_disabled(facts: Facts, now: datetime) -> Reason | None:
    if facts.adapter_enabled or (facts.adapter_probe_at is not None and now >= facts.adapter_probe_at):
        return None
    why = f" ({facts.adapter_why.replace('_', ' ')})" if facts.adapter_why else ""
    return Reason(
        gate=Gate.ADAPTER_DISABLED,
        says=f"the adapter {facts.adapter} is switched off{why}",
        todo=Hint(text="check what it reads, then enable it", action="adapter.enable", target=facts.adapter),
        until=facts.adapter_probe_at,
    )


def _canary(facts: Facts, _: datetime) -> Reason | None:
    if not facts.unproven:
        return None
    named = f"{facts.adapter} {facts.unproven}"
    if not facts.objections:
        says = f"{named} is new: it is shown stored pages first"
        return Reason(
            gate=Gate.CANARY,
            says=says,
            todo=_canary_hint(facts, "nothing: the next tick does it; or now", "adapter.canary"),
        )
    says = f"{named} reads stored pages differently: {facts.objections}"
    return Reason(
        gate=Gate.CANARY,
        says=says,
        todo=_canary_hint(facts, "compare, then correct the adapter or accept it", "adapter.accept"),
    )


def _canary_hint(facts: Facts, text: str, action: HintAction) -> Hint:
    return Hint(text=text, action=action, target=facts.adapter, options=(("site", facts.site),))


def _already_running(facts: Facts, _: datetime) -> Reason | None:
    if facts.running is None:
        return None
    if facts.paused is not None:
        return Reason(
            gate=Gate.ALREADY_RUNNING,
            says=f"{facts.kind} of {facts.source} is paused as run {facts.running}: {facts.paused}",
            todo=Hint(text="resume it", action="run.resume", target=str(facts.running)),
        )
    return Reason(
        gate=Gate.ALREADY_RUNNING,
        says=f"{facts.kind} of {facts.source} is under way as run {facts.running}",
        todo=Hint(text="wait for it, or stop it", action="run.stop", target=str(facts.running)),
    )


def _site_cooling_down(facts: Facts, now: datetime) -> Reason | None:
    if not _ahead(facts.cooling_until, now):
        return None
    return Reason(
        gate=Gate.SITE_COOLING_DOWN,
        says=f"{facts.site} asked for a pause",
        todo=Hint(text="nothing: it goes on by itself"),
        until=facts.cooling_until,
    )


def _queue_full(facts: Facts, now: datetime) -> Reason | None:
    if not _ahead(facts.queue_full_until, now):
        return None
    return Reason(
        gate=Gate.QUEUE_FULL,
        says=f"too many jobs of {facts.adapter} are pending",
        todo=Hint(text="nothing, if they are moving; else look for a site that is stuck"),
        until=facts.queue_full_until,
    )


def _scheduler_backing_off(facts: Facts, now: datetime) -> Reason | None:
    if not _ahead(facts.backing_off_until, now):
        return None
    return Reason(
        gate=Gate.SCHEDULER_BACKING_OFF,
        says="most of the last jobs were turned away, so scheduling pauses",
        todo=Hint(text="nothing, if jobs are moving; else add workers or raise the limits"),
        until=facts.backing_off_until,
    )


def _ahead(until: datetime | None, now: datetime) -> bool:
    return until is not None and now < until


_GATES = (
    _disabled,
    _needs_review,
    _terms,
    _circuit_open,
    _adapter_disabled,
    _canary,
    _already_running,
    _site_cooling_down,
    _queue_full,
    _scheduler_backing_off,
)
"""In the order of `Gate`."""
