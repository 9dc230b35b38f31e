import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.outcome import DropReason, FailReason
from larder.core.policy.trust.yields import NO_YIELD, PageYield, yield_of_failed_page, yield_of_read_page

counts = st.integers(0, 1000)
batches = st.builds(
    PageYield,
    attempted=counts,
    failed=counts,
    extracted=counts,
    dropped=counts,
    valid=counts,
    zero_prices=counts,
)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (FailReason.SELECTOR_NOT_FOUND, PageYield(attempted=1, failed=1)),
        (FailReason.PRICE_NOT_FOUND, PageYield(attempted=1, failed=1)),
        (FailReason.TITLE_NOT_FOUND, PageYield(attempted=1, failed=1)),
        (FailReason.PAGE_STRUCTURE_CHANGED, PageYield(attempted=1, failed=1)),
        (FailReason.OOS_NO_PRICE, NO_YIELD),
        (FailReason.BLOCKED_PAGE, NO_YIELD),
        (FailReason.EMPTY_PAGE, NO_YIELD),
    ],
)
def test_a_page_that_could_not_be_read(reason: FailReason, expected: PageYield) -> None:
    assert yield_of_failed_page(reason) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param(
            yield_of_read_page(extracted=1, valid=1),
            PageYield(attempted=1, extracted=1, valid=1),
            id="all is well",
        ),
        pytest.param(
            yield_of_read_page(extracted=0, valid=0),
            PageYield(attempted=1),
            id="an empty agenda is no failure",
        ),
        pytest.param(
            yield_of_read_page(extracted=1, valid=0, drops={DropReason.OOS_NO_PRICE: 1}),
            NO_YIELD,
            id="sold out",
        ),
        pytest.param(
            yield_of_read_page(extracted=1, valid=0, drops={DropReason.UNKNOWN_AVAILABILITY: 1}),
            PageYield(attempted=1, failed=1, extracted=1, dropped=1),
            id="an unknown availability counts",
        ),
        pytest.param(
            yield_of_read_page(
                extracted=9, valid=4, drops={DropReason.OOS_NO_PRICE: 3, DropReason.INVALID_PRICE: 2}
            ),
            PageYield(attempted=1, extracted=6, dropped=2, valid=4),
            id="some of each",
        ),
        pytest.param(
            yield_of_read_page(extracted=2, valid=0, drops={DropReason.DUPLICATE_WITHIN_RUN: 2}),
            PageYield(attempted=1, extracted=2, dropped=2),
            id="doubles are not misread",
        ),
        pytest.param(
            yield_of_read_page(extracted=1, valid=0, zero_prices=1),
            PageYield(attempted=1, failed=1, extracted=1, zero_prices=1),
            id="a price of nought is kept apart",
        ),
    ],
)
def test_a_page_that_was_read(page: PageYield, expected: PageYield) -> None:
    assert page == expected


def test_rates() -> None:
    batch = PageYield(attempted=20, failed=5, extracted=40, dropped=10, valid=30)
    assert (batch.failure_rate, batch.drop_rate, batch.yield_rate) == (0.25, 0.25, 1.5)


def test_only_index_pages_say_how_full_a_page_is() -> None:
    index = yield_of_read_page(extracted=60, valid=60).of_index()
    own = yield_of_read_page(extracted=1, valid=1)
    assert (index + own + own + own).fill == 60
    assert (own + own).fill == 1
    assert (index + yield_of_failed_page(FailReason.SELECTOR_NOT_FOUND).of_index()).fill == 30


def test_nothing_has_no_rates_to_divide_by() -> None:
    assert (NO_YIELD.failure_rate, NO_YIELD.drop_rate, NO_YIELD.yield_rate) == (0, 0, 0)


@given(batches, batches, batches)
def test_batches_add_up_in_any_order(one: PageYield, two: PageYield, three: PageYield) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert one + NO_YIELD == one
