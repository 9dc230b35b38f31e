"""Two readings of one record: when do they agree, and how sure does that make a value?"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from larder.core.model.reading import Sureness
from larder.core.policy.trust.agreement import (
    Agreement,
    PageValues,
    readings_agree,
    strategies_agree,
    value_sureness,
)

NOW = datetime(2026, 11, 16, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("row", "page", "agreed", "compared"),
    [
        pytest.param({"title": "A kettle"}, {"title": "A kettle | Shop"}, 1, 1, id="a site's name is added"),
        pytest.param({"title": "A kettle"}, {"title": "Welcome"}, 0, 1, id="another title"),
        pytest.param({"title": "Kettle"}, {"title": "Kettles for sale"}, 0, 1, id="part of a word"),
        pytest.param({"price_minor": 100}, {"price_minor": 100}, 1, 1, id="the same price"),
        pytest.param({"price_minor": 100}, {"price_minor": 83}, 0, 1, id="another price"),
        pytest.param({"price_minor": 100}, {"title": "A kettle"}, 0, 0, id="nothing that both say"),
        pytest.param({}, {"title": "A kettle"}, 0, 0, id="a record that is not known"),
    ],
)
def test_what_both_say_is_compared(
    row: dict[str, Any], page: dict[str, Any], agreed: int, compared: int
) -> None:
    assert readings_agree(row, page) == Agreement(agreed=agreed, compared=compared)


@pytest.mark.parametrize(
    ("row", "page", "agree"),
    [
        pytest.param(("2026-12-05T00:00", False), ("2026-12-05T20:00", True), True, id="a date and its time"),
        pytest.param(("2026-12-05T19:00", True), ("2026-12-05T20:00", True), False, id="two times"),
        pytest.param(("2026-12-05T00:00", False), ("2026-12-03T10:00", True), False, id="two days"),
    ],
)
def test_a_start_agrees_on_its_day(row: tuple[str, bool], page: tuple[str, bool], agree: bool) -> None:
    one, other = ({"starts_at": at, "time_known": known} for at, known in (row, page))

    assert readings_agree(one, other) == Agreement(agreed=int(agree), compared=1)


def test_strategies_tell_where_a_profile_and_the_general_reading_agree() -> None:
    told = {
        "title": "json-ld + profile",
        "price_minor": "profile ≠ json-ld",
        "price": "profile ≠ json-ld",
        "sku": "json-ld",
    }

    assert strategies_agree(told) == Agreement(agreed=1, compared=2)


def _said(price: int, strategy: str, *, row: bool = False, at: datetime = NOW) -> PageValues:
    fields = {"price_minor": price, "price": price / 100}
    return PageValues(is_row=row, observed_at=at, fields=fields, strategies=dict.fromkeys(fields, strategy))


ROW = _said(100, "heuristic", row=True)


@pytest.mark.parametrize(
    ("page", "row", "expected"),
    [
        pytest.param(_said(100, "heuristic"), None, Sureness.GUESSED, id="a page alone"),
        pytest.param(_said(100, "heuristic"), ROW, Sureness.AGREED, id="row agrees"),
        pytest.param(
            _said(100, "profile ≠ json-ld"), ROW, Sureness.AGREED,
            id="the row settles a dispute",
        ),
        pytest.param(_said(83, "json-ld"), ROW, Sureness.DISPUTED, id="row disagrees"),
        pytest.param(
            _said(83, "json-ld"), _said(100, "heuristic", row=True, at=NOW - 3 * DAY), Sureness.STATED,
            id="another price days ago is a change",
        ),
    ],
)  # fmt: skip
def test_row_and_page_make_a_value_surer_or_less_sure(
    page: PageValues, row: PageValues | None, expected: Sureness
) -> None:
    sayings = [page, row] if row else [page]

    assert value_sureness("price_minor", page, sayings) is expected
    assert value_sureness("price", page, sayings) is expected


def test_a_value_that_nobody_said_is_neither() -> None:
    assert value_sureness("price_minor", None, []) is None
