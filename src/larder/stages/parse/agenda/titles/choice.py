"""Chooses the title of each agenda row: the text that differs from row to row and matches the row's link.

Candidates are weighed by where they are (heading, named element, link), by how much of them the link's
address repeats, and against being a badge, a venue, a category or a text that is in many rows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, pairwise

from turbohtml import Element, Node, Text

from larder.sdk.page import text_of
from larder.stages.parse.agenda.element_names import (
    is_card_link,
    is_subtitle_name,
    is_title_name,
    title_cells,
)
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.patterns import (
    TIME,
    first_day,
    without_when,
)
from larder.stages.parse.agenda.status import is_status
from larder.stages.parse.agenda.titles.first_words import behind_dated_name, block_texts, first_words
from larder.stages.parse.agenda.titles.numbers import with_own_numbers
from larder.stages.parse.agenda.titles.parts import is_glued, is_match
from larder.stages.parse.agenda.titles.row_headings import headings_above
from larder.stages.parse.agenda.titles.texts import MAX_TITLE, Candidate, as_title
from larder.stages.parse.agenda.words import (
    is_address,
    is_room,
    leads_to_document,
    names_document,
)
from larder.stages.parse.heuristic.address import parts_of
from larder.stages.parse.heuristic.headline import similarity
from larder.stages.parse.heuristic.page_position import name_of

LONG_TITLE = 110
MAX_MARKED = 40
SHORT_LINK = 2
LONG_WORD = 6
LINKED_WEIGHT, MIN_SIMILARITY = 2.0, 0.5
COLUMN_WEIGHT = 4.5
"""Weight of the column that the table's header calls the title: more than links and headings elsewhere."""
BEHIND_DAY_WEIGHT = 1.6
"""Weight of bold words before a day: more than of other bold words, less than of a link or heading."""
UNLINKED_PENALTY = 0.3
PLACE_PENALTY = 0.5
"""Subtracted from a place: more than from a repeated title, as of meetings in different venues."""
MAX_LINES = 20
MIN_REPEATED = 3
"""Minimum rows with different links in which a repeated text is a label."""

_MARKED = (
    "h1, h2, h3, h4, h5, h6, a[href], strong, b, th, [itemprop=name], [class*=title i], [class*=titel i], "
    "[class*=titre i], [class*=titolo i], [class*=titulo i], [class*=naam i], "
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
_DIGIT = re.compile(r"\d")


def candidates(row: Element, above: Candidate | None = None) -> list[Candidate]:
    """The texts of a row that may be its title, in document order, and the heading right above it."""
    found: dict[str, Candidate] = {above.text: above} if above is not None else {}
    slugs = list(dict.fromkeys(slug for href in _hrefs(row) for slug in _slugs(href)))
    for element in _title_elements(row):
        for candidate in _candidates_in(element, row, slugs):
            known = found.get(candidate.text)
            if known is None or known.weight < candidate.weight:
                found[candidate.text] = candidate
    columns = ((_titled_cell(cell), cell) for cell in title_cells(row))
    for text, cell in islice((column for column in columns if column[0]), 1):
        found[text] = Candidate(text=text, weight=COLUMN_WEIGHT, href=link_of(cell))
    likely = any(each.weight > 0 for each in found.values())
    if not likely or TIME.match(row.text[:60].strip()):
        words = list(first_words(row, 1.8 if likely else 0.6))
        if not likely and row.tag == "a":
            words += _named_by_link(row, slugs)
        marked = tuple(each.text for each in found.values() if each.weight > 0)
        goes_on = any(word.text.startswith(marked) for word in words)  # with what is marked
        for word in words if not goes_on else ():
            found.setdefault(word.text, word)
    for text in behind_dated_name(row) if not slugs else ():
        found[text] = Candidate(text=text, weight=BEHIND_DAY_WEIGHT, href="")
    return list(found.values()) if len(found) < 2 or slugs else _places_last(list(found.values()), row)


def _places_last(found: list[Candidate], row: Element) -> list[Candidate]:
    """Lowers the weight of texts right above an address, which are places, unless they are first."""
    lines = [" ".join(line.split()) for line in islice(row.stripped_strings, MAX_LINES)]
    places = {as_title(line) for line, below in pairwise(lines[1:]) if is_address(below)}
    return [
        each._replace(weight=each.weight - PLACE_PENALTY) if each.text in places else each for each in found
    ]


def _titled_cell(cell: Element) -> str:
    """The text below the header `Event`, even if it could not be a title elsewhere."""
    named = cell.select_one("h2, h3, h4, a[href], strong, b") or cell
    lines = named.stripped_strings if cell.select_one("br") is not None else (text_of(named),)
    text = " ".join(next(iter(lines), "").split())
    return as_title(text) or (text if 2 < len(text) < LONG_TITLE and not is_status(text) else "")


def _named_by_link(row: Element, slugs: list[str]) -> list[Candidate]:
    """The blocks of a linked card without marked texts that match the words of its address."""
    words = [slug for slug in slugs if len(slug.split()) > 1 or (len(slug) >= LONG_WORD and slug.isalpha())]
    href = row.attr("href") or ""
    texts = block_texts(row) if words else []
    named = (text for text in texts if max(similarity(text, slug) for slug in words) >= MIN_SIMILARITY)
    return [Candidate(text=text, weight=LINKED_WEIGHT, href=href) for text in named]


def _title_elements(row: Element) -> list[Element]:
    """The marked elements of a row, without the headings of booking forms."""
    own = [row] if row.tag in ("a", "h2", "h3", "h4") else []
    marked = row.select(_MARKED)[:MAX_MARKED]
    forms = [each for each in row.select("form") if each.select_one("h1") is None] if marked[1:] else []
    inside = {each for form in forms for each in form.select(_MARKED)}
    return [*own, *(each for each in marked if each not in inside)]


def _hrefs(row: Element) -> list[str]:
    links = [row] if row.tag == "a" else row.select("a[href]")[:12]
    return list(dict.fromkeys(href for link in links if (href := link.attr("href"))))


def _candidates_in(element: Element, row: Element, slugs: list[str]) -> Iterator[Candidate]:
    href = element.attr("href") or "" if element.tag == "a" else link_of(element)
    if (
        href == "/"
        or href.startswith(("mailto:", "tel:"))
        or leads_to_document(href)
        or _ends_sentence(element)
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
        elif _names_link(element, shown_text, slugs):
            yield Candidate(text=shown_text, weight=_weight(element, row), href=href)


def _ends_sentence(element: Element) -> bool:
    """Whether it is a link at the end of a paragraph's sentence: `Curious? <a>Read the interview</a>.`"""
    behind = element.next_sibling if element.tag == "a" else None
    block = element.parent
    if not isinstance(behind, Text) or not isinstance(block, Element) or block.tag != "p":
        return False
    if behind.data.strip() not in (".", "!") or not element.text:
        return False
    before = block.text.partition(element.text)[0]
    return len(without_when(before).split()) > 1


def _names_link(element: Element, text: str, slugs: list[str]) -> bool:
    """A heading or link of common words that the row's link is named after: `RSVP` may be an event."""
    if not slugs or not 2 < len(text) < LONG_TITLE or first_day(text):
        return False
    if element.tag not in _NAMING and not is_title_name(name_of(element)):
        return False
    return any(similarity(text, slug) >= 0.8 for slug in slugs)


def _candidate_text(element: Element) -> str:
    """Its text, or the link that it begins with; with room between its pieces where a date is among them."""
    card = element.tag == "a" and is_card_link(element) and not is_match(element)
    text = "" if card else _without_place(element, text_of(element))
    if element.tag in _HOLDERS and (link := element.select_one("a[href]")) is not None:
        linked = text_of(link)
        rest = text[len(linked) :].strip() if len(linked) > SHORT_LINK and text.startswith(linked) else ""
        text = linked if rest and (element.tag == "div" or is_status(rest)) else text
    pieces = text and element.children[1:] and (_DIGIT.search(text) or is_glued(element, text))
    return spaced_text(element, MAX_MARKED) if pieces else text


def _without_place(element: Element, text: str) -> str:
    """A title without the venue or badge in its last element: `Choir <span>@ Town Hall</span>`."""
    last = element.children[-1] if len(element.children) > 1 else None
    if not isinstance(last, Element) or not is_subtitle_name(name_of(last)):
        return text
    return text.removesuffix(text_of(last)).rstrip(" @,-–|") or text


def link_of(element: Element) -> str:
    """The address of the link in an element, else of the link around it; empty if there is none."""
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
    """The weight of a text's words in the addresses of the row's links; less for very long texts."""
    best = max((similarity(text, slug) for slug in slugs), default=0.0)
    return (1.3 if by_link else 2.2) * best - (1.5 if len(text) > LONG_TITLE else 0.0)


@lru_cache(maxsize=4_096)
def _slugs(href: str) -> tuple[str, ...]:
    """The words of an address's last part and of its longest one."""
    pieces = [piece for piece in parts_of(href).path.split("/") if piece]
    longest = {pieces[-1], max(pieces, key=len)} if pieces else set()
    return tuple(re.sub(r"[-_+.]|%20", " ", piece) for piece in longest)


def chosen_titles(rows: Iterable[Element], headline: str = "") -> dict[Element, Candidate]:
    """The best candidate for each row, less for repeated texts; the page's headline may be in two rows."""
    rows = list(rows)
    above = headings_above(rows)
    offered = {row: candidates(row, above.get(row)) for row in rows}
    counted = Counter(each for found in offered.values() for each in {own.key for own in found})
    links: dict[str, set[str]] = {}
    for found in offered.values():
        for each in found:
            links.setdefault(each.key, set()).add(each.href)
    less = {key: _repetition_penalty(times, links[key]) for key, times in counted.items() if times > 1}
    if counted[headline.casefold()] < MIN_REPEATED:
        less.pop(headline.casefold(), None)
    best = {row: best for row, found in offered.items() if (best := _best_candidate(found, less)) is not None}
    rooms = (
        {key for key, times in counted.items() if times >= MIN_REPEATED and is_room(key)} if headline else ()
    )
    best = {row: own._replace(text=headline) if own.key in rooms else own for row, own in best.items()}
    return with_own_numbers(best)


def _best_candidate(found: list[Candidate], less: dict[str, float]) -> Candidate | None:
    return max(found, key=lambda each: each.weight - less.get(each.key, 0.0), default=None)


def _repetition_penalty(times: int, links: set[str]) -> float:
    """The penalty of a text in several rows; low if no link distinguishes the rows."""
    if len(links) < 2:
        return UNLINKED_PENALTY if times >= MIN_REPEATED and links == {""} else 0.0
    return 2.5 if times >= MIN_REPEATED else 0.7
