"""The policies that can be scored by name: how a source is set up, and which run kinds are scheduled."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.run import RunKind
from larder.core.model.source import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySetup:
    """A policy as the product runs it."""

    name: str
    plan: Plan
    kinds: frozenset[RunKind]
    source: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the source."""


POLICIES = {
    setup.name: setup
    for setup in (
        PolicySetup(
            name="three-cron",
            plan=Plan.INDEX,
            kinds=frozenset({RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION}),
        ),
        PolicySetup(
            name="exhaustive",
            plan=Plan.INDEX,
            kinds=frozenset({RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION}),
            source={"policy": {"sweep_every": 3600}, "params": {"sweep_pages": 10_000}},
        ),
    )
}


def policy(name: str) -> PolicySetup:
    """The policy of that name."""
    if name not in POLICIES:
        raise BadInput(f"unknown policy {name!r}", hint=f"choose one of: {', '.join(POLICIES)}")
    return POLICIES[name]
