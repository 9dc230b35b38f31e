"""The policies that can be scored by name: how a source is configured, and which run kinds are scheduled."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.core.quoting import quoted

ADAPTIVE = "adaptive"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySetup:
    """A policy as the product runs it."""

    name: str
    plan: Plan
    kinds: frozenset[RunKind]
    source: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the source."""
    absent_after_passes: int = 0
    """Passes in a row that must miss a record before it is hidden, whatever is around its position.

    0: the product decides alone.
    """


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
        PolicySetup(
            name="simple",
            plan=Plan.INDEX,
            kinds=frozenset({RunKind.DISCOVERY, RunKind.SWEEP}),
            source={
                "policy": {"discovery_every": 600, "sweep_every": 6 * 3600},
                "params": {"stop_after": 1, "sweep_pages": 10_000, "sweep_overlap": 0, "sweep_details": 0},
            },
            absent_after_passes=2,
        ),
        PolicySetup(
            name="confidence",
            plan=Plan.MARKET,
            kinds=frozenset({RunKind.COLLECT, RunKind.VERIFICATION}),
            source={"max_items_per_run": 1_000_000},
        ),
        PolicySetup(
            name="fixed-urls",
            plan=Plan.INDEX,
            kinds=frozenset({RunKind.DISCOVERY, RunKind.VERIFICATION}),
        ),
        PolicySetup(
            name="agenda",
            plan=Plan.AGENDA,
            kinds=frozenset({RunKind.COLLECT, RunKind.VERIFICATION}),
        ),
        PolicySetup(name="monitor", plan=Plan.MONITOR, kinds=frozenset({RunKind.MONITOR})),
        PolicySetup(
            name=ADAPTIVE,
            plan=Plan.ADAPTIVE,
            kinds=frozenset({RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION}),
        ),
    )
}


def policy(name: str) -> PolicySetup:
    """The policy of that name; `adaptive:1500` is adaptive with a budget of 1,500 requests a day."""
    known, _, budget = name.partition(":")
    if known not in POLICIES or (budget and known != ADAPTIVE):
        raise BadInput(f"unknown policy {quoted(name)}", hint=f"choose one of: {', '.join(POLICIES)}")
    return _with_budget(POLICIES[known], budget) if budget else POLICIES[known]


def _with_budget(setup: PolicySetup, budget: str) -> PolicySetup:
    if not budget.isdigit() or not int(budget):
        hint = "write the requests a day as a whole number: adaptive:1500"
        raise BadInput(f"the budget of policy {quoted(setup.name)} is {quoted(budget)}", hint=hint)
    return replace(setup, name=f"{setup.name}:{budget}", source={"params": {"requests_per_day": int(budget)}})
