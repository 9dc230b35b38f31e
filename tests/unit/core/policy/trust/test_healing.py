"""What follows from a look at declared selectors."""

from datetime import UTC, datetime, timedelta

import pytest

from larder.core.policy.trust.healing import PROBATION, Findings, Step, decide

NOW = datetime(2026, 3, 2, tzinfo=UTC)
LATELY = NOW - timedelta(days=1)
LONG_AGO = NOW - timedelta(days=8)


@pytest.mark.parametrize(
    ("found", "step"),
    [
        pytest.param(Findings(broken=False), Step.NOTHING, id="all is well"),
        pytest.param(Findings(broken=True, proven=True), Step.APPLY, id="proven"),
        pytest.param(Findings(broken=True), Step.SUGGEST, id="not proven"),
        pytest.param(
            Findings(broken=True, proven=True, tried_before=True), Step.SUGGEST, id="taken back once"
        ),
        pytest.param(Findings(broken=False, doubted=True), Step.NOTHING, id="its author's own business"),
        pytest.param(
            Findings(broken=False, doubted=True, repaired_at=LATELY),
            Step.TAKE_BACK,
            id="doubted on probation",
        ),
        pytest.param(
            Findings(broken=False, doubted=True, repaired_at=LONG_AGO), Step.NOTHING, id="probation is over"
        ),
        pytest.param(
            Findings(broken=True, repaired_at=LONG_AGO), Step.TAKE_BACK, id="nothing better is known"
        ),
        pytest.param(
            Findings(broken=True, proven=True, repaired_at=LATELY), Step.APPLY, id="redrawn once more"
        ),
        pytest.param(
            Findings(broken=True, proven=True, repaired_at=LATELY, old_layout=True),
            Step.TAKE_BACK,
            id="the old layout is back",
        ),
    ],
)
def test_the_next_step(found: Findings, step: Step) -> None:
    assert decide(found, NOW) is step


def test_a_repair_is_on_probation_for_a_week() -> None:
    just = Findings(broken=False, doubted=True, repaired_at=NOW - timedelta(days=7))
    assert timedelta(days=7) == PROBATION
    assert decide(just, NOW) is Step.NOTHING
    assert decide(just, NOW - timedelta(seconds=1)) is Step.TAKE_BACK
