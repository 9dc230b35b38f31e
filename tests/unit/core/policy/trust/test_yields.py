import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.outcome import DropReason, FailReason
from larder.core.policy.trust.yields import NOTHING, Batch, failed_page, read_page

counts = st.integers(0, 1000)
batches = st.builds(
    Batch, attempted=counts, failed=counts, extracted=counts, dropped=counts, valid=counts, zero_prices=counts
)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (FailReason.SELECTOR_NOT_FOUND, Batch(attempted=1, failed=1)),
        (FailReason.PRICE_NOT_FOUND, Batch(attempted=1, failed=1)),
        (FailReason.TITLE_NOT_FOUND, Batch(attempted=1, failed=1)),
        (FailReason.PAGE_STRUCTURE_CHANGED, Batch(attempted=1, failed=1)),
        (FailReason.OOS_NO_PRICE, NOTHING),
        (FailReason.BLOCKED_PAGE, NOTHING),
        (FailReason.EMPTY_PAGE, NOTHING),
    ],
)
def test_a_page_that_could_not_be_read(reason: FailReason, expected: Batch) -> None:
    assert failed_page(reason) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param(
            read_page(extracted=1, valid=1), Batch(attempted=1, extracted=1, valid=1), id="all is well"
        ),
        pytest.param(read_page(extracted=0, valid=0), Batch(attempted=1), id="an empty agenda is no failure"),
        pytest.param(
            read_page(extracted=1, valid=0, drops={DropReason.OOS_NO_PRICE: 1}), NOTHING, id="sold out"
        ),
        pytest.param(
            read_page(extracted=1, valid=0, drops={DropReason.UNKNOWN_AVAILABILITY: 1}),
            Batch(attempted=1, failed=1, extracted=1, dropped=1),
            id="an unknown availability counts",
        ),
        pytest.param(
            read_page(extracted=9, valid=4, drops={DropReason.OOS_NO_PRICE: 3, DropReason.INVALID_PRICE: 2}),
            Batch(attempted=1, extracted=6, dropped=2, valid=4),
            id="some of each",
        ),
        pytest.param(
            read_page(extracted=2, valid=0, drops={DropReason.DUPLICATE_WITHIN_RUN: 2}),
            Batch(attempted=1, extracted=2, dropped=2),
            id="doubles are not misread",
        ),
        pytest.param(
            read_page(extracted=1, valid=0, zero_prices=1),
            Batch(attempted=1, failed=1, extracted=1, zero_prices=1),
            id="a price of nought is kept apart",
        ),
    ],
)
def test_a_page_that_was_read(page: Batch, expected: Batch) -> None:
    assert page == expected


def test_rates() -> None:
    batch = Batch(attempted=20, failed=5, extracted=40, dropped=10, valid=30)
    assert (batch.failure_rate, batch.drop_rate, batch.yield_rate) == (0.25, 0.25, 1.5)


def test_only_index_pages_say_how_full_a_page_is() -> None:
    index = read_page(extracted=60, valid=60).of_index()
    own = read_page(extracted=1, valid=1)
    assert (index + own + own + own).fill == 60
    assert (own + own).fill == 1
    assert (index + failed_page(FailReason.SELECTOR_NOT_FOUND).of_index()).fill == 30


def test_nothing_has_no_rates_to_divide_by() -> None:
    assert (NOTHING.failure_rate, NOTHING.drop_rate, NOTHING.yield_rate) == (0, 0, 0)


@given(batches, batches, batches)
def test_batches_add_up_in_any_order(one: Batch, two: Batch, three: Batch) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert one + NOTHING == one
