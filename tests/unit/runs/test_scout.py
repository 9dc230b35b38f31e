"""The fold of a scout: how it ends, and when it stops asking."""

import pytest

from larder.core.errors import BadInput
from larder.core.model.place import read_region
from larder.core.policy.scout import LONGEST_WAIT, is_noise, queries, wait_after
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


def test_waits_double_up_to_a_bound() -> None:
    waits = [wait_after(limits, None) for limits in range(20)]
    assert waits == sorted(waits)
    assert waits[1] == 2 * waits[0]
    assert waits[-1] == LONGEST_WAIT


@pytest.mark.parametrize("country", ["NL", "DE", "US", "XX"])
def test_every_country_has_five_queries(country: str) -> None:
    assert len(set(queries("Town", country))) == 5


@pytest.mark.parametrize(
    ("domain", "path", "noise"),
    [
        pytest.param("tripadvisor.com", "/", True, id="a portal"),
        pytest.param("venue.nl", "/agenda.PDF", True, id="a file"),
        pytest.param("venue.nl", "/agenda", False, id="a page"),
    ],
)
def test_noise(domain: str, path: str, noise: bool) -> None:
    assert is_noise(domain, path) is noise


@pytest.mark.parametrize(
    ("given", "region"),
    [("nl", "NL"), ("Noord-Holland", "NL-07"), ("us-ny", "US-NY"), (" DE ", "DE")],
)
def test_regions(given: str, region: str) -> None:
    assert str(read_region(given)) == region


@pytest.mark.parametrize("given", ["", "Nederland", "NL-", "N1", "NL-07; DROP TABLE", "NL-" + "x" * 40])
def test_what_is_no_region_is_refused(given: str) -> None:
    if given == "NL-":
        assert str(read_region(given)) == "NL"
        return
    with pytest.raises(BadInput, match="not a region"):
        read_region(given)
