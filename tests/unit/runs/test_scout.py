"""The fold of a scout: how it ends, and when it stops asking."""

import pytest

from larder.runs.scout import ScoutState

FRESH = ScoutState(most=2)


@pytest.mark.parametrize(
    ("state", "status"),
    [
        pytest.param(FRESH.begin(1).complete(), "completed", id="all were searched"),
        pytest.param(FRESH, "completed", id="no place was due"),
        pytest.param(FRESH.begin(1).complete().begin(2).fail(), "partial", id="one failed"),
        pytest.param(FRESH.begin(1).complete().begin(2).leave(), "partial", id="one is left"),
        pytest.param(FRESH.begin(1).leave(), "failed", id="nothing was searched"),
        pytest.param(
            FRESH.switched_off("no credits").begin(1).complete(), "partial", id="from the cache alone"
        ),
    ],
)
def test_how_it_ends(state: ScoutState, status: str) -> None:
    assert state.status() == status


def test_the_state_survives_being_stored() -> None:
    state = FRESH.begin(7).leave().begin(8)
    assert ScoutState.of(state.to_json()) == state
    assert not state.done
    assert state.complete().done


def test_a_provider_is_given_up_after_five_failures_in_a_row() -> None:
    state = FRESH
    for _ in range(4):
        state = state.query_failed("down")
    assert not state.provider_off
    assert not state.answered(cached=False).query_failed("down").provider_off
    assert state.answered(cached=True).query_failed("down").provider_off == "down"
