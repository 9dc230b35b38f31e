"""One SQL text on both databases: rows and values arrive as they were given."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection

from larder.store.database.statement import Statement, in_batches, loads
from tests.contract.world import unit_of_work

ECHO = Statement(
    "SELECT n, number, words, fraction, thing FROM {rows} AS given ORDER BY n",
    rows={"n": "int", "number": "int", "words": "text", "fraction": "float", "thing": "json"},
)

LARGEST = 2**63 - 1


@pytest.mark.parametrize(
    "row",
    [
        pytest.param((1, "a", 0.5, {"k": [1, None, "x"]}), id="one of each"),
        pytest.param((None, None, None, None), id="nothing at all"),
        pytest.param((LARGEST, "", 1e300, {}), id="largest integer, empty text, empty object"),
        pytest.param((-LARGEST, "ünïcødé ✓ 漢字 🏠 'quoted\" \\ back", -0.0, []), id="unicode and quotes"),
        pytest.param((0, ":now {rows} %s %(x)s $1 ?", 0.1, {"a:b": ":c"}), id="what looks like a parameter"),
        pytest.param((7, "null", 2.0, {"null": None}), id="the word null"),
        pytest.param(
            (7, "[1]", 3.25, [[], {"deep": {"deeper": [True, False]}}]), id="text that looks like json"
        ),
    ],
)
@unit_of_work
def test_a_row_comes_back_as_it_was_given(conn: Connection, row: tuple[Any, ...]) -> None:
    ((n, number, words, fraction, thing),) = ECHO(conn, [(1, *row)])
    assert (n, number, words, fraction, loads(thing)) == (1, *row)


@unit_of_work
def test_a_large_batch_is_one_statement(conn: Connection) -> None:
    many = [(i, i * 7, f"row {i}", i / 4, {"i": i}) for i in range(20_000)]
    came = ECHO(conn, many)
    assert [(r[0], r[1], r[2], r[3], loads(r[4])) for r in came] == many


@unit_of_work
def test_no_rows_is_nothing_to_do(conn: Connection) -> None:
    assert ECHO(conn, []) == []
    assert ECHO(conn, None) == []


@unit_of_work
def test_single_values_are_bound_by_name_wherever_they_stand(conn: Connection) -> None:
    both = Statement(
        "SELECT :b + :a AS total, :word AS word, :b AS again FROM {rows} AS given",
        rows={"n": "int"},
        args={"a": "int", "b": "int", "word": "text"},
    )
    ((total, word, again),) = both(conn, [(1,)], word="it's", a=1, b=LARGEST - 1)
    assert (total, word, again) == (LARGEST, "it's", LARGEST - 1)


@unit_of_work
def test_a_single_value_may_be_missing(conn: Connection) -> None:
    nothing = Statement("SELECT coalesce(:a, -1) AS a", args={"a": "int"})
    assert nothing(conn, a=None)[0].a == -1


@unit_of_work
def test_a_cast_is_not_taken_for_a_parameter(conn: Connection) -> None:
    """PostgreSQL's `::` may stand in a statement that only PostgreSQL runs."""
    cast = Statement("SELECT '7'::bigint + :a AS seven", args={"a": "int"})
    if conn.dialect.name == "postgresql":
        assert cast(conn, a=0)[0].seven == 7
    else:
        assert ":a" in cast._sqlite


@pytest.mark.parametrize(
    "hostile", ["a\x00b", "\x00", "x\ud800y"], ids=["nul inside", "nul", "lone surrogate"]
)
@unit_of_work
def test_characters_that_a_database_cannot_hold_do_not_break_a_batch(conn: Connection, hostile: str) -> None:
    """Pages are hostile: one such character must not cost the batch, and both databases keep the same."""
    came = ECHO(conn, [(1, 0, hostile, 0.0, {hostile: [hostile]}), (2, 0, "fine", 0.0, None)])
    clean = hostile.replace("\x00", "").replace("\ud800", "\ufffd")
    assert [(row.words, loads(row.thing)) for row in came] == [(clean, {clean: [clean]}), ("fine", None)]


@given(st.lists(st.integers(), max_size=40), st.integers(1, 7))
def test_batches_are_the_stream_cut_into_pieces(stream: list[int], size: int) -> None:
    batches = list(in_batches(stream, size))
    assert [item for batch in batches for item in batch] == stream
    assert all(len(batch) == size for batch in batches[:-1])
    assert all(0 < len(batch) <= size for batch in batches)
