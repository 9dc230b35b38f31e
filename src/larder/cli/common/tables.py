"""Fits tables to the width of a window.

A table that is too wide keeps numbers and the column that names its rows whole, shortens other texts, and
prints long remarks below their row. Only then are the last columns left out.
"""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

Columns = Mapping[str, Sequence[Text]]

WRAPPED_COLUMNS = frozenset({"title", "value", "message", "page", "state", "remarks", "error"})
NOTE_COLUMNS = ("remarks", "message", "error")
"""Columns with sentences: if they would be cut, they are printed below their row."""
NAMING_COLUMNS = {"title": 24, "address": 40}
"""Columns that identify a row, and the width that they keep however many others there are."""
UNCUT_COLUMNS = frozenset({"id", "price", "status"})
NOTE_WIDTH = 24
FIRST_WIDTH = 24
CUT_WIDTH = 8
"""The width to which other columns are cut, before the last ones are left out."""
GAP = 2
INDENT = 4


def draw_table(console: Console, columns: Columns) -> None:
    """Print the columns that fit."""
    note = next((name for name in NOTE_COLUMNS if name in columns), None)
    if note is None or len(columns) == 1 or _width_with_note(columns, note) <= console.width:
        console.print(_table(_fitting(columns, console.width), console.width))
        return
    fitting = _fitting({name: cells for name, cells in columns.items() if name != note}, console.width)
    widths = _widths(fitting, console.width) or _natural_widths(fitting)
    for number, text in enumerate(columns[note]):
        row = {name: cells[number : number + 1] for name, cells in fitting.items()}
        console.print(_with_widths(row, fitting, widths, header=number == 0))
        if text.plain not in ("", "–"):
            console.print(Padding(text, (0, 0, 0, INDENT)))


def _width_with_note(columns: Columns, note: str) -> int:
    """The width at which only remarks are wrapped and nothing is cut."""
    widths = _natural_widths(columns)
    return sum(widths.values()) - widths[note] + min(widths[note], NOTE_WIDTH) + GAP * (len(widths) - 1)


def _fitting(columns: Columns, width: int) -> Columns:
    """The columns without the last ones, if those do not fit."""
    fitting = dict(columns)
    optional = [name for name in list(fitting)[1:] if name not in NAMING_COLUMNS]
    while optional and _least_width(fitting) > width:
        del fitting[optional.pop()]
    return fitting


def _least_width(columns: Columns) -> int:
    return sum(_least(columns, name) + GAP for name in columns) - GAP


def _table(columns: Columns, width: int) -> Table:
    return _with_widths(columns, columns, _widths(columns, width), header=True)


def _with_widths(rows: Columns, columns: Columns, widths: Mapping[str, int], *, header: bool) -> Table:
    """A table of some rows, aligned with all rows of the columns."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1), show_header=header)
    for name, cells in columns.items():
        table.add_column(
            name,
            justify="right" if name == "price" or _are_numbers(cells) else "left",
            no_wrap=name not in WRAPPED_COLUMNS,
            width=widths.get(name),
        )
    for row in zip(*rows.values(), strict=True):
        table.add_row(*row)
    return table


def _widths(columns: Columns, width: int) -> dict[str, int]:
    """The widths in a table that is too wide: each column gets its least, long texts get the rest."""
    natural = _natural_widths(columns)
    width_left = width - GAP * (len(columns) - 1)
    if sum(natural.values()) <= width_left:
        return {}
    widths = {name: _least(columns, name) for name in columns}
    width_left = max(0, width_left - sum(widths.values()))
    for name in sorted(columns, key=lambda each: each in WRAPPED_COLUMNS):
        extra = min(width_left, natural[name] - widths[name])
        widths[name], width_left = widths[name] + extra, width_left - extra
    return widths


def _least(columns: Columns, name: str) -> int:
    """The width below which a column is not cut."""
    natural = _natural(name, columns[name])
    if name in UNCUT_COLUMNS or _are_numbers(columns[name]):
        return natural
    return min(natural, NAMING_COLUMNS.get(name) or _least_words(columns, name))


def _least_words(columns: Columns, name: str) -> int:
    if name in NOTE_COLUMNS:
        return NOTE_WIDTH
    return FIRST_WIDTH if name == next(iter(columns)) else CUT_WIDTH


def _natural_widths(columns: Columns) -> dict[str, int]:
    return {name: _natural(name, cells) for name, cells in columns.items()}


def _natural(name: str, cells: Sequence[Text]) -> int:
    return max(len(name), *(cell.cell_len for cell in cells))


def _are_numbers(cells: Sequence[Text]) -> bool:
    return all(cell.plain.isdecimal() for cell in cells)
