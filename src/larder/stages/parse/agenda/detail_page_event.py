"""The event that a page is about: without those it links to, with the venue and the time beside its day."""

from dataclasses import replace
from itertools import pairwise

from turbohtml import Element, Node

from larder.core.model.item import Item
from larder.sdk.page import Page, texts_in
from larder.sdk.raw_fields import without_empty
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import days_in, time_in
from larder.stages.parse.agenda.sessions import session_times
from larder.stages.parse.agenda.venues import venue_of, venue_on
from larder.stages.parse.agenda.words import PRICE_LABEL, price_in
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.page_position import lineage

MAX_RELATED = 6
"""A page about one event shows hardly more of what else there is."""
MAX_CLIMB = 8
MAX_PARTS = 400
MAX_AROUND = 1_500
NEAR_LEVELS = 3
MAX_NODES = 600
MAX_LABELLED = 60


def event_of_page(items: list[Item], title: str, head: Element | None) -> list[Item]:
    """The event that a page is about, without the few others that it links to."""
    if head is None or head.closest("a[href]") is not None or head.select_one("a[href]") is not None:
        return items
    own = [item for item in items if item.fields["title"].casefold() == title.casefold()]
    others = [item for item in items if item not in own]
    linked = all("url" in item.fields for item in others)
    return own if own and linked and len(others) <= MAX_RELATED else items


def with_venue(items: list[Item], task: ExtractionTask, head: Element | None) -> list[Item]:
    """The venue that a page about one event names beside its day."""
    if len(items) != 1 or "venue" in items[0].fields:
        return items
    venue = task.page.cached(venue_on) or _venue_near(head)
    return [replace(items[0], fields=without_empty({**items[0].fields, "venue": venue}))]


def _venue_near(head: Element | None) -> str:
    """What is called a venue around the headline."""
    around = (
        [node for node in lineage(head, NEAR_LEVELS) if isinstance(node, Element)] if head is not None else []
    )
    fitting = (node for node in around if node.tag != "body" and len(node.text) <= MAX_AROUND)
    return next((venue for node in fitting if (venue := venue_of(node))), "")


def with_price(items: list[Item], task: ExtractionTask) -> list[Item]:
    """What the event of a page costs, by its label: `Eintritt: 12 €`."""
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


def with_time(items: list[Item], day: Mention) -> list[Item]:
    """The time of the only day that a page names, which may stand in a box beside the day's own."""
    shown = str(items[0].fields.get("date_text") or "") if len(items) == 1 else ""
    if not shown or items[0].fields.get("starts_at") or time_in(shown):
        return items
    clocks = _times_near(day)
    timed = (replace(items[0], fields={**items[0].fields, "date_text": f"{shown} {each}"}) for each in clocks)
    return list(timed) or items


def _times_near(day: Mention) -> list[str]:
    """The time nearest to a day; several where a list of shows is."""
    node: Node | None
    for node in lineage(day.element, MAX_CLIMB):
        text = spaced_text(node, MAX_PARTS) if isinstance(node, Element) else ""
        if not text or len(text) > MAX_AROUND:
            return []
        if clock := time_in(text):
            if len({found[0].casefold() for found in days_in(text)}) != 1:
                return []
            several = session_times(node) if isinstance(node, Element) else []
            return several if len(several) > 1 else [clock]
    return []
