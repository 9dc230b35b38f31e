"""Pages of public records by a statement that is made once.

To make a statement takes a quarter of the time of a list that was never asked for. Queries that filter and
sort by the same things differ in their values alone, so they share one. What needs more than a comparison
(texts, distances, amounts in any currency) is left to `paging.find_page`.
"""

from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, Select, bindparam

from larder.store import search
from larder.store.reads import filters, paging
from larder.store.reads.cursors import CursorKey
from larder.store.reads.paging import FoundRecords, Searched
from larder.store.reads.query import Query, Sort, check
from larder.store.tables import records

_COMPARED = frozenset(
    {
        "kind", "source", "availability", "category", "price_min_minor", "price_max_minor", "rating_min",
        "starts_after", "starts_before",
    }
)  # fmt: skip
"""Filters whose values are compared as they are."""
_NO_FILTERS = frozenset({"text", "collapse", "sort", "after", "limit"})
_FILTERS = tuple(each.name for each in fields(Query) if each.name not in _NO_FILTERS)


Visible = Callable[..., Select[Any]]
"""From a time and columns: the records that may be seen then."""


class _Shape(NamedTuple):
    """What queries have in common that share a statement."""

    filters: tuple[str, ...]
    order: Sort
    collapse: bool
    later: bool
    """Whether it begins after a cursor."""


def find(conn: Connection, visible: Visible, query: Query, *, now: datetime) -> FoundRecords | None:
    """A page; None: not for such a query."""
    shape = _shape(query)
    if shape is None:
        return None
    check(query)
    values: dict[str, Any] = {name: getattr(query, name) for name in shape.filters} | {"now": now}
    if query.text:
        searched = Searched(_base(visible), _narrowed(visible, shape.filters), values)
        return paging.most_relevant(conn, searched, query, search.parse_query(conn, query.text), now=now)
    if place := paging.place_of(query):
        values |= {"after_key": place.key, "after_id": place.id}
    values["rows"] = query.size + 1
    return paging.found_by(conn, _statement(visible, shape), query, values, now=now)


def _shape(query: Query) -> _Shape | None:
    given = tuple(name for name in _FILTERS if getattr(query, name) is not None)
    by_words = bool(query.text) and query.order is not Sort.RELEVANCE
    if by_words or query.order is Sort.DISTANCE or not _COMPARED.issuperset(given):
        return None
    return _Shape(given, query.order, query.collapse, query.after is not None)


@lru_cache(maxsize=256)
def _statement(visible: Visible, shape: _Shape) -> Select[Any]:
    """With a parameter for each value."""
    query = _with_parameters(shape.filters, sort=shape.order, collapse=shape.collapse)
    after_key, after_id = (bindparam(name, type_=BigInteger()) for name in ("after_key", "after_id"))
    place: Any = CursorKey(after_key, after_id) if shape.later else None  # type: ignore[arg-type]
    page = paging.page_statement(_base(visible), query, place, now=_NOW)
    return page.limit(bindparam("rows"))


@lru_cache(maxsize=256)
def _narrowed(visible: Visible, given: tuple[str, ...]) -> Select[Any]:
    """What these filters leave."""
    return filters.narrow(_base(visible), _with_parameters(given), now=_NOW)


@lru_cache
def _base(visible: Visible) -> Select[Any]:
    return visible(_NOW, records.c.id)


_NOW: Any = bindparam("now")


def _with_parameters(given: tuple[str, ...], **others: Any) -> Query:
    named: dict[str, Any] = {name: bindparam(name) for name in given}
    return Query(**named, **others)
