"""The frontier of a source says where it is and what fewer requests would cost."""

from larder.actions.sources.spending import SpendingChoice, SpendingView
from larder.web.drawing.frontier import frontier_chart


def spending(*frontier: tuple[float, float], really: SpendingChoice | None = None) -> SpendingView:
    return SpendingView(
        requests_per_day=1_000,
        by_purpose={},
        wrong=20,
        new_per_hour=1,
        changed_per_hour=1,
        index_pages=10,
        news_minutes=5,
        pass_hours=2,
        choices=[],
        frontier=[SpendingChoice(requests_per_day=many, wrong=wrong) for many, wrong in frontier],
        really=really,
    )


def test_it_says_where_the_source_is_and_what_other_budgets_would_cost() -> None:
    drawn = str(frontier_chart(spending((800, 25), (1_000, 20), (1_500, 14))))
    assert "You are here: 1,000 requests a day, 20.0 wrong" in drawn
    assert "20% fewer requests: 5.0 more wrong listings" in drawn
    assert "50% more requests: 6.0 fewer" in drawn


def test_what_really_happened_stands_among_the_budgets_and_both_stand_out() -> None:
    really = SpendingChoice(requests_per_day=900, wrong=31)
    drawn = str(frontier_chart(spending((800, 25), (1_000, 20), (1_500, 14), really=really)))
    colours = [rect.split('"')[1] for rect in drawn.split("<rect ")[1:]]
    assert colours == ["fill-faded", "fill-accent", "fill-accent", "fill-faded"]
    assert "Measured in the last day: 900 requests a day, 31.0 wrong" in drawn


def test_nothing_is_drawn_before_anything_is_known() -> None:
    assert str(frontier_chart(spending())) == ""
