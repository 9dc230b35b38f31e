"""Finds each row's element. Rows are siblings: the outermost with hardly more than one mark each."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from turbohtml import Element

from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.heuristic.page_position import lineage

MAX_MARKS_A_ROW = 2.5
MAX_LINKS, MAX_PEERS = 4, 40
MIN_HEADERS = 3

_TITLES = "h2, h3, h4, h5, strong, b"


def rows_of(marks: Iterable[Element]) -> dict[Element, Element]:
    """Each mark's row; a mark without siblings is its own row."""
    marks = list(marks)
    paths = {mark: [mark, *(node for node in lineage(mark) if isinstance(node, Element))] for mark in marks}
    marks_within = Counter(node for path in paths.values() for node in path)
    peers = _marked_children(paths)
    return {mark: _row(path, marks_within, peers) for mark, path in paths.items()}


def _marked_children(paths: dict[Element, list[Element]]) -> dict[Element, dict[str, list[Element]]]:
    """For every container, its children with a mark, by tag."""
    children: dict[Element, dict[str, list[Element]]] = {}
    for parent, child in dict.fromkeys(
        (parent, child) for path in paths.values() for child, parent in pairwise(path)
    ):
        children.setdefault(parent, {}).setdefault(child.tag, []).append(child)
    return children


def _row(
    path: list[Element], marks_within: Counter[Element], peers: dict[Element, dict[str, list[Element]]]
) -> Element:
    """The outermost ancestor of the mark that has similar siblings with few marks each."""
    best: Element | None = None
    rows: list[Element] = []
    for child, parent in pairwise(path):
        siblings = peers[parent][child.tag]
        if (
            len(siblings) >= 2
            and marks_within[parent] / len(siblings) <= MAX_MARKS_A_ROW
            and marks_within[child] <= 2 * MAX_MARKS_A_ROW
        ):
            crowded = marks_within[child] > MAX_MARKS_A_ROW
            if best is not None and crowded and _is_titled_row(best, marks_within):
                break
            if marks_within[child] > 1 and rows and _are_linked_rows(rows, marks_within):
                break
            best, rows = child, siblings
    return best if best is not None else _row_without_siblings(path, marks_within)


def _are_linked_rows(rows: list[Element], marks_within: Counter[Element]) -> bool:
    """Whether each has one mark, which is a link with a name: their container is their list."""
    return all(marks_within[row] == 1 and _links_by_name(row) for row in rows[:MAX_PEERS])


def _links_by_name(row: Element) -> bool:
    return any(as_title(link.text.strip()) for link in row.select("a[href]")[:MAX_LINKS])


def _is_titled_row(row: Element, marks_within: Counter[Element]) -> bool:
    """Whether it has one mark and its own title: a container of several such is a line of columns."""
    return marks_within[row] == 1 and row.select_one(_TITLES) is not None


def _row_without_siblings(path: list[Element], marks_within: Counter[Element]) -> Element:
    """The row of a mark without siblings: the largest element with no other mark, never the whole page."""
    row = path[0]
    for element in path[1:]:
        if marks_within[element] > marks_within[path[0]] or element.tag in ("body", "html", "main"):
            break
        if row.tag == "tr" and _is_below_header(row):
            break
        row = element
    return row


def _is_below_header(row: Element) -> bool:
    """Whether it is the row of a table with a header of its own above it."""
    table = row.closest("table")
    head = table.select_one("th") if table is not None else None
    header = head.closest("tr") if head is not None else None
    return header is not None and header is not row and len(header.select("th")) >= MIN_HEADERS
