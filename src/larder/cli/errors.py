"""`larder errors`"""

from datetime import UTC, datetime
from typing import Annotated

import typer

from larder.cli.common.output import JsonOption, ago, print_result, print_table, shortened
from larder.cli.common.session import run_query
from larder.core.errors import Category
from larder.store.reads.operators import errors as searched
from larder.store.reads.operators.errors import ErrorFilter, ErrorLine


def errors(
    text: Annotated[str | None, typer.Argument(help="Text in the message.", metavar="TEXT")] = None,
    *,
    source: Annotated[str | None, typer.Option(help="Only of this source.")] = None,
    run: Annotated[int | None, typer.Option(help="Only of this run.")] = None,
    category: Annotated[Category | None, typer.Option(help="Only of this kind.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Only this type, such as timeout.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="Maximum number of rows.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """Search the errors of all runs, newest first."""
    filters = ErrorFilter(source=source, run=run, category=category, type=kind, text=text)
    print_result(run_query(searched.list_errors, filters, limit=limit), as_json=as_json, draw=_draw)


def _draw(found: list[ErrorLine]) -> None:
    now = datetime.now(UTC)
    print_table(
        ("error", "when", "source", "run", "stage", "category", "type", "message"),
        (
            (e.id, ago(e.at, now), e.source, e.run_id, e.stage, e.category, e.type, shortened(e.message))
            for e in found
        ),
        empty="No errors match.",
    )
