"""How many of a set of like elements count as rows, where several sets of one page may be its list.

A menu may have a thousand entries beside twenty products, and a data table has a link in each cell.
"""

from collections import Counter
from collections.abc import Container, Sequence

from turbohtml import Element, Node

CELL_WEIGHT = 0.4
"""Factor for table cells: the table row is more often the row."""
MAX_UNPRICED_COUNTED = 100
MAX_BARE_COUNTED = 30
"""Of elements that say nothing but what their links do."""
MAX_TARGETS = 20
"""Of an element without a price: an entry of a menu leads to all of its subsections."""
MIN_MENU_TARGETS, MIN_FLAT_TARGETS = 3, 8
LINKED_SHARE = 0.8
"""Of an element's text, with the spaces in it: a row has words that are no link."""


def counted_rows(found: Sequence[Element], sample: Sequence[Element], priced: Container[Node]) -> float:
    """How many of the elements count: of those without prices not all, and none that is a menu's entry."""
    cells = CELL_WEIGHT if found[0].tag in ("td", "th") and not _is_grid_of_cells(found) else 1.0
    if any(element in priced for element in sample):
        return cells * len(found)
    most = sorted(map(_most_counted, sample))[len(sample) // 2]
    return cells * min(len(found), most)


def _most_counted(element: Element) -> int:
    """How many elements like this one count: few that are links alone, none with the targets of a menu."""
    links = element.select("a[href]")
    targets = len({link.attr("href") for link in links})
    linked = sum(len(link.text.strip()) for link in links)
    bare = element.select_one("img") is None and linked >= LINKED_SHARE * len(element.text.strip())
    if targets > MAX_TARGETS or (bare and targets >= MIN_MENU_TARGETS and _is_menu_entry(element, targets)):
        return 0
    return MAX_BARE_COUNTED if bare else MAX_UNPRICED_COUNTED


def _is_menu_entry(element: Element, targets: int) -> bool:
    """Does it hold a list of its own, or many links? A row links to its thing, author and category."""
    return element.tag != "tr" and (
        targets >= MIN_FLAT_TARGETS or element.select_one("ul, ol, dl") is not None
    )


def _is_grid_of_cells(found: Sequence[Element]) -> bool:
    """Do most cells share their table row with another one? Then cells are the rows, side by side."""
    in_row = Counter(element.parent for element in found)
    return 2 * sum(count for count in in_row.values() if count > 1) > len(found)
