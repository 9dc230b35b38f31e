"""What each run kind says of itself: its plans, its place in the lane, when it is due."""

from datetime import UTC, datetime, time, timedelta

import pytest

from larder.core.model.run import RunKind, Trigger
from larder.core.model.source import Plan, Tier
from larder.core.policy.scheduling.cadence import Cadence
from larder.runs import EXTRACTING, FOLDS, INTERVALS, LastRun, collect, discovery, run_kinds, sweep
from larder.runs import verification as verifying

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("plan", "kinds"),
    [
        (Plan.MARKET, (RunKind.COLLECT, RunKind.VERIFICATION)),
        (Plan.INDEX, (RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION)),
        (Plan.AGENDA, (RunKind.COLLECT, RunKind.VERIFICATION)),
        (Plan.MONITOR, (RunKind.MONITOR,)),
        (Plan.ADAPTIVE, (RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION)),
    ],
)
def test_the_kinds_of_a_plan(plan: Plan, kinds: tuple[RunKind, ...]) -> None:
    assert run_kinds(plan) == kinds


@pytest.mark.parametrize(
    ("cadence", "kind", "gap"),
    [
        (Cadence(plan=Plan.MARKET, tier=Tier.HOT), RunKind.COLLECT, 6 * HOUR),
        (Cadence(plan=Plan.MARKET), RunKind.COLLECT, 12 * HOUR),
        (Cadence(plan=Plan.MARKET, tier=Tier.COOL), RunKind.COLLECT, 24 * HOUR),
        (Cadence(plan=Plan.MARKET, cadence_hours=1.5), RunKind.COLLECT, 90 * MINUTE),
        (Cadence(plan=Plan.AGENDA, cadence_hours=2), RunKind.COLLECT, 2 * HOUR),
        (Cadence(plan=Plan.AGENDA), RunKind.COLLECT, 18 * HOUR),
        (Cadence(plan=Plan.INDEX), RunKind.DISCOVERY, 30 * MINUTE),
        (Cadence(plan=Plan.INDEX), RunKind.SWEEP, 3 * HOUR),
        (Cadence(plan=Plan.INDEX), RunKind.VERIFICATION, 6 * HOUR),
        (Cadence(plan=Plan.MONITOR), RunKind.MONITOR, MINUTE),
        (Cadence(plan=Plan.INDEX, intervals={"discovery_every": MINUTE}), RunKind.DISCOVERY, MINUTE),
        (Cadence(plan=Plan.INDEX, intervals={"verification_every": HOUR}), RunKind.VERIFICATION, HOUR),
    ],
)
def test_when_the_next_run_is_due(cadence: Cadence, kind: RunKind, gap: timedelta) -> None:
    assert FOLDS[kind].next_at(cadence, NOON) == NOON + gap


@pytest.mark.parametrize(
    ("fades", "gap"),
    [
        pytest.param(None, 6 * HOUR, id="nothing will fade"),
        pytest.param(9 * HOUR, 6 * HOUR, id="nothing fades before"),
        pytest.param(2 * HOUR, 2 * HOUR, id="at once when the first one fades"),
        pytest.param(-5 * HOUR, HOUR, id="faded already: hourly"),
        pytest.param(MINUTE, HOUR, id="but not more often than that"),
    ],
)
def test_faded_records_are_verified_hourly(fades: timedelta | None, gap: timedelta) -> None:
    last = LastRun(next_fading_at=lambda: None if fades is None else NOON + fades)
    assert verifying.VERIFICATION.next_at(Cadence(plan=Plan.INDEX), NOON, last) == NOON + gap


def test_after_a_recheck_the_next_full_run_is_counted_from_the_last_full_one() -> None:
    memory = {"checked_all_at": (NOON - 4 * HOUR).isoformat()}
    last = LastRun(memory=memory, trigger=Trigger.RECHECK)
    assert verifying.VERIFICATION.next_at(Cadence(plan=Plan.INDEX), NOON, last) == NOON + 2 * HOUR


@pytest.mark.parametrize(
    ("last", "trigger"),
    [(None, Trigger.SCHEDULED), (NOON - 6 * HOUR, Trigger.SCHEDULED), (NOON - 5 * HOUR, Trigger.RECHECK)],
    ids=["the first one", "six hours ago", "the hourly look between"],
)
def test_which_verification_takes_all(last: datetime | None, trigger: Trigger) -> None:
    memory = {"checked_all_at": last and last.isoformat()}
    assert verifying.VERIFICATION.trigger(Cadence(plan=Plan.INDEX), memory, NOON) is trigger


def test_only_verification_rechecks() -> None:
    others = [fold for fold in FOLDS.values() if fold is not verifying.VERIFICATION]
    triggers = {fold.trigger(Cadence(plan=Plan.INDEX), {}, NOON) for fold in others}
    assert triggers == {Trigger.SCHEDULED}


def test_ranks_follow_the_order_of_spec() -> None:
    ranked = sorted(FOLDS.values(), key=lambda fold: fold.rank)
    kinds = [RunKind.DISCOVERY, RunKind.MONITOR, RunKind.COLLECT, RunKind.SWEEP, RunKind.VERIFICATION]
    assert [(fold.kind, fold.rank) for fold in ranked] == list(zip(kinds, range(1, 6), strict=True))


def test_all_but_verification_extract() -> None:
    assert set(EXTRACTING) == set(FOLDS) - {RunKind.VERIFICATION}


def test_collect_has_no_interval_to_set_because_it_has_hours() -> None:
    assert INTERVALS == ("discovery_every", "sweep_every", "verification_every", "monitor_every")


def test_the_numbers_of_spec() -> None:
    assert {Tier.HOT: 6 * HOUR, Tier.STANDARD: 12 * HOUR, Tier.COOL: 24 * HOUR} == collect.EVERY
    assert time(6) == collect.AGENDA_AT
    assert (30 * MINUTE, 3 * HOUR) == (discovery.EVERY, sweep.EVERY)
    assert (6 * HOUR, HOUR) == (verifying.EVERY, verifying.FADED_EVERY)
