"""Commands that ask the dataset take the same options, and each of them reaches the query."""

import inspect
from decimal import Decimal
from typing import Unpack

from larder.cli.common.query_options import QueryOptions, build_query, with_query_options
from larder.core.model.source import Kind
from larder.store.reads.query import Query, Sort

NOTHING: QueryOptions = {
    "text": None,
    "source": None,
    "site": None,
    "kind": None,
    "price_min": None,
    "price_max": None,
    "price_min_minor": None,
    "price_max_minor": None,
    "currency": None,
    "availability": None,
    "rooms_min": None,
    "category": None,
    "brand": None,
    "near": None,
    "within_km": None,
}


def test_options_come_behind_the_arguments_and_before_the_commands_own() -> None:
    @with_query_options
    def command(name: str, *, loud: bool = False, **asked: Unpack[QueryOptions]) -> None:
        """Says nothing."""

    assert list(inspect.signature(command).parameters) == ["name", *QueryOptions.__annotations__, "loud"]


def test_what_is_not_asked_narrows_nothing() -> None:
    assert build_query(NOTHING) == Query()


def test_what_is_asked_is_in_the_query() -> None:
    asked: QueryOptions = {**NOTHING, "kind": Kind.LISTING, "price_max": "€1,200", "near": "52.37,4.89"}
    assert build_query(asked, Sort.PRICE) == Query(
        kind=Kind.LISTING, price_max=Decimal(1200), currency="EUR", near=(52.37, 4.89), sort=Sort.PRICE
    )
