"""What a source with the plan adaptive is said to spend follows from what its runs remember."""

from types import SimpleNamespace
from typing import Any

import pytest

from larder.actions.sources.spending import SpendingView, view_spending
from larder.core.policy.scheduling.spending import Spent
from larder.store.reads.operators.request_counts import RequestCounts

MEMORY: dict[str, Any] = {
    "discovery": {"arrivals": {"new": [10.0] * 24, "hours": [2.0] * 24, "runs": 96.0, "pages": 96.0}},
    "sweep": {"pages": 40, "changes": {"found": 120.0, "hours": 48.0, "pages": 80.0, "second_looks": 4.0}},
}


def planned(plan: str = "adaptive", memory: dict[str, Any] = MEMORY, budget: float = 0) -> Any:
    source = SimpleNamespace(
        plan=plan,
        tier="standard",
        tz="UTC",
        cadence_hours=None,
        policy=None,
        params={"requests_per_day": budget},
    )
    return [
        SimpleNamespace(source=source, run_kind=kind, memory=memory.get(kind))
        for kind in ("discovery", "sweep", "verification")
    ]


def seen(budget: float) -> SpendingView:
    view = view_spending(planned(budget=budget))
    assert view is not None
    return view


@pytest.mark.parametrize(
    "schedules",
    [planned(plan="index"), planned(memory={}), []],
    ids=["another plan", "nothing was learned yet", "no schedule"],
)
def test_there_is_nothing_to_explain(schedules: Any) -> None:
    assert view_spending(schedules) is None


def test_purposes_add_up_and_a_budget_is_kept() -> None:
    view = seen(400)
    assert view.requests_per_day == pytest.approx(sum(view.by_purpose.values()), abs=0.5)
    assert view.requests_per_day == pytest.approx(400, rel=0.1)
    assert set(view.by_purpose) == {"discovery", "new details", "sweep", "checks"}
    assert view.new_per_hour == pytest.approx(5, rel=0.1)
    assert view.index_pages == 40


def test_fewer_requests_leave_more_wrong_and_more_leave_less() -> None:
    view = seen(400)
    fewer, more = view.choices
    assert fewer.requests_per_day < view.requests_per_day < more.requests_per_day
    assert fewer.wrong > view.wrong > more.wrong


def test_people_read_sentences_with_the_same_figures() -> None:
    view = seen(400)
    text = " ".join(view.sentences)
    assert f"About {view.requests_per_day:,.0f} requests a day" in text
    fewer = view.choices[0]
    assert f"{view.wrong:,.1f} listings ({fewer.wrong:,.1f} with {fewer.requests_per_day:,.0f}" in text


def test_a_budget_that_was_exceeded_is_made_up_for() -> None:
    schedules = planned(budget=400)
    view = view_spending(schedules, RequestCounts(spent=Spent(hours=24, requests=427), allowed_per_day=9_000))
    assert view is not None
    assert (
        "427 requests in the last day, with a budget of 400: it aims at 319 a day for now." in view.sentences
    )


def test_what_was_missed_at_one_look_and_there_at_the_next_is_told() -> None:
    changes = {**MEMORY["sweep"]["changes"], "missed": 30.0, "again": 12.0}
    view = view_spending(planned(memory={**MEMORY, "sweep": {"pages": 40, "changes": changes}}))
    assert view is not None
    sentence = "Sweeps lately missed 30 records where the index should show them: 12 of these were there at"
    assert f"{sentence} the next look." in view.sentences
    assert "A record is hidden after 3 looks in a row that miss it." in view.sentences


def test_what_really_happened_is_told_beside_what_is_expected() -> None:
    counts = RequestCounts(spent=Spent(hours=24, requests=427), allowed_per_day=9_000)
    view = view_spending(planned(budget=400), counts)
    assert view is not None
    assert view.really is not None
    assert view.really.requests_per_day == 427
    assert (view.really_pass_hours, view.really.wrong > 2.5 * 24 / 2) == (24.0, True)
    assert any(
        said.startswith("As measured, a pass lately took 24.0 hours: about") for said in view.sentences
    )
    assert seen(400).really is None


def test_one_request_more_or_fewer_an_hour_is_told() -> None:
    view = seen(400)
    fewer, more = view.hourly
    assert fewer.wrong > view.wrong > more.wrong
    assert more.requests_per_day - view.requests_per_day == pytest.approx(24, rel=0.1)
    gained = view.wrong - more.wrong
    assert any(
        f"One request more an hour would put {gained:,.2f} more listings right" in s for s in view.sentences
    )


def goal(hours: float, percent: float, allowed: float | None) -> SpendingView:
    schedules = planned()
    schedules[0].source.params = {"verified_within_hours": hours, "verified_percent": percent}
    view = view_spending(
        schedules, RequestCounts(spent=Spent(hours=24, requests=321), allowed_per_day=allowed)
    )
    assert view is not None
    return view


def test_a_goal_sets_how_long_a_pass_takes() -> None:
    view = goal(9.5, 95, 43_200)
    assert (view.pass_hours, view.out_of_reach) == (10.0, None)
    assert "321 requests in the last day." in view.sentences


@pytest.mark.parametrize(
    ("hours", "allowed", "why"),
    [
        (2, 300, "and the limit of the site allows 300"),
        (0.25, 43_200, "a pass takes"),
    ],
    ids=["the site's limit is lower", "no pass is so short"],
)
def test_a_goal_that_is_out_of_reach_is_said_to_be(hours: float, allowed: float, why: str) -> None:
    view = goal(hours, 100, allowed)
    assert view.out_of_reach is not None
    assert why in view.out_of_reach
    assert view.out_of_reach in view.sentences


def test_a_budget_above_the_sites_limit_is_out_of_reach() -> None:
    view = view_spending(planned(budget=5_000), RequestCounts(allowed_per_day=1_000))
    assert view is not None
    assert "it takes 5,000 requests a day, and the limit of the site allows 1,000" in str(view.out_of_reach)


def test_the_frontier_falls_from_few_requests_to_many_and_contains_the_present_plan() -> None:
    view = seen(400)
    wrong = [each.wrong for each in view.frontier]
    assert wrong == sorted(wrong, reverse=True)
    assert any(each.wrong == pytest.approx(view.wrong, rel=0.05) for each in view.frontier)
