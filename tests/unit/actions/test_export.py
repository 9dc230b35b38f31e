"""Files of the dataset: no cell is calculated, and what is read back is what was written."""

import csv
import io

import orjson
from hypothesis import given
from hypothesis import strategies as st

from larder.actions.export import COLUMNS, FORMULA, csv_head, csv_lines, json_lines


def _row(title: str) -> dict[str, object]:
    return dict.fromkeys(COLUMNS) | {"title": title, "longitude": -4.5, "id": 7}


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_no_text_begins_a_formula_and_none_is_lost(title: str) -> None:
    (cells,) = csv.reader(io.StringIO(csv_lines([_row(title)]), newline=""))
    shown = cells[COLUMNS.index("title")]
    assert not shown.startswith(FORMULA)
    assert shown == (f"'{title}" if title.startswith(FORMULA) else title)


def test_numbers_stay_numbers() -> None:
    (cells,) = csv.reader(io.StringIO(csv_lines([_row("a")])))
    assert cells[COLUMNS.index("longitude")] == "-4.5"


def test_the_head_names_the_columns() -> None:
    assert csv_head() == ",".join(COLUMNS) + "\r\n"


def test_a_line_of_json_for_each() -> None:
    lines = json_lines([_row("a"), _row("=b")]).splitlines()
    assert [orjson.loads(line)["title"] for line in lines] == ["a", "=b"]
