"""What a source with the plan adaptive is said to spend follows from what its runs remember."""

from types import SimpleNamespace
from typing import Any

import pytest

from larder.actions.sources.spending import SpendingView, view_spending

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
    assert set(view.by_purpose) == {"discovery", "new details", "sweep"}
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
