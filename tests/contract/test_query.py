"""Every filter narrows, every sort pages without gaps or repeats, every bad value is refused with a hint."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Connection, update

from larder.core.errors import BadInput
from larder.core.model.source import Kind
from larder.store.reads import public
from larder.store.reads.public import Query, Sort
from larder.store.tables import records
from tests.contract.world import DAY, HOUR, NOW, SECOND, Pages, source, staged, unit_of_work

AMSTERDAM, UTRECHT, FIJI = (52.37, 4.89), (52.09, 5.12), (-17.7, 179.9)


def plant(conn: Connection) -> None:
    """Ten records, with prices in pairs, places along a line, and starts on ten days."""
    pages = Pages(conn, source(conn, visibility="public"))
    for i in range(10):
        said: dict[str, Any] = {
            "price_minor": 1_000 * (i // 2) if i < 8 else None,
            "currency": "EUR" if i % 2 else "CHF",
            "availability": "in_stock" if i % 2 else "out_of_stock",
            "brand": "Acme" if i < 3 else "Globex",
            "category": "music" if i < 4 else "art",
            "rating": i / 2,
            "rooms": i or None,
            "latitude": 52.37 + i / 100,
            "longitude": 4.89,
            "starts_at": (NOW + (i + 1) * DAY).isoformat(),
        }
        pages.keep(pages.page(staged(i, **said), at=NOW + (i // 3) * SECOND))


def titles(conn: Connection, **asked: Any) -> list[int]:
    found = public.find_records(conn, Query(**asked), now=NOW + HOUR)
    return sorted(int(row.title.split()[1]) for row in found.rows)


NARROW: list[tuple[dict[str, Any], list[int]]] = [
    ({"price_min": Decimal(20)}, [4, 5, 6, 7]),
    ({"price_min_minor": 1_000, "price_max": Decimal("20.00")}, [2, 3, 4, 5]),
    ({"currency": "chf"}, [0, 2, 4, 6, 8]),
    ({"availability": "in_stock"}, [1, 3, 5, 7, 9]),
    ({"brand": "acme"}, [0, 1, 2]),
    ({"category": "music"}, [0, 1, 2, 3]),
    ({"rating_min": 4.0}, [8, 9]),
    ({"rooms_min": 8}, [8, 9]),
    ({"starts_after": NOW + 9 * DAY}, [8, 9]),
    ({"starts_before": NOW + 3 * DAY}, [0, 1]),
    ({"near": AMSTERDAM, "within_km": 2.5}, [0, 1, 2]),
    ({"near": UTRECHT, "within_km": 2.5}, []),
    ({"near": UTRECHT}, list(range(10))),
    ({"confidence_min": 98}, list(range(10))),
    ({"confidence_min": 99}, list(range(3, 10))),
    ({"site": "homes.test", "kind": Kind.LISTING}, list(range(10))),
    ({"site": "other.test"}, []),
    ({"source": "homes", "price_max_minor": 0}, [0, 1]),
    ({"text": "home 7"}, [7]),
]


@pytest.mark.parametrize(("asked", "expected"), NARROW, ids=[" ".join(asked) for asked, _ in NARROW])
@unit_of_work
def test_each_part_narrows(conn: Connection, asked: dict[str, Any], expected: list[int]) -> None:
    plant(conn)
    assert titles(conn, **asked) == expected


@unit_of_work
def test_near_goes_on_past_the_date_line(conn: Connection) -> None:
    plant(conn)
    conn.execute(update(records).values(latitude=-17.7, longitude=-179.95).where(records.c.id == 1))
    found = public.find_records(conn, Query(near=FIJI, within_km=30, sort=Sort.DISTANCE), now=NOW + HOUR)
    assert [(row.id, round(row.distance_km or 0)) for row in found.rows] == [(1, 16)]


ORDERS: dict[Sort, Callable[[Any], Any]] = {
    Sort.NEWEST: lambda row: (-row.first_seen_at.timestamp(), -row.id),
    Sort.PRICE: lambda row: (row.price_minor, row.id),
    Sort.PRICE_DOWN: lambda row: (-row.price_minor, -row.id),
    Sort.STARTS_AT: lambda row: (row.starts_at, row.id),
    Sort.DISTANCE: lambda row: (row.distance_km, row.id),
    Sort.FRESHNESS: lambda row: (-row.shown_until.timestamp(), -row.id),
    Sort.RELEVANCE: lambda row: (-(row.rank or 0), -row.first_seen_at.timestamp(), -row.id),
}


@pytest.mark.parametrize("limit", [1, 3, 10])
@pytest.mark.parametrize("sort", list(Sort))
@unit_of_work
def test_each_sort_pages_without_gaps_or_repeats(conn: Connection, sort: Sort, limit: int) -> None:
    plant(conn)
    query = Query(sort=sort, limit=limit, near=AMSTERDAM, text="home" if sort is Sort.RELEVANCE else None)
    told: list[Any] = []
    more = True
    while more:
        found = public.find_records(conn, query, now=NOW + HOUR)
        told += found.rows
        query, more = replace(query, after=found.next), found.next is not None
    priced = sort in (Sort.PRICE, Sort.PRICE_DOWN)
    assert len({row.id for row in told}) == len(told) == (8 if priced else 10)
    assert told == sorted(told, key=ORDERS[sort])


@pytest.mark.parametrize(
    "asked",
    [
        {"limit": 0},
        {"price_min": Decimal(-1)},
        {"price_min": Decimal(2), "price_max": Decimal(1)},
        {"starts_after": NOW, "starts_before": NOW - DAY},
        {"starts_after": datetime(2026, 1, 1)},  # noqa: DTZ001 - the point
        {"confidence_min": 101},
        {"near": (91.0, 0.0)},
        {"near": (0.0, float("nan"))},
        {"within_km": 5.0},
        {"near": AMSTERDAM, "within_km": -1.0},
        {"sort": Sort.DISTANCE},
        {"sort": Sort.RELEVANCE},
        {"text": "x" * 201},
        {"after": "nonsense"},
        {"after": "é"},
        {"after": "x" * 1_000},
    ],
    ids=str,
)
@unit_of_work
def test_what_cannot_be_meant_is_refused_with_a_hint(conn: Connection, asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        public.find_records(conn, Query(**asked), now=NOW)
    assert refused.value.hint


@pytest.mark.parametrize(
    "other", [{"sort": Sort.PRICE}, {"kind": Kind.LISTING}, {"price_min": Decimal(1)}], ids=str
)
@unit_of_work
def test_a_cursor_belongs_to_its_query(conn: Connection, other: dict[str, Any]) -> None:
    plant(conn)
    after = public.find_records(conn, Query(limit=2), now=NOW + HOUR).next
    assert len(public.find_records(conn, Query(limit=5, after=after), now=NOW + HOUR).rows) == 5
    with pytest.raises(BadInput, match="belongs to another query"):
        public.find_records(conn, Query(**other, after=after), now=NOW + HOUR)
