"""Explains what a source with the plan `adaptive` spends where, and what more or fewer requests would buy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.core.plurals import plural
from larder.core.policy.scheduling.spending import DAY_HOURS, HOUR, SpendingPlan
from larder.engine.scheduling.cadence import cadence_of
from larder.runs.adaptive import spending_plan
from larder.store.queue.source_rows import ScheduleRow

SHARES = (0.8, 1.2)
"""The budgets that are compared with the present one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingChoice:
    """What another number of requests would buy."""

    requests_per_day: float
    wrong: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingView:
    """The expected requests of a source and what they buy, by what its runs have learned."""

    requests_per_day: float
    by_purpose: Mapping[str, float]
    wrong: float
    """Listings that are expected to be wrong at any moment: not known yet, changed or removed."""
    new_per_hour: float
    changed_per_hour: float
    index_pages: int
    news_minutes: float
    """How long a new listing waits on average."""
    pass_hours: float
    """How long a pass through the index takes."""
    choices: Sequence[SpendingChoice]
    """With a fifth fewer requests, and with a fifth more."""

    @property
    def sentences(self) -> list[str]:
        """The same for people."""
        spent = ", ".join(f"{many:,.0f} {purpose}" for purpose, many in self.by_purpose.items())
        others = ", ".join(
            f"{choice.wrong:,.1f} with {choice.requests_per_day:,.0f} requests a day"
            for choice in self.choices
        )
        return [
            f"About {self.requests_per_day:,.0f} requests a day: {spent}.",
            f"Learned: {self.new_per_hour:,.1f} new and {self.changed_per_hour:,.1f} changed or removed "
            f"listings an hour, on {plural(self.index_pages, 'index page')}.",
            f"A new listing is found after {self.news_minutes:,.0f} minutes on average, a pass through the "
            f"index takes {self.pass_hours:,.1f} hours.",
            f"Expected to be wrong at any moment: {self.wrong:,.1f} listings ({others}).",
        ]


def view_spending(schedules: Sequence[ScheduleRow]) -> SpendingView | None:
    """The view for a source's schedules; None for other plans and before anything was learned."""
    memories = {row.run_kind: row.memory or {} for row in schedules}
    if not schedules or schedules[0].source.plan != Plan.ADAPTIVE:
        return None
    cadence = cadence_of(schedules[0].source, {})
    plan = spending_plan(cadence, memories.get(RunKind.DISCOVERY, {}), memories.get(RunKind.SWEEP, {}))
    return _view(plan) if plan.index_pages else None


def _view(plan: SpendingPlan) -> SpendingView:
    spent = plan.requests_per_day
    per_day = sum(spent.values())
    waits = [plan.discovery_every(hour) / HOUR for hour in range(DAY_HOURS)]
    return SpendingView(
        requests_per_day=round(per_day, 1),
        by_purpose={purpose: round(many, 1) for purpose, many in spent.items()},
        wrong=_wrong(plan),
        new_per_hour=round(plan.arrivals.per_hour, 2),
        changed_per_hour=round(plan.changes.per_hour, 2),
        index_pages=plan.index_pages,
        news_minutes=round(60 * sum(waits) / DAY_HOURS / 2, 1),
        pass_hours=round(plan.pass_every / HOUR, 1),
        choices=[_choice(plan, share * per_day) for share in SHARES],
    )


def _choice(plan: SpendingPlan, per_day: float) -> SpendingChoice:
    other = plan.with_requests(per_day)
    return SpendingChoice(
        requests_per_day=round(sum(other.requests_per_day.values()), 1), wrong=_wrong(other)
    )


def _wrong(plan: SpendingPlan) -> float:
    return round(sum(plan.wrong.values()), 2)
