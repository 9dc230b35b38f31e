"""A batch is nothing but its pages one by one, with fewer statements."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.stages.persist import PageItems
from larder.store.database import InlineDatabase, inline_database
from larder.store.migrations import upgrade
from tests.contract.world import NOW, Pages, dump, source, staged

_WORD = st.sampled_from(["a", "b", None])
_PRICE = st.sampled_from(
    [{}, {"price_minor": 100, "currency": "EUR"}, {"price_minor": 90, "currency": "EUR"}]
)
_WORDS = st.fixed_dictionaries(
    {"title": st.sampled_from(["short", "a longer title"]), "seller": _WORD, "description": _WORD}
)
_FIELDS = st.builds(lambda price, words: {**price, **words}, _PRICE, _WORDS)


@st.composite
def _pages(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Index pages of a few records, and detail pages of one."""
    pages = []
    for _ in range(draw(st.integers(1, 6))):
        detail = draw(st.booleans())
        numbers = draw(st.lists(st.integers(1, 4), min_size=1, max_size=1 if detail else 4))
        pages.append({"detail": detail, "items": [(n, draw(_FIELDS)) for n in numbers]})
    return pages


def _items(events: bool, said: list[tuple[int, dict[str, Any]]]) -> list[Staged]:
    """Events 3 and 4 are one event under two addresses."""
    if not events:
        return [staged(n, **fields) for n, fields in said]
    return [staged(n, kind=Kind.EVENT, fingerprint=f"print {min(n, 3)}", **fields) for n, fields in said]


_NUMBERS = {table: {"id"} for table in ("changes", "versions", "observations")}
"""Between different records a batch has an order of its own."""


class _Undo(Exception):
    """Carries what a story left, and undoes it: the next one begins with the same empty tables."""

    def __init__(self, left: dict[str, list[Any]]) -> None:
        self.left = left


@pytest.fixture(scope="module")
def database() -> InlineDatabase:
    made = inline_database()
    made.now(upgrade.create)
    return made


def _left_by(
    database: InlineDatabase, pages: list[dict[str, Any]], cuts: list[int], *, events: bool
) -> dict[str, list[Any]]:
    def story(conn: Connection) -> None:
        shop = Pages(conn, source(conn))
        made: list[PageItems] = []
        for i, page in enumerate(pages):
            items = _items(events, page["items"])
            purpose = Purpose.DETAIL if page["detail"] else Purpose.INDEX
            expects = items[0].identity_key if page["detail"] else None
            at = NOW + i * timedelta(minutes=1)
            made.append(shop.page(*items, purpose=purpose, expects=expects, at=at))
        for begin, end in zip([0, *cuts], [*cuts, len(made)], strict=True):
            if made[begin:end]:
                shop.keep(*made[begin:end], now=NOW + timedelta(days=1))
        raise _Undo(dump(conn, leave_out=_NUMBERS))

    with pytest.raises(_Undo) as told:
        database.now(story)
    return told.value.left


@settings(max_examples=60, deadline=None)
@given(pages=_pages(), data=st.data(), events=st.booleans())
def test_however_pages_are_batched_they_leave_the_same_rows(
    database: InlineDatabase, pages: list[dict[str, Any]], data: st.DataObject, events: bool
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(pages)), max_size=3)))
    one_by_one = _left_by(database, pages, list(range(1, len(pages))), events=events)
    in_batches = _left_by(database, pages, cuts, events=events)
    for table, rows in one_by_one.items():
        if table != "words":  # a vocabulary also keeps what only a version in between said
            assert in_batches[table] == rows, table
