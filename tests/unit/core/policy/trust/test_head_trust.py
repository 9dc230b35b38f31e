import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.run import CheckResult
from larder.core.policy.trust.head_trust import FIRST_CHECKS, ONE_IN, CheckMethod, HeadTrust, needs_get


def agreeing(times: int, trust: HeadTrust | None = None) -> HeadTrust:
    trust = trust or HeadTrust()
    for _ in range(times - 1):
        trust = trust.checked_both_ways(head=CheckResult.ALIVE, get=CheckResult.ALIVE)
    return trust.checked_both_ways(head=CheckResult.STRIKE, get=CheckResult.STRIKE) if times else trust


def methods(trust: HeadTrust, checks: int) -> list[CheckMethod]:
    """What each of the next checks asks, on a source whose HEAD tells the truth."""
    asked = []
    for _ in range(checks):
        asked.append(method := trust.method())
        trust = agreeing(1, trust) if method is CheckMethod.BOTH else trust.checked()
    return asked


def test_the_first_twenty_ask_both_ways_then_one_in_fifty() -> None:
    asked = methods(HeadTrust(), 200)
    assert asked[:20] == [CheckMethod.BOTH] * 20
    assert [n for n, method in enumerate(asked) if method is CheckMethod.BOTH and n >= 20] == [50, 100, 150]
    assert set(asked[20:]) == {CheckMethod.HEAD, CheckMethod.BOTH}


@pytest.mark.parametrize(
    ("head", "get", "trusted"),
    [
        pytest.param(CheckResult.ALIVE, CheckResult.GONE, False, id="200 for everything"),
        pytest.param(CheckResult.ALIVE, CheckResult.STRIKE, False, id="blind to a soft 404"),
        pytest.param(CheckResult.UNDECIDED, CheckResult.ALIVE, False, id="405"),
        pytest.param(CheckResult.STRIKE, CheckResult.STRIKE, True, id="both say missing"),
        pytest.param(CheckResult.ALIVE, CheckResult.UNDECIDED, True, id="an outage proves nothing"),
    ],
)
def test_one_lie_is_enough(head: CheckResult, get: CheckResult, trusted: bool) -> None:
    trust = agreeing(FIRST_CHECKS).checked_both_ways(head=head, get=get)
    assert trust.trusted is trusted
    assert trust.method() is (CheckMethod.HEAD if trusted else CheckMethod.GET)


def test_trust_is_won_back_by_the_checks_that_compare() -> None:
    trust = agreeing(FIRST_CHECKS).checked_both_ways(head=CheckResult.ALIVE, get=CheckResult.GONE)
    assert not agreeing(FIRST_CHECKS - 1, trust).trusted
    assert agreeing(FIRST_CHECKS, trust).trusted


def test_saying_200_where_get_does_proves_little() -> None:
    """A server that says 200 to every HEAD agrees, too, as long as nothing is missing."""
    trust = HeadTrust()
    for _ in range(500):
        trust = trust.checked_both_ways(head=CheckResult.ALIVE, get=CheckResult.ALIVE)
    assert (trust.trusted, trust.method()) == (False, CheckMethod.BOTH)
    assert trust.checked().method() is CheckMethod.GET
    assert trust.checked_both_ways(head=CheckResult.GONE, get=CheckResult.GONE).trusted


def test_what_could_not_be_compared_is_asked_again_both_ways() -> None:
    trust = HeadTrust()
    for _ in range(FIRST_CHECKS):
        trust = trust.checked_both_ways(head=CheckResult.ALIVE, get=CheckResult.UNDECIDED)
    assert trust.method() is CheckMethod.BOTH


@given(st.lists(st.tuples(st.sampled_from(CheckResult), st.sampled_from(CheckResult)), max_size=60))
def test_head_is_never_believed_before_twenty_agreements(
    answers: list[tuple[CheckResult, CheckResult]],
) -> None:
    trust = HeadTrust()
    for head, get in answers:
        trust = trust.checked_both_ways(head=head, get=get)
        assert trust.agreed_in_a_row <= trust.compared <= trust.checks
        assert trust.method() is not CheckMethod.HEAD or trust.agreed_in_a_row >= FIRST_CHECKS


@pytest.mark.parametrize(
    ("head", "status", "expected"),
    [
        (CheckResult.ALIVE, 200, False),
        (CheckResult.STRIKE, 404, True),
        (CheckResult.GONE, 410, True),
        (CheckResult.UNDECIDED, 405, True),
        (CheckResult.UNDECIDED, 501, True),
        (CheckResult.UNDECIDED, 503, False),
        (CheckResult.UNDECIDED, None, False),
    ],
)
def test_what_speaks_against_a_record_is_heard_from_a_get(
    head: CheckResult, status: int | None, expected: bool
) -> None:
    assert needs_get(head, status) is expected


def test_the_numbers_of_spec() -> None:
    assert (FIRST_CHECKS, ONE_IN) == (20, 50)
