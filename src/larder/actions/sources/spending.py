"""Explains the spending of a source with the plan `adaptive`, and the effect of more or fewer requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.core.plurals import plural
from larder.core.policy.scheduling.learned import DAY_HOURS, HOUR
from larder.core.policy.scheduling.spending import NOTHING_SPENT, SpendingPlan
from larder.engine.scheduling.cadence import cadence_of
from larder.runs.adaptive import spending_plan
from larder.store.queue.source_rows import ScheduleRow
from larder.store.reads.operators.request_counts import RequestCounts

SHARES = (0.8, 1.2)
"""The budgets compared with the present one."""
FRONTIER = (0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0)
"""The budgets in the chart."""
REACHED = 1.02
"""The share of a goal that still counts as reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingChoice:
    """The expected error at another number of requests a day."""

    requests_per_day: float
    wrong: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingView:
    """The expected requests of a source and their effect, from what its runs have learned."""

    requests_per_day: float
    by_purpose: Mapping[str, float]
    wrong: float
    """The expected number of wrong listings at any moment: not known yet, changed or removed."""
    new_per_hour: float
    changed_per_hour: float
    index_pages: int
    news_minutes: float
    """How long a new listing waits on average."""
    pass_hours: float
    """How long a pass through the index takes."""
    choices: Sequence[SpendingChoice]
    """With a fifth fewer requests, and with a fifth more."""
    hourly: Sequence[SpendingChoice] = ()
    """With one request an hour fewer, and with one more."""
    frontier: Sequence[SpendingChoice] = ()
    """The effect of other budgets, from few requests to many; the present one is among them."""
    really: SpendingChoice | None = None
    """Requests made within a day, and the number of wrong listings, from the last passes."""
    made_last_day: int | None = None
    """Requests made within the last day."""
    budget: float | None = None
    """Requests a day that the source may make; None: it has no budget."""
    aim: float | None = None
    """Requests a day that are planned for now, so that the last day and the next one keep the budget."""
    missed: int = 0
    """Records that recent sweeps missed at their position in the index."""
    missed_once: int = 0
    """Of these, records that were there at the next look: the site left them out or moved them."""
    looks: int = 0
    """Looks in a row that must miss a record before it is hidden."""
    really_pass_hours: float = 0.0
    """How long a pass lately took."""
    out_of_reach: str | None = None
    """Why the goal or the budget of the source cannot be met; None if it can."""

    @property
    def sentences(self) -> list[str]:
        """The figures as sentences."""
        by_purpose = ", ".join(f"{count:,.0f} {purpose}" for purpose, count in self.by_purpose.items())
        others = ", ".join(
            f"{choice.wrong:,.1f} with {choice.requests_per_day:,.0f} requests a day"
            for choice in self.choices
        )
        return [
            f"About {self.requests_per_day:,.0f} requests a day: {by_purpose}.",
            f"Learned: {self.new_per_hour:,.1f} new and {self.changed_per_hour:,.1f} changed or removed "
            f"listings an hour, on {plural(self.index_pages, 'index page')}.",
            f"A new listing is found after {self.news_minutes:,.0f} minutes on average, a pass through the "
            f"index takes {self.pass_hours:,.1f} hours.",
            f"Expected to be out of date at any moment: {self.wrong:,.1f} listings ({others}).",
            *self._by_the_hour,
            *self._measured,
            *self._looks,
            *self._kept_budget,
            *([self.out_of_reach] if self.out_of_reach else []),
        ]

    @property
    def _looks(self) -> list[str]:
        if not self.missed:
            return []
        return [
            f"Sweeps lately missed {plural(self.missed, 'record')} where the index should show them: "
            f"{self.missed_once:,} of these were there at the next look.",
            f"A record is hidden after {self.looks} looks in a row that miss it.",
        ]

    @property
    def _measured(self) -> list[str]:
        if self.really is None:
            return []
        return [
            f"As measured, a pass lately took {self.really_pass_hours:,.1f} hours: about "
            f"{self.really.wrong:,.1f} listings were out of date at any moment."
        ]

    @property
    def _by_the_hour(self) -> list[str]:
        if not self.hourly:
            return []
        fewer, more = (abs(choice.wrong - self.wrong) for choice in self.hourly)
        return [
            f"One request more an hour would put {more:,.2f} more listings right, "
            f"one fewer would leave {fewer:,.2f} more wrong."
        ]

    @property
    def _kept_budget(self) -> list[str]:
        if self.made_last_day is None:
            return []
        made = f"{plural(self.made_last_day, 'request')} in the last day"
        if self.budget is None or self.aim is None:
            return [f"{made}."]
        return [f"{made}, with a budget of {self.budget:,.0f}: it aims at {self.aim:,.0f} a day for now."]


def view_spending(
    schedules: Sequence[ScheduleRow], counts: RequestCounts | None = None
) -> SpendingView | None:
    """The view for a source's schedules; None for other plans and before anything was learned."""
    memories = {row.run_kind: row.memory or {} for row in schedules}
    if not schedules or schedules[0].source.plan != Plan.ADAPTIVE:
        return None
    cadence = cadence_of(schedules[0].source, {})
    spent = counts.spent if counts else NOTHING_SPENT
    discovery, sweep = (memories.get(kind, {}) for kind in (RunKind.DISCOVERY, RunKind.SWEEP))
    plan = spending_plan(cadence, discovery, sweep, spent)
    if not plan.index_pages:
        return None
    allowed = counts.allowed_per_day if counts else None
    made = round(spent.requests) if counts else None
    return replace(
        _view(plan),
        **_measured(plan, made),
        made_last_day=made,
        budget=plan.spending.requests_per_day or None,
        aim=plan.aim,
        out_of_reach=_out_of_reach(plan, allowed),
    )


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
        missed=round(plan.changes.missed),
        missed_once=round(plan.changes.again),
        looks=plan.looks,
        news_minutes=round(60 * sum(waits) / DAY_HOURS / 2, 1),
        pass_hours=round(plan.pass_every / HOUR, 1),
        choices=[_choice(plan, share * per_day) for share in SHARES],
        hourly=[_choice(plan, per_day + each) for each in (-DAY_HOURS, DAY_HOURS) if per_day > DAY_HOURS],
        frontier=[_choice(plan, share * per_day) for share in FRONTIER],
    )


def _measured(plan: SpendingPlan, made: int | None) -> dict[str, Any]:
    """The real figures: the time that passes took, and the changes found meanwhile."""
    hours = plan.changes.pass_hours(plan.index_pages)
    if not hours or made is None:
        return {}
    wrong = plan.changes.per_hour * hours / 2 + plan.wrong["unknown"]
    really = SpendingChoice(requests_per_day=made, wrong=round(wrong, 2))
    return {"really": really, "really_pass_hours": round(hours, 1)}


def _out_of_reach(plan: SpendingPlan, allowed: float | None) -> str | None:
    """Why a goal or a budget is not met: the site's limit, or the shortest pass there is."""
    per_day, goal = sum(plan.requests_per_day.values()), plan.goal_hours
    wanted = max(per_day, 0 if goal else plan.spending.requests_per_day)
    if allowed is not None and wanted > allowed:
        goal_text = f"The goal of a pass every {goal:,.1f} hours" if goal else "The budget"
        return (
            f"{goal_text} is out of reach: it takes {wanted:,.0f} requests a day, and the limit of the site "
            f"allows {allowed:,.0f}. Set a longer time or fewer requests, or raise the limit of the site."
        )
    hours = plan.pass_every / HOUR
    if goal and hours > REACHED * goal:
        return (
            f"The goal of a pass every {goal:,.1f} hours is out of reach: a pass takes {hours:,.1f} hours at "
            "least. Set a longer time."
        )
    return None


def _choice(plan: SpendingPlan, per_day: float) -> SpendingChoice:
    other = plan.with_requests(per_day)
    return SpendingChoice(
        requests_per_day=round(sum(other.requests_per_day.values()), 1), wrong=_wrong(other)
    )


def _wrong(plan: SpendingPlan) -> float:
    return round(sum(plan.wrong.values()), 2)
