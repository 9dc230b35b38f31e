"""Rows as lines of CSV in which nothing is taken for a formula.

Text that a spreadsheet would run as a formula is escaped, also after semicolons and tabs, at which some
spreadsheets split cells even within quotes. Most rows hold nothing of the kind, which a look at all texts of
many rows at once tells.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet begins to calculate at."""
_FORMULA = r"[=+\-@＝＋－＠]"
_BEFORE_FORMULA = re.compile(rf"""(?<![;\s"])[;\s"]++(?={_FORMULA})""")
"""What a formula follows; it starts where such characters start, so that long rows of them are read once."""
_SEPARATORS = frozenset(";\t\r\n")
"""What begins a cell in spreadsheets that separate by other characters than commas."""
_NEVER_HARMLESS = (";", "\t", "\r")
_FORMULA_CHARACTERS = tuple(start for start in FORMULA_STARTS if start not in "\t\r\n")
"""What no harmless text starts with; one character is found faster in many texts than two."""


def csv_text(rows: Sequence[Sequence[Any]]) -> str:
    """Rows of equal length as lines; nothing in them can be taken for a formula."""
    return csv_columns(list(zip(*rows, strict=True)))


def csv_columns(columns: Sequence[Sequence[Any]]) -> str:
    """The rows of columns of equal length, likewise."""
    sheet = io.StringIO()
    rows: Iterable[Sequence[Any]] = zip(*columns, strict=True)
    safe = rows if all(map(_harmless, columns)) else map(_cells, rows)
    csv.writer(sheet, lineterminator="\r\n").writerows(safe)
    return sheet.getvalue()


def _harmless(values: Sequence[Any]) -> bool:
    """Whether no text of these can be calculated, wherever a spreadsheet separates its cells."""
    types = set(map(type, values))
    if str not in types:
        return True
    texts = values if types == {str} else [value for value in values if type(value) is str]
    joined = "\n" + "\n".join(texts)
    if joined.count("\n") > len(texts) or any(each in joined for each in _NEVER_HARMLESS):
        return False
    return not any(f"\n{start}" in joined for start in _FORMULA_CHARACTERS if start in joined)


def _cells(values: Sequence[Any]) -> Sequence[Any]:
    return values if _harmless(values) else [_cell(value) for value in values]


def _cell(value: Any) -> Any:
    """Text that would be calculated gets an apostrophe, as spreadsheets themselves mark text."""
    if not isinstance(value, str):
        return value
    disarmed = _BEFORE_FORMULA.sub(_marked, value)
    return f"'{disarmed}" if disarmed.startswith(FORMULA_STARTS) else disarmed


def _marked(before: re.Match[str]) -> str:
    text = before.group()
    return text if _SEPARATORS.isdisjoint(text) else f"{text}'"
