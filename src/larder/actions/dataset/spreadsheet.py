"""Rows as lines of CSV in which nothing is taken for a formula.

Text that a spreadsheet would run as a formula is escaped, also after semicolons and tabs, at which some
spreadsheets split cells even within quotes. Most rows contain no such text, which one search over the texts
of many rows shows.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from types import NoneType
from typing import Any

import orjson

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""The characters with which a formula starts."""
_FORMULA = r"[=+\-@＝＋－＠]"
_BEFORE_FORMULA = re.compile(rf"""(?<![;\s"])[;\s"]++(?={_FORMULA})""")
"""Characters that may precede a formula.

It starts where they start, so that long rows of them are scanned once.
"""
_SEPARATORS = frozenset(";\t\r\n")
"""The beginnings of cells in spreadsheets that separate by other characters than commas."""
_NEVER_HARMLESS = (";", "\t", "\r")
_FORMULA_CHARACTERS = tuple(start for start in FORMULA_STARTS if start not in "\t\r\n")
"""Characters with which no harmless text starts; one character is found faster in many texts than two."""
_QUOTE = '"'
_IN_QUOTES = (_QUOTE, ",", "\r")
_TO_QUOTE = re.compile(r'[",\r\n]')
_OTHERWISE_IN_JSON = ("e", "0.0000")
"""Number formats with exponents that differ between Python and JSON."""


def csv_text(rows: Sequence[Sequence[Any]]) -> str:
    """Rows of equal length as CSV lines, in which spreadsheets run nothing as a formula."""
    return csv_columns(list(zip(*rows, strict=True)))


def csv_columns(columns: Sequence[Sequence[Any]]) -> str:
    """The same for columns of equal length; as Python's `csv` writes them, in half the time."""
    if len(columns) == 1:  # an empty line would not be read as a row
        return _written([[_cell(value)] for value in columns[0]])
    rows = len(columns[0]) if columns else 0
    lines = map(",".join, zip(*_merged(map(_texts, columns), rows), strict=True))
    return "".join(f"{line}\r\n" for line in lines)


def _written(rows: Iterable[Sequence[Any]]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="\r\n").writerows(rows)
    return sheet.getvalue()


def _merged(columns: Iterable[Sequence[str] | None], rows: int) -> list[Sequence[str]]:
    """Neighbouring empty columns (None) as one, whose text is the commas between them."""
    merged: list[Sequence[str]] = []
    for empty, group in groupby(columns, lambda texts: texts is None):
        if empty:
            merged.append(("," * (len(list(group)) - 1),) * rows)
        else:
            merged.extend(texts for texts in group if texts is not None)
    return merged


def _texts(values: Sequence[Any]) -> Sequence[str] | None:
    """The cells of a column; None: all are empty."""
    types = set(map(type, values))
    if types <= {NoneType}:
        return None
    if types <= {int, float, NoneType}:
        return _numbers(values)
    cells = values if str not in types or _harmless(values) else list(map(_cell, values))
    return _quoted(cells if types == {str} else list(map(_text, cells)))


def _numbers(values: Sequence[Any]) -> Sequence[str]:
    """Numbers as Python writes them; encoded as JSON if that gives the same texts."""
    try:
        joined = orjson.dumps(values).decode()
    except TypeError:  # an integer too large for JSON
        return list(map(_text, values))
    if joined.count("null") != values.count(None) or any(each in joined for each in _OTHERWISE_IN_JSON):
        return list(map(_text, values))
    return joined[1:-1].replace("null", "").split(",")


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _quoted(texts: Sequence[str]) -> Sequence[str]:
    joined = "\n".join(texts)
    if joined.count("\n") < len(texts) and not any(each in joined for each in _IN_QUOTES):
        return texts
    return [f'"{text.replace(_QUOTE, _QUOTE * 2)}"' if _TO_QUOTE.search(text) else text for text in texts]


def _harmless(values: Sequence[Any]) -> bool:
    """Whether no text of these would be run, however a spreadsheet separates its cells."""
    texts = [value for value in values if type(value) is str]
    joined = "\n" + "\n".join(texts)
    if joined.count("\n") > len(texts) or any(each in joined for each in _NEVER_HARMLESS):
        return False
    return not any(f"\n{start}" in joined for start in _FORMULA_CHARACTERS if start in joined)


def _cell(value: Any) -> Any:
    """The cell, with an apostrophe if it would be run as a formula: spreadsheets mark text in this way."""
    if not isinstance(value, str):
        return value
    disarmed = _BEFORE_FORMULA.sub(_marked, value)
    return f"'{disarmed}" if disarmed.startswith(FORMULA_STARTS) else disarmed


def _marked(before: re.Match[str]) -> str:
    text = before.group()
    return text if _SEPARATORS.isdisjoint(text) else f"{text}'"
