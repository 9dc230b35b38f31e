"""What follows from a look at declared selectors."""

from datetime import UTC, datetime, timedelta

import pytest

from larder.core.policy.trust.healing import PROBATION, HealingAction, SelectorFindings, healing_action

NOW = datetime(2026, 3, 2, tzinfo=UTC)
LATELY = NOW - timedelta(days=1)
LONG_AGO = NOW - timedelta(days=8)


@pytest.mark.parametrize(
    ("found", "step"),
    [
        pytest.param(SelectorFindings(broken=False), HealingAction.NOTHING, id="all is well"),
        pytest.param(SelectorFindings(broken=True, proven=True), HealingAction.APPLY, id="proven"),
        pytest.param(SelectorFindings(broken=True), HealingAction.SUGGEST, id="not proven"),
        pytest.param(
            SelectorFindings(broken=True, proven=True, tried_before=True),
            HealingAction.SUGGEST,
            id="taken back once",
        ),
        pytest.param(
            SelectorFindings(broken=False, doubted=True),
            HealingAction.NOTHING,
            id="its author's own business",
        ),
        pytest.param(
            SelectorFindings(broken=False, doubted=True, repaired_at=LATELY),
            HealingAction.TAKE_BACK,
            id="doubted on probation",
        ),
        pytest.param(
            SelectorFindings(broken=False, doubted=True, repaired_at=LONG_AGO),
            HealingAction.NOTHING,
            id="probation is over",
        ),
        pytest.param(
            SelectorFindings(broken=True, repaired_at=LONG_AGO),
            HealingAction.TAKE_BACK,
            id="nothing better is known",
        ),
        pytest.param(
            SelectorFindings(broken=True, proven=True, repaired_at=LATELY),
            HealingAction.APPLY,
            id="redrawn once more",
        ),
        pytest.param(
            SelectorFindings(broken=True, proven=True, repaired_at=LATELY, old_layout=True),
            HealingAction.TAKE_BACK,
            id="the old layout is back",
        ),
    ],
)
def test_the_next_step(found: SelectorFindings, step: HealingAction) -> None:
    assert healing_action(found, NOW) is step


def test_a_repair_is_on_probation_for_a_week() -> None:
    just = SelectorFindings(broken=False, doubted=True, repaired_at=NOW - timedelta(days=7))
    assert timedelta(days=7) == PROBATION
    assert healing_action(just, NOW) is HealingAction.NOTHING
    assert healing_action(just, NOW - timedelta(seconds=1)) is HealingAction.TAKE_BACK
