"""A search tells once; a price rule tells when the price fell enough from its highest."""

import pytest

from larder.core.policy.watches import WatchDecision, WatchedState, watch_decision, watch_rule


@pytest.mark.parametrize(
    ("falls", "known", "reference", "price", "verdict"),
    [
        pytest.param(None, False, None, 5, WatchDecision(notify=True, price=5), id="new to a search"),
        pytest.param(None, True, 5, 4, WatchDecision(notify=False, price=4), id="known to a search"),
        pytest.param(None, False, None, None, WatchDecision(notify=True, price=None), id="no price needed"),
        pytest.param(
            10, False, None, 100, WatchDecision(notify=False, price=100), id="first price to measure by"
        ),
        pytest.param(10, True, 100, 91, WatchDecision(notify=False, price=100), id="fell too little"),
        pytest.param(10, True, 100, 90, WatchDecision(notify=True, price=90), id="fell just enough"),
        pytest.param(
            10, True, 100, 120, WatchDecision(notify=False, price=120), id="rose: measured by the highest"
        ),
        pytest.param(10, True, 100, None, WatchDecision(notify=False, price=100), id="no price for a while"),
        pytest.param(33.3, True, 3, 2, WatchDecision(notify=True, price=2), id="of little"),
    ],
)
def test_judge(
    falls: float | None, known: bool, reference: int | None, price: int | None, verdict: WatchDecision
) -> None:
    rule = watch_rule(falls_percent=falls)
    before = WatchedState(price=reference) if known else None
    assert watch_decision(rule, before, WatchedState(price=price)) == verdict
