"""Settings of the scheduler: adapters, run kinds, limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from larder.core.model.run import RunKind
from larder.core.policy.scheduling.backpressure import QueueLimits
from larder.core.policy.scheduling.cadence import STAGGER
from larder.core.ports import Chance
from larder.sdk.adapter import Adapters


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchSettings:
    """How this deployment schedules runs."""

    adapters: Adapters
    chance: Chance
    strict: bool = True
    stagger: timedelta = STAGGER
    limits: QueueLimits = field(default_factory=QueueLimits)
    kinds: frozenset[RunKind] = frozenset({RunKind.DISCOVERY})
    """The run kinds that are scheduled."""
    opened_kinds: frozenset[RunKind] = frozenset(RunKind)
    """Kinds whose due runs a tick opens; none while a process drives one run that a person started."""
    run_limits: Mapping[str, float] = field(default_factory=dict)
    """Limits that this deployment sets for all its sources (`sweep_overlap` …)."""
    cadence: Mapping[str, timedelta] = field(default_factory=dict)
    """Intervals that this deployment sets for all its sources (`discovery_every` …)."""
