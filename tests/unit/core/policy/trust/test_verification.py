from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.outcome import FetchOutcome
from larder.core.model.record import Verification
from larder.core.model.run import CheckResult
from larder.core.policy.trust import verification
from larder.core.policy.trust.gone_wording import GoneNotice
from larder.core.policy.trust.verification import (
    RecordState,
    Suspicion,
    VerificationRules,
    Window,
    is_candidate,
    result_of_response,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
ALIVE, STRIKE, GONE, UNDECIDED = (
    CheckResult.ALIVE,
    CheckResult.STRIKE,
    CheckResult.GONE,
    CheckResult.UNDECIDED,
)


@pytest.mark.parametrize(
    ("outcome", "lacks_record", "said", "expected"),
    [
        pytest.param(FetchOutcome.OK, False, None, ALIVE, id="there"),
        pytest.param(FetchOutcome.NOT_MODIFIED, False, None, ALIVE, id="there and unchanged"),
        pytest.param(FetchOutcome.NOT_FOUND, False, None, STRIKE, id="404"),
        pytest.param(FetchOutcome.GONE, False, None, GONE, id="410"),
        pytest.param(FetchOutcome.OK, False, GoneNotice.GONE, GONE, id="the site's own words"),
        pytest.param(FetchOutcome.OK, False, GoneNotice.NOT_FOUND, STRIKE, id="soft 404"),
        pytest.param(FetchOutcome.OK, True, None, STRIKE, id="sent to the home page"),
        pytest.param(FetchOutcome.OK, True, GoneNotice.GONE, STRIKE, id="the index speaks of other rows"),
        *(
            pytest.param(outcome, False, None, UNDECIDED, id=f"{outcome} proves nothing")
            for outcome in (
                FetchOutcome.ERROR,
                FetchOutcome.BLOCKED,
                FetchOutcome.TIMEOUT,
                FetchOutcome.TOO_LARGE,
                FetchOutcome.ROBOTS_BLOCKED,
                FetchOutcome.DNS_ERROR,
                FetchOutcome.TLS_ERROR,
            )
        ),
    ],
)
def test_one_check(
    outcome: FetchOutcome, lacks_record: bool, said: GoneNotice | None, expected: CheckResult
) -> None:
    assert result_of_response(outcome, lacks_record=lacks_record, notice=said) is expected


def after(*checks: tuple[CheckResult, timedelta], standing: RecordState | None = None) -> RecordState:
    standing = standing or RecordState()
    for found, passed in checks:
        standing = standing.checked(found, NOON + passed)
    return standing


def test_alive_clears_strikes() -> None:
    standing = after((STRIKE, 0 * HOUR), (ALIVE, 3 * HOUR))
    assert standing == RecordState(verification=Verification.VERIFIED, verified_at=NOON + 3 * HOUR)


def test_two_strikes_in_a_row_and_it_is_gone() -> None:
    assert after((STRIKE, 0 * HOUR)) == RecordState(
        verification=Verification.PENDING, strikes=1, struck_at=NOON
    )
    later = NOON + 3 * HOUR
    assert after((STRIKE, 0 * HOUR), (STRIKE, 3 * HOUR)) == RecordState(
        active=False,
        verification=Verification.GONE,
        strikes=2,
        struck_at=later,
        deactivated_at=later,
    )


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        pytest.param([(STRIKE, 0), (STRIKE, 2.9)], Verification.PENDING, id="strikes too close count once"),
        pytest.param([(STRIKE, 0), (STRIKE, 2), (STRIKE, 4)], Verification.GONE, id="counted from the first"),
        pytest.param([(STRIKE, 0), (ALIVE, 3), (STRIKE, 6)], Verification.PENDING, id="alive breaks the row"),
        pytest.param([(STRIKE, 0), (UNDECIDED, 3), (STRIKE, 6)], Verification.GONE, id="silence does not"),
        pytest.param(
            [(UNDECIDED, h) for h in range(0, 60, 6)], Verification.PENDING, id="outage proves nothing"
        ),
        pytest.param([(GONE, 0)], Verification.GONE, id="gone at once"),
        pytest.param([(GONE, 0), (STRIKE, 6), (UNDECIDED, 9)], Verification.GONE, id="gone stays gone"),
        pytest.param([(GONE, 0), (ALIVE, 6)], Verification.VERIFIED, id="found alive after all"),
    ],
)
def test_checks_in_a_row(checks: list[tuple[CheckResult, float]], expected: Verification) -> None:
    standing = after(*((found, HOUR * hours) for found, hours in checks))
    assert standing.verification is expected
    assert standing.active is (expected is not Verification.GONE)
    assert (standing.deactivated_at is None) is standing.active


def test_a_source_may_want_three_strikes() -> None:
    rules = VerificationRules(strikes_to_gone=3)
    standing = RecordState()
    for hours in (0, 3):
        standing = standing.checked(STRIKE, NOON + HOUR * hours, rules)
    assert standing.active
    assert not standing.checked(STRIKE, NOON + 6 * HOUR, rules).active


def test_what_lapsed_is_never_called_gone_without_evidence_and_comes_back_alive() -> None:
    lapsed = RecordState(active=False, verification=Verification.LAPSED, deactivated_at=NOON)
    assert after((UNDECIDED, HOUR), (UNDECIDED, 7 * HOUR), standing=lapsed) == lapsed
    assert after((STRIKE, HOUR), standing=lapsed).verification is Verification.LAPSED
    assert after((STRIKE, HOUR), (STRIKE, 4 * HOUR), standing=lapsed).verification is Verification.GONE
    assert after((ALIVE, HOUR), standing=lapsed).active


@pytest.mark.parametrize(
    ("standing", "seen", "shown_until", "expected"),
    [
        pytest.param(RecordState(), -HOUR, HOUR, False, id="fresh"),
        pytest.param(RecordState(), -HOUR, 0 * HOUR, True, id="below 40"),
        pytest.param(RecordState(), -24 * HOUR, HOUR, True, id="unseen for a day"),
        pytest.param(RecordState(), -23 * HOUR, HOUR, False, id="unseen for less"),
        pytest.param(RecordState(verified_at=NOON - HOUR), -30 * HOUR, HOUR, False, id="verified lately"),
        pytest.param(
            RecordState(verified_at=NOON - 24 * HOUR), -30 * HOUR, HOUR, True, id="verified a day ago"
        ),
        pytest.param(
            RecordState(verified_at=NOON), -30 * HOUR, -HOUR, True, id="below 40 whatever was verified"
        ),
        pytest.param(
            RecordState(active=False, verification=Verification.LAPSED), -HOUR, HOUR, True, id="lapsed"
        ),
        pytest.param(
            RecordState(active=False, verification=Verification.GONE), -99 * HOUR, -HOUR, False, id="gone"
        ),
    ],
)
def test_candidates(standing: RecordState, seen: timedelta, shown_until: timedelta, expected: bool) -> None:
    assert is_candidate(standing, NOON, last_seen_at=NOON + seen, shown_until=NOON + shown_until) is expected


@pytest.mark.parametrize(
    ("windows", "suspect"),
    [
        ([Window.UNDECIDED], False),
        ([Window.UNDECIDED, Window.DECIDED, Window.UNDECIDED], False),
        ([Window.UNDECIDED, Window.UNDECIDED], True),
        ([Window.UNDECIDED, Window.UNVOUCHED, Window.UNDECIDED], True),
        ([Window.UNDECIDED, Window.UNDECIDED, Window.DECIDED], True),
        ([Window.UNVOUCHED] * 9, False),
    ],
)
def test_two_undecided_windows_in_a_row_make_a_run_suspect(windows: list[Window], suspect: bool) -> None:
    suspicion = Suspicion()
    for window in windows:
        suspicion = suspicion.after(window)
    assert suspicion.suspect is suspect


events = st.lists(
    st.tuples(st.sampled_from(CheckResult), st.timedeltas(timedelta(0), 12 * HOUR)),
    max_size=40,
)


@given(events)
def test_whatever_happens(history: list[tuple[CheckResult, timedelta]]) -> None:
    standing, now = RecordState(), NOON
    for event, passed in history:
        now += passed
        before = standing
        standing = standing.checked(event, now)
        assert standing.active is (standing.verification is not Verification.GONE)
        assert standing.active is (standing.deactivated_at is None)
        assert standing.strikes <= verification.STRIKES_TO_GONE
        if standing.verification is Verification.GONE and before.verification is not Verification.GONE:
            assert event in (STRIKE, GONE)
        if standing.strikes > before.strikes and before.struck_at is not None:
            assert now - before.struck_at >= verification.STRIKES_APART


@given(st.sampled_from([ALIVE, GONE, UNDECIDED, STRIKE]))
def test_the_same_check_twice_is_one_check(found: CheckResult) -> None:
    once = RecordState().checked(found, NOON)
    assert once.checked(found, NOON) == once
    assert replace(once) == once


def test_the_numbers_of_spec() -> None:
    assert verification.STRIKES_TO_GONE == 2
    assert 3 * HOUR == verification.STRIKES_APART
    assert 24 * HOUR == verification.UNSEEN_FOR == verification.ALIVE_FOR
    assert (verification.WINDOW, verification.CONTROLS) == (50, 3)
    assert 3 * HOUR == verification.CONTROL_SEEN_WITHIN
    assert verification.UNDECIDED_TO_SUSPECT == 2
