"""The short form of the proof `reading`, and bounds that are counted, not timed."""

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.extraction import extract
from tests.proofs.mutants import mutants
from tests.proofs.reading import raised_by

KINDS = ("product", "event", "listing")


def test_mutants_of_our_own_pages_are_read() -> None:
    assert raised_by(mutants(600, Random(20))).broken == []


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    assert raised_by([data]).broken == []


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text_in_markup_is_read(text: str) -> None:
    shop = f"<h1>{text}</h1><p class=price>{text}</p><script type=application/ld+json>{text}</script>"
    for kind in KINDS:
        found = extract(shop, url="https://corner.example/a", kind=kind)
        assert not [note for note in found.notes if "Error" in note]


def nested(many: int) -> str:
    return "<h1>Kettle</h1>" + "<div class=price>" * many + "€ 5"


def attributes(many: int) -> str:
    return "<h1>Kettle</h1><p class=price " + " ".join(f"a{n}=b" for n in range(many)) + ">€ 5</p>"


def words(many: int) -> str:
    return "<h1>Kettle</h1><p class=price>€ 5</p>" + "SKU 14 March € 5 item # " * many


def prices(many: int) -> str:
    return "<h1>Kettle</h1>" + "<span class=price>€ 5</span><a class=buy>Buy 14 March 2026</a>" * many


def states(many: int) -> str:
    return '<h1>Kettle</h1><script>a={"name":"Kettle","price":[' + "{}," * many + "{}]}</script>"


def broken_states(many: int) -> str:
    return "<h1>Kettle</h1><script>" + "var price = {" * many + "</script>"


def comments(many: int) -> str:
    return "<h1>Kettle</h1>" + "<!-- <script>" * many


def scripts(many: int) -> str:
    return "<h1>Kettle</h1>" + "<script type=application/ld+json>{" * many


def scopes(many: int) -> str:
    return (
        "<h1>Kettle</h1>" + "<div itemscope itemtype=http://schema.org/Product itemprop=isRelatedTo>" * many
    )


def same_ids(many: int) -> str:
    return "<h1>Kettle</h1>" + '<div id="productTitle">' * many + '<i id="price">€ 5</i>' * many


def calls(work: Callable[[], Any]) -> int:
    """How many functions are called: the same on every machine, however busy."""
    counted = 0

    def count(_frame: object, event: str, _given: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("page", "many"),
    [
        (nested, 5_000), (attributes, 5_000), (words, 3_000), (prices, 400), (states, 3_000),
        (broken_states, 300), (comments, 3_000), (scripts, 300), (scopes, 1_000),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_twice_the_page_is_at_most_twice_the_work(page: Callable[[int], str], many: int, kind: str) -> None:
    def work(size: int) -> int:
        html = page(size)
        return calls(lambda: extract(html, url="https://corner.example/a", kind=kind))

    work(many)  # what is remembered from page to page should not be counted
    assert work(2 * many) <= 2.3 * work(many) + 2_000


LARGEST = {
    "200,000 nested tags": (nested, 200_000),
    "100,000 attributes": (attributes, 100_000),
    "10 MB of text": (words, 430_000),
    "20,000 prices": (prices, 20_000),
    "300,000 comments": (comments, 300_000),
    "50,000 items in each other": (scopes, 50_000),
}


def test_an_id_used_many_times_is_looked_at_a_few_times() -> None:
    def work(size: int) -> int:
        return calls(lambda: extract(same_ids(size), url="https://www.amazon.com/dp/B000000000"))

    work(500)
    assert work(2_000) <= 2.3 * work(1_000) + 2_000


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_pages_stay_within_bounds(name: str, kind: str) -> None:
    page, many = LARGEST[name]
    html = page(many)
    assert calls(lambda: extract(html, url="https://corner.example/a", kind=kind)) < 3_000_000
