from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.source import Tier
from larder.core.policy.freshness import (
    ALIVE,
    RATES,
    SHOWN,
    SIGHTING,
    Badge,
    Freshness,
    MissingPage,
    badge,
    confidence_at,
    crossing_at,
    epoch_s,
    found_alive,
    moment_at,
    sighted,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
Anchor = Callable[[datetime, int], Freshness]

moments = st.timedeltas(timedelta(days=-9000), timedelta(days=9000)).map(lambda each: NOON + each)
anchors = st.builds(
    Freshness, base=st.integers(0, 100), anchored_at=moments, rate=st.sampled_from([*RATES.values(), 7, 100])
)
ages = st.timedeltas(-3 * HOUR, 120 * HOUR)


@pytest.mark.parametrize(
    ("anchor", "rate", "age", "expected"),
    [
        pytest.param(sighted, 2, timedelta(0), 100, id="just seen"),
        pytest.param(found_alive, 2, timedelta(0), 80, id="just found alive"),
        pytest.param(sighted, 3, 10 * HOUR, 70, id="hot falls by 3 an hour"),
        pytest.param(sighted, 2, 10 * HOUR, 80, id="standard falls by 2 an hour"),
        pytest.param(sighted, 1, 10 * HOUR, 90, id="cool falls by 1 an hour"),
        pytest.param(sighted, 2, -5 * HOUR, 100, id="clock skew"),
        pytest.param(sighted, 2, 29 * timedelta(minutes=1), 100, id="half a point is not lost yet"),
        pytest.param(sighted, 2, 1000 * HOUR, 0, id="all scraping stopped, never negative"),
        pytest.param(found_alive, 1, 40 * HOUR, 40, id="on the line is shown"),
    ],
)
def test_confidence(anchor: Anchor, rate: int, age: timedelta, expected: int) -> None:
    assert anchor(NOON, rate).confidence(NOON + age) == expected


@pytest.mark.parametrize(
    ("anchor", "rate", "shown", "dead"),
    [
        pytest.param(sighted, 3, timedelta(hours=20, minutes=20), timedelta(seconds=120_000), id="hot"),
        pytest.param(sighted, 2, timedelta(hours=30, minutes=30), 50 * HOUR, id="standard"),
        pytest.param(sighted, 1, 61 * HOUR, 100 * HOUR, id="cool"),
        pytest.param(found_alive, 2, timedelta(hours=20, minutes=30), 40 * HOUR, id="standard, verified"),
    ],
)
def test_crossings(anchor: Anchor, rate: int, shown: timedelta, dead: timedelta) -> None:
    freshness = anchor(NOON, rate)
    assert freshness.shown_until == NOON + shown
    assert freshness.dead_at == NOON + dead


@given(anchors, ages, st.integers(1, 100))
def test_below_a_line_exactly_from_its_crossing_on(freshness: Freshness, age: timedelta, line: int) -> None:
    now = freshness.anchored_at + age
    if freshness.base >= line:
        assert (freshness.confidence(now) < line) == (now >= freshness.crosses(line))


@given(anchors, st.integers(1, 100))
def test_the_second_before_a_crossing_is_still_above(freshness: Freshness, line: int) -> None:
    crossing = freshness.crosses(line)
    assert freshness.confidence(crossing) < line
    if freshness.base >= line:
        assert freshness.confidence(crossing - SECOND) >= line


@given(anchors.filter(lambda each: each.base >= SHOWN), ages)
def test_shown_and_dead_are_look_ups(freshness: Freshness, age: timedelta) -> None:
    now = freshness.anchored_at + age
    assert (freshness.confidence(now) >= SHOWN) == (now < freshness.shown_until)
    assert (freshness.confidence(now) == 0) == (now >= freshness.dead_at)


@given(anchors, ages, ages)
def test_confidence_only_ever_falls(freshness: Freshness, one: timedelta, two: timedelta) -> None:
    early, late = sorted([freshness.anchored_at + one, freshness.anchored_at + two])
    assert 0 <= freshness.confidence(late) <= freshness.confidence(early) <= freshness.base


@given(anchors, ages)
def test_integers_say_the_same(freshness: Freshness, age: timedelta) -> None:
    now = freshness.anchored_at + age
    stored = (freshness.base, epoch_s(freshness.anchored_at), freshness.rate)
    assert confidence_at(*stored, epoch_s(now)) == freshness.confidence(now)
    assert moment_at(crossing_at(*stored, SHOWN)) == freshness.shown_until


@given(moments)
def test_a_stored_second_is_the_moment_without_its_fraction(moment: datetime) -> None:
    assert moment_at(epoch_s(moment)) == moment.replace(microsecond=0)


@given(anchors, anchors, ages)
def test_the_stronger_anchor_is_never_less_sure(one: Freshness, two: Freshness, age: timedelta) -> None:
    two = replace(two, rate=one.rate)
    best = one.or_stronger(two)
    now = max(one.anchored_at, two.anchored_at) + abs(age)
    assert best.confidence(now) >= max(one.confidence(now), two.confidence(now))
    assert best.or_stronger(one) == best


def test_a_check_does_not_weaken_what_an_index_just_showed() -> None:
    seen = sighted(NOON, 2)
    assert seen.or_stronger(found_alive(NOON + HOUR, 2)) == seen


def test_a_late_message_does_not_move_the_anchor_back() -> None:
    seen = sighted(NOON, 2)
    assert seen.or_stronger(sighted(NOON - 5 * HOUR, 2)) == seen


def test_a_change_of_tier_moves_the_crossings() -> None:
    seen = sighted(NOON, RATES[Tier.COOL])
    assert replace(seen, rate=RATES[Tier.HOT]).shown_until < seen.shown_until


@pytest.mark.parametrize(("base", "rate"), [(100, 0), (100, -1), (101, 2), (-1, 2)])
def test_no_anchor_that_does_not_fall(base: int, rate: int) -> None:
    with pytest.raises(ValueError, match="confidence cannot fall"):
        Freshness(base=base, anchored_at=NOON, rate=rate)


@pytest.mark.parametrize(
    ("confidence", "expected"),
    [
        (100, Badge(colour="green", text="recently verified")),
        (80, Badge(colour="green", text="recently verified")),
        (79, Badge(colour="yellow", text="listed 3 days ago")),
        (50, Badge(colour="yellow", text="listed 3 days ago")),
        (49, Badge(colour="orange", text="may no longer be available")),
        (40, Badge(colour="orange", text="may no longer be available")),
        (39, None),
        (0, None),
    ],
)
def test_badges(confidence: int, expected: Badge | None) -> None:
    assert badge(confidence, listed_days=3) == expected


def test_l10_4_a_missing_page_takes_the_place_of_the_badge() -> None:
    missing = MissingPage(at=datetime(2026, 3, 2, 10, 3, tzinfo=UTC), status=404)
    told = Badge(colour="orange", text="answered 404 at 02 Mar 10:03 UTC, being checked")
    assert badge(100, listed_days=0, missing=missing) == told
    assert badge(39, listed_days=0, missing=missing) is None


@pytest.mark.parametrize(
    ("days", "text"), [(0, "listed today"), (1, "listed 1 day ago"), (2, "listed 2 days ago")]
)
def test_listed_reads_as_people_speak(days: int, text: str) -> None:
    assert badge(60, listed_days=days) == Badge(colour="yellow", text=text)


@given(st.integers(0, 100))
def test_a_badge_is_worn_exactly_by_what_is_shown(confidence: int) -> None:
    assert (badge(confidence, listed_days=1) is not None) == (confidence >= SHOWN)


def test_the_numbers_of_spec() -> None:
    assert (SIGHTING, ALIVE, SHOWN) == (100, 80, 40)
    assert RATES == {Tier.HOT: 3, Tier.STANDARD: 2, Tier.COOL: 1}
