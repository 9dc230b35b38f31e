"""One SQL text on both databases: rows and values arrive as they were given."""

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from larder.store.database.statement import Statement, fetch_as, fetch_one_as, in_batches, json_value
from tests.contract.world import unit_of_work


class Echo(NamedTuple):
    n: int
    number: int | None
    words: str | None
    fraction: float | None
    thing: Any


class Total(NamedTuple):
    total: int
    word: str
    again: int


ECHO = Statement(
    "SELECT n, number, words, fraction, thing FROM {rows} AS given ORDER BY n", row=Echo, rows=Echo
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
    assert (n, number, words, fraction, json_value(thing)) == (1, *row)


@unit_of_work
def test_a_large_batch_is_one_statement(conn: Connection) -> None:
    many = [(i, i * 7, f"row {i}", i / 4, {"i": i}) for i in range(20_000)]
    came = ECHO(conn, many)
    assert [(r[0], r[1], r[2], r[3], json_value(r[4])) for r in came] == many


@unit_of_work
def test_no_rows_is_nothing_to_do(conn: Connection) -> None:
    assert ECHO(conn, []) == []
    assert ECHO(conn, None) == []


@unit_of_work
def test_single_values_are_bound_by_name_wherever_they_stand(conn: Connection) -> None:
    both = Statement(
        "SELECT :b + :a AS total, :word AS word, :b AS again FROM {rows} AS given",
        row=Total,
        rows={"n": "int"},
        args={"a": "int", "b": "int", "word": "text"},
    )
    ((total, word, again),) = both(conn, [(1,)], word="it's", a=1, b=LARGEST - 1)
    assert (total, word, again) == (LARGEST, "it's", LARGEST - 1)


@unit_of_work
def test_a_single_value_may_be_missing(conn: Connection) -> None:
    nothing = Statement("SELECT coalesce(:a, -1) AS a", scalar=int, args={"a": "int"})
    assert nothing(conn, a=None) == [-1]


@unit_of_work
def test_a_cast_is_not_taken_for_a_parameter(conn: Connection) -> None:
    """PostgreSQL's `::` may stand in a statement that only PostgreSQL runs."""
    cast = Statement("SELECT '7'::bigint + :a AS seven", scalar=int, args={"a": "int"})
    if conn.dialect.name == "postgresql":
        assert cast(conn, a=0) == [7]
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
    assert [(row.words, json_value(row.thing)) for row in came] == [(clean, {clean: [clean]}), ("fine", None)]


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("SELECT 1 AS total, 'a' AS word", id="a column is missing"),
        pytest.param("SELECT 1 AS total, 2 AS again, 'a' AS word", id="columns in another order"),
        pytest.param("SELECT 1 AS total, 'a' AS word, 2 AS again, 3 AS more", id="a column too many"),
        pytest.param("SELECT 1 AS total, 'a' AS text, 2 AS again", id="a column of another name"),
    ],
)
@unit_of_work
def test_columns_that_are_not_the_fields_of_the_row_are_refused(conn: Connection, sql: str) -> None:
    with pytest.raises(TypeError, match=r"Total has the fields \('total', 'word', 'again'\), the result has"):
        Statement(sql, row=Total)(conn)
    with pytest.raises(TypeError, match=r"Total has the fields"):
        fetch_as(conn, text(sql), Total)


@unit_of_work
def test_columns_without_a_row_class_are_refused(conn: Connection) -> None:
    with pytest.raises(TypeError, match=r"returns the columns \('n',\): name a row class"):
        Statement("SELECT 1 AS n")(conn)
    with pytest.raises(TypeError, match=r"returns the columns \('n', 'm'\): name a row class"):
        Statement("SELECT 1 AS n, 2 AS m", scalar=int)(conn)


@unit_of_work
def test_a_select_gives_rows_of_its_class(conn: Connection) -> None:
    found = fetch_as(conn, text("SELECT 1 AS total, 'a' AS word, 2 AS again"), Total)
    assert [(row.total, row.word, row.again) for row in found] == [(1, "a", 2)]
    assert fetch_one_as(conn, text("SELECT 1 AS total, 'a' AS word, 2 AS again WHERE false"), Total) is None
    both = "SELECT 1 AS total, 'a' AS word, 2 AS again"
    with pytest.raises(ValueError, match="one row of Total expected, found 2"):
        fetch_one_as(conn, text(f"{both} UNION ALL {both}"), Total)


@given(st.lists(st.integers(), max_size=40), st.integers(1, 7))
def test_batches_are_the_stream_cut_into_pieces(stream: list[int], size: int) -> None:
    batches = list(in_batches(stream, size))
    assert [item for batch in batches for item in batch] == stream
    assert all(len(batch) == size for batch in batches[:-1])
    assert all(0 < len(batch) <= size for batch in batches)
