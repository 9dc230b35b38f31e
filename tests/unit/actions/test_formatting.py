"""Shares and amounts as people read them, and none that promises more than there is."""

from typing import Any

import pytest

from larder.actions.formatting import money, percent, value_text


@pytest.mark.parametrize(
    ("share", "digits", "said"),
    [
        pytest.param(None, 0, "–", id="nothing is known"),
        pytest.param(0.5, 0, "50 %", id="half"),
        pytest.param(0.123, 1, "12.3 %", id="with a digit"),
        pytest.param(1, 1, "100.0 %", id="all"),
        pytest.param(0, 0, "0 %", id="none"),
        pytest.param(1_032 / 1_037, 0, "99 %", id="not quite all"),
        pytest.param(0.9999, 1, "99.9 %", id="not quite all, with a digit"),
        pytest.param(0.0001, 0, "1 %", id="not quite none"),
    ],
)
def test_a_share_is_said_and_never_rounded_to_all_or_none(
    share: float | None, digits: int, said: str
) -> None:
    assert percent(share, digits) == said


@pytest.mark.parametrize(
    ("minor", "currency", "said"),
    [
        (1_250_00, "EUR", "€1,250.00"),
        (1_250_50, "USD", "$1,250.50"),
        (99, "GBP", "£0.99"),
        (1_250_00, "CHF", "CHF 1,250.00"),
        (5_000, "JPY", "JPY 5,000"),
        (1_250, "KWD", "KWD 1.250"),
        (2_000, None, "20.00"),
        (None, "EUR", None),
    ],
)
def test_l10_14_money_has_its_sign_and_all_its_decimals(
    minor: int | None, currency: str | None, said: str
) -> None:
    assert money(minor, currency) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param("two\n lines", "two lines", id="text"),
        pytest.param(None, "", id="nothing"),
        pytest.param(True, "yes", id="yes"),
        pytest.param(12.5, "12.5", id="a number"),
        pytest.param(["a", None, "it's é"], '["a", null, "it\'s é"]', id="a list is JSON"),
        pytest.param(
            {"url": "/1.png", "main": False}, '{"url": "/1.png", "main": false}', id="so is a mapping"
        ),
    ],
)
def test_a_stored_value_is_never_written_as_python_writes_it(value: Any, said: str) -> None:
    assert value_text(value) == said
