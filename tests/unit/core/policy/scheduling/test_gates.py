from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.scheduling.backpressure import Rejection
from larder.core.policy.scheduling.gates import Gate, GateFacts, closed_gates, rejection

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(minutes=20)

FREE = GateFacts(source="demo-flats", site="flats.test", adapter="listing", kind="sweep")
SHUT = {
    Gate.DISABLED: {"enabled": False},
    Gate.NEEDS_REVIEW: {"needs_review": True},
    Gate.TERMS: {"terms_reviewed": False},
    Gate.CIRCUIT_OPEN: {"circuit_until": LATER},
    Gate.ADAPTER_DISABLED: {"adapter_enabled": False, "adapter_why": "drift_detected"},
    Gate.CANARY: {"unproven": "1.1.0+4f1c0a9e"},
    Gate.ALREADY_RUNNING: {"running": 7},
    Gate.SITE_COOLING_DOWN: {"cooling_until": LATER},
    Gate.QUEUE_FULL: {"queue_full_until": LATER},
    Gate.SCHEDULER_BACKING_OFF: {"backing_off_until": LATER},
}


def shut(*gates: Gate) -> GateFacts:
    facts = FREE
    for gate in gates:
        facts = replace(facts, **SHUT[gate])  # type: ignore[arg-type]
    return facts


def test_nothing_stands_in_the_way() -> None:
    assert closed_gates(FREE, NOON) == ()


@pytest.mark.parametrize("gate", Gate)
def test_each_gate_is_told_alone_with_a_way_out(gate: Gate) -> None:
    (reason,) = closed_gates(shut(gate), NOON)
    assert reason.gate is gate
    assert reason.says
    assert reason.todo


@given(st.sets(st.sampled_from(Gate)))
def test_all_shut_gates_are_told_in_their_order(gates: set[Gate]) -> None:
    told = [reason.gate for reason in closed_gates(shut(*gates), NOON)]
    assert told == [gate for gate in Gate if gate in gates]


TIMED = [Gate.CIRCUIT_OPEN, Gate.SITE_COOLING_DOWN, Gate.QUEUE_FULL, Gate.SCHEDULER_BACKING_OFF]


@pytest.mark.parametrize("gate", TIMED)
def test_time_opens_some_gates(gate: Gate) -> None:
    (reason,) = closed_gates(shut(gate), NOON)
    assert reason.until == LATER
    assert closed_gates(shut(gate), LATER) == ()


@pytest.mark.parametrize("gate", [gate for gate in Gate if gate not in TIMED])
def test_others_wait_for_a_person_or_a_run(gate: Gate) -> None:
    (reason,) = closed_gates(shut(gate), NOON)
    assert reason.until is None
    assert len(closed_gates(shut(gate), NOON + timedelta(days=999))) == 1


def test_unread_terms_matter_only_where_we_are_strict() -> None:
    assert closed_gates(replace(FREE, terms_reviewed=False, strict=False), NOON) == ()


def test_a_blocked_site_stays_blocked_however_loose_we_are() -> None:
    (reason,) = closed_gates(replace(FREE, site_blocked=True, strict=False), NOON)
    assert reason.gate is Gate.TERMS
    assert "blocked" in reason.says


@pytest.mark.parametrize(
    ("gate", "names"),
    [
        (Gate.DISABLED, ["demo-flats"]),
        (Gate.TERMS, ["flats.test"]),
        (Gate.ADAPTER_DISABLED, ["listing", "drift detected"]),
        (Gate.ALREADY_RUNNING, ["sweep", "run 7"]),
    ],
)
def test_a_reason_names_what_it_is_about(gate: Gate, names: list[str]) -> None:
    (reason,) = closed_gates(shut(gate), NOON)
    assert all(name in reason.says for name in names)


def test_the_words_of_spec() -> None:
    assert [gate.value for gate in Gate] == [
        "disabled",
        "needs_review",
        "terms",
        "circuit_open",
        "adapter_disabled",
        "canary",
        "already_running",
        "site_cooling_down",
        "queue_full",
        "scheduler_backing_off",
    ]


@pytest.mark.parametrize(("kind", "sent"), [("verification", "checks"), ("collect", "fetches")])
def test_l10_1_an_open_circuit_says_whether_checks_or_fetches_failed(kind: str, sent: str) -> None:
    (reason,) = closed_gates(replace(FREE, kind=kind, circuit_until=LATER), NOON)
    assert reason.says == f"several {sent} of demo-flats in a row failed"


def test_a_disabled_adapter_is_given_another_try_when_its_probe_is_due() -> None:
    off = replace(FREE, adapter_enabled=False, adapter_probe_at=LATER)
    (reason,) = closed_gates(off, LATER - timedelta(microseconds=1))
    assert (reason.gate, reason.until) == (Gate.ADAPTER_DISABLED, LATER)
    assert closed_gates(off, LATER) == ()


def test_a_refused_version_says_what_speaks_against_it_and_how_to_decide() -> None:
    refused = replace(FREE, unproven="1.1.0", objections="price differs in 3 of 40 items")
    (reason,) = closed_gates(refused, NOON)
    assert reason.says == "listing 1.1.0 reads stored pages differently: price differs in 3 of 40 items"
    assert (reason.todo.action, reason.todo.target) == ("adapter.accept", "listing")
    assert dict(reason.todo.options) == {"site": "flats.test"}


@pytest.mark.parametrize(
    ("gate", "reason"),
    [
        (Gate.ADAPTER_DISABLED, Rejection.ADAPTER_DISABLED),
        (Gate.SITE_COOLING_DOWN, Rejection.RATE_LIMITED),
        (Gate.SCHEDULER_BACKING_OFF, Rejection.RATE_LIMITED),
        (Gate.QUEUE_FULL, Rejection.QUEUE_FULL),
    ],
)
def test_l10_8_work_that_the_queue_holds_back_is_told_when_to_come_back(
    gate: Gate, reason: Rejection
) -> None:
    answer = rejection(closed_gates(shut(gate), NOON), NOON)
    assert answer is not None
    assert answer.reason is reason
    assert answer.retry_after > timedelta(0)


def test_l10_8_what_a_person_decided_is_no_rejection_of_the_queue() -> None:
    assert rejection(closed_gates(shut(Gate.DISABLED, Gate.QUEUE_FULL), NOON), NOON) is None
    assert rejection((), NOON) is None
