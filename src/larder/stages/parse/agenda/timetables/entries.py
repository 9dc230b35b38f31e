"""Finds the entries below a day: up to the next day, in its cell, or beside it in a table.

Entries are recognised by shape: like children of one container.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from turbohtml import Element, Node, Text

from larder.sdk.page import brief_text_of, text_of
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import TIME, begins_with_day, without_when
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.heuristic.page_position import lineage

MAX_BELOW = 80
MAX_CLIMB = 6
NEAR_LEVELS = 2
MAX_PARTS = 1_500
MAX_ENTRY_PARTS = 30
MAX_TEXT = 8_000

HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
LISTS = frozenset({"ul", "ol", "dl", "table", "tbody"})
ENTRIES = "li, dd, tr"
_ENTRY = "h2, h3, h4, h5, a[href], [class*=title i]"
_DIGITS = re.compile(r"\d+")


def entries_below(headings: Sequence[Mention], taken: set[Node]) -> dict[Element, list[Element]]:
    """For every day that stands alone, the entries after it or in its cell; not those in `taken`."""
    days = {mention.element for mention in headings}
    days_within = Counter(node for day in days for node in (day, *lineage(day)))
    around = set(days_within)
    found: dict[Element, list[Element]] = {}
    for mention in headings:
        inside = mention.in_cell
        entries = spanned_rows(mention) or (
            cell_entries(mention.element, days_within) if inside else _entries_behind(mention.element, around)
        )
        if own := [entry for entry in entries if not _is_in_taken_row(entry, taken)]:
            found[mention.element] = own
    return found


def timed_entries_behind(strip: Element) -> list[Element]:
    """The timed entries after a strip of days, however far below its container they begin."""
    anchor: Node = strip
    for _ in range(MAX_CLIMB * 2):
        behind = (node for node in anchor.next_siblings if isinstance(node, Element))
        found = [entry for node in islice(behind, MAX_BELOW) for entry in _timed_parts(node)]
        if found or not isinstance(anchor.parent, Element) or anchor.parent.tag == "body":
            return found[: MAX_BELOW * 2]
        anchor = anchor.parent
    return []


def _timed_parts(whole: Element) -> list[Element]:
    """The parts of an element that have times and names of their own; itself, if its parts do not."""
    if whole.tag in ("nav", "footer", "aside") or not _shows_time(whole):
        return []
    parts = [child for child in content_children(whole) if _shows_time(child)]
    while len(parts) == 1:
        parts = [child for child in content_children(parts[0]) if _shows_time(child)]
    named = [part for part in parts if _has_name(part)]
    if len({_name_of(part) for part in named}) < 2:
        return [whole]
    return [entry for part in named for entry in _timed_parts(part)]


def _shows_time(element: Element) -> bool:
    return any(TIME.search(text) is not None for text in islice(element.strings, MAX_PARTS * 4))


def _name_of(element: Element) -> str:
    return without_when(" ".join(" ".join(islice(element.strings, MAX_ENTRY_PARTS)).split()))


def _has_name(element: Element) -> bool:
    """Whether it contains a heading, a link or a title that is not only a time."""
    return any(as_title(brief_text_of(each, MAX_ENTRY_PARTS)) for each in element.select(_ENTRY)[:8])


def _is_in_taken_row(entry: Element, taken: set[Node]) -> bool:
    return entry in taken or any(node in taken for node in lineage(entry, 12))


def cell_entries(day: Element, days_within: Mapping[Node, int] | None = None) -> list[Element]:
    """The entries of a calendar's cell: its links, each with the text around it."""
    for cell in (day, *lineage(day, MAX_CLIMB)):
        if not isinstance(cell, Element) or (days_within is not None and days_within.get(cell, 0) > 1):
            break
        links = [link for link in cell.select("a[href]")[:MAX_BELOW] if as_title(brief_text_of(link, 30))]
        if links:
            return list(dict.fromkeys(_widest_around_link(link, cell, links) for link in links))
        if cell.tag == "td":
            return _timed_lines(cell)
    return []


def _timed_lines(cell: Element) -> list[Element]:
    """The lines of a cell without links, below its number, that begin with a time."""
    lines = cell.select("li, p, div")[:MAX_BELOW]
    alone = [each for each in lines if each.select_one("li, p, div") is None]
    return [each for each in alone if begins_with_time(each) and names_event(each)]


def _widest_around_link(link: Element, cell: Element, links: Sequence[Element]) -> Element:
    """The largest element around a link without another event's link; `Buy tickets` is no event's."""
    others = {node for other in links if other is not link for node in lineage(other, 6)}
    widest = link
    for node in lineage(link, 6):
        if node is cell or not isinstance(node, Element) or node in others:
            break
        widest = node
    return widest


def _entries_behind(day: Element, around: set[Node]) -> list[Element]:
    """The entries after a heading; if there are none, those after its container."""
    anchor: Node = day
    for climbed in range(MAX_CLIMB):
        found = list(islice(_entries_after(anchor, around), MAX_BELOW))
        if found and climbed > NEAR_LEVELS:  # this far away a menu may follow
            found = [entry for entry in found if has_time(entry)]
        if found:
            return found
        anchor_parent = anchor.parent
        if not isinstance(anchor_parent, Element) or _ends_climb(anchor_parent):
            return _entries_in_next_cell(anchor_parent)
        anchor = anchor_parent
    return []


def _entries_in_next_cell(cell: Node | None) -> list[Element]:
    """The timed entries of the list in the cell after a cell with a day."""
    beside = next((node for node in cell.next_siblings if isinstance(node, Element)), None) if cell else None
    if not isinstance(cell, Element) or cell.tag != "td" or beside is None:
        return []
    listed = (each for each in beside.select("ul, ol, dl")[:1])
    return [entry for each in listed for entry in each.select(ENTRIES)[:MAX_BELOW] if begins_with_time(entry)]


def _ends_climb(element: Element) -> bool:
    """Whether it is the page, or one of several cells, after which another day follows."""
    if element.tag == "td" and isinstance(element.parent, Element):
        return any(cell is not element for cell in content_children(element.parent))
    return element.tag in ("body", "main", "td")


def _entries_after(anchor: Node, around: set[Node]) -> Iterable[Element]:
    for node in anchor.next_siblings:
        if not isinstance(node, Element):
            continue
        if node in around:
            return
        if node.tag in ("nav", "footer", "aside") or node.attr("role") == "navigation":
            continue
        yield from _split_entries(node)


def _split_entries(element: Element) -> list[Element]:
    """The entries within an element: its similar children if each can be one, else itself."""
    if element.tag in LISTS:
        return [entry for entry in element.select(ENTRIES)[:MAX_BELOW] if can_be_entry(entry)]
    if is_stage_heading(element):
        return []
    if element.tag == "tr":
        return [element] if can_be_entry(element) else []
    inner = content_children(element)
    while len(inner) == 1 and not _has_own_text(element):
        element, inner = inner[0], content_children(inner[0])
    kinds = Counter(map(entry_kind, inner))
    able = [child for child in inner if can_be_entry(child)]
    if (
        len(able) >= 2
        and len(able) >= 0.6 * len(inner)
        and kinds.most_common(1)[0][1] >= 2
        and not is_heading(able[0])
    ):
        return [entry for child in able[:MAX_BELOW] for entry in _timed_within(child)]
    return _timed_within(element) if can_be_entry(element) else []


def is_stage_heading(element: Element) -> bool:
    """Whether it is a heading right above a list whose entries all begin with a time."""
    if element.tag not in HEADINGS:
        return False
    behind = next((each for each in islice(element.next_siblings, 2) if isinstance(each, Element)), None)
    entries = behind.select(ENTRIES)[:MAX_BELOW] if behind is not None and behind.tag in LISTS else []
    return bool(entries) and all(begins_with_time(each) and names_event(each) for each in entries)


def _timed_within(entry: Element) -> list[Element]:
    """The acts on a stage, as the stage is no event; for other entries the entry itself."""
    lists = entry.select("ul, ol, dl")[:2]
    if lists and not any(each.text.strip() for each in lists):
        return []
    inner = [each for found in lists for each in found.select(ENTRIES)[:MAX_BELOW]]
    timed = (each for each in inner or _headed_children(entry) if begins_with_time(each))
    acts = [each for each in timed if names_event(each)]
    return acts if len(acts) > 1 or (acts and not inner) else [entry]


def _headed_children(entry: Element) -> list[Element]:
    """The elements below an entry's first heading, if all of them begin with a time."""
    inner = content_children(entry)
    while len(inner) == 1 and not _has_own_text(entry):
        entry, inner = inner[0], content_children(inner[0])
    if len(inner) < 2 or inner[0].tag not in HEADINGS or begins_with_day(text_of(inner[0])):
        return []
    below = content_children(inner[1]) if len(inner) == 2 and not begins_with_time(inner[1]) else inner[1:]
    plain = [each for each in below if each.tag not in _TEXTS]
    return plain if plain and len(plain) == len(below) and all(map(begins_with_time, plain)) else []


_TEXTS = frozenset({"p", "span", "time", "h2", "h3", "h4", "h5", "h6"})
"""Tags that may contain the time of the entry itself."""


def content_children(element: Element) -> list[Element]:
    """The child elements with visible content."""
    return [
        child
        for child in element.children
        if isinstance(child, Element) and child.tag not in ("script", "style", "br", "hr")
    ]


def _has_own_text(element: Element) -> bool:
    return any(isinstance(node, Text) and not node.data.isspace() for node in element.children)


def is_heading(element: Element) -> bool:
    """Whether it is an element of text alone: a heading, a link, a paragraph."""
    return element.tag in ("h1", "h2", "h3", "h4", "h5", "h6", "a", "p", "span")


def has_time(entry: Element) -> bool:
    """Whether its text contains a time of day."""
    return bool(time_in(" ".join(" ".join(islice(entry.strings, MAX_PARTS)).split())[:MAX_TEXT]))


def can_be_entry(element: Element) -> bool:
    """Whether it has a title of its own, or begins with a time."""
    if next(islice(element.descendants, MAX_PARTS, None), None) is not None:
        return False
    if begins_with_time(element):
        return True
    named = f"{_ENTRY}, strong, b" if element.tag == "dd" else _ENTRY
    marked = [element] if element.tag in ("a", "h3", "h4") else element.select(named)[:8]
    return any(as_title(brief_text_of(each, 30)) for each in marked)


def names_event(entry: Element) -> bool:
    """Whether an entry has more text than its day and time."""
    return bool(as_title(without_when(brief_text_of(entry, MAX_ENTRY_PARTS))))


def entry_kind(node: Element) -> tuple[str, str]:
    """The tag and first class of an entry, without a number in it: equal for similar entries."""
    first = (node.attr("class") or "").split()[:1]
    return node.tag, _DIGITS.sub("", first[0]) if first else ""


def begins_with_time(element: Element) -> bool:
    """Whether an element's text begins with a time of day."""
    first = " ".join(" ".join(islice(element.strings, 4)).split())
    return TIME.match(first[:20]) is not None


def spanned_rows(mention: Mention) -> list[Element]:
    """The rows of a table beside a cell with a day that spans several of them."""
    cell = mention.element.closest("td, th")
    span = (cell.attr("rowspan") or "") if cell is not None else ""
    row = cell.parent if cell is not None else None
    if not (span.isdecimal() and int(span) > 1 and isinstance(row, Element)):
        return []
    behind = (node for node in row.next_siblings if isinstance(node, Element) and node.tag == "tr")
    return [row, *islice(behind, min(int(span) - 1, MAX_BELOW))]
