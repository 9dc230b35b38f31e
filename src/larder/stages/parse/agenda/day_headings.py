"""Agendas grouped by day: a day is a heading above its events, or the number of a calendar cell.

What follows such a day up to the next one happens then. Entries are told by shape: like children of one
container.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise

from turbohtml import Element, Node, Text

from larder.sdk.page import brief_text_of, text_of
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.mentions import Mention, stands_alone
from larder.stages.parse.agenda.patterns import TIME, begins_with_day, time_in, without_when
from larder.stages.parse.agenda.titles import as_title
from larder.stages.parse.heuristic.page_position import lineage

MAX_BELOW = 80
MAX_CLIMB = 6
NEAR_LEVELS = 2
MAX_PARTS = 1_500
MAX_HEADING = 160
MAX_ENTRY_PARTS = 30
MAX_TEXT = 8_000
MIN_CALENDAR_DAYS = 5
MIN_FOLLOWING_SHARE = 0.8

_ENTRY = "h2, h3, h4, h5, a[href], [class*=title i]"
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol", "dl", "table", "tbody"})
_ENTRIES = "li, dd, tr"


def is_day_heading(mention: Mention) -> bool:
    """Does the day stand alone in its element?"""
    return not mention.in_prose and len(mention.element.text) <= MAX_HEADING and stands_alone(mention)


def is_empty_calendar(days: Iterable[Mention]) -> bool:
    """A week or more, day by day, and nothing beside them: a calendar shows that nothing happens."""
    found = list(islice(days, MAX_BELOW))
    if len(found) < MIN_CALENDAR_DAYS or any(
        not is_day_heading(day) or _has_time_or_link(day) for day in found
    ):
        return False
    numbers = [set(map(int, _NUMBER.findall(day.text))) for day in found]
    follow = sum(1 in late or any(n + 1 in late for n in early) for early, late in pairwise(numbers))
    return follow >= MIN_FOLLOWING_SHARE * (len(found) - 1)


def _has_time_or_link(day: Mention) -> bool:
    around = day.element.parent if isinstance(day.element.parent, Element) else day.element
    return bool(time_in(spaced_text(day.element, 40))) or (
        day.element.select_one("a[href]") is not None
        or around.tag == "a"
        or (around.tag in ("li", "tr", "p") and around.select_one("a[href], button") is not None)
    )


def heads_a_list(mention: Mention, row: Element) -> bool:
    """A day whose row is made of several events: a cell, a `dt`, or like entries behind it with headings."""
    if mention.in_cell:
        return len(cell_entries(row)) > 1
    if mention.element.tag in ("dt", "caption"):
        return True
    if heads_timetable(mention):
        return True
    if row is mention.element or not is_day_heading(mention):
        return False
    anchor: Node = mention.element
    while anchor.parent is not None and anchor.parent is not row:
        anchor = anchor.parent
    behind = [node for node in islice(anchor.next_siblings, MAX_BELOW) if isinstance(node, Element)]
    behind = _content_children(behind[0])[:MAX_BELOW] if len(behind) == 1 else behind
    kinds = Counter(_entry_kind(node) for node in behind if _has_heading(node))
    return (
        (bool(kinds) and kinds.most_common(1)[0][1] >= 2)
        or _are_timed(behind)
        or any(map(_lists_times, behind))
    )


def heads_timetable(mention: Mention) -> bool:
    """A heading that begins with a day, whatever else it says, right above a list of timed entries alone."""
    heading = mention.element
    if heading.tag == "dt":
        return not mention.in_prose and begins_with_day(text_of(heading))
    if heading.tag not in _HEADINGS or mention.in_prose or not begins_with_day(text_of(heading)):
        return False
    behind = next((node for node in islice(heading.next_siblings, 2) if isinstance(node, Element)), None)
    if behind is None or behind.tag not in _LISTS:
        return False
    entries = behind.select(_ENTRIES)[:MAX_BELOW]
    return bool(entries) and all(_begins_with_time(entry) and _names_event(entry) for entry in entries)


def _names_event(entry: Element) -> bool:
    return bool(as_title(without_when(brief_text_of(entry, MAX_ENTRY_PARTS))))


def _entry_kind(node: Element) -> tuple[str, str]:
    """What like entries share: the tag and the first class, without the number of the entry in it."""
    first = (node.attr("class") or "").split()[:1]
    return node.tag, _DIGITS.sub("", first[0]) if first else ""


def _lists_times(node: Element) -> bool:
    lists = [node] if node.tag in _LISTS else node.select("ul, ol, dl")[:2]
    return _are_timed(entry for each in lists for entry in each.select(_ENTRIES)[:MAX_BELOW])


def _are_timed(entries: Iterable[Element]) -> bool:
    """Several entries, each with a link and a time that it begins with."""
    timed = (
        entry for entry in entries if _begins_with_time(entry) and entry.select_one("a[href]") is not None
    )
    return len(list(islice(timed, 2))) > 1


def _begins_with_time(element: Element) -> bool:
    first = " ".join(" ".join(islice(element.strings, 4)).split())
    return TIME.match(first[:20]) is not None


def _has_heading(node: Element) -> bool:
    if _is_heading(node) or node.select_one("h2, h3, h4, h5, h6, [class*=title i]") is None:
        return False
    return _can_be_entry(node)


def entries_below(headings: Sequence[Mention], taken: set[Node]) -> dict[Element, list[Element]]:
    """For every day that stands alone: the entries behind it or in its cell; not those in `taken`."""
    days = {mention.element for mention in headings}
    days_within = Counter(node for day in days for node in (day, *lineage(day)))
    around = set(days_within)
    found: dict[Element, list[Element]] = {}
    for mention in headings:
        inside = mention.in_cell
        entries = (
            cell_entries(mention.element, days_within) if inside else _entries_behind(mention.element, around)
        )
        if own := [entry for entry in entries if not _is_in_taken_row(entry, taken)]:
            found[mention.element] = own
    return found


def _is_in_taken_row(entry: Element, taken: set[Node]) -> bool:
    return entry in taken or any(node in taken for node in lineage(entry, 12))


def cell_entries(day: Element, days_within: Mapping[Node, int] | None = None) -> list[Element]:
    """The entries of a calendar's cell: its links, each with what stands around it."""
    for cell in (day, *lineage(day, MAX_CLIMB)):
        if not isinstance(cell, Element) or (days_within is not None and days_within.get(cell, 0) > 1):
            break
        links = [link for link in cell.select("a[href]")[:MAX_BELOW] if as_title(brief_text_of(link, 30))]
        if links:
            return list(dict.fromkeys(_widest_around_link(link, cell) for link in links))
        if cell.tag == "td":
            break
    return []


def _widest_around_link(link: Element, cell: Element) -> Element:
    widest = link
    for node in lineage(link, 6):
        if node is cell or not isinstance(node, Element) or len(node.select("a[href]")[:2]) > 1:
            break
        widest = node
    return widest


def _entries_behind(day: Element, around: set[Node]) -> list[Element]:
    """The entries behind a heading; where nothing follows it, behind what it stands in."""
    anchor: Node = day
    for climbed in range(MAX_CLIMB):
        found = list(islice(_entries_after(anchor, around), MAX_BELOW))
        if found and climbed > NEAR_LEVELS:  # that far away a menu may follow
            found = [entry for entry in found if has_time(entry)]
        if found:
            return found
        anchor_parent = anchor.parent
        if not isinstance(anchor_parent, Element) or _ends_climb(anchor_parent):
            return []
        anchor = anchor_parent
    return []


def _ends_climb(element: Element) -> bool:
    """The page, or one of several cells: a row of one cell is a heading, behind others another day stands."""
    if element.tag == "td" and isinstance(element.parent, Element):
        return any(cell is not element for cell in _content_children(element.parent))
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
    """The entries within an element: its like children where each of them can be one, else itself."""
    if element.tag in _LISTS:
        return [entry for entry in element.select(_ENTRIES)[:MAX_BELOW] if _can_be_entry(entry)]
    if element.tag == "tr":
        return [element] if _can_be_entry(element) else []
    inner = _content_children(element)
    while len(inner) == 1 and not _has_own_text(element):
        element, inner = inner[0], _content_children(inner[0])
    kinds = Counter(map(_entry_kind, inner))
    able = [child for child in inner if _can_be_entry(child)]
    if (
        len(able) >= 2
        and len(able) >= 0.6 * len(inner)
        and kinds.most_common(1)[0][1] >= 2
        and not _is_heading(able[0])
    ):
        return [entry for child in able[:MAX_BELOW] for entry in _timed_within(child)]
    return _timed_within(element) if _can_be_entry(element) else []


def _timed_within(entry: Element) -> list[Element]:
    """A stage is no event, the acts that play on it are; else the entry itself."""
    lists = entry.select("ul, ol, dl")[:2]
    if lists and not any(each.text.strip() for each in lists):
        return []
    inner = [each for found in lists for each in found.select(_ENTRIES)[:MAX_BELOW]]
    acts = [each for each in inner if _begins_with_time(each) and _names_event(each)]
    return acts if len(acts) > 1 else [entry]


def _content_children(element: Element) -> list[Element]:
    return [
        child
        for child in element.children
        if isinstance(child, Element) and child.tag not in ("script", "style", "br", "hr")
    ]


def _has_own_text(element: Element) -> bool:
    return any(isinstance(node, Text) and not node.data.isspace() for node in element.children)


def _is_heading(element: Element) -> bool:
    return element.tag in ("h1", "h2", "h3", "h4", "h5", "h6", "a", "p", "span")


def has_time(entry: Element) -> bool:
    """Does its text name a time of day?"""
    return bool(time_in(" ".join(" ".join(islice(entry.strings, MAX_PARTS)).split())[:MAX_TEXT]))


def _can_be_entry(element: Element) -> bool:
    """It has a title of its own, or begins with a time."""
    if next(islice(element.descendants, MAX_PARTS, None), None) is not None:
        return False
    if _begins_with_time(element):
        return True
    named = f"{_ENTRY}, strong, b" if element.tag == "dd" else _ENTRY
    marked = [element] if element.tag in ("a", "h3", "h4") else element.select(named)[:8]
    return any(as_title(brief_text_of(each, 30)) for each in marked)
