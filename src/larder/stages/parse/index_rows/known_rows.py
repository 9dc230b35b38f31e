"""Finds rows with the structure of those that were read for which no item was made.

Such a row is an item with title and link: its own page completes it. Where a page shows so few rows that only
earlier pages of the index tell which they are, nothing else on it is a row.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from turbohtml import Element

from larder.core.model.item import Item, RowShape, Strategy
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.sdk.raw_fields import without_empty
from larder.stages.parse.extraction_task import MAX_BLOCK
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.index_rows.blocks import Block, row_blocks
from larder.stages.parse.index_rows.non_title_texts import can_be_title
from larder.stages.parse.index_rows.row_prices import RowPrices
from larder.stages.parse.index_rows.row_shapes import (
    MIN_ROWS,
    Row,
    keys_of,
    linked_rows,
    rows_like,
    shapes_of,
)
from larder.stages.parse.index_rows.title_places import title_at, title_place
from larder.stages.parse.index_rows.titles import row_titles

SCORE = 0.3
FEW_ROWS = 6
"""Minimum rows whose common structure is used instead of shapes from earlier pages."""
LIST_LEVELS = 3
"""Maximum levels from a row up to the list around it."""


def row_shapes(page: Page, kind: Kind, items: Sequence[Item]) -> tuple[RowShape, ...]:
    """The shapes of the page's rows; none for an agenda, whose rows are recognised by their links alone."""
    if len(items) < MIN_ROWS or (len(items) < FEW_ROWS and rows_like(page, page.row_shapes)):
        return ()  # shapes from earlier pages are used, as they were learned from more rows
    if kind is Kind.EVENT:
        return shapes_of(linked_rows(page, items))
    rows = [(block.elements, block.link) for block in page.cached(row_blocks)]
    place = title_place(rows, _titles_of(items))
    return tuple(replace(shape, title=place) for shape in shapes_of(rows))


def _rows_beside_few(page: Page, items: Sequence[Item]) -> list[Row]:
    """Rows beside one or two dated rows: elements with the same class and structure."""
    dated = [item for item in items if "date_text" in item.fields or "starts_at" in item.fields]
    few = linked_rows(page, dated) if 0 < len(dated) == len(items) < MIN_ROWS else []
    places = {place for _, link in few if (place := _classed_place(link.element))}
    if not places:
        return []
    rows = rows_like(page, shapes_of(few, least=1), besides=keys_of(items))
    return [row for row in rows if _classed_place(row[1].element) in places]


def _classed_place(link: Element) -> tuple[Element, str] | None:
    """The nearest element with a class around a link, as its parent and that class."""
    node = link.parent
    for _ in range(LIST_LEVELS):
        if not isinstance(node, Element) or node.tag == "body":
            return None
        if (named := node.attr("class")) and isinstance(node.parent, Element):
            return node.parent, named
        node = node.parent
    return None


def _titles_of(items: Sequence[Item]) -> dict[str, str]:
    return {key: str(item.fields.get("title") or "") for item in items for key in keys_of([item])}


def with_unread_rows(
    page: Page, shapes: Sequence[RowShape], items: Sequence[Item]
) -> tuple[Sequence[Item], int]:
    """The items, with those of missed rows, and the number of rows without a title."""
    known = rows_like(page, page.row_shapes)
    if 0 < len(known) < MIN_ROWS:
        keys = {link.key for _, link in known}
        items = [item for item in items if _is_known(item, keys) and not _is_page_itself(item, page)]
        items = _retitled(items, known, page)
        unread = _rows_without_items(known, items)
    else:
        wanted_shapes = shapes or page.row_shapes
        rows = (
            rows_like(page, wanted_shapes, besides=keys_of(items))
            if wanted_shapes
            else _rows_beside_few(page, items)
        )
        unread = _in_same_lists(_rows_without_items(rows, items), page, items)
        items = _retitled(items, known, page) if len(items) < FEW_ROWS else items
    named = {**row_titles([Block(parts, link) for parts, link in unread]), **_known_titles(unread, page)}
    prices = RowPrices(page).of(part for parts, _ in unread for part in parts) if unread else {}
    more = [_item(parts, named[link.key], link.url, prices) for parts, link in unread if link.key in named]
    return [*items, *more], len(unread) - len(more)


def _retitled(items: Sequence[Item], rows: Sequence[Row], page: Page) -> list[Item]:
    """The items with the titles found in the learned title places; titles from markup are kept."""
    known, shown = _known_titles(rows, page), []
    for item in items:
        title = next((known[key] for key in keys_of([item]) if key in known), "")
        guessed = item.strategy is Strategy.HEURISTIC and item.strategies.get("title") is None
        shown.append(replace(item, fields={**item.fields, "title": title}) if title and guessed else item)
    return shown


def _known_titles(rows: Sequence[Row], page: Page) -> dict[str, str]:
    """The text in the learned title place, by the keys of the rows' links."""
    places = [shape.title for shape in page.row_shapes if shape.title]
    found = {link.key: [title_at(place, parts) for place in places] for parts, link in rows}
    titles = {key: next(filter(can_be_title, texts), "") for key, texts in found.items()}
    return {key: title for key, title in titles.items() if title}


def _is_known(item: Item, keys: Set[str]) -> bool:
    """Whether its link is that of a known row; for an event without a link, whether its day is."""
    own, dated = keys_of([item]), "starts_at" in item.fields or "date_text" in item.fields
    return bool(keys & own) or (not own and dated)


def _is_page_itself(item: Item, page: Page) -> bool:
    """Whether its title is that of the page instead of its row's."""
    return item.fields.get("title") == page.cached(headline)[0]


def _rows_without_items(rows: Sequence[Row], items: Sequence[Item]) -> list[Row]:
    keys = keys_of(items)
    return [(parts, link) for parts, link in rows if link.key not in keys]


def _in_same_lists(unread: Sequence[Row], page: Page, items: Sequence[Item]) -> list[Row]:
    """The rows that are in a list with rows that were read."""
    if not unread:
        return []
    lists = {node for (row,), _ in linked_rows(page, items) for node in _list_elements(row)}
    return [(parts, link) for parts, link in unread if not lists.isdisjoint(_list_elements(parts[0]))]


def _list_elements(row: Element) -> list[Element]:
    found: list[Element] = []
    node = row.parent
    while isinstance(node, Element) and node.tag not in ("body", "main") and len(found) < LIST_LEVELS:
        found.append(node)
        node = node.parent
    return found


def _item(parts: Sequence[Element], title: str, url: str, prices: Mapping[Element, str]) -> Item:
    block = "".join(part.html for part in parts)[:MAX_BLOCK]
    price = next(filter(None, map(prices.get, parts)), "")
    fields = without_empty({"title": title, "url": url, "price": price})
    return Item(fields=fields, strategy=Strategy.HEURISTIC, score=SCORE, block=block)
