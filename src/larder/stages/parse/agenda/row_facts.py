"""Reads the facts of an agenda's row besides its day: price, picture and link."""

import re

from turbohtml import Element

from larder.sdk.page import text_of
from larder.sdk.urls import join
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.titles.texts import Candidate
from larder.stages.parse.agenda.words import is_document_label, may_cost, price_in
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.page_position import lineage

MAX_PRICED = 600
MAX_PARTS = 1_500
MAX_LINKS = 4
_LINKS = "h1 a[href], h2 a[href], h3 a[href], h4 a[href], a[href]:not([href^='#'])"
_EXPORT = re.compile(r"\.(?:ics|pdf|docx?)(?:$|[?#/])|^webcal:|[?&=/]ical?s?(?:$|[&#/])", re.IGNORECASE)
"""Matches addresses of calendar files, which are not the event's page."""


def price_of(row: Element) -> str:
    """The price of the row's event."""
    text = text_of(row)
    return price_in(spaced_text(row, MAX_PARTS)) if len(text) < MAX_PRICED and may_cost(text) else ""


def image_of(row: Element, task: ExtractionTask) -> list[str]:
    """The address of the row's first picture."""
    picture = row.select_one("img[src]")
    url = join(task.page.url, picture.attr("src") or "") if picture is not None else None
    return [url] if url and url.startswith("http") else []


def row_link(day: Mention, row: Element, title: Candidate, task: ExtractionTask) -> str:
    """The link of a row: no calendar file, and its day's page only if there is no other link."""
    own = (row.attr("href") if row.tag == "a" else None) or title.href
    first = row.select_one(_LINKS) if not own else None
    first = None if first is not None and is_document_label(text_of(first)) else first
    links = [] if first is None or not _is_export_or_day_link(first, day) else row.select(_LINKS)[:MAX_LINKS]
    alone = first.attr("href") if first is not None and not links else None
    others = sorted(links, key=lambda link: _is_around(link, day))
    hrefs = (own, alone, *(link.attr("href") for link in others))
    href = next((each for each in hrefs if each and not _EXPORT.search(each)), "")
    if not href or href.startswith(("mailto:", "tel:", "javascript:", "#")):
        return ""
    return join(task.page.url, href) or ""


def _is_export_or_day_link(link: Element, day: Mention) -> bool:
    href = link.attr("href") or ""
    return _EXPORT.search(href) is not None or _is_around(link, day)


def _is_around(link: Element, day: Mention) -> bool:
    return link is day.element or link in lineage(day.element, 2)
