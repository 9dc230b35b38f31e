from typing import Any

import pytest

from larder.core.policy.trust import canary
from larder.core.policy.trust.canary import (
    EXACT,
    Comparison,
    FieldDiff,
    field_diffs,
    objections,
)


def test_the_numbers() -> None:
    assert canary.PAGES == 50
    assert canary.UNREADABLE_MAX == 0.02
    assert canary.VANISHED_MAX == 0.02
    assert canary.LOST_MAX == 0.05
    assert canary.CHANGED_MAX == 0.1
    assert frozenset({"price", "price_minor", "currency", "availability", "starts_at"}) == EXACT


GOOD = [
    pytest.param({}, id="nothing to compare with"),
    pytest.param({"pages": 50, "unreadable": 1, "items": 100, "vanished": 2}, id="a page and two items less"),
    pytest.param({"pages": 50, "items": 100, "appeared": 900}, id="many more items"),
    pytest.param({"fields": [FieldDiff(field="title", had=100, changed=10)]}, id="a tenth of the titles"),
    pytest.param({"fields": [FieldDiff(field="title", had=100, lost=5)]}, id="five titles less"),
    pytest.param({"fields": [FieldDiff(field="rooms", gained=100)]}, id="a field more"),
]
BAD = [
    pytest.param(
        {"pages": 50, "unreadable": 2}, "2 of 50 pages can no longer be read", id="two pages of fifty"
    ),
    pytest.param(
        {"items": 100, "vanished": 3}, "3 of 100 items are no longer found", id="three items of a hundred"
    ),
    pytest.param({"zero_prices": 1}, "a price of 0 is read 1 time", id="one price of 0"),
    pytest.param(
        {"fields": [FieldDiff(field="title", had=100, changed=11)]},
        "title differs in 11 of 100 items",
        id="more than a tenth of the titles",
    ),
    pytest.param(
        {"fields": [FieldDiff(field="title", had=100, lost=6)]},
        "title is lost in 6 of 100 items",
        id="six titles less",
    ),
    *(
        pytest.param(
            {"fields": [FieldDiff(field=name, had=1000, changed=1)]},
            f"{name} differs in 1 of 1000 items",
            id=f"one {name} of a thousand",
        )
        for name in sorted(EXACT)
    ),
]


@pytest.mark.parametrize("seen", GOOD)
def test_a_version_that_reads_as_well_or_better_passes(seen: dict[str, Any]) -> None:
    assert objections(Comparison(**seen)) == ()


@pytest.mark.parametrize(("seen", "said"), BAD)
def test_what_speaks_against_a_version(seen: dict[str, Any], said: str) -> None:
    assert objections(Comparison(**seen)) == (said,)


def test_every_objection_is_told() -> None:
    seen = Comparison(pages=1, unreadable=1, items=1, vanished=1, zero_prices=1)
    assert len(objections(seen)) == 3


def test_what_became_of_each_field() -> None:
    pairs = [
        ({"title": "A", "price": 1, "rooms": 2}, {"title": "A", "price": 2}),
        ({"title": "B", "price": 1}, {"title": "B", "price": 1, "seller": "Eve"}),
    ]
    assert field_diffs(pairs) == (
        FieldDiff(field="price", had=2, changed=1),
        FieldDiff(field="rooms", had=1, lost=1),
        FieldDiff(field="seller", gained=1),
        FieldDiff(field="title", had=2),
    )


@pytest.mark.parametrize(
    ("seen", "differs"),
    [
        (Comparison(pages=3, items=9, fields=[FieldDiff(field="title", had=9)]), False),
        (Comparison(appeared=1), True),
        (Comparison(fields=[FieldDiff(field="title", gained=1)]), True),
    ],
)
def test_whether_anything_is_not_as_it_was(seen: Comparison, *, differs: bool) -> None:
    assert seen.differs is differs
