"""Rows that look as they did are not normalized again, and nobody can tell."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from larder.core.model.item import Item, Staged
from larder.core.model.source import Kind
from larder.engine.processing.unchanged_rows import RowCache
from larder.stages.normalize import Context, normalize
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


def test_a_row_is_worked_out_once_and_observed_each_time() -> None:
    judged = Counting()
    first = judged(row(1), row(2))
    again = judged(row(1), row(2), context=later(3))
    assert judged.worked_out == 2
    assert [each.observed_at for each in again] == [START + timedelta(hours=3)] * 2
    assert [replace(each, observed_at=START) for each in again] == first


def test_whatever_differs_is_worked_out_anew() -> None:
    judged = Counting()
    judged(row(1))
    (changed,) = judged(row(1, price="€ 1"))
    assert changed.fields["price_minor"] == 100
    judged(row(1, price="€ 1"), version="2")
    judged(row(1, price="€ 1"), context=replace(CONTEXT, currency="USD"))
    judged(row(1, price="€ 1"), context=replace(CONTEXT, base_url="https://homes.test/listings?page=2"))
    assert judged.worked_out == 5


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


def test_a_page_remembers_its_last_rows_only_and_old_pages_are_forgotten() -> None:
    judged = Counting(pages=2)
    judged(row(1))
    judged(row(2))
    judged(row(1))
    assert judged.worked_out == 3
    for page in (2, 3):
        judged(row(9), context=replace(CONTEXT, base_url=f"https://homes.test/listings?page={page}"))
    judged(row(1))
    assert judged.worked_out == 6


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 5), max_size=6), max_size=6))
def test_nobody_can_tell_whether_it_is_there(readings: list[list[int]]) -> None:
    judged = Counting()
    for hours, numbers in enumerate(readings):
        items = [row(n, seller=f"seller {n % 2}") for n in numbers]
        assert judged(*items, context=later(hours)) == [normalize(item, later(hours)) for item in items]
