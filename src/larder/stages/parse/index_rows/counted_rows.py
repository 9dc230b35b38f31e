"""Counts how many elements of a set are rows, to choose between several sets that may be the page's list.

A menu may have a thousand entries beside twenty products, and a data table has a link in each cell.
"""

from collections import Counter
from collections.abc import Container, Sequence

from turbohtml import Element, Node

CELL_WEIGHT = 0.4
"""Factor for table cells: usually the table row is the row."""
MAX_UNPRICED_COUNTED = 100
MAX_BARE_COUNTED = 30
"""Maximum elements counted if their text is mostly link text."""
MAX_TARGETS = 20
"""Maximum link targets of an element without a price; a menu entry has more, one for each subsection."""
MIN_MENU_TARGETS, MIN_FLAT_TARGETS = 3, 8
LINKED_SHARE = 0.8
"""Minimum share of an element's text in links, spaces included, for an element that is only links."""


def counted_rows(found: Sequence[Element], sample: Sequence[Element], priced: Container[Node]) -> float:
    """The number of elements that count as rows: fewer if they have no prices, none for menu entries."""
    cells = CELL_WEIGHT if found[0].tag in ("td", "th") and not _is_grid_of_cells(found) else 1.0
    if any(element in priced for element in sample):
        return cells * len(found)
    most = sorted(map(_most_counted, sample))[len(sample) // 2]
    return cells * min(len(found), most)


def _most_counted(element: Element) -> int:
    """Maximum elements like this one that count: fewer if they are only links, 0 for menu entries."""
    links = element.select("a[href]")
    targets = len({link.attr("href") for link in links})
    linked = sum(len(link.text.strip()) for link in links)
    bare = element.select_one("img") is None and linked >= LINKED_SHARE * len(element.text.strip())
    if targets > MAX_TARGETS or (bare and targets >= MIN_MENU_TARGETS and _is_menu_entry(element, targets)):
        return 0
    return MAX_BARE_COUNTED if bare else MAX_UNPRICED_COUNTED


def _is_menu_entry(element: Element, targets: int) -> bool:
    """Whether it contains a list, or many links; a row links to its item, author and category."""
    return element.tag != "tr" and (
        targets >= MIN_FLAT_TARGETS or element.select_one("ul, ol, dl") is not None
    )


def _is_grid_of_cells(found: Sequence[Element]) -> bool:
    """Whether most cells share their table row with another cell: then cells are the rows, side by side."""
    in_row = Counter(element.parent for element in found)
    return 2 * sum(count for count in in_row.values() if count > 1) > len(found)
