"""Rows that look as they did are not normalized again, and nobody can tell."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.core.model.item import Item, Staged
from larder.core.model.source import Kind
from larder.engine.processing.unchanged_rows import RowCache
from larder.stages.normalize import Context, normalize
from larder.store.content_digest import digest
from tests.unit.engine.verification.harness import START

CONTEXT = Context(
    source="homes",
    kind=Kind.LISTING,
    base_url="https://homes.test/listings",
    observed_at=START,
    currency="EUR",
    index=True,
)


def row(number: int, **fields: Any) -> Item:
    given = {"title": f"Home {number}", "url": f"/listing/{number}", "price": f"€ {900 + number}"}
    return Item(fields={**given, "platform_id": str(number), **fields}, strategy="selectors")


class Counting:
    """A memory, and how often it had to work something out."""

    def __init__(self, **settings: Any) -> None:
        self.memory = RowCache(**settings)
        self.worked_out = 0

    def __call__(self, *items: Item, context: Context = CONTEXT, version: str = "1") -> list[Any]:
        def judge(item: Item) -> Any:
            self.worked_out += 1
            return normalize(item, context)

        return self.memory.judge(items, judge, adapter="listing", version=version, context=context)


def later(hours: int) -> Context:
    return replace(CONTEXT, observed_at=START + timedelta(hours=hours))


def page(number: int) -> Context:
    return replace(CONTEXT, base_url=f"https://homes.test/listings?page={number}")


def test_a_row_is_worked_out_once() -> None:
    judged = Counting()
    first = judged(row(1), row(2))
    again = judged(row(1), row(2), context=later(3))
    assert judged.worked_out == 2
    assert again == first
    assert [each.digest for each in again] == [digest(each.fields) for each in again]


def test_a_row_that_moved_to_another_page_is_not_worked_out_again() -> None:
    judged = Counting()
    judged(row(1), row(2, images=["/2.jpg"]), row(3, url="https://homes.test/3"))
    moved = judged(row(1), row(2, images=["/2.jpg"]), row(3, url="https://homes.test/3"), context=page(2))
    assert judged.worked_out == 3
    assert moved[0].url == "https://homes.test/listing/1"


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"url": "listing/1"}, id="a relative address"),
        pytest.param({"url": "?id=1"}, id="a query"),
        pytest.param({"images": ["1.jpg"]}, id="a relative picture"),
        pytest.param({"images": [{"url": "1.jpg"}]}, id="a relative picture among its details"),
        pytest.param({"url": None}, id="no address"),
    ],
)
def test_what_depends_on_the_page_is_worked_out_for_each(fields: dict[str, Any]) -> None:
    judged = Counting()
    folder = replace(CONTEXT, base_url="https://homes.test/cheap/listings")
    assert judged(row(1, **fields)) == [normalize(row(1, **fields), CONTEXT)]
    assert judged(row(1, **fields), context=folder) == [normalize(row(1, **fields), folder)]
    assert judged.worked_out == 2


@pytest.mark.parametrize("base_url", ["https://other.test/listings", "https://me@homes.test/listings"])
def test_another_site_has_rows_of_its_own(base_url: str) -> None:
    judged = Counting()
    judged(row(1))
    elsewhere = replace(CONTEXT, base_url=base_url)
    assert judged(row(1), context=elsewhere) == [normalize(row(1), elsewhere)]


def test_whatever_differs_is_worked_out_anew() -> None:
    judged = Counting()
    judged(row(1))
    (changed,) = judged(row(1, price="€ 1"))
    assert changed.fields["price_minor"] == 100
    judged(row(1, price="€ 1"), version="2")
    judged(row(1, price="€ 1"), context=replace(CONTEXT, currency="USD"))
    assert judged.worked_out == 4


def test_what_depends_on_the_time_is_never_remembered() -> None:
    judged = Counting()
    (first,) = judged(row(1, posted_at="yesterday"))
    (again,) = judged(row(1, posted_at="yesterday"), context=later(48))
    assert judged.worked_out == 2
    assert first.fields["posted_at"] != again.fields["posted_at"]


def test_a_records_own_page_is_always_read() -> None:
    judged = Counting()
    for _ in range(2):
        judged(row(1), context=replace(CONTEXT, index=False))
    assert judged.worked_out == 2


def test_what_could_not_be_stored_is_judged_afresh() -> None:
    judged = Counting()
    for _ in range(2):
        (dropped,) = judged(Item(fields={"price": "€ 1"}))
        assert not isinstance(dropped, Staged)
    assert judged.worked_out == 2


def test_rows_that_were_not_read_for_long_are_dropped() -> None:
    judged = Counting(rows=2)
    for number in (1, 2, 1, 3, 1):
        judged(row(number))
    assert judged.worked_out == 3
    judged(row(4))
    judged(row(2))
    assert judged.worked_out == 5


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 5), max_size=6), max_size=6))
def test_nobody_can_tell_whether_it_is_there(readings: list[list[int]]) -> None:
    judged = Counting()
    for hours, numbers in enumerate(readings):
        items = [row(n, seller=f"seller {n % 2}") for n in numbers]
        assert judged(*items, context=later(hours)) == [normalize(item, later(hours)) for item in items]
