"""Guesses the record kind of a page, and whether it is a list, for pages without a source."""

import re
from collections import Counter
from typing import Any

from turbohtml import Element, Node

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk.jsonld import types_of
from larder.sdk.page import Page
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.feeds import feed_of, is_feed
from larder.stages.parse.heuristic.address import path_of
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import is_hidden, is_on_other_card, lineage
from larder.stages.parse.heuristic.price_elements import elements_with_amounts
from larder.stages.parse.heuristic.prices import has_clear_price, price_candidates
from larder.stages.parse.heuristic.product_codes import labelled_code
from larder.stages.parse.heuristic.related_items import stands_below_related_heading
from larder.stages.parse.heuristic.stock import buy_buttons
from larder.stages.parse.index_rows.blocks import Block, row_blocks
from larder.stages.parse.index_rows.excluded_rows import is_outside_list
from larder.stages.parse.json_values import first_value, json_text
from larder.stages.parse.meta_tags import meta_fields
from larder.stages.parse.schema import is_node_of_kind
from larder.stages.parse.structured import walk_nodes

MIN_LIST_ROWS = 5
MIN_BLOCK_TEXT = 60
MIN_BLOCK_TITLE = 12
MIN_AGGREGATE_OFFERS = 5
MIN_CARDS = 3
MIN_ROWS_ALONE = 8
MIN_PRICED_SHARE = 0.8
MAX_OWN_LEVELS = 6
"""Maximum containers up from the headline to the page's own price, where rows have prices, too."""

_LEADING_COUNT = re.compile(r"\W*(\d{1,3})\s+[^\W\d_]{3}")
_NUMBERED = re.compile(r"\d{4}")
_CODES = frozenset({"sku", "mpn", "gtin", "gtin13", "gtin12", "gtin14", "gtin8", "isbn", "productID"})
_HOMES = frozenset({"RealEstateListing", "Apartment", "House", "SingleFamilyResidence", "ApartmentComplex"})


def kind_of(page: Page) -> Kind:
    """The most likely record kind of a page."""
    return _by_feed(page) or _by_markup(page) or _by_meta(page) or _by_words(page)


def _by_feed(page: Page) -> Kind | None:
    """An agenda for a feed of dated entries, a shop for one with prices."""
    found = page.cached(feed_of)
    first_row = found.rows[0] if found is not None and found.rows else {}
    return Kind.EVENT if "starts_at" in first_row else Kind.PRODUCT if "price" in first_row else None


def _by_markup(page: Page) -> Kind | None:
    counts: Counter[Kind] = Counter()
    for node in walk_nodes([*page.json_ld(), *page.microdata()]):
        if set(types_of(node)) & _HOMES:
            counts[Kind.LISTING] += 2
        elif is_node_of_kind(node, Kind.EVENT):
            counts[Kind.EVENT] += 1
        elif "Product" in types_of(node):
            counts[Kind.PRODUCT] += 1
    return counts.most_common(1)[0][0] if counts else None


def _by_meta(page: Page) -> Kind | None:
    declared = page.meta().get("og:type", "").lower()
    if "product" in declared or "price" in page.cached(meta_fields):
        return Kind.PRODUCT
    return Kind.EVENT if "event" in declared else None


def _by_words(page: Page) -> Kind:
    """An agenda for days without prices; otherwise a thing for sale."""
    return (
        Kind.EVENT
        if len(page.cached(mentions)) >= 2 and not page.cached(elements_with_amounts)
        else Kind.PRODUCT
    )


def purposes_of(page: Page, kind: Kind) -> tuple[Purpose, Purpose]:
    """The purposes to try, in order: one thing, or a list."""
    if page.cached(is_feed) or (kind is not Kind.EVENT and _is_list(page, kind)):
        return Purpose.INDEX, Purpose.DETAIL
    return Purpose.DETAIL, Purpose.INDEX


def _is_list(page: Page, kind: Kind) -> bool:
    """Whether there are many cards, and no price, code or buy button of the page as a whole."""
    names = _names(page.json_ld(), kind)
    if 0 < len(names) < MIN_CARDS:
        return _has_rows_alone(page, kind)
    if "price" in page.cached(meta_fields):
        return False
    names |= _names(page.microdata(), kind)
    if 0 < len(names) < MIN_CARDS or (page.cached(labelled_code) and len(names) < MIN_CARDS):
        return _has_rows_alone(page, kind)
    found = page.cached(row_blocks)
    rows = {element for block in found for element in block.elements}
    if _has_code_outside(page, rows):
        return False
    if _headline_counts_rows(page, len(found)):
        return True
    if _is_addressed_as_rows(page, found):
        return False
    many = len(names) >= MIN_CARDS or sum(map(_is_rich_block, found)) >= max(MIN_LIST_ROWS, len(found) / 2)
    if not many and not _has_priced_rows_only(page, found, kind):
        return False
    below_related = bool(found) and stands_below_related_heading(found[0].element)
    return not below_related and not _sells_itself(page, rows, kind)


def _has_rows_alone(page: Page, kind: Kind) -> bool:
    """Whether prices and buttons are only in rows, on a page that is marked up as a thing or has a code."""
    if _has_own_offer(page, kind) or "price" in page.cached(meta_fields):
        return False
    if len(page.cached(elements_with_amounts)) < MIN_ROWS_ALONE:
        return False
    found = page.cached(row_blocks)
    rows = {element for block in found for element in block.elements}
    if _priced_rows(page) < max(MIN_ROWS_ALONE, MIN_PRICED_SHARE * len(found)):
        return False
    if _has_code_outside(page, rows):
        return False
    shown = (element for element, _ in page.cached(elements_with_amounts))
    return not any(_is_outside_rows(each, rows) for each in (*shown, *buy_buttons(page)))


def _has_own_offer(page: Page, kind: Kind) -> bool:
    """Whether the page's thing is marked up with a price of its own, which is no aggregate."""
    nodes = [node for node in walk_nodes(page.json_ld()) if is_node_of_kind(node, kind)]
    offers = (first_value(node.get("offers")) for node in nodes)
    priced = any(isinstance(each, dict) and "price" in each for each in offers)
    return priced or any("hasVariant" in node for node in nodes)


def _has_code_outside(page: Page, rows: set[Element]) -> bool:
    code = page.cached(labelled_code)
    return bool(code) and not any(code in element.text for element in rows)


def _has_priced_rows_only(page: Page, found: list[Block], kind: Kind) -> bool:
    """Whether it is a short list of homes.

    Each has its price, and all prices are equally far from the headline.
    """
    if kind is not Kind.LISTING or len(found) < MIN_CARDS or not all(block.price for block in found):
        return False
    shown = price_candidates(page, page.cached(headline)[1])
    return len({each.text for each in shown if each.score == shown[0].score}) >= MIN_CARDS


def _headline_counts_rows(page: Page, rows: int) -> bool:
    """Whether the headline states the number of rows: `4 apartments in Salta`, and four are shown."""
    title, _ = page.cached(headline)
    number = _LEADING_COUNT.match(title)
    return number is not None and rows >= MIN_CARDS and int(number[1]) == rows


def _is_addressed_as_rows(page: Page, found: list[Block]) -> bool:
    """Whether the page is where its rows' things are, under a number like theirs: it is one of them."""
    own = _numbered_place(page.url)
    same_number = sum(_numbered_place(block.link.url) == own for block in found) if own else 0
    return same_number >= MIN_CARDS and 2 * same_number > len(found)


def _numbered_place(url: str) -> str:
    """The folder of an address that ends in a number, or its path and the name of a numbered parameter."""
    whole, _, query = url.partition("#")[0].partition("?")
    name, _, value = query.partition("=")
    if value.isdecimal() and _NUMBERED.fullmatch(value[:4]):
        return f"{path_of(whole)}?{name}"
    folder, _, last = path_of(url).rstrip("/").rpartition("/")
    return folder if _NUMBERED.search(last) else ""


def _is_rich_block(block: Block) -> bool:
    """Whether a block shows more than a link of a menu."""
    if block.price:
        return True
    words = sum(len(part.text.strip()) for part in block.elements)
    return words >= MIN_BLOCK_TEXT or (
        words >= MIN_BLOCK_TITLE and block.element.select_one("img") is not None
    )


def _names(nodes: list[dict[str, Any]], kind: Kind) -> set[str]:
    """The names of things of this kind, or their addresses: homes of one kind may share a name."""
    names, addresses = set[str](), set[str]()
    for node in walk_nodes(nodes):
        if is_node_of_kind(node, kind) and not _is_offer_summary(node):
            names.add(name := json_text(node.get("name")))
            addresses.add(json_text(node.get("url")).partition("?")[0] if name else "")
    return addresses if len(addresses - {""}) > max(len(names), MIN_CARDS - 1) else names


def _is_offer_summary(node: dict[str, Any]) -> bool:
    """Whether one offer aggregates many, on a thing without any code: then the page is a list."""
    offers = first_value(node.get("offers"))
    if not isinstance(offers, dict) or "AggregateOffer" not in types_of(offers) or _CODES & node.keys():
        return False
    count = json_text(offers.get("offerCount"))
    return count.isdecimal() and int(count[:9]) >= MIN_AGGREGATE_OFFERS


def _sells_itself(page: Page, rows: set[Element], kind: Kind) -> bool:
    """Whether one price, or a buy button outside every card and menu, is the page's own.

    Homes have no such button.
    """
    _, head = page.cached(headline)
    if not any(_is_outside_rows(element, rows) for element, _ in page.cached(elements_with_amounts)):
        return False
    near: set[Node] = {head, *lineage(head)} if head is not None else set()
    outside = [
        button
        for button in buy_buttons(page)
        if _is_outside_rows(button, rows)
        and not is_hidden(button)
        and not is_on_other_card(button, near, page.url, below=True)
    ]
    clear = has_clear_price(page, head) or (kind is Kind.LISTING and has_clear_price(page, head, rent=True))
    if clear and (_priced_rows(page) < MIN_LIST_ROWS or _is_price_near(page, head)):
        return True
    return kind is not Kind.LISTING and _is_any_alone(outside)


def _priced_rows(page: Page) -> int:
    return sum(bool(block.price) for block in page.cached(row_blocks))


def _is_price_near(page: Page, head: Element | None) -> bool:
    """Whether the clearest price is near the headline: beside priced rows one far away is a box's."""
    shown = price_candidates(page, head, rent=True) if head is not None else []
    return bool(shown) and shown[0].distance <= MAX_OWN_LEVELS


def _is_any_alone(buttons: list[Element]) -> bool:
    """Whether one of these buttons is the page's own; cards of another list have one each, all alike."""
    around = Counter(map(_surroundings, buttons))
    return any(count < MIN_CARDS for count in around.values())


def _surroundings(element: Element) -> tuple[str, ...]:
    """The tags and first classes of an element and its ancestors, except names for the last of a line."""
    nodes = (node for node in (element, *lineage(element, 2)) if isinstance(node, Element))
    return tuple(" ".join([node.tag, *(node.attr("class") or "").split()[:1]]) for node in nodes)


def _is_outside_rows(element: Element, rows: set[Element]) -> bool:
    """Whether it is neither in a row nor in the page's frame."""
    return not rows.intersection((element, *lineage(element))) and not is_outside_list(element)
