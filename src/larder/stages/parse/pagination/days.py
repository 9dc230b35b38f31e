"""The next day of a programme with a page for each day: `vr 20 nov`, `za 21 nov`, `zo 22 nov`.

Only a page that shows one day itself continues so: if its rows name several, such links are a filter.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import TypeAlias

from turbohtml import Element, Node

from larder.core.model.item import MAX_WEEKS, NextEvidence, NextPage
from larder.sdk.page import Page
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.agenda.patterns import day_key
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.pagination.links import links_below

MIN_DAYS = 3
MAX_DAYS = 31
MAX_LABEL = 40

_STAMP = re.compile(r"(?<!\d)(20\d\d)[-/_.]?(0[1-9]|1[0-2])[-/_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_DayLink: TypeAlias = tuple[date, str, Element]
_CURRENT_TAB = re.compile(
    r"(?:^|[\s_-])(?:active|actief|aktiv|actif|activo|attivo|current|selected|today)(?:$|[\s_-])"
)


def follows_by_day(page: Page) -> NextPage | None:
    """The link to the day after this page's; the first linked day, if the page's address names none."""
    linked = _of_one_pattern(list(_day_links(page)))
    days = {day: (url, element) for day, url, element in reversed(linked)}
    if not MIN_DAYS <= len(days) + 1 <= MAX_DAYS or (max(days) - min(days)).days > MAX_DAYS:
        return None
    here = day_of(page.url) or next((day for day, (_, tab) in days.items() if _is_current_tab(tab)), None)
    later = sorted(day for day in days if here is None or day > here)
    if not later or not _shows_one_day(page, {element for _, element in days.values()}):
        return None
    url, element = days[later[0]]
    label = " ".join(element.text.split())
    because = f"the link to the next day, '{label}'"
    return NextPage(url=url, evidence=NextEvidence.CALENDAR, because=because, max_calendar_pages=MAX_WEEKS)


def _of_one_pattern(linked: list[_DayLink]) -> list[_DayLink]:
    """The links that differ from each other only in the day; pages of events differ in more than that."""
    patterns = [_STAMP.sub("#", url) for _, url, _ in linked]
    most = Counter(patterns).most_common(1)
    return [link for link, pattern in zip(linked, patterns, strict=True) if pattern == most[0][0]]


def day_of(url: str) -> date | None:
    """The day in an address; None if it names none, or several."""
    found = {match.groups() for match in _STAMP.finditer(url.rpartition("://")[2])}
    if len(found) != 1:
        return None
    year, month, day = map(int, found.pop())
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _day_links(page: Page) -> Iterator[_DayLink]:
    """Links below this page's address that name a day, with short names."""
    links = links_below(page, day_of)
    return ((day, url, link) for day, url, link in links if len(link.text.strip()) <= MAX_LABEL)


def _is_current_tab(tab: Element) -> bool:
    around = (tab, tab.parent)
    return any(
        (each.attr("aria-current") or "false") != "false"
        or _CURRENT_TAB.search((each.attr("class") or "").lower())
        for each in around
        if isinstance(each, Element)
    )


def _shows_one_day(page: Page, tabs: set[Element]) -> bool:
    around = {node for tab in tabs for node in (tab, *lineage(tab, 2))} - {page.first("body")}
    shown = (m for m in page.cached(mentions) if not m.in_prose and not _is_in_day_tabs(m.element, around))
    return len({day_key(mention.exact[5:10] or mention.text) for mention in shown}) <= 1


def _is_in_day_tabs(element: Element, around: set[Node]) -> bool:
    """Whether it is one of the tabs, or the current day's tab among them, which need not be a link."""
    return any(node in around for node in (element, *lineage(element, 2)))
