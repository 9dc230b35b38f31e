"""Finds the row of each day, the smallest part of the page that repeats; in each row a day counts once."""

from collections.abc import Iterable

from turbohtml import Element

from larder.stages.parse.agenda.day_scopes import with_scopes
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.own_days import is_too_long
from larder.stages.parse.agenda.patterns import day_key, has_year
from larder.stages.parse.heuristic.sibling_rows import rows_of

_TITLES = "h1, h2, h3, h4, h5, h6, a[href]"


def with_rows(found: list[Mention]) -> list[tuple[Mention, Element]]:
    """Days with their rows."""
    rows = rows_of([mention.element for mention in found])
    pairs = ((mention, row) for mention in found if (row := _row(mention, rows)) is not None)
    return with_scopes(_once_a_day(pairs))


def _once_a_day(pairs: Iterable[tuple[Mention, Element]]) -> list[tuple[Mention, Element]]:
    """Keeps one mention of a day in each row: the most specific one, or the first."""
    kept: dict[tuple[Element, frozenset[int]], Mention] = {}
    for mention, row in pairs:
        key = (row, day_key(mention.exact[5:10] or mention.text))
        if key not in kept or _says(mention) > _says(kept[key]) or _corrects(mention, kept[key]):
            kept[key] = mention
    return [(mention, row) for (row, _), mention in kept.items()]


def _says(mention: Mention) -> tuple[bool, bool, bool]:
    """Whether it has a time, a last day, a year."""
    return "T" in mention.exact, bool(mention.until), bool(mention.exact or has_year(mention.day))


def _corrects(mention: Mention, kept: Mention) -> bool:
    """Whether a day beside a title has another year than the one in the title: `Meeting - 08/07/23`."""
    if _says(mention) != _says(kept) or _year(mention) == _year(kept):
        return False
    return kept.element.closest(_TITLES) is not None and mention.element.closest(_TITLES) is None


def _year(mention: Mention) -> str:
    """The last two digits of its year; empty without one."""
    return (mention.exact[2:4] or mention.day[-2:]) if mention.exact or has_year(mention.day) else ""


def _row(mention: Mention, rows: dict[Element, Element]) -> Element | None:
    elements = (rows[mention.element], mention.element)
    return next((element for element in elements if not is_too_long(element)), None)
