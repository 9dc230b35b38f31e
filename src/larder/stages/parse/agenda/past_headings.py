"""Finds parts of a page below a heading that says that their events are over: `Past events`, `Archiv`.

A day without a year is one to come, except there: it is the last such day. A heading holds until the next of
its level or above, one in the summary of `<details>` as far as these reach.
"""

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from turbohtml import Element, Node

from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.agenda.element_names import is_in_sidebar

MAX_NODES = 60_000
MAX_HEADING = 60
MAX_PIECES = 12

_HEADINGS = "h1, h2, h3, h4, h5, h6, summary"
_LINK = "a[href]:not([href^='#'])"
"""Links: a heading that leads to another page is not a heading of this page."""
_STEMS = (
    "past", "previous", "earlier", "archi", "arkiv", "arqui", "verlopen", "afgelopen", "voorbij", "vorige",
    "eerder", "geweest", "vergangen", "früher", "bisherig", "rückblick", "passé", "précéd", "antérieur",
    "pasad", "anterior", "passat", "preceden", "trascors", "passad", "minion", "przesz", "poprzedn",
    "zakończ", "tidigare", "tidligere", "afholdt", "avholdt", "proběhl", "minul", "uplynul",
)  # fmt: skip
"""One of these is in every such heading: substring search is fast."""
_ARCHIVE = r"archives?|archief|archiv|archivio?|archivo|arquivo|archiwum|arkiv"
_ALONE = (
    r"past|archived|verlopen|afgelopen|voorbij|geweest|vergangene?s?|rückblick|pass[ée]e?s|pasad[oa]s|passat[ie]"
    r"|passad[oa]s|minione|zakończone|avholdte|afholdte|proběhlé|uplynulé"
)
_OVER = (
    rf"{_ALONE}|previous|earlier|voorbije|vorige|eerdere|vergangenen?|frühere|bisherige|zurückliegende"
    r"|précédente?s|antérieure?s|anteriores|precedenti|trascorsi|przeszłe|poprzednie|archiwalne|tidigare|tidligere"
    r"|minulé"
)
_EVENTS = (
    r"events?|concerts?|shows?|gigs|performances|talks|lectures|meetings|exhibitions|films|screenings|workshops"
    r"|dates|program(?:me|m|ma)?s?|activities|agenda|evenementen|activiteiten|concerten|voorstellingen|optredens"
    r"|bijeenkomsten|vergaderingen|tentoonstellingen|exposities|lezingen|veranstaltungen|termine|konzerte"
    r"|vorstellungen|aufführungen|ausstellungen|lesungen|vorträge|sitzungen|[ée]v[éèe]nements|spectacles|expositions"
    r"|rendez-vous|manifestations|eventos|conciertos|actividades|espect[áa]culos|exposiciones|eventi|concerti"
    r"|spettacoli|appuntamenti|mostre|concertos|espetáculos|atividades|wydarzenia|koncerty|spektakle|imprezy"
    r"|evenemang|konserter|föreställningar|arrangement(?:er|s)?|koncerter|forestillinger|akce|představení"
)
_BEFORE = r"all|our|alle|onze|unsere|nos|les|los|las|nuestr[oa]s|gli|i|os|as|våra|vores|våre|nasze"
_PAST = re.compile(
    rf"(?:(?:{_BEFORE})\s+)?"
    rf"(?:(?:{_ALONE})|(?:{_OVER})\s+(?:{_EVENTS})|(?:{_EVENTS})\s+(?:{_OVER})"
    rf"|(?:{_EVENTS})[\s-]+(?:{_ARCHIVE})|(?:{_ARCHIVE})\W+(?:\w{{1,5}}\s+)?(?:{_EVENTS})"
    r"|(?:veranstaltungs|konzert|termin|programm|event|concert|evenementen|film)-?archi(?:v|ef))"
    r"\s*[:(]?\s*\d*\)?",
    re.IGNORECASE,
)
_BARE_ARCHIVE = re.compile(rf"(?:{_ARCHIVE}):?", re.IGNORECASE)
_ADDRESS = re.compile(r"archi|arkiv|arqui", re.IGNORECASE)


def past_elements(page: Page) -> AbstractSet[Node]:
    """The elements below headings that say that their events are over."""
    seen = page.visible.lower()
    stems = [stem for stem in _STEMS if stem in seen]
    if not stems:
        return frozenset()
    headings = {node: node.tag for node in page.css(_HEADINGS)}
    likely = (node for node in headings if any(stem in node.text.lower() for stem in stems))
    past = {node for node in likely if _says_past(node, page)}
    return _below(page, headings, past) if past else frozenset()


def _says_past(heading: Element, page: Page) -> bool:
    text = brief_text_of(heading, MAX_PIECES).strip()
    if len(text) > MAX_HEADING or not text:
        return False
    says = _PAST.fullmatch(text) is not None
    if not says and _BARE_ARCHIVE.fullmatch(text):  # as a page's headline it may be the name of a venue
        says = heading.tag != "h1" or _ADDRESS.search(page.url) is not None
    leads_on = heading.select_one(_LINK) is not None or heading.closest(f"nav, footer, {_LINK}") is not None
    return says and not leads_on and not is_in_sidebar(heading, {})


def _below(page: Page, headings: dict[Element, str], past: set[Element]) -> AbstractSet[Node]:
    body = page.first("body")
    found: set[Node] = set()
    above: Element | None = None
    for node in islice(body.descendants, MAX_NODES) if body is not None else ():
        tag = headings.get(node) if isinstance(node, Element) else None
        if (
            isinstance(node, Element)
            and tag == "summary"
            and node in past
            and isinstance(node.parent, Element)
        ):
            found.update(node.parent.descendants)
        elif isinstance(node, Element) and tag and tag != "summary":
            above = node if node in past else None if above is None or _ends(node, above) else above
        if above is not None:
            found.add(node)
    return found


def _ends(heading: Element, above: Element) -> bool:
    """Whether another heading ends the section of one above; the title of a row does not."""
    row = heading.closest("li, article, tr")
    return heading.tag <= above.tag and (row is None or row is above.closest("li, article, tr"))
