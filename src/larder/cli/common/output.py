"""Prints results: tables for people, one JSON document for programs."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from larder.actions.formatting import ago, money, span
from larder.rendering.json_values import to_json

__all__ = [
    "Json",
    "ago",
    "console",
    "freshness_text",
    "money",
    "print_fields",
    "print_heading",
    "print_json",
    "print_result",
    "print_table",
    "print_text",
    "span",
    "status_text",
    "to_json",
]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]

BADGE_COLOURS = {"green": "green", "yellow": "yellow", "orange": "dark_orange"}
WRAPPED_COLUMNS = frozenset({"title", "value", "message", "page", "state"})
LEAST_WIDTHS = {"title": 24, "address": 40}
"""Columns that say what a row is, and the width that they keep however many others there are."""
UNCUT_COLUMNS = frozenset({"id", "price"})
CUT_WIDTH = 6
"""To so many characters other columns are cut, before the last ones are left out."""
GAP = 2
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


def console() -> Console:
    """Standard output, as wide as it is."""
    return Console(highlight=False, soft_wrap=False)


def print_text(*lines: RenderableType) -> None:
    """Print lines for a person."""
    console().print(*lines, sep="\n")


def print_result(value: Any, *, as_json: bool, draw: Callable[[Any], None]) -> None:
    """Print a value in the one way or the other."""
    if as_json:
        print_json(value)
    else:
        draw(value)


def print_json(value: Any, *, line: bool = False) -> None:
    """One document; `line`: on a single line, for streams."""
    option = orjson.OPT_NON_STR_KEYS | (0 if line else orjson.OPT_INDENT_2)
    left = memoryview(orjson.dumps(to_json(value), option=option) + b"\n")
    while left:  # standard output that is not buffered may take a part only
        left = left[sys.stdout.buffer.write(left) or 0 :]
    sys.stdout.buffer.flush()


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, empty: str) -> None:
    """A table, or a sentence that says what to do where there is nothing to show."""
    listed = list(rows)
    if not listed:
        print_text(Text(empty, style="italic"))
        return
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1))
    fitting = _fitting_columns(dict(zip(columns, zip(*listed, strict=True), strict=True)))
    widths = _widths(fitting)
    for name, values in fitting.items():
        numbers = all(isinstance(value, int) or name == "price" for value in values)
        table.add_column(
            name,
            justify="right" if numbers else "left",
            no_wrap=name not in WRAPPED_COLUMNS,
            width=widths.get(name),
        )
    for row in zip(*fitting.values(), strict=True):
        table.add_row(*(_cell(value) for value in row))
    console().print(table)


def _fitting_columns(columns: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """In a narrow window the last columns are left out, before what says what a row is would be cut."""
    fitting = dict(columns)
    if not fitting.keys() & LEAST_WIDTHS.keys():
        return fitting
    optional = [name for name in list(fitting)[1:] if name not in LEAST_WIDTHS]
    while optional and sum(_needed(*each) + GAP for each in fitting.items()) - GAP > console().width:
        del fitting[optional.pop()]
    return fitting


def _widths(columns: Mapping[str, Sequence[Any]]) -> dict[str, int]:
    """In a table that is too wide, each gets what it needs, and what is left goes to titles last."""
    natural = {name: _natural(name, values) for name, values in columns.items()}
    widths = {name: _needed(name, values) for name, values in columns.items()}
    gaps = GAP * (len(natural) - 1)
    if not natural.keys() & LEAST_WIDTHS.keys() or sum(natural.values()) + gaps <= console().width:
        return {}
    spare = max(0, console().width - gaps - sum(widths.values()))
    for name in sorted(natural, key=lambda each: each in LEAST_WIDTHS):
        extra = min(spare, natural[name] - widths[name])
        widths[name], spare = widths[name] + extra, spare - extra
    return widths


def _needed(column: str, values: Sequence[Any]) -> int:
    natural = _natural(column, values)
    return natural if column in UNCUT_COLUMNS else min(natural, LEAST_WIDTHS.get(column, CUT_WIDTH))


def _natural(column: str, values: Sequence[Any]) -> int:
    return max(len(column), *(len(str(_cell(value))) for value in values))


def print_fields(pairs: Iterable[tuple[str, Any]]) -> None:
    """Name and value, one a line; what is empty is left out."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bright_black", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in pairs:
        if value not in (None, "", [], {}, ()):
            table.add_row(name, _cell(value))
    console().print(table)


def print_heading(text: str) -> None:
    """A line above a part of an answer."""
    console().print(f"\n[bold]{escape(text)}[/bold]")


def _cell(value: Any) -> RenderableType:
    if value is None:
        return Text("–", style="bright_black")
    if isinstance(value, Text):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return Text(", ".join(str(each) for each in value))
    return Text(str(value))


def status_text(word: str | None) -> Text:
    """A status in its colour."""
    return Text(word or "–", style=STATUS_COLOURS.get(word or "", ""))


def freshness_text(confidence: int, colour: str | None) -> Text:
    """`● 97`."""
    return Text(
        f"● {confidence}" if colour else f"○ {confidence}",
        style=BADGE_COLOURS.get(colour or "", "bright_black"),
    )
