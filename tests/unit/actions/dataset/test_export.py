"""Files of the dataset: no cell is calculated, and what is read back is what was written."""

import csv
import io
import re
from collections.abc import Sequence
from itertools import chain

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.actions.dataset.export import (
    COLUMNS,
    FORMULA_STARTS,
    Chunk,
    chunk_csv_lines,
    chunk_json_lines,
    csv_header,
    json_lines,
)
from larder.actions.dataset.spreadsheet import csv_text

CALCULATED = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def _row(title: str) -> dict[str, object]:
    return dict.fromkeys(COLUMNS) | {"title": title, "longitude": -4.5, "id": 7}


TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
TRICKY = st.text(alphabet="=+-@＝;\t\r\n\", 'ab", max_size=12)


def csv_lines(rows: list[dict[str, object]], names: Sequence[str] = COLUMNS) -> str:
    return csv_text([[row[name] for name in names] for row in rows])


def _cells(rows: list[dict[str, object]], separator: str) -> list[str]:
    """What a spreadsheet that separates so takes for cells, one by one."""
    return list(chain(*csv.reader(io.StringIO(csv_lines(rows), newline=""), delimiter=separator)))


@given(TEXT | TRICKY)
def test_no_text_begins_a_formula_and_none_is_lost(title: str) -> None:
    shown = _cells([_row(title)], ",")[COLUMNS.index("title")]
    assert not shown.startswith(FORMULA_STARTS)
    assert shown.replace("'", "") == title.replace("'", "")


@given(
    st.text(alphabet="=+-@ab, '\"", max_size=12).filter(lambda title: not title.startswith(FORMULA_STARTS))
)
def test_what_can_do_no_harm_stays_as_it_is(title: str) -> None:
    assert _cells([_row(title)], ",")[COLUMNS.index("title")] == title


@given(st.lists(TRICKY, min_size=2, max_size=6))
def test_a_cell_is_written_alike_alone_and_beside_others(texts: list[str]) -> None:
    """Rows are looked over whole before their cells are: none may be missed."""
    names = [f"column {number}" for number in range(len(texts))]
    together = csv_lines([dict(zip(names, texts, strict=True))], names)
    alone = [csv_lines([{"a": text, "b": "=1"}], ["a", "b"]) for text in texts]
    first = [next(csv.reader(io.StringIO(each, newline="")))[0] for each in alone]
    assert next(csv.reader(io.StringIO(together, newline=""))) == first


@pytest.mark.parametrize("separator", [";", "\t"])
@given(titles=st.lists(TRICKY, min_size=1, max_size=3))
def test_no_cell_is_calculated_however_they_are_separated(separator: str, titles: list[str]) -> None:
    cells = _cells([{**_row(title), "seller": title} for title in titles], separator)
    assert [cell for cell in cells if cell.lstrip().startswith(CALCULATED)] == []


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("=1", "'=1"),
        ("x;=HYPERLINK(1)", "x;'=HYPERLINK(1)"),
        ('x;"=1', "x;\"'=1"),
        ("x\t@SUM(A1)", "x\t'@SUM(A1)"),
        ("x\n -1", "x\n '-1"),
        ("Bed; 90 x 200", "Bed; 90 x 200"),
        ("2 = 1 + 1 - 0", "2 = 1 + 1 - 0"),
    ],
)
def test_an_apostrophe_stands_where_a_formula_would_begin(title: str, shown: str) -> None:
    assert _cells([_row(title)], ",")[COLUMNS.index("title")] == shown


@given(TEXT | TRICKY)
def test_every_formula_of_any_cell_is_found(title: str) -> None:
    """Beside a pattern that says it plainly, and takes time by the square of the blanks in a row."""
    later = re.sub(r"""([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])""", r"\1'", title)
    expected = f"'{later}" if later.startswith(FORMULA_STARTS) else later
    assert _cells([_row(title)], ",")[COLUMNS.index("title")] == expected


def test_numbers_stay_numbers() -> None:
    (cells,) = csv.reader(io.StringIO(csv_lines([_row("a")])))
    assert cells[COLUMNS.index("longitude")] == "-4.5"


CELLS = (
    st.none() | st.integers() | st.floats() | st.booleans() | st.text(alphabet=' ,"\r\nab1').map("a{}".format)
)
COLUMN = st.sampled_from([st.none(), st.integers(), st.floats(), st.none() | st.floats(), CELLS])


@given(st.tuples(COLUMN, COLUMN, COLUMN).flatmap(lambda each: st.lists(st.tuples(*each), max_size=5)))
def test_lines_are_those_of_pythons_csv(rows: list[tuple[object, ...]]) -> None:
    """Numbers with and without an exponent, none at all, quotation marks and line ends."""
    sheet = io.StringIO()
    csv.writer(sheet).writerows(rows)
    assert csv_text(rows) == sheet.getvalue()


@pytest.mark.parametrize("number", [1e-5, 1.2e-05, 0.0001, 1e15, 1e16, -0.0, 1 / 3, float("nan"), 2**70])
def test_a_number_is_written_as_python_writes_it(number: float) -> None:
    assert csv_text([[number, None], [None, number]]) == f"{number},\r\n,{number}\r\n"


def test_the_head_names_the_columns() -> None:
    assert csv_header() == ",".join(COLUMNS) + "\r\n"


def test_a_line_of_json_for_each() -> None:
    lines = json_lines([_row("a"), _row("=b")]).splitlines()
    assert [orjson.loads(line)["title"] for line in lines] == ["a", "=b"]


def test_a_text_that_looks_like_the_end_of_a_line_of_json_ends_none() -> None:
    rows = [_row("a},{b"), _row("c")]
    assert [orjson.loads(line) for line in json_lines(rows).splitlines()] == rows
    assert json_lines([]) == b""


VALUES = st.none() | st.integers(-(2**53), 2**53) | st.booleans() | TRICKY | st.lists(st.none() | TRICKY)


@given(st.integers(1, 6).flatmap(lambda many: st.lists(st.tuples(*[VALUES] * many), max_size=4)))
def test_columns_are_written_like_their_rows(values: list[tuple[object, ...]]) -> None:
    """Columns without a value are written as one, wherever they are."""
    names = [f"column {number}" for number in range(len(values[0]) if values else 3)]
    columns = list(zip(*values, strict=True)) if values else [()] * 3
    chunk = Chunk(names=names, columns=columns, next=None)
    assert chunk_json_lines(chunk) == json_lines(chunk.rows)
    assert chunk_csv_lines(chunk) == csv_lines(chunk.rows, names)
