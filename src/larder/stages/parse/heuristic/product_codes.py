"""Finds the shop's product code: beside a label, in an attribute, or in the address."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl

from larder.sdk.css_names import NameSearch
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.address import parts_of, path_of
from larder.stages.parse.heuristic.words import CODE_LABELS, CODE_STEMS

MAX_VISIBLE = 60_000
MAX_MARKED = 300

_LABELLED = re.compile(
    rf"(?:(?<!\w)|(?-i:(?<=[a-z])(?=[A-Z])))(?P<label>{CODE_LABELS.pattern})(?!\w)\.?\s*[:：#=–-]{{0,2}}\s*"
    r"(?P<code>(?=[A-Z./_-]*\d)[A-Z0-9][A-Z0-9./_-]{1,29}[A-Z0-9])(?![\w@])",
    re.IGNORECASE,
)
_ATTRIBUTES = (
    "data-product-sku", "data-sku", "data-item-sku", "data-product-id", "data-productid", "data-pid",
    "data-product-code", "data-item-id", "data-itemid", "data-article-id", "data-product",
)  # fmt: skip
_ATTRIBUTED = ", ".join(f"[{attribute}]" for attribute in _ATTRIBUTES)
_MARKED = "[itemprop=sku], [data-qa-qualifier*=reference i]"
_MARKED_NAME = re.compile(r"sku|product-?code|item-number|artnr|product-ref")
_DECIMAL = re.compile(r"\d{1,4}[.,]\d{1,2}")
_CODE = re.compile(r"^[A-Za-z0-9][\w./-]{2,39}$")
_URL_PARAMETERS = ("pid", "sku", "productid", "product_id", "itemid", "item_id", "id", "prodid", "article")
_URL_NUMBER = re.compile(
    r"(?:^|[/_.,-])[a-z]{0,2}(\d{4,15})(?=$|[/_.,-]|\.(?:html?|php|aspx?))", re.IGNORECASE
)
_URL_CODE = re.compile(
    r"(?:^|[/_-])([A-Z0-9]*(?:[A-Z]\d|\d[A-Z])[A-Z0-9]{3,18}(?:-[A-Z0-9]{2,4})?)(?=$|[/_.]|\.html?)"
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
"""Matches a year in an address: as a code, it would be shared by many items."""
_URL_TAIL = re.compile(r"(?<=[A-Za-z])(\d{6,15})(?=/|$)")


def code_of(page: Page) -> str:
    """The likeliest code: a visible one, then one in attributes, then one in the address."""
    readers = (labelled_code, marked_code, attribute_code, address_code)
    return next((code for read in readers if (code := page.cached(read))), "")


def labelled_code(page: Page) -> str:
    """A visible code after its label; the manufacturer's model number has the lowest rank."""
    found = [
        (match["label"], code)
        for match in _labels(page.visible[:MAX_VISIBLE])
        if _is_code(code := _without_glued_word(match["code"]))
    ]
    own = (code for label, code in found if not label.lower().startswith("model"))
    return next(own, found[0][1] if found else "")


def _labels(text: str) -> Iterator[re.Match[str]]:
    """Labels with their codes, in order; the beginnings of labels are searched first, which is faster."""
    lower = text.lower()
    if len(lower) != len(text):  # a few letters have longer lower-case forms: positions would differ
        lower = text
    places = sorted({at for stem in CODE_STEMS for at in _positions(lower, stem) if _begins_word(text, at)})
    return (match for at in places if (match := _LABELLED.match(text, at)))


def _begins_word(text: str, at: int) -> bool:
    """Whether a word begins here, or a capital letter if the page has no space."""
    before = text[at - 1] if at else " "
    return not before.isalnum() or (before.islower() and text[at].isupper())


def _positions(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _without_glued_word(code: str) -> str:
    """Removes the word attached to the code on pages without spaces."""
    return re.sub(r"(?<=\d)[A-Z][a-z]{2,}$", "", code).strip("./-_")


def marked_code(page: Page) -> str:
    """A code in an element named as one."""
    for element in page.called(_is_code_name, also=_MARKED)[:20]:
        words = (element.attr("content") or brief_text_of(element)).split()
        if 0 < len(words) <= 5 and _is_code(code := words[-1].strip(".:#()")):
            return code
    return ""


_is_code_name = NameSearch(_MARKED_NAME)


def attribute_code(page: Page) -> str:
    """A code in an attribute, if the page has only one such value."""
    marked = page.css(_ATTRIBUTED)[:MAX_MARKED]
    for attribute in _ATTRIBUTES:
        codes = {code for each in marked if _is_code(code := (each.attr(attribute) or "").strip())}
        if len(codes) == 1:
            return codes.pop()
    return ""


def address_code(page: Page) -> str:
    """The number or code in the page's own address."""
    for url in (page.meta().get("canonical", ""), page.url):
        pairs = {name.lower(): value for name, value in parse_qsl(parts_of(url).query)}
        for name in _URL_PARAMETERS:
            if _is_code(pairs.get(name, "")):
                return pairs[name]
    for pattern in (_URL_NUMBER, _URL_CODE, _URL_TAIL):
        if codes := [code for code in pattern.findall(path_of(page.url)) if not _YEAR.fullmatch(code)]:
            return str(codes[-1])
    return ""


def _is_code(text: str) -> bool:
    """Whether it has a digit, and is not an amount."""
    return bool(_CODE.match(text)) and any(map(str.isdigit, text)) and _DECIMAL.fullmatch(text) is None
