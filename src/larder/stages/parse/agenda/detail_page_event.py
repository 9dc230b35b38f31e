"""Reads the event of a detail page, without related events; adds venue, price and time near its date."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from turbohtml import Element, Node

from larder.core.model.item import Item
from larder.sdk.page import Page, texts_in
from larder.sdk.raw_fields import without_empty
from larder.sdk.urls import join
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.page_times.labelled import with_labelled_times, with_shown_clock
from larder.stages.parse.agenda.patterns import day_key, days_in, without_outer_when
from larder.stages.parse.agenda.sessions import session_times, untitled_text, without_opening_hours
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.timetables.entries import entry_kind
from larder.stages.parse.agenda.titles.numbers import begins_with_number
from larder.stages.parse.agenda.titles.texts import Candidate
from larder.stages.parse.agenda.venues import venue_of, venue_on
from larder.stages.parse.agenda.words import PRICE_LABEL, has_common_words_only, price_in
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.address import parts_of, path_of
from larder.stages.parse.heuristic.headline import (
    MIN_NAMED,
    announced_title,
    headline,
    page_address_share,
)
from larder.stages.parse.heuristic.page_position import lineage

MAX_RELATED = 6
"""Maximum related events on a page about one event."""
MAX_LABELS = 2
"""Maximum rows with titles of a page's own event; more are a schedule."""
MAX_CLIMB = 8
MAX_DEPTH = 60
MAX_PARTS = 400
MAX_AROUND = 1_500
MAX_BEHIND = 200
MAX_BEFORE = 100
NEAR_LEVELS = 3
MAX_NODES = 600
MAX_LABELLED = 60

_WORD = re.compile(r"\w+")
_SIDEBARS = "aside, [class*=sidebar i], [id*=sidebar i]"
"""Sidebars: an element around one contains more than the event, such as another event's time."""


def page_title(task: ExtractionTask) -> tuple[str, Element | None]:
    """The headline and its element; if it has only common words, the page's announced title."""
    title, head = task.page.cached(headline)
    announced = "" if task.wants_rows and head is not None else announced_title(task.page)
    named = announced if announced and has_common_words_only(title) else ""
    bare = "" if begins_with_number(title) and not days_in(title) else without_outer_when(title)
    return named or bare or title, head


def is_named_by_address(task: ExtractionTask, title: str) -> bool:
    """Whether the address consists of the title's words, so that the page is about one event."""
    pieces = [piece for piece in path_of(task.page.url).split("/") if piece and not piece.isdecimal()]
    if task.wants_rows or not pieces or has_common_words_only(pieces[-1].partition(".")[0]):
        return False
    return page_address_share(task.page, title) >= MIN_NAMED


def is_named_in_singular(task: ExtractionTask, title: str) -> bool:
    """Whether a title of common words is one event's, as its address says: `September Board Meeting`."""
    deep = len([piece for piece in path_of(task.page.url).split("/") if piece]) > 1
    singular = len(title.split()) > 1 and _ONE_EVENT.search(title) is not None
    return not task.wants_rows and deep and singular and page_address_share(task.page, title) == 1


_ONE_EVENT = re.compile(
    r"(?:meeting|concert|workshop|session|hearing|exhibition|tour|talk|day|night|evening|party|vergadering"
    r"|voorstelling|avond|dag|sitzung|konzert|vortrag|abend|tag|réunion|séance|soirée|journée|reunión|sesión|riunione"
    r"|seduta|serata|zebranie|spotkanie|koncert|möte|møde)$",
    re.IGNORECASE,
)


def is_announced(task: ExtractionTask, title: str) -> bool:
    """Whether a detail page below the top level announces the title that its headline shows."""
    shown = task.page.cached(headline)[1]
    deep = len([piece for piece in path_of(task.page.url).split("/") if piece]) > 1
    called = announced_title(task.page).casefold()
    return (
        bool(title)
        and not task.wants_rows
        and shown is not None
        and deep
        and called.startswith(title.casefold())
    )


def with_own_row(
    titles: dict[Element, Candidate], rows: list[tuple[Mention, Element]], title: str, page: Page
) -> dict[Element, Candidate]:
    """Gives the first row the page's title, and rows of several days, unless they lead to a sibling page."""
    own = Candidate(text=title, weight=0)
    days = Counter(row for _, row in rows)
    shared = [row for row in titles if days[row] > 1 and not _leads_beside(titles[row].href, page)]
    titles = {**titles, **dict.fromkeys(shared, own)}
    first = rows[0][1] if rows else None
    if first not in titles or len(titles) > MAX_LABELS or _leads_beside(titles[first].href, page):
        return titles
    return {**titles, first: own}


def _leads_beside(href: str, page: Page) -> bool:
    """Whether a link leads to a sibling of this page, as those of other events do."""
    there = parts_of(join(page.url, href) or "") if href else parts_of("")
    here = path_of(page.url).rstrip("/").rpartition("/")[0]
    return bool(href) and there.path.rstrip("/").rpartition("/")[0] == here


def without_whole_page(
    rows: list[tuple[Mention, Element]], head: Element | None
) -> list[tuple[Mention, Element]]:
    """Days with their rows; a row that contains the headline is the whole page, so its day stands alone."""
    around = {head, *lineage(head, MAX_DEPTH)} if head is not None else set()
    return [(day, day.element if row in around else row) for day, row in rows]


def is_title_of_row(head: Element | None, rows: Iterable[tuple[Mention, Element]]) -> bool:
    """Whether the headline is in one of several similar rows: then it is only that row's title."""
    around = {head, *lineage(head, MAX_DEPTH)} if head is not None else set()
    shown = {row for _, row in rows}
    return any(sum(is_like(row, other) for other in shown) > MAX_LABELS for row in shown if row in around)


def is_like(row: Element, other: Element) -> bool:
    """Whether two rows are siblings of the same structure."""
    return row.parent is other.parent and entry_kind(row) == entry_kind(other)


def without_headline_rows(titles: dict[Element, Candidate], page: Page) -> dict[Element, Candidate]:
    """The titles of rows, without rows that contain the headline, which is their title.

    The only row of a page leads to another event only by a link within the site.
    """
    head = page.cached(headline)[1]
    near = {head, *lineage(head)} if head is not None else set()
    if head is not None and len(titles) == 1:
        titles = {row: best for row, best in titles.items() if _is_on_site(best.href, page)}
    return {row: best for row, best in titles.items() if row not in near}


def event_of_page(items: list[Item], title: str, head: Element | None) -> list[Item]:
    """The page's own event, without the few others that it links to."""
    if head is None or head.closest("a[href]") is not None or head.select_one("a[href]") is not None:
        return items
    own = [item for item in items if item.fields["title"].casefold() == title.casefold()]
    others = [item for item in items if item not in own]
    linked = all("url" in item.fields for item in others)
    return own if own and linked and len(others) <= MAX_RELATED else items


def event_of_named_page(items: list[Item], title: str, page: Page) -> list[Item]:
    """The event of a page whose address consists of its title; rows may show only a part of the title."""
    full = _words(title)
    own = [item for item in items if full and _words(item.fields["title"]) <= full]
    if not own and items and not _is_on_site(str(items[0].fields.get("url") or ""), page):
        own = items[:1]  # its row has only labels
    others = [item for item in items if item not in own]
    if not own or len(others) > MAX_RELATED or not all("url" in item.fields for item in others):
        return items
    return [replace(item, fields={**item.fields, "title": title}) for item in own]


def _is_on_site(href: str, page: Page) -> bool:
    """Whether it leads to a page of the site, as another event's does; tickets are sold elsewhere."""
    return bool(href) and parts_of(join(page.url, href) or "").netloc == parts_of(page.url).netloc


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def with_details(
    items: list[Item], task: ExtractionTask, head: Element | None, days: list[Mention]
) -> list[Item]:
    """The page's own event on each of its days, with its venue; for a single day also price and time."""
    timed = _with_time(_with_price(_with_venue(items, task, head), task), days)
    return with_shown_clock(with_labelled_times(timed, task.page), task.page)


def at_page(items: list[Item], title: str) -> list[Item]:
    """Removes links beside the days of the page's own event: tickets, a venue, an author."""
    return [
        replace(item, fields={name: value for name, value in item.fields.items() if name != "url"})
        if item.fields["title"].casefold() == title.casefold()
        else item
        for item in items
    ]


def _with_venue(items: list[Item], task: ExtractionTask, head: Element | None) -> list[Item]:
    """The venue beside the day of a page's only event."""
    if len({item.fields["title"] for item in items}) != 1 or any("venue" in item.fields for item in items):
        return items
    venue = task.page.cached(venue_on) or _venue_near(head)
    return [replace(item, fields=without_empty({**item.fields, "venue": venue})) for item in items]


def _venue_near(head: Element | None) -> str:
    """The text of an element near the headline named as a venue."""
    around = (
        [node for node in lineage(head, NEAR_LEVELS) if isinstance(node, Element)] if head is not None else []
    )
    fitting = (node for node in around if node.tag not in ("body", "html") and len(node.text) <= MAX_AROUND)
    return next((venue for node in fitting if (venue := venue_of(node))), "")


def _with_price(items: list[Item], task: ExtractionTask) -> list[Item]:
    """The price of a page's event after its label: `Eintritt: 12 €`."""
    if len(items) != 1 or "price" in items[0].fields:
        return items
    price = task.page.cached(_price_on)
    return [replace(items[0], fields={**items[0].fields, "price": price})] if price else items


def _price_on(page: Page) -> str:
    body = page.first("main") or page.first("body")
    texts = [" ".join(text.split()) for _, text in texts_in(body, MAX_NODES)] if body is not None else []
    for text, following in pairwise([*filter(None, texts), ""]):
        if len(text) < MAX_LABELLED and (label := PRICE_LABEL.match(text)):
            shown = text if label.end() < len(text) else f"{text} {following}"[:MAX_LABELLED]
            if price := price_in(shown):
                return price
    return ""


def _with_time(items: list[Item], days: list[Mention]) -> list[Item]:
    """The time of the only day of a page's event, which may be in a box beside the day's."""
    shown = str(items[0].fields.get("date_text") or "") if len(items) == 1 else ""
    if not shown or items[0].fields.get("starts_at"):
        return items
    if any(time_in(shown.replace(day.text, "")) for day in days[:1]) or (not days and time_in(shown)):
        return items
    same = [day for day in days if day_key(day.text) == day_key(shown)]
    title = str(items[0].fields["title"])
    same = [replace(day, title=title) for day in same] if begins_with_number(title) else same
    clocks = next((found for day in same if (found := _times_near(day))), [])
    timed = (replace(items[0], fields={**items[0].fields, "date_text": f"{shown} {each}"}) for each in clocks)
    return list(timed) or items


def _times_near(day: Mention) -> list[str]:
    """The time nearest to a day; several in a list of performances."""
    node: Node | None
    for node in lineage(day.element, MAX_CLIMB):
        if isinstance(node, Element) and node.select_one(_SIDEBARS) is not None:
            return []
        text = untitled_text(node, day, MAX_PARTS) if isinstance(node, Element) else ""
        if not text or len(text) > MAX_AROUND:
            return _time_behind(day, text)
        text = without_opening_hours(text, day)
        if clock := time_in(text.replace(day.text, "")):  # `22.08` may be a day or a time
            if len({day_key(found[0]) for found in days_in(text)}) > 1:
                return []
            several = session_times(node) if isinstance(node, Element) else []
            return several if len(several) > 1 else [clock]
    return []


def _time_behind(day: Mention, text: str) -> list[str]:
    """The time right after or before a day in a text that is too long for a full search."""
    before, _, behind = text.partition(day.text)
    windows = (behind[:MAX_BEHIND], before[-MAX_BEFORE:] if behind else "")
    clocks = (time_in(window) for window in windows if not days_in(window))
    return [clock for clock in clocks if clock][:1]
