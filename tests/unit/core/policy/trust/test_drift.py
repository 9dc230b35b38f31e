from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.trust import drift
from larder.core.policy.trust.drift import (
    Action,
    AdapterHealth,
    Baseline,
    Cause,
    DisabledWhy,
    DriftResult,
    baseline,
    is_successful,
    judge_drift,
)
from larder.core.policy.trust.yields import NO_YIELD, PageYield

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

GOOD = PageYield(attempted=20, extracted=20, valid=20)
BAD = PageYield(attempted=20, failed=11, extracted=9, valid=9)
HALF = PageYield(attempted=20, failed=10, extracted=10, valid=10)
EMPTY = PageYield(attempted=20)
FREE = PageYield(attempted=20, extracted=20, valid=19, zero_prices=1)
USUAL = Baseline(failure=0.05, fill=1.0)


def judged(*runs: PageYield, reads_index: bool = False, usual: Baseline | None = None) -> DriftResult:
    last = DriftResult(health=AdapterHealth())
    for run in runs:
        last = judge_drift(last.health, run, NOON, reads_index=reads_index, usual=usual)
    return last


def told(last: DriftResult) -> set[tuple[Action, Cause]]:
    return {(each.action, each.cause) for each in last.decisions}


ALERT_FAILURE = (Action.ALERT, Cause.FAILURE_RATE)
DISABLE_FAILURE = (Action.DISABLE, Cause.FAILURE_RATE)
DISABLE_ZERO_ITEMS = (Action.DISABLE, Cause.ZERO_ITEMS)
DISABLE_ZERO_PRICE = (Action.DISABLE, Cause.ZERO_PRICE)
ZERO_PRICE = {(Action.QUARANTINE, Cause.ZERO_PRICE), (Action.ALERT, Cause.ZERO_PRICE)}


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        pytest.param([GOOD], set(), id="all is well"),
        pytest.param([HALF, HALF, HALF], set(), id="half is not more than half"),
        pytest.param([BAD], {ALERT_FAILURE}, id="once alerts"),
        pytest.param([BAD, BAD], {ALERT_FAILURE, DISABLE_FAILURE}, id="twice in a row disables"),
        pytest.param([BAD, GOOD, BAD], {ALERT_FAILURE}, id="a good batch breaks the row"),
        pytest.param([BAD, NO_YIELD, BAD], {ALERT_FAILURE, DISABLE_FAILURE}, id="an outage does not"),
        pytest.param([EMPTY], set(), id="zero items once"),
        pytest.param([EMPTY, EMPTY], {DISABLE_ZERO_ITEMS}, id="zero items twice"),
        pytest.param([EMPTY, GOOD, EMPTY], set(), id="zero items, but not in a row"),
        pytest.param([FREE], ZERO_PRICE, id="a price of 0"),
        pytest.param([FREE, FREE], ZERO_PRICE | {DISABLE_ZERO_PRICE}, id="a price of 0 twice"),
        pytest.param([FREE, GOOD, FREE], ZERO_PRICE, id="a price of 0, but not in a row"),
    ],
)
def test_full_batches(runs: list[PageYield], expected: set[tuple[Action, Cause]]) -> None:
    last = judged(*runs)
    assert told(last) == expected
    assert last.health.enabled is not any(action is Action.DISABLE for action, _ in expected)
    assert all(each.says for each in last.decisions)


def test_small_runs_are_added_up_until_there_are_twenty_urls() -> None:
    small = PageYield(attempted=7, failed=7)
    assert judged(small, small).decisions == ()
    assert judged(small, small).health.pending == small + small
    third = judged(small, small, small)
    assert third.batch == PageYield(attempted=21, failed=21)
    assert third.health.pending == NO_YIELD
    assert ALERT_FAILURE in told(third)
    assert third.health.last_rate == 1.0


def test_one_broken_product_does_not_disable_a_shop() -> None:
    assert judged(*[PageYield(attempted=1, failed=1)] * 19).health.enabled


def test_but_twice_twenty_looks_at_nothing_do() -> None:
    assert not judged(*[PageYield(attempted=1)] * 40).health.enabled


def test_an_agenda_that_reads_empty_twice_is_disabled_whatever_its_size() -> None:
    once = judged(PageYield(attempted=2), reads_index=True)
    assert once.health.enabled
    assert told(judged(PageYield(attempted=2), PageYield(attempted=2), reads_index=True)) == {
        DISABLE_ZERO_ITEMS
    }


def test_a_full_run_is_judged_by_itself_whatever_small_one_came_before() -> None:
    small = PageYield(attempted=3, extracted=3, valid=3)
    assert told(judged(small, EMPTY, EMPTY)) == {DISABLE_ZERO_ITEMS}


def test_a_single_zero_price_in_a_small_batch_is_kept_apart_and_told() -> None:
    last = judged(PageYield(attempted=3, extracted=3, valid=2, zero_prices=1))
    assert told(last) == ZERO_PRICE
    assert last.health.enabled


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        pytest.param(PageYield(attempted=20, failed=4, extracted=16, valid=16), set(), id="20 % is allowed"),
        pytest.param(
            PageYield(attempted=20, failed=5, extracted=15, valid=15),
            {(Action.ALERT, Cause.FAILURE_OVER_BASELINE)},
            id="three times the usual failures",
        ),
        pytest.param(
            PageYield(attempted=20, extracted=9, valid=9),
            {(Action.ALERT, Cause.YIELD_UNDER_BASELINE)},
            id="less than half the usual yield",
        ),
        pytest.param(PageYield(attempted=20, extracted=10, valid=10), set(), id="half the usual yield"),
    ],
)
def test_against_the_baseline(run: PageYield, expected: set[tuple[Action, Cause]]) -> None:
    assert told(judged(run, usual=USUAL)) == expected
    assert told(judged(run)) == set()


@pytest.mark.parametrize(
    ("agreed", "usual", "expected"),
    [
        pytest.param(30, 0.98, {(Action.ALERT, Cause.AGREEMENT_UNDER_BASELINE)}, id="far less than usual"),
        pytest.param(60, 0.98, set(), id="as good as usual"),
        pytest.param(30, 0.55, set(), id="a site whose rows and pages never agreed"),
        pytest.param(30, None, set(), id="nobody knows what is usual"),
    ],
)
def test_readings_that_no_longer_agree_are_drift(
    agreed: int, usual: float | None, expected: set[tuple[Action, Cause]]
) -> None:
    """Everything is there as always, but row and detail page say different things."""
    run = PageYield(attempted=20, extracted=20, valid=20, compared=60, agreed=agreed)
    assert told(judged(run, usual=Baseline(failure=0.0, fill=1.0, agreement=usual))) == expected


def test_the_usual_agreement_is_learned_from_batches_that_compared_enough() -> None:
    batch = PageYield(attempted=20, extracted=20, valid=20, compared=40, agreed=38)
    few = replace(batch, compared=3, agreed=0)

    learned = baseline([(NOON, batch)] * 3 + [(NOON, few)], NOON)
    unknown = baseline([(NOON, few)] * 4, NOON)

    assert learned is not None
    assert learned.agreement == 0.95
    assert unknown is not None
    assert unknown.agreement is None


def test_a_run_that_reads_more_single_pages_than_usual_yields_no_less() -> None:
    usual = Baseline(failure=0.0, fill=50.0)
    pages_of_one = PageYield(attempted=100, extracted=100, valid=100)
    assert told(judged(pages_of_one + _index(2, 50), usual=usual)) == set()
    assert told(judged(pages_of_one + _index(2, 20), usual=usual)) == {
        (Action.ALERT, Cause.YIELD_UNDER_BASELINE)
    }


def _index(pages: int, items: int) -> PageYield:
    return PageYield(attempted=pages, extracted=pages * items, valid=pages * items).of_index()


def test_a_price_of_zero_that_has_passed_disables_nobody_later() -> None:
    wrong = PageYield(attempted=12, extracted=12, valid=0, zero_prices=12)
    right = PageYield(attempted=12, extracted=12, valid=12)
    assert judged(wrong, wrong, wrong, right).health.enabled
    assert not judged(wrong, wrong, right, wrong).health.enabled


def test_a_rate_that_is_told_for_itself_is_not_told_as_unusual_too() -> None:
    most = PageYield(attempted=20, failed=11, extracted=20, valid=20)
    assert told(judged(most, usual=USUAL)) == {(Action.ALERT, Cause.FAILURE_RATE)}


def test_three_times_the_usual_failures_is_not_more_than_that() -> None:
    thrice = PageYield(attempted=40, failed=15, extracted=25, valid=25)
    assert told(judged(thrice, usual=Baseline(failure=0.125, fill=0.6))) == set()


def test_a_site_that_always_fails_a_lot_is_measured_by_itself() -> None:
    often = PageYield(attempted=20, failed=8, extracted=12, valid=12)
    assert told(judged(often, usual=Baseline(failure=0.3, fill=0.6))) == set()


def test_a_baseline_is_the_medians_of_three_successful_batches() -> None:
    days = [
        PageYield(attempted=20, failed=2, extracted=18, valid=18),
        PageYield(attempted=20, failed=4, extracted=16, valid=16),
        PageYield(attempted=20, failed=10, extracted=10, valid=10),
    ]
    history = [(NOON - DAY * n, batch) for n, batch in enumerate(days)]
    assert baseline(history[:2], NOON) is None
    assert baseline(history, NOON) == Baseline(failure=0.2, fill=0.8)


@pytest.mark.parametrize(
    ("at", "batch"),
    [
        pytest.param(NOON - 8 * DAY, GOOD, id="older than a week"),
        pytest.param(NOON, PageYield(attempted=19, extracted=19, valid=19), id="too small"),
        pytest.param(NOON, BAD, id="a breakage"),
        pytest.param(NOON, FREE, id="prices of 0"),
        pytest.param(NOON, EMPTY, id="nothing read"),
    ],
)
def test_what_a_baseline_does_not_learn_from(at: datetime, batch: PageYield) -> None:
    assert baseline([(NOON, GOOD), (NOON, GOOD), (at, batch)], NOON) is None
    assert baseline([(NOON - 7 * DAY, GOOD)] * 3, NOON) is not None


def test_a_disabled_adapter_is_not_judged() -> None:
    off = AdapterHealth().disabled(NOON, by="ada", why=DisabledWhy.MANUAL)
    assert judge_drift(off, BAD, NOON, reads_index=False) == DriftResult(health=off)


def test_who_switched_it_off_when_and_why() -> None:
    health = judged(BAD, BAD).health
    assert (health.enabled, health.since, health.by) == (False, NOON, "drift")
    assert health.why is DisabledWhy.DRIFT_DETECTED
    assert health.last_rate == pytest.approx(0.55)


def test_enabled_again_with_a_clean_slate_and_a_flagged_first_run() -> None:
    again = judged(BAD, BAD).health.enabled_again(NOON, by="ada")
    first = judge_drift(again, BAD, NOON, reads_index=False)
    assert (first.flagged, first.health.enabled, first.health.failed_batches) == (True, True, 1)
    assert not judge_drift(first.health, GOOD, NOON, reads_index=False).flagged


def test_an_outage_does_not_use_up_the_flag() -> None:
    again = judged(BAD, BAD).health.enabled_again(NOON, by="ada")
    assert judge_drift(again, NO_YIELD, NOON, reads_index=False).health.first_run_flagged


def test_it_may_prove_itself_every_six_hours() -> None:
    off = judged(BAD, BAD).health
    later = NOON + 6 * HOUR
    assert off.probe_at == later
    still_off = off.probed(BAD, later, same_version=True)
    assert (still_off.enabled, still_off.probe_at) == (False, later + 6 * HOUR)
    on = still_off.probed(GOOD, later + 6 * HOUR, same_version=True)
    assert (on.enabled, on.by, on.first_run_flagged) == (True, "probe", True)


def test_another_version_proves_nothing_about_this_one() -> None:
    assert not judged(BAD, BAD).health.probed(GOOD, NOON, same_version=False).enabled


@pytest.mark.parametrize("why", [DisabledWhy.MANUAL, DisabledWhy.TERMS])
def test_what_a_person_switched_off_stays_off(why: DisabledWhy) -> None:
    off = AdapterHealth().disabled(NOON, by="ada", why=why)
    assert off.probe_at is None
    assert off.probed(GOOD, NOON + DAY, same_version=True) == off


def test_a_probe_of_an_enabled_adapter_changes_nothing() -> None:
    assert AdapterHealth().probed(GOOD, NOON, same_version=True) == AdapterHealth()


@st.composite
def runs(draw: st.DrawFn) -> PageYield:
    attempted = draw(st.integers(0, 30))
    failed = draw(st.integers(0, attempted))
    extracted = draw(st.integers(0, 30)) if attempted > failed else 0
    valid = draw(st.integers(0, extracted))
    zero_prices = draw(st.integers(0, min(1, extracted - valid)))
    return PageYield(
        attempted=attempted, failed=failed, extracted=extracted, valid=valid, zero_prices=zero_prices
    )


@given(st.lists(runs(), max_size=30), st.booleans())
def test_whatever_happens(history: list[PageYield], reads_index: bool) -> None:
    health, closed = AdapterHealth(), NO_YIELD
    for run in history:
        last = judge_drift(health, run, NOON, reads_index=reads_index)
        disables = any(each.action is Action.DISABLE for each in last.decisions)
        assert last.health.enabled is (health.enabled and not disables)
        assert last.health.pending.attempted < drift.MIN_URLS
        if last.batch is not None:
            assert last.batch.attempted >= drift.MIN_URLS
            closed += last.batch
        if not health.enabled:
            assert last.decisions == ()
        health = last.health
    if health.enabled:
        assert closed + health.pending == sum(history, NO_YIELD)


@given(st.lists(runs().filter(lambda run: run.attempted == 0 or is_successful(run)), max_size=30))
def test_a_working_adapter_is_never_disabled(history: list[PageYield]) -> None:
    assert judged(*history, reads_index=True).health.enabled


def test_the_numbers_of_spec() -> None:
    assert (drift.MIN_URLS, drift.FAILURE_RATE_MAX) == (20, 0.5)
    assert drift.FAILED_BATCHES_TO_DISABLE == drift.ZERO_RUNS_TO_DISABLE == 2
    assert drift.ZERO_PRICE_BATCHES_TO_DISABLE == 2
    assert (7 * DAY, 3) == (drift.BASELINE_WINDOW, drift.BASELINE_RUNS)
    assert (drift.BASELINE_FAILURE_FACTOR, drift.BASELINE_FAILURE_FLOOR) == (3, 0.2)
    assert drift.BASELINE_YIELD_SHARE == 0.5
    assert 6 * HOUR == drift.PROBE_EVERY
    assert set(DisabledWhy) == {"manual", "drift_detected", "terms"}


def test_a_source_may_have_its_own_failure_rate() -> None:
    batch = PageYield(attempted=20, failed=3)
    assert told(judge_drift(AdapterHealth(), batch, NOON, reads_index=False)) == set()
    strict = judge_drift(AdapterHealth(), batch, NOON, reads_index=False, failure_rate_max=0.1)
    assert told(strict) == {ALERT_FAILURE}
