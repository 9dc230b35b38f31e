"""Slow sites wait for each other, fast ones for nobody."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from larder.core.model.site import Politeness
from larder.engine.work_items import NO_WAIT, BatchWait, Work
from larder.engine.worker.batching import Batching
from tests.unit.engine.worker.test_fetch_tasks import work

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MS = timedelta(milliseconds=1)


def spaced(milliseconds: int) -> Work:
    gap = milliseconds * MS
    asked = work()
    return replace(
        asked, lane=replace(asked.lane, politeness=Politeness(spacing=gap, spacing_max=gap, at_once=1))
    )


@pytest.mark.parametrize(
    ("spacings", "expected"),
    [
        pytest.param([1_000, 1_000], 125, id="an eighth of the spacing"),
        pytest.param([60_000], 250, id="never longer than the longest"),
        pytest.param([1_000, 0], 0, id="a fast site among them waits for nobody"),
        pytest.param([], 0, id="nothing in flight"),
    ],
)
def test_l14_how_long_pages_wait_for_others(spacings: list[int], expected: int) -> None:
    assert Batching(longest=250 * MS).max_wait(map(spaced, spacings)) == expected * MS
    assert Batching().max_wait(map(spaced, spacings)) == timedelta(0)


def test_l14_lanes_due_one_after_the_other_are_claimed_together() -> None:
    batching = Batching(longest=250 * MS)
    batching.claimed([spaced(1_000)], NOW)
    assert batching.claim_at(NOW + 5 * MS, NOW) == NOW + 125 * MS
    assert batching.claim_at(NOW + 900 * MS, NOW) == NOW + 900 * MS


def test_l14_a_clock_that_is_set_back_delays_no_claim() -> None:
    batching = Batching(longest=250 * MS)
    batching.claimed([spaced(1_000)], NOW)
    earlier = NOW - timedelta(hours=1)
    assert batching.claim_at(earlier, earlier) == earlier


@pytest.mark.parametrize(
    ("spacings", "expected"),
    [
        pytest.param([0, 0, 0], BatchWait(50 * MS, 2), id="fast sites: until half of all pages are there"),
        pytest.param([1_000, 1_000], BatchWait(125 * MS, 2), id="slow sites wait as ever"),
        pytest.param([], BatchWait(50 * MS, 0), id="nothing in flight"),
    ],
)
def test_l11_where_drivers_share_the_database_pages_of_fast_sites_wait_a_little(
    spacings: list[int], expected: BatchWait
) -> None:
    works = list(map(spaced, spacings))
    assert Batching(longest=250 * MS).batch_wait(works, shared=True) == expected
    assert Batching().batch_wait(works, shared=True) == NO_WAIT


def test_l11_a_driver_alone_lets_no_page_of_a_fast_site_wait() -> None:
    assert Batching(longest=250 * MS).batch_wait([spaced(0)], shared=False) == NO_WAIT
