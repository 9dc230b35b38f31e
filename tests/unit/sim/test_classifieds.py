"""The truth is a function of rules and time: same rules, same world, whatever is asked in whatever order."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.sim.classifieds.state import Listing, ListingChange, ListingEvent
from larder.sim.classifieds.truth import ClassifiedsTruth

START = datetime(2026, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

rules = st.builds(
    ClassifiedsTruth,
    seed=st.integers(0, 10_000),
    start=st.just(START),
    stock=st.integers(0, 40),
    arrivals_per_day=st.sampled_from([None, 0.0, 5.0, 60.0]),
    mean_life_days=st.sampled_from([0.5, 3.0, 30.0]),
    price_changes_per_day=st.sampled_from([0.0, 0.5, 5.0]),
    bumps_per_day=st.sampled_from([0.0, 0.5, 5.0]),
    reappearing=st.sampled_from([0.0, 0.5, 1.0]),
)
lightly = settings(max_examples=40, deadline=None)
moments = st.integers(0, 3 * 24 * 60).map(lambda minutes: START + timedelta(minutes=minutes))


def busy(seed: int = 7, stock: int = 40) -> ClassifiedsTruth:
    return ClassifiedsTruth(
        seed=seed,
        start=START,
        stock=stock,
        arrivals_per_day=30,
        mean_life_days=2,
        price_changes_per_day=1,
        bumps_per_day=1,
        reappearing=0.5,
    )


def walk(site: ClassifiedsTruth, at: datetime, per_page: int) -> list[Listing]:
    pages = site.index(at, 1, per_page).pages
    return [row for page in range(1, pages + 1) for row in site.index(at, page, per_page).rows]


@given(rules, moments, st.integers(1, 30))
@lightly
def test_pages_part_what_is_live(site: ClassifiedsTruth, at: datetime, per_page: int) -> None:
    rows = walk(site, at, per_page)
    assert {row.platform_id: row for row in rows} == site.live(at)
    assert len(rows) == site.index(at, 1, per_page).total == site.count(at)


@given(rules, moments, st.integers(1, 30))
@lightly
def test_newest_stand_first(site: ClassifiedsTruth, at: datetime, per_page: int) -> None:
    rows = walk(site, at, per_page)
    assert all(a.refreshed_at >= b.refreshed_at for a, b in pairwise(rows))
    assert all(row.posted_at <= row.refreshed_at <= row.changed_at <= at for row in rows)


@given(rules, moments, st.integers(1, 30))
@lightly
def test_only_the_last_page_is_short(site: ClassifiedsTruth, at: datetime, per_page: int) -> None:
    pages = site.index(at, 1, per_page).pages
    seen = [site.index(at, number, per_page) for number in range(1, pages + 2)]
    assert all(len(page.rows) == per_page and not page.last for page in seen[: pages - 1])
    assert seen[pages - 1].last
    assert bool(seen[pages - 1].rows) == bool(seen[0].total)
    assert seen[pages].last
    assert seen[pages].rows == ()


@given(rules, st.lists(moments, min_size=2, max_size=6))
@lightly
def test_the_order_of_asking_does_not_matter(site: ClassifiedsTruth, asked: list[datetime]) -> None:
    forward = {at: site.live(at) for at in sorted(asked)}
    fresh = replace(site)
    assert {at: fresh.live(at) for at in asked} == forward


@given(rules, moments)
@lightly
def test_events_tell_all_that_changed(site: ClassifiedsTruth, at: datetime) -> None:
    live = dict(site.live(START))
    for event in site.events(START, at):
        apply(live, event)
    assert live == site.live(at)


def apply(live: dict[str, Listing], event: ListingEvent) -> None:
    there = event.listing.platform_id in live
    assert there == (event.what in (ListingChange.PRICE, ListingChange.BUMPED, ListingChange.REMOVED))
    if event.what is ListingChange.REMOVED:
        assert live.pop(event.listing.platform_id) == event.listing
    else:
        live[event.listing.platform_id] = event.listing


@given(rules, moments, moments, moments)
@lightly
def test_events_join_without_gap_or_overlap(
    site: ClassifiedsTruth, one: datetime, two: datetime, three: datetime
) -> None:
    first, middle, last = sorted((one, two, three))
    parts = [*site.events(first, middle), *site.events(middle, last)]
    assert parts == site.events(first, last)
    assert [event.at for event in parts] == sorted(event.at for event in parts)


def test_the_same_seed_gives_the_same_world() -> None:
    at = START + 5 * DAY
    assert busy(7).live(at) == busy(7).live(at)
    assert set(busy(7).events(START, at)) == set(busy(7).events(START, at))


def test_another_seed_gives_another_world() -> None:
    assert busy(7).live(START) != busy(8).live(START)


def test_telling_the_future_leaves_the_present_alone() -> None:
    site = busy()
    before = site.live(START + HOUR)
    site.events(START, START + 5 * DAY)
    assert site.live(START + HOUR) == before


def test_what_is_there_when_told_events_end_needs_no_other_world(monkeypatch: pytest.MonkeyPatch) -> None:
    site, at = busy(), START + timedelta(days=1)
    expected = busy().live(at)
    site.index(at + timedelta(seconds=30), 1, 90)
    site.events(START, at)
    monkeypatch.setattr("larder.sim.classifieds.truth.ClassifiedsState", None)
    assert site.live(at) == expected


def test_before_its_start_a_site_is_as_at_its_start() -> None:
    site = busy()
    assert site.live(START - DAY) == site.live(START)
    assert site.events(START - DAY, START) == []


@pytest.fixture(scope="module")
def week() -> list[ListingEvent]:
    return list(busy().events(START, START + 7 * DAY))


def test_everything_happens(week: list[ListingEvent]) -> None:
    assert {event.what for event in week} == set(ListingChange) - {ListingChange.EDITED}


def test_what_comes_back_keeps_its_id_and_goes_to_the_top(week: list[ListingEvent]) -> None:
    removed = {event.listing.platform_id for event in week if event.what is ListingChange.REMOVED}
    back = [event for event in week if event.what is ListingChange.BACK]
    assert {event.listing.platform_id for event in back} <= removed
    assert all(event.listing.refreshed_at == event.at for event in back)
    event = back[0]
    assert busy().index(event.at, 1, 1).rows == (event.listing,)


def test_a_bump_goes_to_the_top_at_the_same_price(week: list[ListingEvent]) -> None:
    event = next(event for event in week if event.what is ListingChange.BUMPED)
    site, just_before = busy(), event.at - timedelta(microseconds=1)
    before = site.listing(event.listing.platform_id, just_before)
    assert before is not None
    assert before.price == event.listing.price
    assert site.index(event.at, 1, 1).rows == (event.listing,)


def test_a_new_price_is_another_price_and_moves_nothing(week: list[ListingEvent]) -> None:
    event = next(event for event in week if event.what is ListingChange.PRICE)
    before = busy().listing(event.listing.platform_id, event.at - timedelta(microseconds=1))
    assert before is not None
    assert before.price != event.listing.price > 0
    assert before.refreshed_at == event.listing.refreshed_at
    assert event.listing.changed_at == event.at


def test_gone_is_told_from_never_there(week: list[ListingEvent]) -> None:
    event = next(event for event in week if event.what is ListingChange.REMOVED)
    gone, site = event.listing.platform_id, busy()
    assert site.listing(gone, event.at) is None
    assert site.last_known(gone, event.at) == event.listing
    assert site.last_known("99", event.at) is None


def test_one_rate_changes_and_all_else_stays() -> None:
    at = START + 5 * DAY
    lively, still = busy(), replace(busy(), bumps_per_day=0)
    assert lively.live(at).keys() == still.live(at).keys()
    prices = {key: listing.price for key, listing in lively.live(at).items()}
    assert prices == {key: listing.price for key, listing in still.live(at).items()}


def test_left_to_itself_the_stock_stays_about_the_same() -> None:
    site = ClassifiedsTruth(seed=3, start=START, stock=1000, mean_life_days=5)
    assert 850 < site.count(START + 20 * DAY) < 1150


def test_homes_speak_three_languages_and_cost_whole_euros() -> None:
    listings = ClassifiedsTruth(seed=1, start=START, stock=200).live(START).values()
    assert {listing.home.language for listing in listings} == {"en", "de", "nl"}
    assert all(listing.price % 500 == 0 and listing.price >= 20_000 for listing in listings)
    assert all("{" not in listing.home.title + listing.home.description for listing in listings)
