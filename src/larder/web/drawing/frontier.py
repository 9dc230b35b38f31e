"""Draws what other numbers of requests would buy for one source: expected wrong listings for each budget."""

from markupsafe import Markup

from larder.actions.sources.spending import SpendingChoice, SpendingView
from larder.web.drawing.charts import bars


def frontier_chart(spending: SpendingView) -> Markup:
    """A bar for each budget, from few requests to many; "you are here" at the present one."""
    values = [(_label(choice, spending), choice.wrong) for choice in spending.frontier]
    if not values:
        return Markup("")
    first, last = spending.frontier[0], spending.frontier[-1]
    label = f"Listings expected to be wrong, by requests a day; you are here: {_said(_here(spending))}"
    ends = (f"{first.requests_per_day:,.0f} requests a day", f"{last.requests_per_day:,.0f}")
    return bars(values, aria_label=label, form=",.1f", ends=ends)


def _here(spending: SpendingView) -> SpendingChoice:
    return SpendingChoice(requests_per_day=spending.requests_per_day, wrong=spending.wrong)


def _said(choice: SpendingChoice) -> str:
    return f"{choice.requests_per_day:,.0f} requests a day, {choice.wrong:,.1f} wrong"


def _label(choice: SpendingChoice, spending: SpendingView) -> str:
    """What another budget would cost or buy, compared with the present one."""
    share = choice.requests_per_day / max(spending.requests_per_day, 1) - 1
    if abs(share) < 0.02:
        return f"You are here: {_said(choice)}"
    more = choice.wrong - spending.wrong
    result = f"{abs(more):,.1f} more wrong listings" if more >= 0 else f"{abs(more):,.1f} fewer"
    return f"{abs(share):.0%} {'more' if share > 0 else 'fewer'} requests: {result} ({_said(choice)})"
