"""A statement that is made once finds what one made for the query finds, whatever its values."""

from datetime import datetime
from itertools import product
from typing import Any

import pytest
from sqlalchemy import Connection

from larder.core.model.source import Kind
from larder.store.reads import paging, prepared_pages, public
from larder.store.reads.public import Query, Sort
from larder.store.tables import records
from tests.contract.test_query import plant
from tests.contract.world import DAY, HOUR, NOW, unit_of_work

FILTERS: list[dict[str, Any]] = [
    {},
    {"kind": Kind.LISTING, "source": "homes"},
    {"source": "other"},
    {"availability": "in_stock", "category": "music"},
    {"price_min_minor": 1_000, "price_max_minor": 2_000},
    {"rating_min": 2.5},
    {"starts_after": NOW + 3 * DAY, "starts_before": NOW + 8 * DAY},
    {"kind": Kind.EVENT},
]
SORTS = [sort for sort in Sort if sort not in (Sort.RELEVANCE, Sort.DISTANCE)]


def made_for(conn: Connection, query: Query, now: datetime) -> paging.FoundRecords:
    return paging.find_page(conn, public.visible(now, records.c.id), query, now=now)


@unit_of_work
def test_pages_are_those_of_a_statement_made_for_each(conn: Connection) -> None:
    plant(conn)
    for asked, sort, collapse in product(FILTERS, SORTS, (False, True)):
        after = None
        for _ in range(5):
            query = Query(**asked, sort=sort, collapse=collapse, after=after, limit=3)
            found = prepared_pages.find(conn, public.visible, query, now=NOW + HOUR)
            assert found == made_for(conn, query, NOW + HOUR)
            assert found is not None
            if (after := found.next) is None:
                break


@unit_of_work
def test_other_values_need_no_other_statement(conn: Connection) -> None:
    plant(conn)
    public.find_records(conn, Query(rating_min=1, limit=2), now=NOW + HOUR)
    before = prepared_pages._statement.cache_info().misses
    titles = [
        len(public.find_records(conn, Query(rating_min=least, limit=size), now=NOW + late).rows)
        for least, size, late in ((4.0, 9, HOUR), (0.5, 4, HOUR), (4.5, 9, 40 * DAY))
    ]
    assert titles == [2, 4, 0]
    assert prepared_pages._statement.cache_info().misses == before


@unit_of_work
def test_searches_find_what_a_statement_made_for_each_finds(conn: Connection) -> None:
    plant(conn)
    for asked, text in product(FILTERS, ("home", "hoome 1", "music concert", "nothing at all")):
        after = None
        for _ in range(5):
            query = Query(**asked, text=text, after=after, limit=2)
            found = prepared_pages.find(conn, public.visible, query, now=NOW + HOUR)
            assert found == made_for(conn, query, NOW + HOUR)
            assert found is not None
            if (after := found.next) is None:
                break


@unit_of_work
def test_other_words_and_values_need_no_other_statement_of_a_search(conn: Connection) -> None:
    plant(conn)
    public.find_records(conn, Query(text="home", rating_min=1, limit=2), now=NOW + HOUR)
    caches = prepared_pages._narrowed, paging._by_ids
    before = [each.cache_info().misses for each in caches]
    found = [
        len(public.find_records(conn, Query(text=text, rating_min=least), now=NOW + late).rows)
        for text, least, late in (("home", 4.0, HOUR), ("home", 0.5, HOUR), ("home", 0.5, 40 * DAY))
    ]
    assert found[0] < found[1]
    assert found[2] == 0
    assert [each.cache_info().misses for each in caches] == before


@pytest.mark.parametrize(
    "asked",
    [
        {"text": "home", "sort": Sort.NEWEST},
        {"near": (52.0, 4.9)},
        {"currency": "EUR"},
        {"rooms_min": 2},
        {"confidence_min": 9},
    ],
)
@unit_of_work
def test_what_needs_more_than_a_comparison_is_left_to_others(conn: Connection, asked: dict[str, Any]) -> None:
    assert prepared_pages.find(conn, public.visible, Query(**asked), now=NOW) is None
