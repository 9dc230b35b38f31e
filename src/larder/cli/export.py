"""`larder export`: what the public may see, as a file."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TextIO

import typer

from larder.actions.dataset import export as actions
from larder.app import App
from larder.cli.common.session import with_app
from larder.core.errors import Unusable
from larder.core.model.source import Kind
from larder.store.reads.query import Query


class Format(StrEnum):
    """How a file is written."""

    CSV = "csv"
    JSONL = "jsonl"


def export(
    to: Annotated[Path | None, typer.Argument(help="The file. Default: standard output.")] = None,
    *,
    form: Annotated[Format, typer.Option("--format", help="csv or jsonl.")] = Format.CSV,
    kind: Annotated[Kind | None, typer.Option(help="Only this kind.")] = None,
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    text: Annotated[str | None, typer.Option(help="Only what matches these words.")] = None,
) -> None:
    """Write the public records into a file."""
    query = Query(kind=kind, source=source, text=text)
    try:
        with to.open("w", encoding="utf-8", newline="") if to else _to_stdout() as file:
            many = with_app(lambda app: _to_file(app, query, form, file))
    except OSError as error:
        raise Unusable(f"{to} cannot be written ({error.strerror})", hint="choose another file") from error
    if to:
        typer.echo(f"{many} records in {to}", err=True)


def _to_stdout() -> TextIO:
    return open(sys.stdout.fileno(), "w", encoding="utf-8", newline="", closefd=False)


async def _to_file(app: App, query: Query, form: Format, file: TextIO) -> int:
    many = 0
    left: Query | None = await app.look(actions.export_query, query, now=app.clock.now())
    if form is Format.CSV:
        file.write(actions.csv_header())
    lines = actions.csv_lines if form is Format.CSV else actions.json_lines
    while left is not None:
        found = await app.look(actions.read_chunk, left, now=app.clock.now())
        file.write(lines(found.rows))
        many, left = many + len(found.rows), found.next
    return many
