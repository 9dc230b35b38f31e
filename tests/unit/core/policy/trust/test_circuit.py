from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.source import FetcherName
from larder.core.policy.trust.circuit import (
    ACTOR_FAILURES_TO_OPEN,
    COOLDOWN,
    COOLDOWN_MAX,
    FAILURES_TO_OPEN,
    PROBE_LOST_AFTER,
    Circuit,
    CircuitRules,
    CircuitState,
    CircuitWay,
    rules_for,
    way_of,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def failing(times: int, circuit: Circuit | None = None, *, status: int | None = None) -> Circuit:
    circuit = circuit or Circuit()
    for _ in range(times):
        circuit = circuit.failed(NOON, status=status)
    return circuit


def end(circuit: Circuit) -> datetime:
    assert circuit.until is not None
    return circuit.until


@pytest.mark.parametrize(("failures", "state"), [(4, CircuitState.CLOSED), (5, CircuitState.OPEN)])
def test_opens_after_five_failures_in_a_row(failures: int, state: CircuitState) -> None:
    assert failing(failures).state is state


def test_a_success_breaks_the_row() -> None:
    assert failing(4, failing(4).succeeded(NOON)).state is CircuitState.CLOSED


def test_an_actor_gets_three() -> None:
    rules = rules_for(way_of(FetcherName.ACTOR, check=False))
    circuit = Circuit().failed(NOON, rules=rules).failed(NOON, rules=rules)
    assert circuit.may_fetch(NOON)
    assert not circuit.failed(NOON, rules=rules).may_fetch(NOON)


def test_l10_1_checks_of_an_actor_source_have_rules_of_their_own() -> None:
    checks = way_of(FetcherName.ACTOR, check=True)
    assert rules_for(checks) == rules_for(way_of(FetcherName.HTTP, check=False))
    assert checks is CircuitWay.CHECKS


def test_nothing_is_fetched_while_it_cools_down() -> None:
    circuit = failing(5)
    assert not circuit.may_fetch(NOON + COOLDOWN - timedelta(seconds=1))
    assert circuit.may_fetch(NOON + COOLDOWN)


def test_half_open_lets_one_probe_through() -> None:
    later = NOON + COOLDOWN
    probing = failing(5).probing(later)
    assert probing.state is CircuitState.HALF_OPEN
    assert not probing.may_fetch(later)
    assert probing.probing(later) == probing
    assert probing.succeeded(later + MINUTE) == Circuit()


def test_a_probe_that_never_comes_back_blocks_nobody_for_ever() -> None:
    probing = failing(5).probing(NOON + COOLDOWN)
    assert probing.may_fetch(NOON + COOLDOWN + PROBE_LOST_AFTER)


def test_no_probe_while_cooling_or_closed() -> None:
    assert failing(5).probing(NOON) == failing(5)
    assert Circuit().probing(NOON) == Circuit()


def test_the_cooldown_doubles_up_to_a_day() -> None:
    circuit, cooldowns = failing(5), []
    for _ in range(9):
        now = end(circuit)
        circuit = circuit.probing(now).failed(now)
        cooldowns.append(end(circuit) - now)
    assert cooldowns == [
        *(timedelta(hours=hours) for hours in (1, 2, 4, 8, 16)),
        *[COOLDOWN_MAX] * 4,
    ]


def test_a_probe_that_was_not_announced_counts_as_one() -> None:
    circuit = failing(5)
    assert circuit.failed(end(circuit)).trips == 2
    assert circuit.succeeded(end(circuit)) == Circuit()


def test_answers_under_way_when_it_opened_change_nothing() -> None:
    circuit = failing(5)
    assert circuit.failed(NOON + MINUTE) == circuit
    assert circuit.succeeded(NOON + MINUTE) == circuit


@pytest.mark.parametrize("status", [403, 429])
def test_a_refusal_lengthens_the_cooldown(status: int) -> None:
    assert end(failing(4).failed(NOON, status=status)) == NOON + 2 * COOLDOWN
    assert end(failing(5, status=500)) == NOON + COOLDOWN


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(MINUTE, COOLDOWN, id="shorter than our own patience"),
        pytest.param(timedelta(hours=3), timedelta(hours=3), id="longer is obeyed"),
        pytest.param(timedelta(days=400), COOLDOWN_MAX, id="but never more than a day"),
    ],
)
def test_the_time_a_site_names_is_kept(asked: timedelta, expected: timedelta) -> None:
    assert end(failing(4).failed(NOON, retry_at=NOON + asked)) == NOON + expected


def test_a_source_may_have_its_own_numbers() -> None:
    rules = CircuitRules(failures_to_open=1, cooldown=MINUTE)
    assert end(Circuit().failed(NOON, rules=rules)) == NOON + MINUTE


events = st.lists(
    st.tuples(
        st.sampled_from(["failed", "refused", "succeeded", "probing"]),
        st.timedeltas(timedelta(0), timedelta(hours=2)),
    ),
    max_size=60,
)


def apply(circuit: Circuit, event: str, now: datetime) -> Circuit:
    match event:
        case "refused":
            return circuit.failed(now, status=429)
        case "failed":
            return circuit.failed(now)
        case "succeeded":
            return circuit.succeeded(now)
        case _:
            return circuit.probing(now)


@given(events)
def test_whatever_happens(history: list[tuple[str, timedelta]]) -> None:
    circuit, now = Circuit(), NOON
    for event, passed in history:
        now += passed
        before, circuit = circuit, apply(circuit, event, now)
        assert (circuit.state is CircuitState.CLOSED) == (circuit.until is None)
        assert circuit.state is not CircuitState.CLOSED or circuit.failures < FAILURES_TO_OPEN
        assert circuit.until is None or circuit.until - now <= COOLDOWN_MAX
        assert circuit.may_fetch(now + COOLDOWN_MAX)
        if before.state is CircuitState.OPEN and not before.may_fetch(now):
            assert circuit == before
        if circuit.trips > before.trips:
            assert circuit.until is not None
            assert circuit.until - now >= COOLDOWN


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_more_trips_never_shorten_the_cooldown(one: int, more: int) -> None:
    rules = CircuitRules()
    assert COOLDOWN <= rules.cooldown_after(one) <= rules.cooldown_after(one + more) <= COOLDOWN_MAX


def test_the_state_is_plain_enough_to_survive_a_restart() -> None:
    circuit = failing(5)
    assert replace(Circuit(), state=CircuitState("open"), failures=5, trips=1, until=circuit.until) == circuit


def test_the_numbers_of_spec() -> None:
    assert (FAILURES_TO_OPEN, ACTOR_FAILURES_TO_OPEN) == (5, 3)
    assert timedelta(minutes=30) == COOLDOWN
    assert timedelta(hours=24) == COOLDOWN_MAX
