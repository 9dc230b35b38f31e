"""Draws what other numbers of requests would buy for one source: expected wrong listings for each budget."""

from markupsafe import Markup

from larder.actions.sources.spending import SpendingChoice, SpendingView
from larder.web.drawing.charts import bar_chart

HERE, MEASURED = "You are here", "Measured in the last day"


def frontier_chart(spending: SpendingView) -> Markup:
    """A bar for each budget, from few requests to many, and one for what really happened.

    "You are here" stands at the present budget; it and what really happened stand out.
    """
    if not spending.frontier:
        return Markup("")
    choices = [(choice.requests_per_day, _label(choice, spending), choice) for choice in spending.frontier]
    if spending.really:
        choices.append((spending.really.requests_per_day, _measured(spending.really), spending.really))
    drawn = sorted(choices, key=lambda bar: bar[0])
    first, last = drawn[0][0], drawn[-1][0]
    text = f"Listings expected to be wrong, by requests a day; you are here: {_described(_here(spending))}"
    if spending.really:
        text = f"{text}; {_measured(spending.really)}"
    return bar_chart(
        [(label, choice.wrong) for _, label, choice in drawn],
        aria_label=text,
        form=",.1f",
        ends=(f"{first:,.0f} requests a day", f"{last:,.0f}"),
        marked=[n for n, (_, label, _) in enumerate(drawn) if label.startswith((HERE, MEASURED))],
    )


def _measured(choice: SpendingChoice) -> str:
    return f"{MEASURED}: {_described(choice)}"


def _here(spending: SpendingView) -> SpendingChoice:
    return SpendingChoice(requests_per_day=spending.requests_per_day, wrong=spending.wrong)


def _described(choice: SpendingChoice) -> str:
    return f"{choice.requests_per_day:,.0f} requests a day, {choice.wrong:,.1f} wrong"


def _label(choice: SpendingChoice, spending: SpendingView) -> str:
    """What another budget would cost or buy, compared with the present one."""
    share = choice.requests_per_day / max(spending.requests_per_day, 1) - 1
    if abs(share) < 0.02:
        return f"{HERE}: {_described(choice)}"
    more = choice.wrong - spending.wrong
    result = f"{abs(more):,.1f} more wrong listings" if more >= 0 else f"{abs(more):,.1f} fewer"
    return f"{abs(share):.0%} {'more' if share > 0 else 'fewer'} requests: {result} ({_described(choice)})"
