"""Where rows have their titles: learned from a page with many rows, used on a page with one or two.

A single row has nothing to be compared with: its address, or what its button says, may look like its title.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from turbohtml import Element, Text

from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.index_rows.links import Link

MAX_ROWS = 12
"""Minimum rows from which a place is learned."""
MAX_NODES = 250
MAX_TITLE = 250
MAX_PLACE = 300
MIN_SHARE = 0.8
"""Minimum share of rows with their title in the same place."""
LEVELS = 2


def title_place(
    rows: Sequence[tuple[tuple[Element, ...], Link]], titles: Mapping[str, str], share: float = MIN_SHARE
) -> str:
    """The title's place in most rows, from their titles by link key; empty if there is none."""
    seen = [place_of(titles[link.key], elements) for elements, link in rows[:MAX_ROWS] if link.key in titles]
    place, times = Counter(seen).most_common(1)[0] if seen else ("", 0)
    return place if times >= share * len(seen) and len(place) <= MAX_PLACE else ""


def title_at(place: str, elements: Sequence[Element]) -> str:
    """The text of a row in that place; empty if it has none."""
    texts = ((text, holder) for text, holder in _texts(elements) if _place(holder) == place)
    return next((text for text, _ in texts if text and len(text) <= MAX_TITLE), "")


def place_of(title: str, elements: Sequence[Element]) -> str:
    """The place of a row's text; empty if no single text node of the row equals it."""
    return next((_place(holder) for text, holder in _texts(elements) if text == title), "")


def _texts(elements: Sequence[Element]) -> Iterator[tuple[str, Element]]:
    nodes = (node for element in elements for node in islice(element.descendants, MAX_NODES))
    for node in nodes:
        if isinstance(node, Text) and isinstance(node.parent, Element):
            yield " ".join(node.data[: 2 * MAX_TITLE].split()), node.parent


def _place(holder: Element) -> str:
    """The tags and classes of the elements around a text, outermost first."""
    around = [each for each in (holder, *lineage(holder, LEVELS - 1)) if isinstance(each, Element)]
    return " ".join(".".join([each.tag, *(each.attr("class") or "").split()]) for each in reversed(around))
