"""Prints results: tables for people, one JSON document for programs.

Rich is loaded when something is drawn; JSON output, and commands with nothing to show, do not need it.
"""

import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from larder.actions.formatting import ago, money, span, value_text
from larder.rendering.json_values import to_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

__all__ = [
    "JsonOption",
    "ago",
    "console",
    "freshness_text",
    "money",
    "print_fields",
    "print_heading",
    "print_json",
    "print_nothing",
    "print_result",
    "print_table",
    "print_text",
    "shortened",
    "span",
    "status_text",
    "to_json",
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]

MAX_MESSAGE = 400
"""Characters of a message in a list."""
BADGE_COLOURS = {"green": "green", "yellow": "yellow", "orange": "dark_orange"}
STATUS_COLOURS = {
    "running": "cyan",
    "ready": "green",
    "held back": "yellow",
    "completed": "green",
    "partial": "yellow",
    "paused": "yellow",
    "proven": "green",
    "waiting": "yellow",
    "refused": "red",
    "suspect": "dark_orange",
    "failed": "red",
    "stopped": "bright_black",
}


def console() -> "Console":
    """Standard output, at its full width."""
    from rich.console import Console  # noqa: PLC0415

    return Console(highlight=False, soft_wrap=False)


def print_text(*lines: "RenderableType") -> None:
    """Print lines for a person."""
    console().print(*lines, sep="\n")


def print_result(value: Any, *, as_json: bool, draw: Callable[[Any], None]) -> None:
    """Print a value as JSON or drawn."""
    if as_json:
        print_json(value)
    else:
        draw(value)


def print_json(value: Any, *, line: bool = False) -> None:
    """Print one document; `line`: on a single line, for streams."""
    option = orjson.OPT_NON_STR_KEYS | (0 if line else orjson.OPT_INDENT_2)
    left = memoryview(orjson.dumps(to_json(value), option=option) + b"\n")
    while left:  # unbuffered standard output may accept a part only
        left = left[sys.stdout.buffer.write(left) or 0 :]
    sys.stdout.buffer.flush()


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, empty: str) -> None:
    """Print a table; if it has no rows, a sentence with the next step."""
    listed = [[_cell(value) for value in row] for row in rows]
    if not listed:
        print_nothing(empty)
        return
    from larder.cli.common.tables import draw_table  # noqa: PLC0415

    draw_table(console(), dict(zip(columns, zip(*listed, strict=True), strict=True)))


def print_nothing(empty: str) -> None:
    """Print a sentence with the next step, as there is nothing to show."""
    typer.secho(empty, italic=True)


def print_fields(pairs: Iterable[tuple[str, Any]]) -> None:
    """Print name and value, one a line, without empty values."""
    from rich.table import Table  # noqa: PLC0415

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bright_black", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in pairs:
        if value not in (None, "", [], {}, ()):
            table.add_row(name, _cell(value))
    console().print(table)


def print_heading(text: str) -> None:
    """Print a line above a part of the output."""
    from rich.markup import escape  # noqa: PLC0415

    console().print(f"\n[bold]{escape(text)}[/bold]")


def _cell(value: Any) -> "Text":
    from rich.text import Text  # noqa: PLC0415

    if value is None:
        return Text("–", style="bright_black")
    if isinstance(value, Text):
        return value
    if isinstance(value, (list, tuple)):
        return Text(", ".join(map(value_text, value)))
    return Text(value_text(value) if isinstance(value, (bool, dict)) else str(value))


def shortened(message: str | None) -> str:
    """A message for a list: its main part, cut between words if it is long."""
    return textwrap.shorten(message or "", MAX_MESSAGE, placeholder=" …")


def status_text(word: str | None) -> "Text":
    """A status in its colour."""
    from rich.text import Text  # noqa: PLC0415

    return Text(word or "–", style=STATUS_COLOURS.get(word or "", ""))


def freshness_text(confidence: int, colour: str | None) -> "Text":
    """Freshness as a coloured dot and a number: `● 97`."""
    from rich.text import Text  # noqa: PLC0415

    return Text(
        f"● {confidence}" if colour else f"○ {confidence}",
        style=BADGE_COLOURS.get(colour or "", "bright_black"),
    )
