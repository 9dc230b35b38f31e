"""`larder export`: writes what the public may see to a file."""

import gc
import io
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Protocol, TextIO, Unpack

import typer

from larder.actions.dataset import export as actions
from larder.actions.dataset.export import Chunk
from larder.actions.dataset.parquet import ParquetFile
from larder.app import App
from larder.app.clickhouse import send_missing
from larder.cli.common.query_options import QueryOptions, build_query, with_query_options
from larder.cli.common.session import with_app
from larder.core.errors import BadInput, Unusable
from larder.core.plurals import plural
from larder.rendering.hints import sentence
from larder.store.reads.query import Query


class ExportFormat(StrEnum):
    """Formats of an exported file."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    CLICKHOUSE = "clickhouse"


ENDINGS = {
    ".jsonl": ExportFormat.JSONL,
    ".ndjson": ExportFormat.JSONL,
    ".parquet": ExportFormat.PARQUET,
}
RARELY = 200_000
"""Objects between two garbage collections: rows hold no cycles, and searching takes a tenth of the time."""


@with_query_options
def export(
    to: Annotated[Path | None, typer.Argument(help="The file. Default: standard output.")] = None,
    *,
    form: Annotated[
        ExportFormat | None,
        typer.Option(
            "--format", help="csv, jsonl, parquet or clickhouse. Default: by the file's extension, else csv."
        ),
    ] = None,
    prices: Annotated[
        bool,
        typer.Option("--prices", help="With price history; in CSV and Parquet a row for each price."),
    ] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help="Include hidden sources.")] = False,
    **options: Unpack[QueryOptions],
) -> None:
    """Write the public records into a file, or bring a copy of them in ClickHouse up to date."""
    form = form or (ENDINGS.get(to.suffix.lower()) if to else None) or ExportFormat.CSV
    if form is ExportFormat.CLICKHOUSE:
        _to_clickhouse(to, build_query(options), prices=prices, hidden=hidden)
        return
    request = _ExportRequest(query=build_query(options), form=form, prices=prices, hidden=hidden)
    if request.query.source is not None:
        with_app(lambda app: app.read(actions.check_source, request.query))
    gc.set_threshold(RARELY)
    try:
        with _opened(to, form) as file:
            many, why = with_app(lambda app: _to_file(app, request, file))
    except OSError as error:
        place = to or "standard output"
        raise Unusable(
            f"{place} cannot be written ({error.strerror or error})", hint="name a file to write to"
        ) from error
    if to or why:
        typer.echo(why or f"{plural(many, 'record')} in {to}", err=True)


def _to_clickhouse(to: Path | None, query: Query, *, prices: bool, hidden: bool) -> None:
    if to or prices or query != Query():
        hint = "name no file, no filters and no --prices: the tables hold all records with their prices"
        raise BadInput("--format clickhouse takes only --hidden", hint=hint)
    found = with_app(lambda app: send_missing(app, hidden=hidden))
    summary = "All records were sent" if found.loaded else "What changed was sent"
    counts = f"{plural(found.records, 'record')}, {plural(found.prices, 'price')}"
    typer.echo(f"{summary} to {found.table}: {counts}, {plural(found.deleted, 'deletion')}.", err=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ExportRequest:
    """The query, format and scope of an export."""

    query: Query
    form: ExportFormat
    prices: bool
    hidden: bool

    @property
    def content(self) -> dict[str, bool]:
        """The fields of each row; Parquet takes times as they are stored."""
        return {"prices": self.prices, "stored_times": self.form is ExportFormat.PARQUET}

    @property
    def columns(self) -> Sequence[str]:
        return actions.PRICE_COLUMNS if self.prices else actions.columns(self.query.kind)


class _Rows(Protocol):
    """A file that rows are appended to."""

    def write(self, chunk: Chunk, /) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _CsvLines:
    """Writes an export as CSV."""

    file: TextIO

    def write(self, chunk: Chunk, /) -> None:
        self.file.write(actions.chunk_csv_lines(chunk))

    def close(self) -> None:
        self.file.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class _JsonLines:
    """A file of JSON Lines."""

    file: BinaryIO

    def write(self, chunk: Chunk, /) -> None:
        self.file.write(actions.chunk_json_lines(chunk))

    def close(self) -> None:
        self.file.flush()


def _opened(to: Path | None, form: ExportFormat) -> AbstractContextManager[Any]:
    if form is not ExportFormat.CSV:
        return to.open("wb") if to else _binary_stdout(form)
    return to.open("w", encoding="utf-8", newline="") if to else _to_stdout()


def _binary_stdout(form: ExportFormat) -> AbstractContextManager[BinaryIO]:
    if form is ExportFormat.PARQUET and sys.stdout.isatty():
        raise Unusable("a Parquet file cannot be shown in a terminal", hint="name a file to write to")
    return nullcontext(sys.stdout.buffer)


def _to_stdout() -> AbstractContextManager[TextIO]:
    """Standard output with unchanged line ends; a replaced one that is no file, as it is."""
    try:
        number = sys.stdout.fileno()
    except io.UnsupportedOperation:
        return nullcontext(sys.stdout)
    return open(number, "w", encoding="utf-8", newline="", closefd=False)


async def _to_file(app: App, request: _ExportRequest, file: Any) -> tuple[int, str]:
    """Write the file; the number of records and a remark."""
    many, hidden = 0, request.hidden
    left: Query | None = await app.read(
        actions.export_query, request.query, hidden=hidden, now=app.clock.now()
    )
    rows = _begun(request, file)
    flat = request.prices and request.form is not ExportFormat.JSONL
    while left is not None:
        now = app.clock.now()
        found = await app.read(actions.read_chunk, left, hidden=hidden, now=now, **request.content)
        rows.write(actions.price_chunk(found) if flat else found)
        many, left = many + len(found), found.next
    rows.close()
    if many:
        return many, _unfit(rows)
    hint = await app.read(actions.why_empty, request.query, hidden=hidden, now=app.clock.now())
    why = sentence(hint)
    if request.form is ExportFormat.CSV:
        file.write(actions.csv_note(why))
    return 0, why


def _begun(request: _ExportRequest, file: Any) -> _Rows:
    if request.form is ExportFormat.PARQUET:
        return ParquetFile(file, request.columns)
    if request.form is ExportFormat.CSV:
        file.write(actions.csv_header(request.columns))
        return _CsvLines(file=file)
    return _JsonLines(file=file)


def _unfit(rows: _Rows) -> str:
    many = rows.rows.unfit if isinstance(rows, ParquetFile) else 0
    return f"left empty: {plural(many, 'value')} too large for the column" if many else ""
