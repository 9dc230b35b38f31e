"""What the runs of a source with the plan `adaptive` learn."""

import pytest

from larder.core.policy.scheduling.learned import DAY_HOURS, LATE_SHARE, Arrivals, Changes
from larder.core.policy.scheduling.spending import PRICE


@pytest.mark.parametrize(
    ("again", "missed", "looks"),
    [
        pytest.param(0, 2_000, 2, id="nothing is ever left out"),
        pytest.param(300, 1_300, 2, id="three rows of a thousand"),
        pytest.param(2_000, 3_000, 3, id="two rows of a hundred"),
        pytest.param(300, 400, 3, id="three rows of a thousand, and hardly any is removed"),
        pytest.param(50_000, 50_000, 4, id="no more than four"),
    ],
)
def test_the_more_rows_a_site_leaves_out_the_more_looks_it_takes(again: int, missed: int, looks: int) -> None:
    assert Changes(rows=100_000, again=again, missed=missed).looks(PRICE) == looks


def test_where_requests_are_cheap_a_further_look_is_taken_before_a_record_is_hidden() -> None:
    learned = Changes(rows=100_000, again=300, missed=800)
    assert [learned.looks(price) for price in (5.0, 1.0, 0.2)] == [2, 2, 3]


def test_a_new_source_takes_the_looks_of_an_ordinary_site() -> None:
    assert Changes().looks(PRICE) == 2


def test_prices_that_only_detail_pages_tell_are_learned_by_the_hours_between_two_readings() -> None:
    assert Changes().reprices_per_hour == 0
    assert Changes(repriced=1, detail_hours=300).reprices_per_hour == 0, "one may be chance"
    assert Changes(repriced=101, detail_hours=9_500).reprices_per_hour == pytest.approx(0.01)


def test_what_is_missed_is_mostly_gone_unless_it_comes_back() -> None:
    assert Changes().removed_share == 0.75
    assert Changes(missed=1_000, again=900).removed_share == pytest.approx(0.1, rel=0.05)


def test_rows_that_appear_below_the_top_are_learned_where_discoveries_looked_for_them() -> None:
    learned = Arrivals(new=[60.0] * DAY_HOURS, hours=[6.0] * DAY_HOURS)
    assert learned.late_per_hour == pytest.approx(LATE_SHARE * learned.per_hour)
    assert learned.after_deep(late=200, hours=100).late_per_hour == pytest.approx(1.63, rel=0.01)
    fading = learned.after_deep(late=200, hours=200).after_deep(late=0, hours=10)
    assert (fading.late, fading.late_hours) == (100, 110)
