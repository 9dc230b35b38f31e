"""What kind of page is this? Asked only where nobody said so: for a page given without a source."""

from collections import Counter

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk.jsonld import types_of
from larder.sdk.page import Page
from larder.stages.parse.schema import is_of
from larder.stages.parse.structured import walk

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
    if "product" in declared or "product:price:amount" in page.meta():
        return Kind.PRODUCT
    return Kind.EVENT if "event" in declared else None


def _by_words(page: Page) -> Kind:
    return Kind.PRODUCT


def purposes_of(page: Page, kind: Kind) -> tuple[Purpose, ...]:
    """In which order to try: as the one thing a page is about, or as a list of many?"""
    return (Purpose.DETAIL, Purpose.INDEX)
