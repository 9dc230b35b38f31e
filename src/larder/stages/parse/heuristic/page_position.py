"""Checks whether an element belongs to the page's main item, or to a menu, a sidebar or related items."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node

from larder.sdk.urls import join

MAX_CLIMB = 60
CELL_LEVELS = 4
MIN_COLUMNS = 3

ASIDE_NAME = re.compile(
    r"relat(?!ive)|recommend|similar|upsell|up-sell|cross-?sell|carousel|also-|alsob|viewed|recent|"
    r"mini-?cart|"
    r"minibasket|cart-?(?:preview|summary|drawer|items)|compar|bundle|accessor|sponsor|suggest|"
    r"(?<!details[-_])(?<!detail[-_])(?<!product[-_])(?<!item[-_])(?<!info[-_])footer|"
    r"navbar|navigation|megamenu|breadcrumb|newsletter|cookie|modal|popup|review|comment|wishlist|"
    r"history|teaser|product-?tile|product-?card|product-?list(?![-_]?field)|grid-?item|swiper|slick-slide|other-?offers|"
    r"together"
)
CARD_LEVELS = 6
"""Maximum containers up from a button or an amount to the card of another item."""
MAX_CARD_LINKS = 6
MIN_CARD_NAME = 6
"""Minimum letters of a picture's name that names an item; `Sale` and `Zoom` are on many pictures."""
_NO_CARD = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif)(?:$|\?)|^(?:javascript|mailto|tel):|cart|basket|checkout|wish|compar|login"
    r"|account|warenkorb|winkelwagen|panier|carrito|carrello|koszyk|add_product|buy_now|action=",
    re.IGNORECASE,
)
HIDDEN_LEVELS = 4
_HIDING = re.compile(
    r"(?<!overflow-)(?<!overflow-[xy]-)(?<!backface-)(?<!:)hidden(?!-(?:xs|sm|md|lg|print|mobile|phone|tablet))"
    r"|(?:^|\s)d-none(?:\s|$)"
)
_SHOWN_ON_SOME = re.compile(
    r"(?:^|\s)(?:(?:sm|md|lg|xl|2xl):|d-(?:sm|md|lg|xl|xxl)-)(?:block|flex|grid|inline|table|contents)"
)
_ASIDE_TAGS = frozenset({"nav", "footer", "aside"})


# Patterns for names match lower case: without IGNORECASE they are much faster.


def name_of(element: Element) -> str:
    """Class and id in one text: the name that its author gave an element."""
    return f"{element.attr('class') or ''} {element.attr('id') or ''}"


def lineage(element: Node, most: int = MAX_CLIMB) -> list[Node]:
    """An element's ancestors, nearest first, bounded."""
    return list(islice(element.ancestors, most))


def ancestors(element: Node) -> Iterator[Node]:
    """The same as an iterator, for callers that stop early."""
    return islice(element.ancestors, MAX_CLIMB)


def stands_aside(element: Element, stop: set[Node]) -> bool:
    """Whether it is beside the page's item; an element that also contains the headline is not."""
    node: Node | None = element
    for _ in range(MAX_CLIMB + 1):
        if node is None or node in stop or not isinstance(node, Element):
            return False
        if node.tag in _ASIDE_TAGS or is_aside(name_of(node)):
            return True
        node = node.parent
    return False


def is_on_other_card(element: Element, stop: set[Node], url: str, *, below: bool = False) -> bool:
    """Whether it is on a card with links to one page other than `url`.

    Both the card's picture and its title lead there. Pages below `url` are parts of the same item; with
    `below` they count as other pages, as those below a list do.
    """
    for node in lineage(element, CARD_LEVELS):
        if node in stop or not isinstance(node, Element):
            return False
        links = node.select("a[href]")[: MAX_CARD_LINKS + 1]
        if len(links) > MAX_CARD_LINKS:
            return False
        leading = [
            (link, to) for link in links if (to := _other_page(link.attr("href") or "", url, below=below))
        ]
        if len({to for _, to in leading}) == 1 and (len(leading) > 1 or _is_whole_card(leading[0][0], node)):
            return True
    return False


def _is_whole_card(link: Element, card: Element) -> bool:
    """Whether the link has a picture, and the title with it, beside it or as the picture's name."""
    picture = link.select_one("img")
    if picture is None or link.text.strip():
        return picture is not None
    name = (link.attr("aria-label") or link.attr("title") or picture.attr("alt") or "").strip()
    return len(name) >= MIN_CARD_NAME and name in card.text


def _other_page(href: str, url: str, *, below: bool) -> str:
    """The target of a link that is not within the page at `url`, nor a picture of its item, nor a basket."""
    if href.startswith("#") or _NO_CARD.search(href) is not None:
        return ""
    to = (join(url, href) or "").partition("#")[0]
    here, there = url.partition("#")[0].rstrip("/"), to.rstrip("/")
    return "" if there == here or (not below and there.startswith(here)) else to


@lru_cache(maxsize=8_192)
def is_aside(name: str) -> bool:
    """Whether it is a name for an element beside the page's item."""
    return ASIDE_NAME.search(name.lower()) is not None


def distance(element: Element, head_lineage: dict[Node, int]) -> int:
    """Levels from the headline up to the first common container."""
    if element in head_lineage:
        return head_lineage[element]
    return next((head_lineage[node] for node in ancestors(element) if node in head_lineage), MAX_CLIMB)


def is_in_table_row(element: Element) -> bool:
    """Whether it is in a row of a table with more columns than a label and its value."""
    around = (node for node in (element, *lineage(element, CELL_LEVELS)) if isinstance(node, Element))
    row = next((node for node in around if node.tag == "tr"), None)
    return row is not None and len(row.select("td, th")) >= MIN_COLUMNS


def is_hidden(element: Element) -> bool:
    """Whether it or an ancestor is hidden."""
    around = (node for node in lineage(element, HIDDEN_LEVELS) if isinstance(node, Element))
    return any(_hides(each) for each in (element, *around))


def _hides(element: Element) -> bool:
    style = (element.attr("style") or "").replace(" ", "")
    return (
        "display:none" in style
        or element.attr("hidden") is not None
        or _is_hiding_name(element.attr("class") or "")
    )


@lru_cache(maxsize=8_192)
def _is_hiding_name(name: str) -> bool:
    """Whether a class hides its element at every screen size; clipped overflow is not hidden."""
    return _HIDING.search(name) is not None and _SHOWN_ON_SOME.search(name) is None
