"""`larder export` says on standard error and in the file why a file is empty."""

from pathlib import Path

import pytest

from tests.unit.cli.conftest import Shell


def test_l10_15_an_empty_export_says_why(larder: Shell, tmp_path: Path) -> None:
    to = tmp_path / "out.csv"
    said = larder("export", str(to), "--kind", "listing", "--hidden", "--price-max", "20.00")
    assert (said.code, said.err.strip()) == (0, "No records: nothing was collected yet")
    head, note = to.read_text().splitlines()
    assert "beds" in head.split(",")
    assert note == "# No records: nothing was collected yet"
    assert larder("export", "--format", "jsonl", "--prices").out == ""


def test_l10_15_an_export_goes_to_a_standard_output_that_is_no_file(larder: Shell) -> None:
    """Another program may have replaced it by a buffer of its own, as this test does."""
    said = larder("export", "--kind", "event")
    assert said.code == 0, said.err
    assert said.out.startswith("id,")
    assert "starts_at" in said.out.splitlines()[0].split(",")


def test_a_parquet_file_is_written_even_without_rows(larder: Shell, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    to = tmp_path / "out.parquet"
    said = larder("export", str(to), "--format", "parquet", "--kind", "product")
    assert (said.code, said.err.strip()) == (0, "No records: nothing was collected yet")
    table = parquet.read_table(to)
    assert table.num_rows == 0
    assert str(table.schema.field("price").type) == "decimal128(18, 3)"
    assert "sku" in table.column_names


@pytest.mark.parametrize(
    ("name", "begins"),
    [("out.csv", b"id,"), ("OUT.PARQUET", b"PAR1"), ("out.jsonl", b""), ("out.ndjson", b""), ("out", b"id,")],
)
def test_the_format_is_that_of_the_files_name(
    larder: Shell, tmp_path: Path, name: str, begins: bytes
) -> None:
    assert larder("export", str(tmp_path / name), "--kind", "event").code == 0
    written = (tmp_path / name).read_bytes()
    assert written.startswith(begins) if begins else not written


def test_a_format_that_is_named_counts_whatever_the_file_is_called(larder: Shell, tmp_path: Path) -> None:
    assert larder("export", str(tmp_path / "out.jsonl"), "--format", "csv").code == 0
    assert (tmp_path / "out.jsonl").read_bytes().startswith(b"id,")
