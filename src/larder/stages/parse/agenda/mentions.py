"""Finds the dates on a page, in document order, each with the year and the month that apply to it.

A month or a year in a heading holds until the next one. Pieces beside each other (`Oct` / `02`) are one
mention. What is hidden, and the day a page was published on, is no mention. One pass, linear in the nodes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice

from turbohtml import Element, Node, Text

from larder.sdk.calendar_names import month_numbers
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.agenda.date_order import (
    day_below_month,
    heading_year,
    month_beside,
    months_in_grid,
    with_day_first,
    with_heading_year,
    year_of_day,
)
from larder.stages.parse.agenda.element_names import (
    CONTROLS,
    HEADINGS,
    is_cell_of_week,
    is_date_name,
    is_day_cell,
    is_day_of_table_row,
    is_hidden_element,
    is_hidden_name,
    is_month_heading,
    is_other_month,
    is_published_name,
    short_day_in,
)
from larder.stages.parse.agenda.labels import is_in_sentence, is_other_day
from larder.stages.parse.agenda.machine_dates import MAX_PIECES, machine_date, pieces_of, trusted_stamp
from larder.stages.parse.agenda.patterns import (
    begins_with_piece,
    days_in,
    first_day,
    is_weekday,
    lone_day,
    lone_month,
    short_date,
    without_when,
)
from larder.stages.parse.agenda.relative_days import day_from_today, is_ordinal, month_headed, with_until
from larder.stages.parse.agenda.rows.day_pieces import assembled_date, cell_day, said_once
from larder.stages.parse.agenda.rows.rising_days import MonthHeading, numbered_day, rolled_years
from larder.stages.parse.agenda.start_times import time_in, with_colons, without_own_day
from larder.stages.parse.agenda.words import has_common_words_only
from larder.stages.parse.heuristic.page_position import lineage, name_of

MAX_MENTIONS = 1_000
MAX_NODES = 60_000
MAX_TEXT = 600
MAX_PIECE = 24
MAX_CLIMB, MAX_YEAR_HEADING = 3, 80

_LINK = "a[href]:not([href^='#'])"
"""Links to other pages; a toggle that unfolds a list on the page is none."""
_DIGIT = re.compile(r"\d")
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg)\b", re.IGNORECASE)
_SKIPPED = frozenset({"script", "style", "template", "noscript", "option", "head", "title", "svg", "iframe"})
_WATCHED = ", ".join(sorted({*_SKIPPED, *HEADINGS, "time", "abbr", "[hidden]", "[style]", "[itemprop]"}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A day on a page."""

    element: Element
    text: str
    year: str = ""
    """The year of the heading above, if the mention has none."""
    exact: str = ""
    """Its machine-readable form (`<time datetime>`), if there is one."""
    until: str = ""
    """The last day of a range whose end is in another element."""
    in_prose: bool = False
    """Whether it is part of a sentence."""
    in_cell: bool = False
    """Whether it is the number of a day in a calendar's cell or beside its rows."""
    scope: Element | None = None
    """Its part of a row that shows several days, each with its own times."""
    title: str = ""
    """The title of its row, where that begins with a number that is no time."""
    other_month: bool = False
    """Whether its cell is named as one of the month before or after."""

    def with_time(self, around: str) -> str:
        """The mention as one text: day, year, and the time of day near it."""
        clock = time_in(without_own_day(around, self.text))
        return f"{self.day} {with_colons(clock)}".strip() if clock and clock not in self.text else self.day

    @property
    def day(self) -> str:
        """The day with its year, if the page shows one."""
        return with_heading_year(self.text, self.year)


def mentions(page: Page) -> list[Mention]:
    """Every day on the page, in document order."""
    body = page.first("body")
    if body is None:
        return []
    by_class, _ = page.called_groups(_is_watched_class)
    watched = {*body.select(_WATCHED), *by_class}
    found = _with_grid_months(list(islice(_Scan(watched).read(body), MAX_MENTIONS)))
    years = rolled_years((each.text, "" if each.exact or each.in_cell else each.year) for each in found)
    found = [replace(each, year=year) if year else each for each, year in zip(found, years, strict=True)]
    ordered = with_day_first((mention.text for mention in found), page)
    return (
        [replace(each, text=ordered[each.text]) if each.text in ordered else each for each in found]
        if ordered
        else found
    )


def _with_grid_months(found: list[Mention]) -> list[Mention]:
    """Assigns the cells of month grids that are in the month before or after to that month."""
    cells = [each for each in found if each.in_cell and not each.exact]
    moved: dict[Element, Mention] = {}
    for (name, year), grid in groupby(cells, key=lambda cell: (cell.text.partition(" ")[2], cell.year)):
        month, shown = month_numbers().get(name.casefold().strip(".")), list(grid)
        steps = months_in_grid([int(cell.text.partition(" ")[0]) for cell in shown]) if month else []
        for cell, step in zip(shown, steps, strict=False):
            if month and step:
                beside, its_year = month_beside(month, year, step)
                text = f"{cell.text.partition(' ')[0]} {beside}"
                moved[cell.element] = replace(cell, text=text, year=its_year, other_month=False)
    placed = (moved.get(each.element, each) if each.in_cell else each for each in found)
    return [each for each in placed if not each.other_month]


def _is_watched_class(name: str) -> bool:
    return is_date_name(name) or is_hidden_name(name)


class _Scan:
    """One pass over a page, with the state of the last headings."""

    def __init__(self, watched: set[Element]) -> None:
        self.watched = watched
        """Elements whose tag or attributes may hold a date; of all others only the texts are read."""
        self.year = ""
        self.month = MonthHeading()
        self.day = ""
        self.closed: set[Node] = set()
        """Elements that are hidden or already read as a whole, with their descendants."""

    def read(self, body: Element) -> Iterator[Mention]:
        for node in islice(body.descendants, MAX_NODES):
            if type(node) is Text:
                data = node.data
                if data.isspace() or len(data) > MAX_TEXT:
                    continue
                parent = node.parent
                if isinstance(parent, Element) and parent not in self.closed:
                    yield from self._in_text(" ".join(data.split()), parent, node)
            elif node in self.watched and node not in self.closed and isinstance(node, Element):
                if node.tag in _SKIPPED or is_hidden_element(node):
                    self._close(node)
                elif whole := self._whole(node):
                    self._close(node)
                    if not self._is_same_day(whole):
                        yield whole

    def _close(self, element: Element) -> None:
        self.closed.add(element)
        self.closed.update(element.descendants)

    def _is_same_day(self, mention: Mention) -> bool:
        """Whether it is a clock stamped with the day right before it."""
        before, self.day = self.day, mention.exact[:10]
        return bool(mention.exact) and mention.text == mention.exact == before

    def _whole(self, element: Element) -> Mention | None:
        """An element that is a date as a whole, or in pieces; None if it is none."""
        if element.tag in HEADINGS:
            self.year = _year_of(element) or self.year
            self.month.begin(month_headed(brief_text_of(element, MAX_PIECES)))
        names = f"{element.attr('class') or ''} {element.attr('itemprop') or ''}"
        called = is_date_name(names)
        if (stamped := machine_date(element, names, called=called)) is not None:
            exact, holder = stamped
            if lone_month(pieces_of(element)):  # `<time datetime="2026-12-01">December</time>` is a heading
                return None
            shown, number = first_day(pieces_of(element)), lone_day(pieces_of(holder))
            in_cell = number is not None and not number[1]
            exact = trusted_stamp(exact, pieces_of(element), shown[0] if shown else "")
            mention = self._mention(element, shown[0] if shown else exact[:10], exact=exact, in_cell=in_cell)
            return replace(mention, year=exact[:4] or mention.year)
        if not called or len(element.children) > MAX_PIECES:
            return None
        text = said_once(pieces_of(element))
        if not text or len(text) > 60:
            return None
        day = (
            assembled_date(text)
            or (found[0] if (found := first_day(text)) else "")
            or short_date(text, called=True)
        )
        if not day or self._is_published(element) or is_other_day(element):
            return None
        if is_cell_of_week(element) and (cell := cell_day(day)):
            held = self._mention(element, cell[0], in_cell=True)
            return replace(held, year=cell[1] or held.year)
        return self._mention(element, with_until(day, text))

    def _in_text(self, flat: str, parent: Element, node: Text) -> Iterator[Mention]:
        if parent.tag not in CONTROLS and (day := day_from_today(flat)):
            yield Mention(element=parent, text=day)
        elif len(flat) <= MAX_PIECE and (pieces := self._pieces(flat, parent)):
            yield pieces
        elif self.month.name and (day := day_below_month(flat) or numbered_day(flat, parent)):
            yield self._below_month(parent, day)
        elif _DIGIT.search(flat):
            yield from self._dates(flat, parent, node)

    def _dates(self, flat: str, parent: Element, node: Text) -> Iterator[Mention]:
        if short := short_day_in(flat, parent):
            yield self._mention(parent, short)
            return
        for found in days_in(flat):
            if not self._is_published(parent) and not is_other_day(node, flat[: found.start()]):
                day = with_until(found[0].strip(), flat)
                yield self._mention(parent, day, in_prose=is_in_sentence(found, flat, parent))

    def _pieces(self, flat: str, parent: Element) -> Mention | None:
        """A month or day alone in a text, joined with the pieces around it, or with a month's heading."""
        if not begins_with_piece(flat):
            return None
        month, day = lone_month(flat), lone_day(flat)
        if not month and not day and not is_weekday(flat):
            return None
        if whole := self._assembled_around(parent):
            return whole
        if month and is_month_heading(parent, dated=bool(month[1])):
            self.month.begin(month[0])
            self.year = month[1] or self.year
        elif day and self.month.name and (day[1] or is_ordinal(flat) or is_day_cell(parent)):
            in_cell = not day[1] and not is_ordinal(flat) and not is_day_of_table_row(parent)
            if not in_cell:
                return self._below_month(parent, day[0])
            mention = self._mention(parent, f"{day[0]} {self.month.name}", in_cell=True)
            return replace(mention, other_month=True) if is_other_month(parent) else mention
        return None

    def _below_month(self, parent: Element, day: str) -> Mention:
        self.year = self.month.year_of(day, self.year)
        return self._mention(parent, f"{day} {self.month.name}")

    def _assembled_around(self, parent: Element) -> Mention | None:
        for element in (parent, *lineage(parent, MAX_CLIMB)):
            if not isinstance(element, Element) or element.tag in ("body", "tr", "table"):
                return None
            text = pieces_of(element)
            if not text or len(text) > MAX_PIECE * 2:
                return None
            if (day := assembled_date(text)) and not self._is_published(element):
                self._close(element)
                return self._mention(element, day)
        return None

    def _is_published(self, element: Element) -> bool:
        return any(
            isinstance(node, Element) and is_published_name(f"{name_of(node)} {node.attr('itemprop') or ''}")
            for node in (element, *lineage(element, 2))
        )

    def _mention(
        self, element: Element, text: str, *, exact: str = "", in_prose: bool = False, in_cell: bool = False
    ) -> Mention:
        return Mention(
            element=element,
            text=text.strip(" ,"),
            year=year_of_day(self.year, text),
            exact=exact,
            in_prose=in_prose,
            in_cell=in_cell,
        )


def _year_of(element: Element) -> str:
    """The year or season of a short heading; empty if it has several years."""
    text = brief_text_of(element, MAX_PIECES)
    brief = len(text) <= MAX_YEAR_HEADING and element.select_one(_LINK) is None and not _PICTURE.search(text)
    return heading_year(text) if brief and not first_day(text) else ""


def stands_alone(mention: Mention) -> bool:
    """Whether its element has only a day, perhaps a time, and words such as `showing`."""
    text = pieces_of(mention.element)
    bare = without_when(text)
    return bool(text) and (not bare or lone_day(bare) is not None or has_common_words_only(bare))
