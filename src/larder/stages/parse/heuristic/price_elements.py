"""Finds amounts: elements named as prices, and texts with a currency beside a number."""

import re

from turbohtml import Element, Node, Text

from larder.sdk.css_names import NameSearch
from larder.sdk.page import Page, brief_text_of, text_of, texts_in
from larder.stages.parse.amounts import AMOUNT, NUMBER, SIGN, rough_amount
from larder.stages.parse.heuristic.amount_texts import MAX_TEXT, SIGN_BETWEEN, amounts_in, bare_amount
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import distance, lineage
from larder.stages.parse.heuristic.related_items import other_amount_parts

MAX_CANDIDATES = 400
MAX_PARTS = 100
MAX_LEVELS = 3
"""Maximum containers up from the headline in which a price is the item's own."""

_NAMED = "[itemprop=price], [data-qa*=price i], [data-testid*=price i]"
_PRICE_NAME = re.compile(r"price|prix|preis|prijs|precio|preco|cena|prezzo")
BARE = re.compile(rf"^\D{{0,12}}(?:{NUMBER})(?:\s*[.,]?-+)?\D{{0,6}}$")
_DATA = ("data-price", "data-product-price", "data-price-amount", "data-item-price")
_DECIMAL = re.compile(r"\d{1,7}[.,]\d{2}")
DIGIT = re.compile(r"\d")
_SIGN = re.compile(SIGN)
_THREE_DECIMALS = re.compile(r"\d{1,6}\.\d{3,6}")
CENT = 0.01


def elements_with_amounts(page: Page) -> list[tuple[Element, str]]:
    """The innermost elements that show an amount, with their text."""
    return _innermost(_amount_elements(page))


def _amount_elements(page: Page) -> list[tuple[Element, str]]:
    named = [(element, _amount_text(element, named=True)) for element in named_prices(page)]
    found = [part for element, text in named if text for part in _split_amounts(element, text)]
    return found or page.cached(currency_texts)


def _split_amounts(element: Element, text: str) -> list[tuple[Element, str]]:
    """The amounts of one price if each is in an element of its own, else the whole."""
    inner = amounts_in(texts_in(element, MAX_PARTS)) if len(AMOUNT.findall(text)) > 1 else []
    apart = len({part for part, _ in inner if part is not element})
    return [(part, _with_cents(part, own)) for part, own in inner] if apart > 1 else [(element, text)]


def _with_cents(element: Element, text: str) -> str:
    """The amount with the cents of its parts: the own text of `€ 12,<sup>95</sup>` ends at the comma."""
    split = element.select_one("sup, span, small, b, i") is not None
    whole = _split_cents(element, brief_text_of(element)) if split else ""
    return bare_amount(whole) if len(AMOUNT.findall(whole)) == 1 else text


def attribute_prices(page: Page) -> list[tuple[Element, str]]:
    """Amounts in `data-` attributes that scripts show."""
    marked = ((element, attribute) for attribute in _DATA for element in page.css(f"[{attribute}]")[:20])
    amounts = ((element, (element.attr(attribute) or "").strip()) for element, attribute in marked)
    return [(element, text) for element, text in amounts if _DECIMAL.fullmatch(text)]


_is_price_name = NameSearch(_PRICE_NAME)


def currency_texts(page: Page) -> list[tuple[Element, str]]:
    """Elements whose own text is an amount with a currency: for pages without elements named as prices."""
    return amounts_in(page.texts)


def _amount_text(element: Element, *, named: bool) -> str:
    content = element.attr("content")
    if content and BARE.match(content.strip()) and rough_amount(content):
        return _with_sign(content.strip(), element)
    if element.tag in ("meta", "input", "option", "select", "script", "style", "form"):
        return ""
    if DIGIT.search(shown := brief_text_of(element)) is None:
        return ""
    text = _without_struck_parts(element, _split_cents(element, shown))
    if named and not AMOUNT.search(text) and len(text) < MAX_TEXT:
        text = _spaced(element, text)
    if len(text) > MAX_TEXT:
        return _own_amount(element) if named else ""
    return bare_amount(text) if AMOUNT.search(text) or (named and BARE.match(text)) else ""


def _with_sign(amount: str, element: Element) -> str:
    """The stated number with the currency shown beside it: `<b content="800">800 €</b>`."""
    shown = AMOUNT.search(brief_text_of(element)[:MAX_TEXT])
    if shown is None or AMOUNT.search(amount):
        return amount
    if rough_amount(shown[0]) == rough_amount(amount) and (sign := _SIGN.search(shown[0])):
        return f"{amount} {sign[0]}"
    return shown[0] if _rounds_to(amount, rough_amount(shown[0])) else amount


def _rounds_to(amount: str, shown: float) -> bool:
    """Whether a number with three decimals is about the amount shown: `4.199` beside `4,20 €`."""
    return _THREE_DECIMALS.fullmatch(amount) is not None and abs(float(amount) - shown) < CENT


def _spaced(element: Element, text: str) -> str:
    """The text with spaces between its parts if only that shows an amount: `90 zł<b>negotiable</b>`."""
    spaced = " ".join(" ".join(map(_piece, element.children)).split())
    return spaced if AMOUNT.search(spaced) else text


def _piece(node: Node) -> str:
    if isinstance(node, Text):
        return node.data
    return text_of(node) if isinstance(node, Element) and node.tag not in ("style", "script") else ""


def _without_struck_parts(element: Element, text: str) -> str:
    """The text without struck-out parts."""
    for struck in element.select("del, s, strike"):
        text = text.replace(_split_cents(struck, brief_text_of(struck)), " ", 1)
    return " ".join(text.split())


def _split_cents(element: Element, text: str) -> str:
    """Joins raised cents: 12.95 for `12` beside `95` and for `12€95`; `text` is the element's text."""
    if not text:
        return ""
    if SIGN_BETWEEN.search(text):
        return SIGN_BETWEEN.sub(r"\1.\3 \2", text, count=1)
    raised = element.select_one("sup, [class*=cent i], [class*=decimal i], [class*=fraction i]")
    cents = brief_text_of(raised).strip(",. ") if raised is not None and raised is not element else ""
    if len(cents) == 2 and cents.isdigit():
        return re.sub(rf"(\d)\s*[.,]?\s*{cents}(?!\d)", rf"\1.{cents}", text, count=1)
    return text


def _innermost(found: list[tuple[Element, str]]) -> list[tuple[Element, str]]:
    """Removes containers of other candidates, unless only the container shows the whole amount."""
    holders: set[Node] = set()
    whole = {element: rough_amount(text) for element, text in found if AMOUNT.search(text)}
    shown: dict[Node, set[float]] = {}
    for element, text in found:
        if element in whole or not AMOUNT.search(text):
            around = lineage(element)
            holders.update(around if element in whole else (node for node in around if node not in whole))
            for node in filter(whole.__contains__, around):
                shown.setdefault(node, set()).add(whole.get(element, 0.0))
    innermost: list[tuple[Element, str]] = []
    for each, text in found:
        if each not in holders:
            innermost.append((each, text))
        elif own := _own_amount(each):
            innermost.append((each, own))
        elif whole.get(each, 0.0) not in shown.get(each, ()):
            innermost += _unnamed_part(each, whole.get(each, 0.0))
    return innermost


def _unnamed_part(element: Element, amount: float) -> list[tuple[Element, str]]:
    """The part without a name: `<div class=price><b>12 €</b><i class=unit-price>24 €/kg</i></div>`."""
    parts = amounts_in(texts_in(element, MAX_PARTS))
    return [(part, text) for part, text in parts if rough_amount(text) == amount][:1]


def _own_amount(element: Element) -> str:
    """The amount in an element's own text, beside those of its parts: `£12 <span>Ex Tax: £10</span>`."""
    own = " ".join(" ".join(node.data for node in element.children if isinstance(node, Text)).split())
    return bare_amount(own) if len(own) < MAX_TEXT and AMOUNT.search(own) else ""


def named_prices(page: Page) -> list[Element]:
    """Elements named as prices, bounded."""
    return page.called(_is_price_name, also=_NAMED)[:MAX_CANDIDATES]


def without_other_parts(page: Page, amounts: list[tuple[Element, str]]) -> list[tuple[Element, str]]:
    """Removes amounts of related items and of the page's header."""
    others = page.cached(other_amount_parts)
    if not others:
        return amounts
    return [each for each in amounts if others.isdisjoint((each[0], *lineage(each[0])))]


def says_no_amount(page: Page) -> bool:
    """Whether the elements named as prices near the headline have words instead of an amount."""
    return page.cached(distance_of_words) is not None


def distance_of_words(page: Page) -> int | None:
    """The distance of the nearest words in the price's place; None if an amount, or nothing, is there."""
    _, head = page.cached(headline)
    if head is None:
        return None
    chain: dict[Node, int] = {node: at for at, node in enumerate([head, *lineage(head, MAX_LEVELS)])}
    away = [(distance(each, chain), each) for each in named_prices(page)]
    near = without_other_parts(page, [(each, brief_text_of(each)) for at, each in away if at <= MAX_LEVELS])
    if not any(text for _, text in near) or any(DIGIT.search(text) for _, text in near):
        return None
    return min(distance(each, chain) for each, text in near if text)
