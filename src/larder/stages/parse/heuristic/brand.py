"""Finds the brand: an element named `brand` near the headline, or the text after a label."""

import re
from collections.abc import Iterator

from turbohtml import Element, Node

from larder.core.policy.word_search import alternatives, grouped
from larder.sdk.css_names import NameSearch
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.address import path_of
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import MAX_CLIMB, distance, lineage, stands_aside
from larder.stages.parse.heuristic.segments import segments

MAX_NAMED = 40
MAX_BRAND = 40
MAX_LABEL = 30
MAX_VISIBLE = 60_000
MIN_LOGO_NAME = 3
LOGO_LEVELS = 2
BESIDE_LEVELS = 2
MAX_LEVELS = 5
"""Maximum containers up from the headline in which a brand is the item's own."""

_NAME = re.compile(r"brand(?!ing)|manufacturer|hersteller|marque|(?:^|[\s_-])vendor")
_LABEL = re.compile(
    r"(?:brand(?: name)?|manufacturer|made by|marke|hersteller|merk|fabrikant|marque|fabricant|marca|"
    r"fabricante|produttore|značka|marka|märke|brand/label|by)\s*[:：]?\s+",
    re.IGNORECASE,
)
_BRAND_IN_TEXT = re.compile(
    r"(?:B(?<!\wB)rand(?: Name)?|M(?<!\wM)(?:anufacturer|arke|erk|arque|arca)|H(?<!\wH)ersteller"
    r"|F(?<!\wF)abricant|Z(?<!\wZ)načka)\s?[:：]\s?"
    r"(?P<brand>[A-ZÀ-Ý0-9][\w'’&.®+-]*+(?:\s(?:&\s)?[A-ZÀ-Ý0-9][\w'’&.®+-]*+(?!\s?:)){0,2})(?!\s?:)"
)
"""Labels begin with a literal letter, with the check before it second, so that the search is fast."""
_LABELS = (
    r"brand(?: name)?|manufacturer|marke|hersteller|merk|fabrikant|marque|fabricant|marca|"
    r"fabricante|produttore|značka|výrobce|producent|marka|varumärke|märke"
)
_LABELLED = re.compile(grouped(rf"\b{label}\b\s?[:：]?" for label in alternatives(_LABELS)))
"""In lower case."""
_INITIALS = frozenset("bmhfpzvBMHFPZV")
_NO_BRAND = re.compile(
    r"[:?!€$£%{}<>/]|\b(?:brands?|shop|view|all|more|see|marken?|merken|marques|marcas|show)\b", re.IGNORECASE
)


def brand_of(page: Page, *, labelled: bool) -> str:
    """The brand; `labelled` also searches the visible text, which needs its layout."""
    labelled_brand = page.cached(_brand_in_text) if labelled else ""
    return page.cached(_brand_by_name) or labelled_brand or page.cached(_brand_by_logo)


def _brand_by_name(page: Page) -> str:
    """The nearest short text in an element named as a brand."""
    title, head = page.cached(headline)
    if head is None:
        return ""
    chain: dict[Node, int] = {node: at for at, node in enumerate([head, *lineage(head)])}
    near = set(chain)
    found = page.called(_is_brand_name, also="[itemprop=brand]")[:MAX_NAMED]
    close = sorted(found, key=lambda each: min(distance(each, chain), MAX_CLIMB))
    names = (
        _brand_text(each) or _brand_in_address(each, title)
        for each in close
        if (far := distance(each, chain)) <= MAX_LEVELS
        and (not stands_aside(each, near) or (far <= BESIDE_LEVELS and each.attr("itemprop") == "brand"))
    )
    return next((name for name in names if name), "")


_is_brand_name = NameSearch(_NAME)


def _brand_by_logo(page: Page) -> str:
    """The title's first word if a picture beside the headline links to its page: `/acme`."""
    title, head = page.cached(headline)
    first = title.split()[0] if head is not None and " " in title else ""
    if head is None or len(first) < MIN_LOGO_NAME:
        return ""
    around = next(iter(lineage(head, LOGO_LEVELS)[LOGO_LEVELS - 1 :]), None)
    pictures = around.select("a[href] > img")[:MAX_NAMED] if isinstance(around, Element) else []
    links = (picture.parent for picture in pictures)
    slugs = (path_of(each.attr("href") or "").rstrip("/") for each in links if isinstance(each, Element))
    return first if any(_is_named(slug, first) for slug in slugs) else ""


def _is_named(path: str, name: str) -> bool:
    return path.rpartition("/")[2].removesuffix(".html").casefold() == name.casefold()


def _brand_in_address(element: Element, title: str) -> str:
    """The word of the title to which the link of an element named as a brand leads."""
    link = element if element.tag == "a" else element.select_one("a[href]")
    path = path_of(link.attr("href") or "") if link is not None else ""
    return next((word for word in title.split() if path and _is_named(path.rstrip("/"), word)), "")


def _brand_text(element: Element) -> str:
    name = _LABEL.sub("", element.attr("content") or brief_text_of(element, 12), count=1).strip(" -–|:®")
    if not name and (picture := element.select_one("img[alt]")) is not None:
        name = (picture.attr("alt") or "").strip()
    return name if 1 < len(name) <= MAX_BRAND and not _NO_BRAND.search(name) else ""


def _brand_in_text(page: Page) -> str:
    visible = page.visible[:MAX_VISIBLE]
    if _LABELLED.search(visible.lower()) is None:
        return ""
    if _has_label(page) and (labelled := next(_texts_behind_labels(page), "")):
        return labelled
    found = _BRAND_IN_TEXT.search(visible)
    return found["brand"] if found and not _NO_BRAND.search(found["brand"]) else ""


def _has_label(page: Page) -> bool:
    """Whether any text begins with a label: checked first, as finding the item's own texts is slow."""
    texts = (text.lstrip() for _, text in page.texts)
    return any(text[:1] in _INITIALS and _LABELLED.match(text[:MAX_LABEL].lower()) for text in texts)


def _texts_behind_labels(page: Page) -> Iterator[str]:
    """The texts after `Brand` or `Brand:`, in the same element or in the next one."""
    texts = page.cached(segments).texts
    for at, segment in enumerate(texts):
        found = _LABELLED.match(segment.text[:MAX_LABEL].lower())
        rest = segment.text[found.end() :].strip(" :：") if found else ""
        alone = found is not None and not rest and at + 1 < len(texts)
        if found is None or (rest and ":" not in found[0]):
            continue
        name = (texts[at + 1].text if alone else rest).strip(" -–|:®")
        if 1 < len(name) <= MAX_BRAND and not _NO_BRAND.search(name) and not name.isdigit():
            yield name
