"""What kind of page is this? Asked only where nobody said so: for a page given without a source."""

from collections import Counter
from typing import Any

from turbohtml import Element

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk.jsonld import types_of
from larder.sdk.page import Page
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.heuristic.cards import card_rows
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.place import lineage
from larder.stages.parse.heuristic.prices import priced, stands_out
from larder.stages.parse.heuristic.product_codes import labelled_code
from larder.stages.parse.heuristic.stock import buttons
from larder.stages.parse.json_values import text
from larder.stages.parse.meta_tags import announced
from larder.stages.parse.schema import is_of
from larder.stages.parse.structured import walk

MANY = 8
FEW = 3

_HOMES = frozenset({"RealEstateListing", "Apartment", "House", "SingleFamilyResidence", "ApartmentComplex"})


def kind_of(page: Page) -> Kind:
    """The record kind a page most likely holds."""
    return _by_markup(page) or _by_meta(page) or _by_words(page)


def _by_markup(page: Page) -> Kind | None:
    counts: Counter[Kind] = Counter()
    for node in walk([*page.json_ld(), *page.microdata()]):
        if set(types_of(node)) & _HOMES:
            counts[Kind.LISTING] += 2
        elif is_of(node, Kind.EVENT):
            counts[Kind.EVENT] += 1
        elif "Product" in types_of(node):
            counts[Kind.PRODUCT] += 1
    return counts.most_common(1)[0][0] if counts else None


def _by_meta(page: Page) -> Kind | None:
    declared = page.meta().get("og:type", "").lower()
    if "product" in declared or "price" in page.once(announced):
        return Kind.PRODUCT
    return Kind.EVENT if "event" in declared else None


def _by_words(page: Page) -> Kind:
    """Days without prices are an agenda; anything else is read as a thing for sale."""
    return Kind.EVENT if len(page.once(mentions)) >= 2 and not page.once(priced) else Kind.PRODUCT


def purposes_of(page: Page, kind: Kind) -> tuple[Purpose, Purpose]:
    """In which order to try: as the one thing a page is about, or as a list of many?"""
    if kind is not Kind.EVENT and _is_list(page, kind):
        return Purpose.INDEX, Purpose.DETAIL
    return Purpose.DETAIL, Purpose.INDEX


def _is_list(page: Page, kind: Kind) -> bool:
    """Many cards, and nothing that belongs to the page as a whole: no price, no code, no button to buy."""
    names = _names(page.json_ld(), kind)
    if 0 < len(names) < FEW or "price" in page.once(announced):
        return False
    names |= _names(page.microdata(), kind)
    if 0 < len(names) < FEW:
        return False
    rows = {row for row, _ in page.once(card_rows)} if names or len(page.once(priced)) >= MANY else set()
    many = len(names) >= FEW or len(rows) >= MANY
    return many and not page.once(labelled_code) and not _sells_itself(page, rows)


def _names(nodes: list[dict[str, Any]], kind: Kind) -> set[str]:
    return {text(node.get("name")) for node in walk(nodes) if is_of(node, kind)}


def _sells_itself(page: Page, rows: set[Element]) -> bool:
    """Does one price stand out, or a button to buy outside every card?"""
    _, head = page.once(headline)
    outside = (button for button in buttons(page) if not rows.intersection((button, *lineage(button))))
    return stands_out(page, head) or any(outside)
