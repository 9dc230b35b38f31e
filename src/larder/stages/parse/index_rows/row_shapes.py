"""Learns the structure of an index's rows from a page with many, to find the rows of a page with one or two.

One or two rows cannot be recognised by their equal structure. Links with the same tag path and address
pattern as those of the rows of an earlier page of the same index are rows too; one without an item is an
unread row.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from turbohtml import Element

from larder.core.model.item import Item, RowShape
from larder.sdk.page import Page
from larder.stages.parse.index_rows.excluded_rows import is_outside_list, is_sponsored, notice_rows
from larder.stages.parse.index_rows.links import Link, coarse_pattern, item_links, row_pattern

MIN_ROWS = 3
"""Minimum rows of the same structure from which a shape is learned."""
MAX_SHAPES = 3
MAX_PATH = 600
MAX_NAMES = 8
COMMON_SHARE = 0.9
ABOVE_LINK = 1
"""Levels from a link up to the element that counts as its row if only the link is known."""

Row = tuple[tuple[Element, ...], Link]


def shapes_of(rows: Iterable[Row], *, least: int = MIN_ROWS) -> tuple[RowShape, ...]:
    """The shapes of most rows, the most frequent first; each row may be in a folder of its own."""
    rows = list(rows)
    return _shapes_by(row_pattern, rows, least) or _shapes_by(coarse_pattern, rows, least)


def _shapes_by(pattern: Callable[[str], str], rows: Iterable[Row], least: int) -> tuple[RowShape, ...]:
    places: dict[tuple[str, str, int, int, int], list[Element]] = {}
    for elements, link in rows:
        if (place := _place(elements, link)) is not None and len(link.path) <= MAX_PATH:
            places.setdefault((link.path, pattern(link.url), *place), []).append(elements[0])
    ranked = sorted(places.items(), key=lambda each: -len(each[1]))
    return tuple(
        RowShape(path=path, address=address, height=height, before=before, after=after, names=_names(found))
        for (path, address, height, before, after), found in ranked[:MAX_SHAPES]
        if len(found) >= least
    )


def linked_rows(page: Page, items: Sequence[Item]) -> list[Row]:
    """The rows of these items, found by their links."""
    keys = keys_of(items)
    return [
        ((link.chain[ABOVE_LINK],), link)
        for link in page.cached(item_links)
        if link.key in keys and len(link.chain) > ABOVE_LINK
    ]


def rows_like(page: Page, shapes: Sequence[RowShape], besides: frozenset[str] = frozenset()) -> list[Row]:
    """The rows of a page with one of these shapes, each target once; without advertising and notices.

    None where there are no others `besides` those with these keys.
    """
    by_place = {(shape.path, shape.address): shape for shape in reversed(shapes)}
    paths = {shape.path for shape in shapes}
    places = (
        (
            link,
            by_place.get((link.path, row_pattern(link.url)))
            or by_place.get((link.path, coarse_pattern(link.url))),
        )
        for link in (page.cached(item_links) if shapes else ())
        if link.path in paths
    )
    shaped = [(link, shape) for link, shape in places if shape is not None]
    found: dict[str, Row] = {}
    for link, shape in shaped if any(link.key not in besides for link, _ in shaped) else ():
        elements = _elements(link, shape) if link.key not in found else ()
        if elements and not is_sponsored(elements[0]):
            found[link.key] = (elements, link)
    notices = notice_rows([elements[0] for elements, _ in found.values()])
    return [row for row in found.values() if row[0][0] not in notices]


def keys_of(items: Sequence[Item]) -> frozenset[str]:
    """The addresses of these items, in the form of `Link.key`."""
    urls = (str(item.fields.get("url") or "") for item in items)
    return frozenset(url.partition("#")[0].partition("://")[2].rstrip("/") for url in urls if url)


def _place(elements: tuple[Element, ...], link: Link) -> tuple[int, int, int] | None:
    """Levels from the link up to its row's element, and how many elements are before and after that one."""
    for at, element in enumerate(elements):
        if element in link.chain:
            return link.chain.index(element), at, len(elements) - 1 - at
    return None


def _names(rows: Sequence[Element]) -> tuple[str, ...]:
    """The classes of nearly all rows, the most frequent first: `odd` and `even` are not among them."""
    counts = Counter(name for row in rows for name in set((row.attr("class") or "").split()))
    ranked = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return tuple(name for name, count in ranked[:MAX_NAMES] if count >= COMMON_SHARE * len(rows))


def _elements(link: Link, shape: RowShape) -> tuple[Element, ...]:
    """The elements of the row around a link; none if it shares no class with the shape."""
    if len(link.chain) <= shape.height:
        return ()
    own = link.chain[shape.height]
    before = list(islice(_elements_of(own.previous_siblings), shape.before))[::-1]
    after = list(islice(_elements_of(own.next_siblings), shape.after))
    parts = (*before, own, *after)
    named = set((parts[0].attr("class") or "").split())
    if is_outside_list(own) or (shape.names and named.isdisjoint(shape.names)):
        return ()
    return parts


def _elements_of(nodes: Iterable[object]) -> Iterable[Element]:
    return (node for node in nodes if isinstance(node, Element) and any(map(str.strip, node.strings)))
