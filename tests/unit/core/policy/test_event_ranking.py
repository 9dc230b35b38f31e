"""Each of the five things moves an event up, and what is not known moves none."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.event_ranking import WEIGHTS, EventCandidate, Preferences, event_score

NOW = datetime(2026, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)
PLAIN = EventCandidate(
    starts_at=NOW + 5 * DAY, category="art", distance_km=10.0, saved=3, sources=1, reliability=0.8
)
TASTE = Preferences(here=True, categories=frozenset({"music"}))


@pytest.mark.parametrize(
    "better",
    [
        {"distance_km": 2.0},
        {"category": "music"},
        {"starts_at": NOW + DAY},
        {"saved": 10},
        {"sources": 2},
        {"reliability": 0.9},
    ],
    ids=lambda better: next(iter(better)),
)
def test_each_thing_moves_an_event_up(better: dict[str, Any]) -> None:
    assert (
        event_score(replace(PLAIN, **better), TASTE, now=NOW).total > event_score(PLAIN, TASTE, now=NOW).total
    )


def test_the_weights_are_a_whole() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    perfect = EventCandidate(starts_at=NOW, category="music", distance_km=0, saved=100, reliability=1)
    assert event_score(perfect, TASTE, now=NOW).total == 1


@pytest.mark.parametrize(
    ("taste", "counted"),
    [
        (Preferences(), {"time", "social", "reliability"}),
        (Preferences(here=True), {"time", "social", "reliability", "distance"}),
        (TASTE, set(WEIGHTS)),
    ],
    ids=["nothing known", "a position", "a position and tastes"],
)
def test_what_is_not_known_does_not_count(taste: Preferences, counted: set[str]) -> None:
    assert set(event_score(PLAIN, taste, now=NOW).parts) == counted


def test_a_place_that_is_not_known_is_neither_near_nor_far() -> None:
    assert "distance" not in event_score(replace(PLAIN, distance_km=None), TASTE, now=NOW).parts


def test_what_has_begun_is_as_soon_as_can_be() -> None:
    begun = replace(PLAIN, starts_at=NOW - 2 * DAY)
    assert event_score(begun, TASTE, now=NOW).parts["time"] == 1


@given(
    days=st.floats(-10, 4_000),
    km=st.none() | st.floats(0, 20_000),
    saved=st.integers(-5, 10**9),
    sources=st.integers(0, 10**4),
    reliability=st.floats(-1, 2),
)
def test_a_score_is_from_0_to_1(
    days: float, km: float | None, saved: int, sources: int, reliability: float
) -> None:
    event = EventCandidate(
        starts_at=NOW + days * DAY, distance_km=km, saved=saved, sources=sources, reliability=reliability
    )
    assert 0 <= event_score(event, TASTE, now=NOW).total <= 1
