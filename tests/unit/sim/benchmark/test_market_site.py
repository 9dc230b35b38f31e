"""The benchmark's site follows from its seed, whatever is asked of it."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from larder.sim.benchmark.market_site import BLOCKED_FOR, MarketRules, MarketSite, market
from larder.sim.classifieds.state import ListingChange
from larder.sim.classifieds.truth import ListingPage
from larder.sim.faults import FaultKind
from larder.sim.site import SimRequest

START = datetime(2026, 3, 2, tzinfo=UTC)
DAY = timedelta(days=1)
QUIET = MarketRules(listings=2_000, arrivals_per_day=200, blocked=0, outages=False)


def site(rules: MarketRules = QUIET, seed: int = 1, days: float = 30) -> MarketSite:
    return market(rules, seed=seed, start=START, until=START + days * DAY)


def page(of: MarketSite, at: datetime, number: int = 1) -> ListingPage[object]:
    content = of.answer(SimRequest(path="/listings", query={"page": str(number)}), at).content
    assert isinstance(content, ListingPage)
    return content


def test_requests_change_nothing() -> None:
    asked, fresh = site(), site()
    for minute in range(0, 600, 7):
        page(asked, START + timedelta(minutes=minute), 3)
    at = START + timedelta(hours=12)
    assert page(asked, at).rows == page(fresh, at).rows
    assert asked.classifieds.events(START, at) == fresh.classifieds.events(START, at)
    assert site(seed=2).classifieds.events(START, at) != fresh.classifieds.events(START, at)


def test_the_number_of_listings_stays_about_the_same() -> None:
    truth = site().classifieds
    assert truth.count(START + 20 * DAY) == pytest.approx(2_000, rel=0.1)


def test_arrivals_have_a_daily_rhythm() -> None:
    events = site().classifieds.events(START, START + 20 * DAY)
    hours = Counter(event.at.hour for event in events if event.what is ListingChange.ARRIVED)
    night, day = (sum(hours[hour] for hour in some) for some in ((1, 2, 3, 4), (13, 14, 15, 16)))
    assert day > night * 4


def test_everything_happens() -> None:
    events = site().classifieds.events(START, START + 10 * DAY)
    assert {event.what for event in events} == set(ListingChange)
    arrived = [event for event in events if event.what is ListingChange.ARRIVED]
    late = [event for event in arrived if event.listing.refreshed_at < event.at]
    assert 0.02 < len(late) / len(arrived) < 0.06
    back = [event for event in events if event.what is ListingChange.BACK]
    assert 0 < sum(event.listing.refreshed_at < event.at for event in back) < len(back)


def test_promoted_rows_stand_above_and_few_rows_are_left_out() -> None:
    here = site()
    plain, shown = 0, 0
    for hour in range(48):
        at = START + timedelta(hours=hour)
        whole = here.classifieds.index(at, 2, here.per_page).rows
        rows = page(here, at, 2).rows
        assert [row for row in whole if row in rows[2:]] == list(rows[2:])
        plain, shown = plain + len(whole), shown + len(rows) - 2
    assert 0 < plain - shown < plain * 0.01


def test_a_spell_of_429_begins_at_a_request_and_ends() -> None:
    here = site(MarketRules(listings=2_000, arrivals_per_day=200, blocked=1 / 50, outages=False))
    statuses = [here.answer(SimRequest(path="/listings"), START).status for _ in range(400)]
    assert 0 < statuses.index(429) < 300
    later = START + BLOCKED_FOR + timedelta(seconds=1)
    assert here.answer(SimRequest(path="/listings"), later).status == 200


def test_outages_come_every_six_days_and_are_of_three_kinds() -> None:
    faults = site(MarketRules(), days=6_000).faults
    kinds = Counter(fault.kind for fault in faults)
    assert len(faults) == 1_000
    assert kinds[FaultKind.CUT] == pytest.approx(600, abs=60)
    assert kinds[FaultKind.EMPTY] == pytest.approx(250, abs=50)
    assert kinds[FaultKind.LOST] == pytest.approx(150, abs=45)


def test_rows_may_come_without_a_price_that_their_own_page_says() -> None:
    here = site(replace(QUIET, priced_rows=False))
    at = START + timedelta(hours=1)
    rows = here.read(f"http://{here.name}/listings", at).items
    assert rows
    assert not any("price" in row.fields for row in rows)
    assert "price" in here.read(str(rows[5].fields["url"]), at).items[0].fields


def test_an_index_without_a_stable_order_shows_everything_shuffled() -> None:
    here = site(replace(QUIET, stable_order=False, promoted=0, left_out=0))
    names = [
        [row.platform_id for number in range(1, 30) for row in here.index(at, number).rows]
        for at in (START, START + timedelta(minutes=3), START + timedelta(minutes=30))
    ]
    assert len(set(names[0])) == here.classifieds.count(START)
    kept = [name for name in names[0] if name in set(names[1])]
    assert kept == [name for name in names[1] if name in set(names[0])]
    assert names[0][:90] != names[2][:90]


def test_a_share_of_removed_listings_answers_200_in_words() -> None:
    here = site(replace(QUIET, soft_404=0.2))
    at = START + DAY
    removed = [
        event.listing.platform_id
        for event in here.classifieds.events(START, at)
        if event.what is ListingChange.REMOVED and here.item(event.listing.platform_id, at) is None
    ]
    statuses = Counter(here.answer(SimRequest(path=f"/listing/{name}"), at).status for name in removed)
    assert set(statuses) == {200, 404}
    assert 0.1 < statuses[200] / len(removed) < 0.3


def test_a_site_with_few_arrivals_keeps_its_listings_without_an_expiry() -> None:
    few = replace(QUIET, arrivals_per_day=10, expiry_days=None)
    assert site(few).classifieds.count(START + 10 * DAY) == pytest.approx(2_000, rel=0.1)
