"""Finds the rows of a last index page with one or two rows, which equal structure cannot show.

Where a page has a pager, or its address is that of a later page, an element whose class or id names an item
and that shows a price and a link is a row; so is a sibling of the same tag and class without a price.
"""

import re
from functools import lru_cache
from itertools import islice

from turbohtml import Element

from larder.sdk.page import Page
from larder.stages.parse.heuristic.page_position import lineage, name_of
from larder.stages.parse.heuristic.price_elements import elements_with_amounts
from larder.stages.parse.heuristic.price_words import is_struck
from larder.stages.parse.index_rows.excluded_rows import is_outside_list
from larder.stages.parse.index_rows.links import Link

MAX_ROWS = 2
MAX_CLIMB = 10
MAX_SIBLINGS = 20

PAGERS = (
    'a[rel~="prev" i], link[rel~="prev" i], [class*=pagination i] :is(a[href], input), '
    "[class*=pager i] a[href], nav[aria-label*=pag i] a[href], a[class~=prev i], "
    "[class~=pagination i], [class~=pager i], nav[aria-label*=pagination i], "
    "[data-testid*=paginat i], [data-test-id*=paginat i]"
)
"""A pager or its links; a pager with only a link forward has no link on the last page."""
_LATER_PAGE_URL = re.compile(
    r"(?:[?&](?:p|pn|pg|pag|page|pagina|pageno|paged|pagenumber|seite|side|sida|strona|strana)="
    r"|/(?:page|seite|pagina)[/-])(?:[2-9]|[1-9]\d)(?!\d)",
    re.IGNORECASE,
)
"""Matches the address of a page after the first."""
_ITEM_NAME = re.compile(
    r"(?:^|[\s_-])(?:product|item|card|listing|ad|advert|aditem|result|offer|annonce|annuncio|anuncio"
    r"|article|"
    r"property|estate|entry|row|tile)s?(?:$|[\s_-])",
    re.IGNORECASE,
)


def last_page_rows(page: Page, links: list[Link]) -> list[tuple[Element, Link]]:
    """One or two rows with their links; none if there are more, or if the page has no pager."""
    if not links or (_LATER_PAGE_URL.search(page.url) is None and page.first(PAGERS) is None):
        return []
    holders = {node: link for link in reversed(links) for node in link.chain}
    found: dict[Element, Link] = {}
    for element, _ in page.cached(elements_with_amounts):
        row = _row(element) if not is_struck(element) else None
        if row is not None and row in holders:
            found.setdefault(row, holders[row])
    if len(found) > MAX_ROWS:
        return []
    unpriced = (each for row in list(found) for each in _unpriced_siblings(row) if each in holders)
    return [*found.items(), *((row, holders[row]) for row in unpriced if row not in found)][:MAX_ROWS]


def _unpriced_siblings(row: Element) -> list[Element]:
    """Its siblings of the same tag and class: rows without a price."""
    around = row.parent.children if isinstance(row.parent, Element) else ()
    return [
        each
        for each in islice(around, MAX_SIBLINGS)
        if isinstance(each, Element) and (each.tag, each.attr("class")) == (row.tag, row.attr("class"))
    ]


def _row(element: Element) -> Element | None:
    """The innermost block around an amount that has a link and an item's class or id."""
    around = [node for node in lineage(element, MAX_CLIMB) if isinstance(node, Element)]
    named = [
        node for node in around if _is_item_name(name_of(node)) and node.tag not in ("body", "main", "html")
    ]
    inner = next((node for node in named if node.tag in _BLOCKS and _has_link(node)), None)
    return inner if inner is not None and not is_outside_list(inner) else None


_BLOCKS = frozenset({"a", "li", "article", "div", "tr", "section"})


def _has_link(node: Element) -> bool:
    return node.tag == "a" or node.select_one("a[href]") is not None


@lru_cache(maxsize=4_096)
def _is_item_name(name: str) -> bool:
    """Whether a class or id means an item; words may be separated by capitals: `ListingCard_root`."""
    return _ITEM_NAME.search(_CAPITAL.sub("-", name)) is not None


_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
