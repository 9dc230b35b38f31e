"""Reads timetables with a day for each column, whose cells contain times or events.

Below a column's day are only the times of that column: read as headings above rows, each day would have all
times of the week.
"""

from itertools import islice

from turbohtml import Element

from larder.core.model.item import Item, Strategy
from larder.sdk.page import Page, brief_text_of, text_of
from larder.sdk.raw_fields import without_empty
from larder.sdk.urls import join
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import TIME
from larder.stages.parse.agenda.sessions import session_times
from larder.stages.parse.agenda.start_times import listed_clocks, shows_times_alone, time_in
from larder.stages.parse.agenda.timetables.stage_columns import stage_events
from larder.stages.parse.agenda.titles.row_headings import title_above
from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.agenda.venues import venue_of
from larder.stages.parse.extraction_task import MAX_BLOCK

MIN_COLUMNS = 3
MIN_HOURS = 2
MAX_MARK = 5
MAX_LINKS = 12
MAX_ROWS = 200
MAX_WORDS = 60
MIN_BARE_SHARE = 0.8
"""Minimum share of times alone among the cells that are not empty."""
SCORE = 0.5

Dated = tuple[Mention, Item]


def column_events(page: Page, found: list[Mention]) -> tuple[list[Dated], set[Element]]:
    """The events of timetables, and the day elements that head their columns."""
    heads: dict[Element, list[Mention]] = {}
    for mention in found:
        cell = mention.element.closest("th, td")
        row = cell.parent if cell is not None else None
        if isinstance(row, Element) and row.tag == "tr":
            heads.setdefault(row, []).append(mention)
    events: list[Dated] = []
    used: set[Element] = set()
    for head, days in heads.items():
        if len(days) >= MIN_COLUMNS and (own := _table_events(page, head, days)):
            events += own
            used.update(day.element for day in days)
    staged = stage_events(page, found)
    return [*events, *staged], used | {day.element for day, _ in staged}


def _table_events(page: Page, head: Element, days: list[Mention]) -> list[Dated]:
    table = head.closest("table")
    cells = _cells(head)
    columns = {cells.index(cell): day for day in days if (cell := day.element.closest("th, td")) in cells}
    if table is None or len(columns) < MIN_COLUMNS:
        return []
    rows = [_cells(row) for row in table.select("tr")[:MAX_ROWS] if row is not head]
    rows = [row for row in rows if len(row) == len(cells)]
    if 0 not in columns and _are_hours(rows):
        return [event for row in rows for event in _hour_events(page, row, columns)]
    shown = [brief_text_of(row[at], MAX_WORDS) for row in rows for at in columns]
    shown = [text for text in shown if any(map(str.isalnum, text))]
    bare = sum(shows_times_alone(text) for text in shown if time_in(text))
    if not shown or bare < MIN_BARE_SHARE * len(shown):
        return []
    above = title_above(table)
    return [event for row in rows for event in _row_events(page, row, columns, above)]


def _are_hours(rows: list[list[Element]]) -> bool:
    """Whether every row begins with a cell that is only a time of day."""
    firsts = [brief_text_of(row[0], MAX_WORDS) for row in rows]
    return len(rows) >= MIN_HOURS and all(time_in(text) and shows_times_alone(text) for text in firsts)


def _hour_events(page: Page, row: list[Element], columns: dict[int, Mention]) -> list[Dated]:
    """The events at the time of a row, on the day of each column."""
    clock = brief_text_of(row[0], MAX_WORDS)
    return [
        (day, Item(fields=fields, strategy=Strategy.HEURISTIC, score=SCORE, block=row[at].html[:MAX_BLOCK]))
        for at, day in columns.items()
        for title, href in _named_in(row[at])
        if (
            fields := without_empty(
                {
                    "title": title,
                    "url": join(page.url, href) if href else "",
                    "venue": venue_of(row[at]),
                    "date_text": f"{day.day} {clock}",
                }
            )
        )
    ]


def _named_in(cell: Element) -> list[tuple[str, str]]:
    """The texts of a cell's links, bold words or first line, each with its address."""
    linked = [
        (as_title(text_of(link)), link.attr("href") or "") for link in cell.select("a[href]")[:MAX_LINKS]
    ]
    if found := [each for each in linked if each[0]]:
        return found
    bold = cell.select_one("strong, b")
    shown = text_of(bold) if bold is not None else next(iter(cell.stripped_strings), "")
    title = as_title(" ".join(shown.split()))
    return [(title, "")] if title else []


def _row_events(
    page: Page, row: list[Element], columns: dict[int, Mention], above: tuple[str, str]
) -> list[Dated]:
    """The name of the row, else of the table: `VOST` beside the times of a film is a label."""
    link = row[0].select_one("a[href]")
    shown = "" if 0 in columns else brief_text_of(link if link is not None else row[0], MAX_WORDS)
    title, href = as_title(shown), (link.attr("href") or "") if link is not None else ""
    title, href = (
        above if above[0] and (not title or (title.isupper() and len(title) <= MAX_MARK)) else (title, href)
    )
    url = join(page.url, href) if href else None
    block = row[0].html[:MAX_BLOCK]
    return [
        (day, Item(fields=fields, strategy=Strategy.HEURISTIC, score=SCORE, block=block))
        for at, day in columns.items()
        for clock in _times(row[at])
        if title
        and (fields := without_empty({"title": title, "url": url, "date_text": f"{day.day} {clock}"}))
    ]


def _times(cell: Element) -> list[str]:
    shown = brief_text_of(cell, MAX_WORDS)
    if shows_times_alone(shown):
        return list(dict.fromkeys(found[0].strip() for found in TIME.finditer(shown)))
    clock = time_in(shown)
    return session_times(cell) or list(listed_clocks(shown)) or ([clock] if clock else [])


def _cells(row: Element) -> list[Element]:
    children = (child for child in row.children if isinstance(child, Element))
    return [child for child in islice(children, MAX_ROWS) if child.tag in ("th", "td")]
