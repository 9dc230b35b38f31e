"""Reads timetables of one day: a stage for each column, a time for each row, acts in the cells.

Such a row is no event: read as one, all its acts were called after the first stage. A table of hours, titles
and speakers is none: only its last columns have empty cells.
"""

from collections.abc import Iterator
from itertools import islice

from turbohtml import Element

from larder.core.model.item import Item, Strategy
from larder.sdk.page import Page, brief_text_of
from larder.sdk.raw_fields import without_empty
from larder.sdk.urls import join
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import TIME, days_in
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.timetables.day_headings import is_day_heading
from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.agenda.venues import is_place_name
from larder.stages.parse.extraction_task import MAX_BLOCK
from larder.stages.parse.heuristic.page_position import lineage

MIN_STAGES, MIN_ROWS = 2, 2
MAX_CELLS, MAX_ROWS = 40, 200
MAX_WORDS = 40
MAX_STAGE = 40
MAX_CLIMB, MAX_BEHIND = 2, 6
SCORE = 0.5


Rows = list[list[Element]]
Grid = tuple[tuple[str, ...], Rows]
"""The stages of a table, and its rows below them."""


def stage_events(page: Page, found: list[Mention]) -> list[tuple[Mention, Item]]:
    """The acts of the tables after a day, each with its column's stage."""
    days = {mention.element for mention in found}
    grids = [
        (mention, grid)
        for mention in found
        if (table := _table_behind(mention.element, days)) is not None
        and is_day_heading(mention)
        and (grid := _grid(table)) is not None
    ]
    gaps: dict[tuple[str, ...], set[int]] = {}
    for _, (stages, rows) in grids:
        gaps.setdefault(stages, set()).update(_columns_with_gaps(rows))
    return [
        (mention, item)
        for mention, (stages, rows) in grids
        if len(gaps[stages]) >= MIN_STAGES or all(map(is_place_name, stages))
        for row in rows
        for item in _row_acts(page, f"{mention.day} {brief_text_of(row[0], MAX_WORDS)}", stages, row[1:])
    ]


def _table_behind(day: Element, days: set[Element]) -> Element | None:
    """The table after a day, before the next one."""
    for node in (day, *lineage(day, MAX_CLIMB)):
        if not isinstance(node, Element) or node.tag in ("td", "th", "tr", "li", "body"):
            return None
        for behind in islice((each for each in node.next_siblings if isinstance(each, Element)), MAX_BEHIND):
            if behind in days:
                return None
            table = behind if behind.tag == "table" else behind.select_one("table")
            if table is not None:
                return table
    return None


def _grid(table: Element) -> Grid | None:
    """A table with stages as header, whose rows are a time and acts."""
    rows = [_cells(row) for row in table.select("tr")[:MAX_ROWS]]
    stages = tuple(brief_text_of(cell, MAX_WORDS) for cell in rows[0][1:]) if rows else ()
    below = [row for row in rows[1:] if len(row) == len(stages) + 1]
    if len(below) < max(MIN_ROWS, len(rows) - 1) or not _name_stages(stages):
        return None
    timed = all(TIME.fullmatch(brief_text_of(row[0], MAX_WORDS)) for row in below)
    return (
        (stages, below) if timed and not any(_is_dated(cell) for row in below for cell in row[1:]) else None
    )


def _columns_with_gaps(rows: Rows) -> set[int]:
    """The columns in which a cell is empty: no act at that time."""
    return {at for row in rows for at, cell in enumerate(row) if at and not any(map(str.isalnum, cell.text))}


def _name_stages(stages: tuple[str, ...]) -> bool:
    """Whether these are two or more different short names, and no days, times or headings such as `Title`."""
    named = [name for name in stages if as_title(name) or any(map(str.isdecimal, name))]
    brief = all(0 < len(name) <= MAX_STAGE and not days_in(name) and not time_in(name) for name in stages)
    return brief and MIN_STAGES <= len(named) == len(stages) == len(set(stages))


def _is_dated(cell: Element) -> bool:
    text = brief_text_of(cell, MAX_WORDS)
    return bool(time_in(text) or days_in(text))


def _row_acts(page: Page, when: str, stages: tuple[str, ...], cells: list[Element]) -> Iterator[Item]:
    for stage, cell in zip(stages, cells, strict=True):
        link = cell.select_one("a[href]")
        title = as_title(brief_text_of(link if link is not None else cell, MAX_WORDS))
        url = join(page.url, link.attr("href") or "") if link is not None else None
        if title:
            fields = without_empty({"title": title, "url": url, "venue": stage, "date_text": when})
            block = cell.html[:MAX_BLOCK]
            yield Item(fields=fields, strategy=Strategy.HEURISTIC, score=SCORE, block=block)


def _cells(row: Element) -> list[Element]:
    children = (child for child in row.children if isinstance(child, Element))
    return [child for child in islice(children, MAX_CELLS) if child.tag in ("th", "td")]
