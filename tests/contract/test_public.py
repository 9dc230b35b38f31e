"""The public sees public sources, active records, above the threshold, not over; nothing else, by no way."""

import ast
import inspect
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, update

from larder.core.model.source import Kind
from larder.store.queue import sources
from larder.store.reads import public
from larder.store.tables import records
from tests.contract.world import DAY, HOUR, NOW, SECOND, Pages, source, staged, unit_of_work


def shown_titles(conn: Connection, *, now: Any = NOW, **asked: Any) -> list[str]:
    return [row.title for row in public.find_records(conn, public.Query(**asked), now=now).rows]


def known(conn: Connection, *, slug: str = "homes", count: int = 1, first: int = 1, **values: Any) -> Pages:
    values = {"visibility": "public", **values}
    pages = Pages(conn, source(conn, slug, domain=f"{slug}.test", **values))
    pages.keep(pages.page(*(staged(i) for i in range(first, first + count))))
    return pages


@unit_of_work
def test_a_new_source_is_hidden_until_an_operator_shows_it(conn: Connection) -> None:
    pages = Pages(conn, source(conn))
    pages.keep(pages.page(staged(1)))
    assert (shown_titles(conn), public.count(conn, now=NOW), public.by_id(conn, 1, now=NOW)) == ([], 0, None)
    sources.update_source(conn, pages.source.id, {"visibility": "public"}, now=NOW)
    assert (shown_titles(conn), public.count(conn, now=NOW)) == (["Home 1"], 1)
    seen = public.by_id(conn, 1, now=NOW)
    assert seen is not None
    assert (seen.title, seen.source, seen.freshness_confidence) == ("Home 1", "homes", 100)


@pytest.mark.parametrize(
    ("tier", "hours"), [("hot", 61 / 3), ("standard", 61 / 2), ("cool", 61)], ids=["hot", "standard", "cool"]
)
@unit_of_work
def test_a_record_is_shown_up_to_the_second_at_which_it_falls_below_40(
    conn: Connection, tier: str, hours: float
) -> None:
    known(conn, tier=tier)
    falls = NOW + hours * HOUR
    assert shown_titles(conn, now=falls - SECOND) == ["Home 1"]
    assert shown_titles(conn, now=falls) == []
    assert public.by_id(conn, 1, now=falls) is None
    assert public.count(conn, now=falls) == 0


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        pytest.param({}, True, id="as it was seen"),
        pytest.param({"active": 0}, False, id="inactive"),
        pytest.param({"active": 0, "verification": "gone"}, False, id="gone"),
        pytest.param({"ends_at": NOW}, False, id="over this very moment"),
        pytest.param({"ends_at": NOW - DAY}, False, id="over since yesterday"),
        pytest.param({"ends_at": NOW + SECOND}, True, id="not over yet"),
        pytest.param({"shown_until": NOW}, False, id="confidence on its way down"),
    ],
)
@unit_of_work
def test_what_is_not_there_any_more_is_not_shown(
    conn: Connection, values: dict[str, Any], shown: bool
) -> None:
    known(conn)
    conn.execute(update(records).values({"active": 1, **values}))
    found = (
        shown_titles(conn) == ["Home 1"],
        public.by_id(conn, 1, now=NOW) is not None,
        public.count(conn, now=NOW),
    )
    assert found == (shown, shown, int(shown))


@unit_of_work
def test_queries_narrow_by_kind_and_source(conn: Connection) -> None:
    known(conn, slug="homes", count=2)
    known(conn, slug="flats", first=7)
    assert shown_titles(conn, source="flats") == ["Home 7"]
    assert sorted(shown_titles(conn, kind=Kind.LISTING)) == ["Home 1", "Home 2", "Home 7"]
    assert shown_titles(conn, kind=Kind.EVENT) == []
    assert shown_titles(conn, source="no such") == []


@pytest.mark.parametrize("limit", [1, 3, 7, 50])
@unit_of_work
def test_pages_follow_one_another_without_gaps_or_repeats(conn: Connection, limit: int) -> None:
    """Also where many records were first seen at the same moment, and while new ones arrive."""
    pages = Pages(conn, source(conn, visibility="public"))
    for batch in range(5):
        items = [staged(10 * batch + i) for i in range(5)]
        pages.keep(pages.page(*items, at=NOW + (batch // 2) * SECOND))
    told: list[int] = []
    after, more = None, True
    while more:
        found = public.find_records(conn, public.Query(limit=limit, after=after), now=NOW + HOUR)
        told += [row.id for row in found.rows]
        after, more = found.next, found.next is not None
        newcomer = staged(1_000 + len(told))
        pages.keep(pages.page(newcomer, at=NOW + HOUR))
    assert sorted(told) == list(range(1, 26))
    assert told == sorted(told, key=lambda i: (-((i - 1) // 10), -i))


@unit_of_work
def test_nobody_takes_the_whole_dataset_in_one_page(conn: Connection) -> None:
    known(conn, count=public.MAX_ROWS + 30)
    assert len(public.find_records(conn, public.Query(limit=10**9), now=NOW).rows) == public.MAX_ROWS


@unit_of_work
def test_if_all_scraping_stops_what_is_shown_fades_and_comes_back_by_itself(conn: Connection) -> None:
    pages = known(conn)
    later = NOW + timedelta(days=10)
    assert shown_titles(conn, now=later) == []
    pages.keep(pages.page(staged(1), at=later, run_id=2))
    assert shown_titles(conn, now=later) == ["Home 1"]


def test_every_public_read_starts_from_the_one_definition_of_visible() -> None:
    """A function that takes a connection and builds a query of its own would be a second way to read."""
    tree = ast.parse(inspect.getsource(public))
    readers = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(arg.arg == "conn" for arg in node.args.args)
    ]
    assert {"find_records", "by_id", "count"} <= {reader.name for reader in readers}
    public_functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    through = {"visible"}
    while (
        added := {f.name for f in tree.body if isinstance(f, ast.FunctionDef) and _calls(f) & through}
        - through
    ):
        through |= added & public_functions
    around = [reader.name for reader in readers if reader.name not in through]
    assert around == []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name != "shown":
            assert not _selects_tables(node), f"{node.name} selects from a table around `shown`"


def _calls(function: ast.FunctionDef) -> set[str]:
    return {n.func.id for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}


def _selects_tables(function: ast.FunctionDef) -> bool:
    """`select(records…)` or a textual statement; `select(func.count()).select_from(shown…)` is neither."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("text", "Statement"):
                return True
            if node.func.id == "select" and any("records" in ast.unparse(arg) for arg in node.args):
                return True
    return False
