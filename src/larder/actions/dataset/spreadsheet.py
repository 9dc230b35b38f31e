"""Rows as lines of CSV in which nothing is taken for a formula.

Text that a spreadsheet would run as a formula is escaped, also after semicolons and tabs, at which some
spreadsheets split cells even within quotes. Most rows hold nothing of the kind, which a look at all texts of
many rows at once tells.
"""

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet begins to calculate at."""
_FORMULA = r"[=+\-@＝＋－＠]"
_BEFORE_FORMULA = re.compile(rf"""(?<![;\s"])[;\s"]++(?={_FORMULA})""")
"""What a formula follows; it starts where such characters start, so that long rows of them are read once."""
_SEPARATORS = frozenset(";\t\r\n")
"""What begins a cell in spreadsheets that separate by other characters than commas."""
_SUSPECT = (";", "\t", "\r", *(f"\n{start}" for start in FORMULA_STARTS if start != "\n"))
"""In texts that follow a line feed each: what no harmless text has."""


def csv_text(rows: Sequence[Sequence[Any]]) -> str:
    """Rows of equal length as lines; nothing in them can be taken for a formula."""
    sheet = io.StringIO()
    safe = rows if all(map(_harmless, zip(*rows, strict=True))) else [_cells(row) for row in rows]
    csv.writer(sheet, lineterminator="\r\n").writerows(safe)
    return sheet.getvalue()


def _harmless(values: Sequence[Any]) -> bool:
    """Whether no text of these can be calculated, wherever a spreadsheet separates its cells."""
    if str not in set(map(type, values)):
        return True
    texts = [value for value in values if type(value) is str]
    joined = "\n" + "\n".join(texts)
    return joined.count("\n") == len(texts) and not any(each in joined for each in _SUSPECT)


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
