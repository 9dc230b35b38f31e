"""Finds an event's venue: an element of that name, or the text after a label such as `Ort:`."""

import re
from functools import lru_cache
from itertools import pairwise

from turbohtml import Element, Text

from larder.sdk.page import Page, text_of, texts_in
from larder.stages.parse.agenda.patterns import first_day
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.venues.house_names import house_in
from larder.stages.parse.agenda.words import has_common_words_only
from larder.stages.parse.heuristic.page_position import lineage, name_of

MAX_VENUE = 120
MAX_NAMED = 80
MAX_NODES = 600
MAX_COLUMNS = 12
MAX_LEVELS = 5

_NAMED = "address, " + ", ".join(
    f"[class*={word} i]" for word in ("location", "venue", "locatie", "room", "zaal")
)
_NAMED += ", [data-testid*=venue i], [data-hook$=location], [class*=meta-address i]"
_MAP_LINK = re.compile(r"\s*\((?:map|karte|kaart|plan|mapa|mappa)\)$", re.IGNORECASE)
_PINS = ("map-", "location", "geo-", "pin")
_PLACE_NAME = re.compile(
    r"(?<![a-z])(?:place|lieu|luogo|lugar|miejsce|ort|sted|plats|local|locale|saal|sala|salle|sal|where"
    r"|scena|scene|scène|stage|podium|hall|plaats|plek"
    r"|helyszin|helyszín|paikka|waar|místo|misto|raum|spielstätte"
    r"|(?:spiel|veranstaltungs)ort)(?![a-z])"
)
_LABEL = re.compile(
    r"(?:(?:(?:meeting|event)\s+)?(?:venue|location|place)|where|(?:veranstaltungs|spiel)?ort|wo|locatie|waar"
    r"|plaats|lieu|où|salle|zaal|saal|lugar|dónde|luogo"
    r"|dove|local|onde|miejsce|gdzie|místo|kde|plats|sted|hvor|locali[zs]a(?:ção|ción|tion)|endroit"
    r"|sala|hal|scene|scen|tapahtumapaikka|paikka|missä|lokalizacja|recinto|espacio"
    r"|meet(?:ing point)?|treffpunkt|verzamelpunt|rendez-vous|ritrovo|punto de encuentro"
    r"|auditori[oa]|helyszín|locul|loca[țt]i[ae]|mjesto|miesto|koht|toimumiskoht|vieta|yer|mekan)\s*(?::\s*|$)",
    re.IGNORECASE,
)
"""Matches a label before a place: all of a text, or up to its colon."""
_LABEL_WITHIN = re.compile(
    rf"[·|•;]\s*{_LABEL.pattern.replace('|$)', ')')}(?P<place>[^·|•;]+)", re.IGNORECASE
)
"""Matches a label within a line: `3 May, 20:00 · Venue: Town Hall`."""
_NUMBERED = re.compile(r"[^\W\d_]{3,} \d{1,4}[a-z]?", re.IGNORECASE)
"""Matches `Raum 101`, `Zaal 2`."""
_ONLINE = re.compile(r"(?:online|virtual|zoom|teams|webinar|livestream|digital)(?!\w)", re.IGNORECASE)
_COLUMN = re.compile(rf"{_LABEL.pattern}|(?:sitzungs)?raum|room|zaal|saal|sala|hall", re.IGNORECASE)


def venue_of(row: Element) -> str:
    """The venue in a row; empty if it has none."""
    found = (_as_venue(text_of(element)) for element in row.select(_NAMED)[:6])
    named = next(filter(None, found), "") or _venue_by_label(row) or _venue_by_name(row)
    named = named or _venue_by_pin(row) or (_venue_by_column(row) if row.tag == "tr" else "")
    return named or _as_venue(house_in(row), labelled=True)


def venue_of_section(day: Element) -> str:
    """The venue of days below a heading, from the element that contains only that heading."""
    for node in lineage(day, MAX_LEVELS):
        if not isinstance(node, Element) or node.tag in ("body", "main"):
            return ""
        headings = node.select("h2, h3, h4")[:2]
        if len(headings) > 1:
            return ""
        if headings:
            return venue_of(node)
    return ""


def _venue_by_column(row: Element) -> str:
    """The cell of a table's row below a heading such as `Ort` or `Venue`."""
    table = row.closest("table")
    head = table.select_one("tr:has(th)") if table is not None else None
    if head is None or head is row:
        return ""
    headings = head.select("th, td")[:MAX_COLUMNS]
    spans = [int(span) if (span := each.attr("colspan") or "1").isdecimal() else 1 for each in headings]
    named = next((at for at, each in enumerate(headings) if _COLUMN.fullmatch(text_of(each))), None)
    if named is None:
        return ""
    cells = row.select("td, th")
    at = len(cells) - sum(spans[named:])  # cells of rows above may span the first columns
    return _as_venue(text_of(cells[at]), labelled=True) if 0 <= at < len(cells) <= sum(spans) else ""


def venue_on(page: Page) -> str:
    """The venue of a page about one event, after a label."""
    body = page.first("main") or page.first("body")
    return (_venue_by_label(body) or _venue_by_pin(body)) if body is not None else ""


def _venue_by_pin(element: Element) -> str:
    """The first line after the picture of a map's pin."""
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


def _venue_by_label(element: Element) -> str:
    found = (" ".join(text.split()).lstrip(": ") for _, text in texts_in(element, MAX_NODES))
    texts = [text for text in found if text]
    for text, following in pairwise([*texts, ""]):
        if label := _LABEL.match(text):
            return _as_venue(text[label.end() :] or following, labelled=True)
        if len(text) < MAX_VENUE and (label := _LABEL_WITHIN.search(text)):
            return _as_venue(label["place"])
    return ""


def _venue_by_name(row: Element) -> str:
    named = (element for element in row.select("[class]")[:MAX_NAMED] if is_place_name(name_of(element)))
    return next((text for element in named if (text := _as_venue(text_of(element)))), "")


@lru_cache(maxsize=8_192)
def is_place_name(name: str) -> bool:
    """Whether a name contains a word for a place: a room, a stage, a hall."""
    return _PLACE_NAME.search(name.lower()) is not None


def _as_venue(text: str, *, labelled: bool = False) -> str:
    """A text as a place; common words are one only below a label: `Online meeting`."""
    label = _LABEL.match(text)
    label = None if labelled and label is not None and label.end() == len(text) else label
    text = _MAP_LINK.sub("", (text[label.end() :] if label else text).strip(" ,;|·@"))
    text = text if "(" in text[1:] else text.strip("()")
    if text.casefold() == "online":
        return text
    if not 2 < len(text) < MAX_VENUE or first_day(text) or time_in(text):
        return ""
    common = has_common_words_only(text) and not _NUMBERED.fullmatch(text)
    return "" if common and not (labelled and _ONLINE.match(text)) else text
