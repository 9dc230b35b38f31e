"""Parquet files hold what the other exports hold, with types, in groups; on both databases."""

import io
from dataclasses import replace
from datetime import UTC
from decimal import Decimal

import pytest
from sqlalchemy import Connection

from larder.actions.dataset import export
from larder.actions.dataset.parquet import ArrowRows, ParquetFile, schema
from larder.core.model.item import Staged
from larder.core.model.source import Kind
from larder.store.reads.query import Query
from tests.contract.world import HOUR, NOW, Pages, source, staged, unit_of_work

parquet = pytest.importorskip("pyarrow.parquet")


@unit_of_work
def test_it_holds_the_rows_of_the_other_exports_with_types(conn: Connection) -> None:
    homes = Pages(conn, source(conn, visibility="public"))
    homes.keep(homes.page(*(_home(number) for number in range(25))))
    chunk = export.read_chunk(conn, Query(kind=Kind.LISTING), now=NOW + HOUR)
    file, names = io.BytesIO(), export.columns(Kind.LISTING)
    written = ParquetFile(file, names, group_rows=10)
    for start in range(0, 25, 4):
        written.write(replace(chunk, columns=[column[start : start + 4] for column in chunk.columns]))
    written.close()
    read = parquet.ParquetFile(io.BytesIO(file.getvalue()))
    assert [read.metadata.row_group(n).num_rows for n in range(read.num_row_groups)] == [10, 10, 5]
    rows = read.read().to_pylist()
    assert [row["title"] for row in rows] == [row["title"] for row in chunk.rows]
    assert [str(row["price"].quantize(Decimal("0.01"))) for row in rows] == [r["price"] for r in chunk.rows]
    assert rows[0]["first_seen_at"] == NOW.astimezone(UTC)
    assert (rows[0]["beds"], rows[0]["verified_at"]) == (2.0, None)
    assert written.rows.unfit == 0


@unit_of_work
def test_a_file_is_the_same_of_times_as_they_are_stored(conn: Connection) -> None:
    homes = Pages(conn, source(conn, visibility="public"))
    homes.keep(homes.page(*(_home(number) for number in range(5))))
    files = []
    for stored_times in (False, True):
        chunk = export.read_chunk(conn, Query(), stored_times=stored_times, now=NOW + HOUR)
        written = ParquetFile(file := io.BytesIO(), chunk.names)
        written.write(chunk)
        written.close()
        files.append(file.getvalue())
        assert written.rows.unfit == 0
    assert files[0] == files[1]


def _home(number: int) -> Staged:
    return staged(number, price_minor=100_000 + number, currency="EUR", beds=2)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("beds", "two", id="text where a number belongs"),
        pytest.param("review_count", 2.5, id="a fraction of a review"),
        pytest.param("id", 2**70, id="more than a column holds"),
        pytest.param("price", "NaN", id="a price that is no number"),
        pytest.param("price", "1e400", id="a price beyond all prices"),
        pytest.param("first_seen_at", "yesterday", id="no time"),
        pytest.param("time_known", "yes", id="no flag"),
    ],
)
def test_a_value_that_does_not_fit_is_left_empty_and_counted(name: str, value: object) -> None:
    rows = ArrowRows([name, "title"])
    batch = rows.batch([{name: value, "title": "Kept"}, {name: None, "title": "Too"}])
    assert batch.to_pylist() == [{name: None, "title": "Kept"}, {name: None, "title": "Too"}]
    assert rows.unfit == 1


def test_an_empty_file_has_its_columns() -> None:
    file = io.BytesIO()
    ParquetFile(file, export.COLUMNS).close()
    assert parquet.read_schema(io.BytesIO(file.getvalue())) == schema(export.COLUMNS)
