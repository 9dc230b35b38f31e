"""Prices as people write them: thousands are not cents, and what is no price is said to be none."""

from decimal import Decimal

import pytest

from larder.actions.dataset.price_range import with_price_range
from larder.core.errors import BadInput
from larder.store.reads.query import Query


@pytest.mark.parametrize(
    ("written", "amount", "currency"),
    [
        ("1200", "1200", None),
        ("1,200", "1200", None),
        ("1.200", "1200", None),
        ("1 200", "1200", None),
        ("1\u202f200", "1200", None),
        ("1'200.50", "1200.50", None),
        ("1,200.50", "1200.50", None),
        ("1.200,50", "1200.50", None),
        ("1.250.000", "1250000", None),
        ("12.50", "12.50", None),
        ("20.00", "20", None),
        ("12,5", "12.5", None),
        ("0.199", "0.199", None),
        ("0", "0", None),
        ("EUR 1,200", "1200", "EUR"),
        ("eur 1200", "1200", "EUR"),
        ("€ 20", "20", "EUR"),
        ("$20.50", "20.50", "USD"),
        ("JPY 5,000", "5000", "JPY"),
        ("KWD 1.250", "1.25", "KWD"),
    ],
)
def test_l10_14_a_price_is_read_as_it_is_meant(written: str, amount: str, currency: str | None) -> None:
    price = Decimal(amount)
    assert with_price_range(Query(), None, written) == Query(price_max=price, currency=currency)
    assert with_price_range(Query(), written, "") == Query(price_min=price, currency=currency)


@pytest.mark.parametrize(
    "written",
    ["-5", "abc", "free", "nan", "1e3", "10-20", "1,20,0", "1,200,50", "1234,567", "1,2000", "1 2", "FOO 12",
     "2 for 10", "9" * 13, "1 000 000 000 000"],
)  # fmt: skip
def test_what_is_no_price_is_refused(written: str) -> None:
    with pytest.raises(BadInput, match="a price must be a number"):
        with_price_range(Query(), None, written)


def test_one_currency_holds_for_both_ends() -> None:
    assert with_price_range(Query(), "300", "JPY 500") == Query(
        price_min=Decimal(300), price_max=Decimal(500), currency="JPY"
    )


@pytest.mark.parametrize(
    ("low", "high", "hint"),
    [("50", "20", "the first price must be the lower one"), ("EUR 5", "JPY 900", "use one currency")],
)
def test_ends_that_do_not_fit_are_said(low: str, high: str, hint: str) -> None:
    with pytest.raises(BadInput, match=f"invalid price range: '{low}' to '{high}'") as refused:
        with_price_range(Query(), low, high)
    assert refused.value.hint.text == hint


def test_what_else_was_asked_stays() -> None:
    assert with_price_range(Query(text="home"), None, None) == Query(text="home")
