"""Each figure of a score, from a handful of listings."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from larder.sim.benchmark.scoring import PolicyScore, Scorer
from larder.sim.classifieds.listing_words import random_home
from larder.sim.classifieds.state import Listing, ListingChange, ListingEvent
from larder.store.database import micros
from larder.store.reads.shown_records import FirstSeen, ObservedPrice, ShownRecord

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
STEP = timedelta(minutes=15)
HOME = random_home(Random(1))


def listing(name: str, price: int = 100) -> Listing:
    return Listing(
        platform_id=name, home=HOME, price=price, posted_at=NOON, refreshed_at=NOON, changed_at=NOON
    )


def event(what: ListingChange, name: str, minutes: float, price: int = 100) -> ListingEvent:
    return ListingEvent(at=NOON + timedelta(minutes=minutes), what=what, listing=listing(name, price))


class Days:
    """Samples one step apart."""

    def __init__(self) -> None:
        self.scorer = Scorer(step=STEP)
        self.at = NOON

    def sample(self, live: dict[str, int], shown: dict[str, int], *events: ListingEvent) -> None:
        self.scorer.happened(events)
        there = {name: listing(name, price) for name, price in live.items()}
        rows = [ShownRecord(name, price, micros(NOON)) for name, price in shown.items()]
        self.scorer.sample(self.at, there, rows)
        self.at += STEP

    def score(self, **facts: Any) -> PolicyScore:
        given: dict[str, Any] = {"requests": {0: 3, 1: 9}, "seen": [], "prices": [], **facts}
        return self.scorer.result(policy="any", seed=1, until=self.at, **given)


def test_recall_error_and_what_is_shown_but_gone_are_means_over_the_samples() -> None:
    days = Days()
    days.sample({"a": 1, "b": 2}, {"a": 1, "b": 2})
    days.sample({"a": 1, "b": 2}, {"a": 7, "x": 1})
    score = days.score()
    assert (score.recall, score.shown_gone) == (0.75, 0.25)
    assert score.error == 0.5  # first none of two, then all of three: a has a wrong price
    assert (score.requests_per_day, score.requests_peak_hour) == (12 * 48, 9)


def test_a_removal_counts_until_the_listing_is_no_longer_shown() -> None:
    days = Days()
    days.sample({"a": 1, "b": 1}, {"a": 1, "b": 1})
    days.sample({"b": 1}, {"a": 1, "b": 1}, event(ListingChange.REMOVED, "a", 5))
    days.sample({}, {"b": 1}, event(ListingChange.REMOVED, "b", 20))
    score = days.score()
    assert score.removal_p50_h == pytest.approx(25 / 60)
    assert score.removal_p95_h == pytest.approx(25 / 60)  # b is shown to the end: 45 - 20 minutes


def test_a_listing_that_is_back_before_anybody_noticed_is_no_removal() -> None:
    days = Days()
    days.sample({"a": 1}, {"a": 1})
    gone, back = event(ListingChange.REMOVED, "a", 2), event(ListingChange.BACK, "a", 9)
    days.sample({"a": 1}, {"a": 1}, gone, back)
    assert days.score().removal_p50_h is None


def test_what_vanishes_while_it_is_there_is_falsely_gone_and_flickers_when_it_is_back() -> None:
    days = Days()
    days.sample({"a": 1, "b": 1}, {"a": 1, "b": 1})
    days.sample({"a": 1, "b": 1}, {"b": 1})
    days.sample({"a": 1, "b": 1}, {"a": 1, "b": 1})
    score = days.score()
    assert score.false_gone == pytest.approx(0.5 / 3)
    assert score.flicker == 0.5


def test_what_is_hidden_for_a_removal_that_nobody_had_noticed_before_it_came_back_does_not_flicker() -> None:
    days = Days()
    days.sample({"a": 1, "b": 1}, {"a": 1, "b": 1})
    days.sample({"b": 1}, {"a": 1, "b": 1}, event(ListingChange.REMOVED, "a", 20))
    days.sample({"a": 1, "b": 1}, {"a": 1, "b": 1}, event(ListingChange.BACK, "a", 40))
    days.sample({"a": 1, "b": 1}, {"b": 1})
    days.sample({"a": 1, "b": 1}, {"a": 1, "b": 1})
    score = days.score()
    assert score.false_gone == score.flicker == 0


def test_news_are_minutes_from_arrival_to_first_sight() -> None:
    days = Days()
    days.sample({"a": 1}, {}, event(ListingChange.ARRIVED, "a", 3))
    seen = [FirstSeen("a", micros(NOON + timedelta(minutes=10))), FirstSeen("old", micros(NOON))]
    assert days.score(seen=seen).news_p50_min == 7


@pytest.mark.parametrize(("observed", "share"), [(5, 1.0), (25, 0.0)])
def test_a_price_is_captured_if_it_was_observed_before_it_changed_again(
    observed: float, share: float
) -> None:
    days = Days()
    changes = [event(ListingChange.PRICE, "a", 2, price=90), event(ListingChange.PRICE, "a", 20, price=80)]
    days.sample({"a": 80}, {"a": 90}, *changes)
    at = micros(NOON + timedelta(minutes=observed))
    score = days.score(prices=[ObservedPrice("a", 90, at, at)])
    assert score.prices_captured == share
    assert score.price_stale_h == 0.125  # wrong for a quarter of an hour, two changes


def test_details_are_fresh_if_read_after_the_last_edit() -> None:
    days = Days()
    days.sample({"a": 1, "b": 1}, {"a": 1, "b": 1}, event(ListingChange.EDITED, "b", 1))
    assert days.score().detail_fresh == 0.5


def test_an_empty_market_is_kept_perfectly() -> None:
    days = Days()
    days.sample({}, {})
    score = days.score(requests={})
    assert (score.recall, score.error, score.news_p50_min) == (1.0, 0.0, None)
    assert replace(score, seed=2) != score
