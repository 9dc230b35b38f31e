"""`larder export`: what the public may see, as a file."""

import io
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TextIO, Unpack

import typer

from larder.actions.dataset import export as actions
from larder.app import App
from larder.cli.common.query_options import QueryOptions, build_query, with_query_options
from larder.cli.common.session import with_app
from larder.core.errors import Unusable
from larder.store.reads.query import Query


class Format(StrEnum):
    """How a file is written."""

    CSV = "csv"
    JSONL = "jsonl"


@with_query_options
def export(
    to: Annotated[Path | None, typer.Argument(help="The file. Default: standard output.")] = None,
    *,
    form: Annotated[Format, typer.Option("--format", help="csv or jsonl.")] = Format.CSV,
    prices: Annotated[
        bool, typer.Option("--prices", help="With price history; in CSV a row for each price.")
    ] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help="Include hidden sources.")] = False,
    **asked: Unpack[QueryOptions],
) -> None:
    """Write the public records into a file."""
    wanted = _File(query=build_query(asked), form=form, prices=prices, hidden=hidden)
    try:
        with to.open("w", encoding="utf-8", newline="") if to else _to_stdout() as file:
            many, why = with_app(lambda app: _to_file(app, wanted, file))
    except OSError as error:
        place = to or "standard output"
        raise Unusable(
            f"{place} cannot be written ({error.strerror or error})", hint="name a file to write to"
        ) from error
    if to or why:
        typer.echo(why or f"{many} records in {to}", err=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """What the file is to hold."""

    query: Query
    form: Format
    prices: bool
    hidden: bool

    @property
    def columns(self) -> Sequence[str]:
        return actions.PRICE_COLUMNS if self.prices else actions.columns(self.query.kind)

    def lines(self, rows: Sequence[Mapping[str, Any]]) -> str:
        if self.form is Format.JSONL:
            return actions.json_lines(rows)
        return actions.csv_lines(actions.price_rows(rows) if self.prices else rows, self.columns)


def _to_stdout() -> AbstractContextManager[TextIO]:
    """Standard output with lines as they are written; a replaced one that is no file, as it is."""
    try:
        number = sys.stdout.fileno()
    except io.UnsupportedOperation:
        return nullcontext(sys.stdout)
    return open(number, "w", encoding="utf-8", newline="", closefd=False)


async def _to_file(app: App, wanted: _File, file: TextIO) -> tuple[int, str]:
    """How many records were written; where there are none, why."""
    many, hidden = 0, wanted.hidden
    left: Query | None = await app.read(
        actions.export_query, wanted.query, hidden=hidden, now=app.clock.now()
    )
    if wanted.form is Format.CSV:
        file.write(actions.csv_header(wanted.columns))
    while left is not None:
        now = app.clock.now()
        found = await app.read(actions.read_chunk, left, hidden=hidden, prices=wanted.prices, now=now)
        file.write(wanted.lines(found.rows))
        many, left = many + len(found.rows), found.next
    if many:
        return many, ""
    why = await app.read(actions.why_empty, wanted.query, hidden=hidden, now=app.clock.now())
    if wanted.form is Format.CSV:
        file.write(actions.csv_note(why))
    return 0, why
