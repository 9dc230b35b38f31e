"""`larder changes`"""

from datetime import UTC, datetime
from typing import Annotated

import typer

from larder.actions.dataset import changes as feed
from larder.actions.dataset.changes import ChangePage
from larder.actions.formatting import value_text
from larder.app import App
from larder.cli.common.output import JsonOption, ago, print_result, print_table, print_text
from larder.cli.common.session import with_app


def changes(
    *,
    since: Annotated[
        str | None, typer.Option(help="The cursor of the previous answer. Default: from the start.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="Maximum number of rows.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List changes to records after a cursor, in order."""

    async def work(app: App) -> ChangePage:
        return await app.run(feed.changes_since, since, limit=limit, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=_draw)


def _draw(page: ChangePage) -> None:
    now = datetime.now(UTC)
    print_table(
        ("when", "record", "change", "value", "cursor"),
        (
            (ago(line.at, now), line.record_id, line.change, _details_text(line.details), line.cursor)
            for line in page.changes
        ),
        empty="No changes since this cursor.",
    )
    print_text(f"next: larder changes --since {page.next}")


def _details_text(details: object) -> str:
    if not isinstance(details, dict):
        return ""
    return ", ".join(f"{name} {_value_text(value)}" for name, value in details.items())


def _value_text(value: object) -> str:
    return " ".join(map(value_text, value)) if isinstance(value, list) else value_text(value)
