"""Where an event takes place: what its row calls a venue, or what stands behind a label such as `Ort:`."""

import re
from functools import lru_cache
from itertools import pairwise

from turbohtml import Element, Text

from larder.sdk.page import Page, text_of, texts_in
from larder.stages.parse.agenda.patterns import first_day, time_in
from larder.stages.parse.agenda.words import is_common
from larder.stages.parse.heuristic.place import name_of

MAX_VENUE = 120
MAX_NAMED = 80
MAX_NODES = 600

_NAMED = "address, " + ", ".join(
    f"[class*={word} i]" for word in ("location", "venue", "locatie", "room", "zaal")
)
_PINS = ("map-", "location", "geo-", "pin")
_CALLED_PLACE = re.compile(
    r"(?<![a-z])(?:place|lieu|luogo|lugar|miejsce|ort|sted|plats|local|locale|saal|sala|salle|sal|where"
    r"|waar|místo|misto"
    r"|(?:spiel|veranstaltungs)ort)(?![a-z])"
)
_LABEL = re.compile(
    r"(?:venue|location|where|place|(?:veranstaltungs|spiel)?ort|wo|locatie|waar|plaats|lieu|où|salle"
    r"|lugar|dónde|luogo"
    r"|dove|local|onde|miejsce|gdzie|místo|kde|plats|sted|hvor)\s*(?::\s*|$)",
    re.IGNORECASE,
)
"""A label before a place: all of a text, or up to its colon."""


def venue_of(row: Element) -> str:
    """The venue that a row names; empty where it names none."""
    found = (_as_venue(text_of(element)) for element in row.select(_NAMED)[:6])
    return next(filter(None, found), "") or _labelled(row) or _called(row) or _marked(row)


def venue_on(page: Page) -> str:
    """The venue that a page about one event names by a label."""
    body = page.first("main") or page.first("body")
    return (_labelled(body) or _marked(body)) if body is not None else ""


def _marked(element: Element) -> str:
    """The first line behind the picture of a map's pin."""
    icons = (icon for icon in element.select("i[class], span[class]")[:MAX_NAMED] if _is_pin(icon))
    pin = next(icons, None)
    if pin is None:
        return ""
    behind = pin.next_sibling
    while isinstance(behind, Text) and behind.data.isspace():
        behind = behind.next_sibling
    if isinstance(behind, Text):
        return _as_venue(" ".join(behind.data.split()))
    lines = (" ".join(each.split()) for each in behind.strings) if isinstance(behind, Element) else ()
    return _as_venue(next(filter(None, lines), ""))


def _is_pin(icon: Element) -> bool:
    name = icon.attr("class") or ""
    return any(each in name for each in _PINS) and not icon.text.strip()


def _labelled(element: Element) -> str:
    found = (" ".join(text.split()).lstrip(": ") for _, text in texts_in(element, MAX_NODES))
    texts = [text for text in found if text]
    for text, following in pairwise([*texts, ""]):
        if label := _LABEL.match(text):
            return _as_venue(text[label.end() :] or following)
    return ""


def _called(row: Element) -> str:
    named = (element for element in row.select("[class]")[:MAX_NAMED] if _is_called_place(name_of(element)))
    return next((text for element in named if (text := _as_venue(text_of(element)))), "")


@lru_cache(maxsize=8_192)
def _is_called_place(name: str) -> bool:
    return _CALLED_PLACE.search(name.lower()) is not None


def _as_venue(text: str) -> str:
    text = _LABEL.sub("", text, count=1).strip(" ,;|·@")
    text = text if "(" in text[1:] else text.strip("()")
    if not 2 < len(text) < MAX_VENUE or first_day(text) or time_in(text) or is_common(text):
        return ""
    return text
