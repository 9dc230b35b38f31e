"""Chooses the title of each agenda row: the text that differs from row to row and matches the row's link.

Candidates are weighed by where they stand (heading, named element, link), by how much of them the link's
address repeats, and against being a badge, a venue, a category or a text that stands in many rows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from turbohtml import Element, Node, Text

from larder.sdk.page import text_of
from larder.stages.parse.agenda.element_names import (
    is_alone_in_line,
    is_card_link,
    is_subtitle_name,
    is_title_name,
    title_cell,
)
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.patterns import (
    TIME,
    begins_with_day,
    first_day,
    short_date,
    without_outer_when,
    without_when,
)
from larder.stages.parse.agenda.status import is_status
from larder.stages.parse.agenda.words import (
    NO_EVENTS,
    has_common_words_only,
    holds_documents,
    is_address,
    is_document,
    leads_to_document,
    names_document,
    without_document_words,
)
from larder.stages.parse.heuristic.address import parts_of
from larder.stages.parse.heuristic.headline import likeness
from larder.stages.parse.heuristic.page_position import name_of
from larder.stages.parse.pagination.words import link_meaning

MAX_TITLE = 200
LONG_TITLE = 110
MAX_MARKED = 40
SHORT_LINK = 2
COLUMN_WEIGHT = 4.5
"""What a table's header calls the title is surer than links and headings in other cells."""
MIN_REPEATED = 3
"""A text in this many rows with different links is what rows have in common."""

_MARKED = (
    "h1, h2, h3, h4, h5, h6, a[href], strong, b, th, [itemprop=name], [class*=title i], [class*=titel i], "
    "[class*=name i], [class*=heading i], [class*=headline i], [class*=summary i], "
    "[class*=artist i], [class*=event-link i]"
)
_WEIGHTS = {
    "h1": 3.4,
    "h2": 3.4,
    "h3": 3.4,
    "h4": 3.4,
    "h5": 2.4,
    "h6": 1.8,
    "a": 2.0,
    "strong": 1.4,
    "b": 1.4,
    "th": 1.0,
}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_NAMING, _HOLDERS = _HEADINGS | {"a"}, _HEADINGS | {"div"}
_SENTENCE = re.compile(r"(?<=\w{3})\.\s")
_DANGLING = re.compile(
    r"(?:\s+(?:on|at|from|the|am|um|ab|vom|op|om|van|vanaf|le|à|de|du|dès|el|a las|desde|il|alle|dal))+$",
    re.IGNORECASE,
)
"""What stands before the day and the time that were cut off."""
_CUT = re.compile(r"\s[-–—|:]\s|\s?[\[(]|\.\s|\s[•·]\s")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")


class Candidate(NamedTuple):
    """A text that could be a row's title."""

    text: str
    weight: float
    href: str = ""

    @property
    def key(self) -> str:
        """What it is counted by: without what stands behind a bar."""
        return self.text.partition("|")[0].strip().casefold()


def candidates(row: Element) -> list[Candidate]:
    """The texts of a row that could name it, in document order."""
    found: dict[str, Candidate] = {}
    slugs = list(dict.fromkeys(slug for href in _hrefs(row) for slug in _slugs(href)))
    for element in _title_elements(row):
        for candidate in _candidates_in(element, row, slugs):
            known = found.get(candidate.text)
            if known is None or known.weight < candidate.weight:
                found[candidate.text] = candidate
    if (cell := title_cell(row)) is not None and (text := _titled_cell(cell)):
        found[text] = Candidate(text=text, weight=COLUMN_WEIGHT, href=link_of(cell))
    if not found or TIME.match(row.text[:60].strip()):
        found |= {
            each.text: each for each in _first_words(row, 1.8 if found else 0.6) if each.text not in found
        }
    return list(found.values())


def _titled_cell(cell: Element) -> str:
    """What stands below the header `Event`; even words that are no title elsewhere."""
    named = cell.select_one("h2, h3, h4, a[href], strong, b") or cell
    lines = named.stripped_strings if cell.select_one("br") is not None else (text_of(named),)
    text = " ".join(next(iter(lines), "").split())
    return as_title(text) or (text if 2 < len(text) < LONG_TITLE and not is_status(text) else "")


def _title_elements(row: Element) -> list[Element]:
    own = [row] if row.tag in ("a", "h2", "h3", "h4") else []
    return [*own, *row.select(_MARKED)[:MAX_MARKED]]


def _hrefs(row: Element) -> list[str]:
    links = [row] if row.tag == "a" else row.select("a[href]")[:12]
    return list(dict.fromkeys(href for link in links if (href := link.attr("href"))))


def _candidates_in(element: Element, row: Element, slugs: list[str]) -> Iterator[Candidate]:
    href = element.attr("href") or "" if element.tag == "a" else link_of(element)
    if (
        href == "/"
        or leads_to_document(href)
        or (element.tag not in _HEADINGS and names_document(element.text[:MAX_TITLE]))
    ):
        return
    shown = [
        (_candidate_text(element), 0.0),
        *((element.attr(name) or "", -0.8) for name in ("title", "aria-label")),
    ]
    for shown_text, less in shown:
        if not shown_text or (shown_text.endswith(":") and element.tag not in _HEADINGS):  # a label
            continue
        if text := as_title(shown_text):
            weight = _weight(element, row) + less + _slug_agreement(text, slugs, by_link=element.tag == "a")
            yield Candidate(text=text, weight=weight, href=href)
        elif element.tag in _NAMING and _names_link(shown_text, slugs):
            yield Candidate(text=shown_text, weight=_weight(element, row), href=href)


def _names_link(text: str, slugs: list[str]) -> bool:
    """A heading or link of common words that the row's link is named after: `RSVP` may be an event."""
    if not 2 < len(text) < LONG_TITLE or first_day(text):
        return False
    return any(likeness(text, slug) >= 0.8 for slug in slugs)


def _candidate_text(element: Element) -> str:
    """Its text, or the link that it begins with; with room between its pieces where a date is among them."""
    text = "" if element.tag == "a" and is_card_link(element) else _without_place(element, text_of(element))
    if element.tag in _HOLDERS and (link := element.select_one("a[href]")) is not None:
        linked = text_of(link)
        rest = text[len(linked) :].strip() if len(linked) > SHORT_LINK and text.startswith(linked) else ""
        text = linked if rest and (element.tag == "div" or is_status(rest)) else text
    return spaced_text(element, 40) if _DIGIT.search(text) and element.children[1:] else text


def _without_place(element: Element, text: str) -> str:
    """A title without the venue or the badge that its last element says: `Choir <span>@ Town Hall</span>`."""
    last = element.children[-1] if len(element.children) > 1 else None
    if not isinstance(last, Element) or not is_subtitle_name(name_of(last)):
        return text
    return text.removesuffix(text_of(last)).rstrip(" @,-–|") or text


def link_of(element: Element) -> str:
    """The address of the link in an element, else of the link around it; empty where there is none."""
    inner = element.select_one("a[href]")
    link = inner if inner is not None else element.closest("a[href]")
    return (link.attr("href") or "") if link is not None else ""


def _weight(element: Element, row: Element) -> float:
    weight = _WEIGHTS.get(element.tag, 0.8)
    own = name_of(element)
    if is_title_name(own):
        weight += 1.6
    node: Node | None = element
    for _ in range(3):
        if node is None or node is row or not isinstance(node, Element):
            break
        if is_subtitle_name(name_of(node)):
            return weight - 2.4
        node = node.parent
    return weight


def _slug_agreement(text: str, slugs: list[str], *, by_link: bool) -> float:
    """How much of a text the addresses of the row's links repeat, less for texts longer than titles are."""
    best = max((likeness(text, slug) for slug in slugs), default=0.0)
    return (1.3 if by_link else 2.2) * best - (1.5 if len(text) > LONG_TITLE else 0.0)


@lru_cache(maxsize=4_096)
def _slugs(href: str) -> tuple[str, ...]:
    """The words of an address: its last and its longest piece."""
    pieces = [piece for piece in parts_of(href).path.split("/") if piece]
    longest = {pieces[-1], max(pieces, key=len)} if pieces else set()
    return tuple(re.sub(r"[-_+.]|%20", " ", piece) for piece in longest)


def _first_words(row: Element, weight: float) -> Iterator[Candidate]:
    """Where nothing is marked: what the row's text begins with, without its time."""
    if alone := _first_alone(row):
        yield Candidate(text=alone, weight=weight + 0.1)
    shown = _row_text(row)
    words = without_document_words(without_when(shown[: MAX_TITLE * 2]))
    text = as_title(_first_part(words))
    if text and text[0].isalpha() and not begins_with_day(text):
        yield Candidate(text=text, weight=weight)


def _first_alone(row: Element) -> str:
    """The row's first words behind its day, where they are all that their element holds."""
    nodes = (node for node in islice(row.descendants, 60) if isinstance(node, Text))
    words = ((node, text) for node in nodes if (text := without_when(" ".join(node.data.split()))))
    first, text = next(((node, text) for node, text in words if _LETTER.search(text)), (None, ""))
    holder = first.parent if first is not None else None
    if first is None or not isinstance(holder, Element) or not is_alone_in_line(first, row):
        return ""
    if is_document(holder):
        return ""
    return "" if is_subtitle_name(name_of(holder)) or has_common_words_only(text) else as_title(text)


def _row_text(row: Element) -> str:
    """The row's texts with room between them; of a table's row the first cell that is more than a date."""
    if row.tag == "tr":
        cells = (text_of(cell) for cell in row.select("td, th")[:8] if not holds_documents(cell))
        return next((text for text in cells if as_title(text) and text[-1] != ":"), "")
    nodes = (node for node in islice(row.descendants, 200) if isinstance(node, Text))
    texts = (
        node.data for node in nodes if not (isinstance(node.parent, Element) and is_document(node.parent))
    )
    return " ".join(" ".join(texts).split())[: MAX_TITLE * 3]


def _first_part(text: str) -> str:
    """Up to the first bracket, full stop or dash, where the text is long."""
    if len(text) <= 30:
        return text
    cut = _CUT.search(text, 4) if len(text) > 80 else _SENTENCE.search(text, 12)
    return text[: cut.start()] if cut else text


@lru_cache(maxsize=4_096)
def as_title(text: str) -> str:
    """A text that can be a title: not a date, a time, a price or a button."""
    if len(text) < 2 or len(text) > MAX_TITLE or link_meaning(text) is not None:
        return ""
    text = without_outer_when(text).rstrip(" :")
    dated = text[-1:] in ".0123456789" and short_date(text, called=False)
    bare = "" if dated or NO_EVENTS.search(text) or is_status(text) else without_when(text)
    if len(bare) < 2 or has_common_words_only(bare) or is_address(bare):
        return ""
    return text if len(bare) > 0.75 * len(text) else _DANGLING.sub("", bare)


def chosen_titles(rows: Iterable[Element], headline: str = "") -> dict[Element, Candidate]:
    """For each row the best of its candidates, less what many rows say; the page's headline may be in two."""
    offered = {row: candidates(row) for row in rows}
    counted = Counter(each for found in offered.values() for each in {own.key for own in found})
    links: dict[str, set[str]] = {}
    for found in offered.values():
        for each in found:
            links.setdefault(each.key, set()).add(each.href)
    often = {key: times for key, times in counted.items() if times > 1 and len(links[key]) > 1}
    if often.get(headline.casefold(), MIN_REPEATED) < MIN_REPEATED:
        del often[headline.casefold()]
    return {
        row: best for row, found in offered.items() if (best := _best_candidate(found, often)) is not None
    }


def _best_candidate(found: list[Candidate], often: dict[str, int]) -> Candidate | None:
    return max(
        found, key=lambda each: each.weight - _repetition_penalty(often.get(each.key, 1)), default=None
    )


def _repetition_penalty(times: int) -> float:
    return 2.5 if times >= MIN_REPEATED else 0.7 if times > 1 else 0.0
