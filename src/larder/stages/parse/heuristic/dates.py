"""Where a page names a day: mentions in document order, each with the time and the year that belong to it.

Only finds them; what day a mention means is for normalize.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from turbohtml import Element, Node, Text

from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.place import lineage

MAX_MENTIONS = 1_000
MAX_NODES = 60_000
MAX_TEXT = 400
MAX_PIECES = 20

_MONTHS = (
    r"(?:jan(?:uar[iy]?|uari|vier|\.)?|feb(?:ruar[iy]?|ruari|\.)?|f[ée]v(?:rier|\.)?|m(?:aart|aa|ärz|rz|rt|"
    r"ars|ar(?:ch)?)\.?|"
    r"a(?:pr(?:il|\.)?|vr(?:il|\.)?)|ma[iy]\.?|mei|jun[ie]?\.?|juin|jul[iy]?\.?|juil(?:let|\.)?|"
    r"aug(?:ust(?:us)?|\.)?|ao[uû]t|sep(?:t(?:ember|embre)?)?\.?|o[kc]t(?:ober|obre)?\.?|nov(?:ember|"
    r"embre)?\.?|"
    r"de[cz](?:ember)?\.?|d[ée]c(?:embre)?\.?)"
)
_DAYS = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|maandag|dinsdag|woensdag|"
    r"donderdag|vrijdag|"
    r"zaterdag|zondag|ma|di|wo|do|vr|za|zo|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|mo|"
    r"mi|fr|sa|so|"
    r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\.?,?"
)
_YEAR = r"(?:\s*,?\s*(?:'?\d{2}(?!\d|[:.]\d)|20\d{2}))"
DATE = re.compile(
    rf"(?<![\w/.])(?:{_DAYS}\s+)?(?:"
    rf"(?:0?[1-9]|[12]\d|3[01])(?:e|ste|de|st|nd|rd|th|"
    rf"\.)?\s*(?:of\s+)?(?:[-–/]\s*)?{_MONTHS}(?![a-z]){_YEAR}?"
    rf"|{_MONTHS}\s+(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\d:]){_YEAR}?"
    r"|20\d{2}-\d{2}-\d{2}"
    r"|(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|1[0-2])[./-](?:20)?\d{2}(?!\d)"
    r"|(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/(?:20)?\d{2}(?!\d)"
    r")(?!\w)",
    re.IGNORECASE,
)
_SHORT = re.compile(
    rf"^\s*(?:{_DAYS}\s+)?(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|1[0-2])\.?\s*$", re.IGNORECASE
)
_CLOCK = (
    r"\d{1,2}(?::\d{2}|\.\d{2}(?!\.?\d)|[uh]\d{2})\s*(?:[ap]\.?m\.?)?|\d{1,2}\s*(?:[ap]\.?m\.?|uur|uhr)(?!\w)"
)
TIME = re.compile(rf"(?<![\d.,€$£])(?:{_CLOCK})(?:\s*(?:-|–|to|tot|bis)\s*(?:{_CLOCK}))?", re.IGNORECASE)
_START = re.compile(rf"(?:start|aanvang|begin|beginn|showtime)\w*[:\s]*(?P<at>{_CLOCK})", re.IGNORECASE)
_DOORS = re.compile(
    rf"(?:doors?|deuren?|zaal open|einlass|inloop|open)\w*[:\s]*(?:{_CLOCK})(?:\s*[-–]\s*(?:{_CLOCK}))?",
    re.IGNORECASE,
)
_EXACT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?")
_BARE_YEAR = re.compile(r"(?<!\d)(20\d{2})(?!\d)")
_CALLED_DATE = re.compile(r"date|datum|\bday\b|dag\b|when|calendar|kalender", re.IGNORECASE)
_SKIPPED = frozenset({"script", "style", "template", "noscript", "option", "head", "title"})
_HEADINGS = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "strong", "b", "th", "caption", "legend", "summary", "button"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A day that a page names."""

    element: Element
    text: str
    year: str = ""
    """The year of the heading above, where the mention has none."""
    exact: str = ""
    """A machine's form of it (`<time datetime>`), where there is one."""

    def with_time(self, around: str) -> str:
        """The mention as one text: day, year, and the time of day that stands around it."""
        day = self.text if has_year(self.text) or not self.year else f"{self.text} {self.year}"
        clock = time_in(around)
        return f"{day} {clock}".strip() if clock and clock not in day else day


def has_year(text: str) -> bool:
    """A day and a year are two numbers where the month is a word, three where it is none."""
    spelt = any(char.isalpha() for char in re.sub(rf"^{_DAYS}", "", text, flags=re.IGNORECASE))
    return len(re.findall(r"\d+", text)) >= (2 if spelt else 3)


def time_in(text: str) -> str:
    """The time of day something starts at, as written."""
    bare = DATE.sub(" ", text)
    if labelled := _START.search(bare):
        return labelled["at"]
    found = TIME.search(_DOORS.sub(" ", bare)) or TIME.search(bare)
    return found[0].strip() if found else ""


def mentions(page: Page) -> list[Mention]:
    """Every day the page names, in document order."""
    found: list[Mention] = []
    taken: set[Node] = set()
    year = ""
    for node in _nodes(page):
        if isinstance(node, Element):
            year = _year_of(node) or year
            whole = _whole(node, year) if not taken.intersection(lineage(node, 3)) else None
            taken.update([node] if whole else [])
            found.extend([whole] if whole else [])
        elif not taken.intersection(above := lineage(node, 4)) and isinstance(above[0], Element):
            found.extend(_in_text(node.data, above[0], year))
        if len(found) >= MAX_MENTIONS:
            break
    return found


def _nodes(page: Page) -> Iterator[Element | Text]:
    """What can be seen, in document order, bounded."""
    body = page.first("body")
    every = body.descendants if body is not None else iter(())
    for node in islice(every, MAX_NODES):
        if isinstance(node, Element) or (
            isinstance(node, Text) and isinstance(node.parent, Element) and node.parent.tag not in _SKIPPED
        ):
            yield node


def _year_of(element: Element) -> str:
    """A heading's year; two different ones (a season) decide nothing."""
    if element.tag not in _HEADINGS:
        return ""
    text = brief_text_of(element)
    years = set(_BARE_YEAR.findall(text[-80:]))
    return years.pop() if len(years) == 1 and not DATE.search(text) else ""


def _whole(element: Element, year: str) -> Mention | None:
    """An element that is a date as a whole, perhaps in pieces: day here, month there."""
    if element.tag == "time" and (exact := _EXACT.match((element.attr("datetime") or "").strip())):
        shown = DATE.search(brief_text_of(element))
        return Mention(element=element, text=shown[0] if shown else exact[1], year=year, exact=exact[0])
    names = f"{element.attr('class') or ''} {element.attr('itemprop') or ''}"
    if not _CALLED_DATE.search(names) or len(element.children) > MAX_PIECES:
        return None
    text = brief_text_of(element)
    if not text or len(text) > 60:
        return None
    found = DATE.search(text) or _SHORT.match(text)
    return Mention(element=element, text=found[0].strip(), year=year) if found else None


def _in_text(text: str, parent: Element, year: str) -> Iterator[Mention]:
    if len(text) > MAX_TEXT or not any(char.isdigit() for char in text):
        return
    flat = " ".join(text.split())
    for found in DATE.finditer(flat):
        yield Mention(element=parent, text=found[0].strip(), year=year)
