"""Which of the amounts on a page is what its thing costs?

Amounts are looked for where authors name them (class, id, itemprop) and where a currency stands beside a
number. The nearest to the headline wins; crossed-out, per-unit, shipping and related prices do not take part.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node, Text

from larder.sdk.page import Page, text_of
from larder.stages.parse.heuristic.place import distance, lineage, name_of, stands_aside

MAX_CANDIDATES = 400
MAX_TEXT = 90
MAX_NODES = 60_000
FAIR = 0.3
"""A sale takes off less than this leaves; what is lower is another thing's price."""

_NAMED = "[itemprop=price], [data-qa*=price i], [data-testid*=price i]"
_PRICE_NAME = re.compile(r"price|prix|preis|prijs|precio|preco|cena|prezzo", re.IGNORECASE)
_SIGN = (
    r"[$€£¥₹₩₽₺₴₸₪฿₫￥]|\b(?:EUR|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RON|BGN|HRK|RUB|UAH|TRY|BRL|INR|JPY|"
    r"CNY|KRW|TWD|AUD|"
    r"CAD|NZD|SGD|HKD|MXN|CLP|ARS|COP|Rs|Kn|kn|zł|Kč|kr|Ft|Lei|lei|лв|руб|грн|тг|р)\b\.?|원|円|元"
)
_NUMBER = r"\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d{1,7}(?:[.,]\d{1,2})?"
AMOUNT = re.compile(
    rf"(?:(?:{_SIGN})\s*(?P<after>{_NUMBER}))|(?:(?P<before>{_NUMBER})(?:\s*,-|[.,]-)?\s*(?:{_SIGN}))"
)
_BARE = re.compile(rf"^\D{{0,12}}(?:{_NUMBER})(?:\s*[.,]?-+)?\D{{0,6}}$")
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
_WORDS = re.compile(r"[^\W\d_]{4,}")
_STRUCK_TAGS = frozenset({"del", "s", "strike"})
_FORMER = re.compile(
    r"(?:^|[\s_-])(?:old|was|before|strike|striked|crossed|previous|original|regular|rrp|msrp|uvp|srp|normal|"
    r"instead|barr[eé]|antes|tachado|through)(?:$|[\s_-])|old-?price|price-?old|list-?price|price-?(?:list|"
    r"was|regular)|"
    r"regular-?price|was-?price|oldprice|strikethrough|line-through|priceold|price--(?:old|discounted-from)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"shipping|delivery|versand|livraison|envio|saving|save|discount-?(?:amount|percent|badge|label)|"
    r"percent|per-?unit|"
    r"unit-?price|base-?price|grundpreis|basic-?price|installment|instalment|cuota|parcel|monthly|credit|"
    r"finance|"
    r"points|reward|deposit|tax|vat|rating|range-?(?:min|max)|filter|alert|threshold|subscribe|coupon|"
    r"voucher|tooltip",
    re.IGNORECASE,
)
_PER_UNIT = re.compile(
    r"/\s?(?:kg|l|ltr|100|m|m²|st|stk|unit|month|mo)\b|\bper\b|\bpro\b|\bje\b|month|/mes\b", re.IGNORECASE
)
_CURRENT = re.compile(
    r"sale|special|current|now|our-?price|final|sell|promo|actual|offer-?price|main|today|new-?price|"
    r"price-?new|"
    r"pricenew|big|product-?price|value__price",
    re.IGNORECASE,
)
_RANGE_WORDS = re.compile(r"\bfrom\b|\bab\b|\bdesde\b|\bvanaf\b|\bod\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An amount where it stands."""

    text: str
    score: float
    distance: int


def selling_price(page: Page, head: Element | None) -> str:
    """The text of the price that most likely sells the page's thing; empty where none does."""
    shown = candidates(page, head)
    return _lower_of_two(shown).text if shown else ""


def _lower_of_two(shown: list[Shown]) -> Shown:
    """Two amounts side by side and no word about which: the lower one sells, the other is what it was."""
    near = {
        amount: each for each in shown if each.distance <= shown[0].distance and (amount := rough(each.text))
    }
    low, high = min(near, default=0.0), max(near, default=0.0)
    return near[low] if len(near) == 2 and low >= FAIR * high else shown[0]


def rough(text: str) -> float:
    """An amount as a number, good enough to compare with another of the same page."""
    found = AMOUNT.search(text)
    number = re.sub(r"[^\d.,]", "", (found["after"] or found["before"]) if found else text)
    whole, cents = re.fullmatch(r"([\d.,]*?)(?:[.,](\d{1,2}))?", number).groups("")  # type: ignore[union-attr]
    digits = re.sub(r"\D", "", whole)
    return float(f"{digits or 0}.{cents or 0}")


def stands_out(page: Page, head: Element | None) -> bool:
    """Is one price nearer to the headline than all others? On a list they are all as far."""
    shown = candidates(page, head)
    best = {each.text for each in shown if each.score == shown[0].score}
    return len(best) == 1


def candidates(page: Page, head: Element | None) -> list[Shown]:
    """Amounts of the page, the likeliest first; ties in document order."""
    chain: dict[Node, int] = (
        {node: at for at, node in enumerate([head, *lineage(head)])} if head is not None else {}
    )
    near = set(chain)
    elements = page.once(priced)
    shown = [_judged(element, text, chain, near) for element, text in elements]
    return sorted((each for each in shown if each is not None), key=lambda each: -each.score)


def priced(page: Page) -> list[tuple[Element, str]]:
    """The innermost elements that show an amount, with their text."""
    return _innermost(_found(page))


def _found(page: Page) -> list[tuple[Element, str]]:
    called = page.called(_is_price_name, also=_NAMED)[:MAX_CANDIDATES]
    named = [(element, _amount_text(element, named=True)) for element in called]
    found = [(element, text) for element, text in named if text]
    return found or _signed(page)


@lru_cache(maxsize=8_192)
def _is_price_name(name: str) -> bool:
    return _PRICE_NAME.search(name) is not None


def _signed(page: Page) -> list[tuple[Element, str]]:
    """Elements whose own text is an amount with a currency: for pages that name nothing."""
    found: list[tuple[Element, str]] = []
    body = page.first("body")
    for node in islice(body.descendants if body is not None else iter(()), MAX_NODES):
        if isinstance(node, Text) and len(node.data) < MAX_TEXT and AMOUNT.search(node.data):
            parent = node.parent
            if isinstance(parent, Element) and parent.tag not in (
                "script",
                "style",
                "option",
                "template",
                "noscript",
            ):
                found.append((parent, _bare_amount(" ".join(node.data.split()))))
        if len(found) >= MAX_CANDIDATES:
            break
    return found


def _amount_text(element: Element, *, named: bool) -> str:
    content = element.attr("content")
    if content and _BARE.match(content.strip()):
        return content.strip()
    if element.tag in ("meta", "input", "option", "select", "script", "style", "form"):
        return ""
    text = _split_cents(element)
    if len(text) > MAX_TEXT or not any(char.isdigit() for char in text):
        return ""
    return _bare_amount(text) if AMOUNT.search(text) or (named and _BARE.match(text)) else ""


def _bare_amount(text: str) -> str:
    """`New (7) from 99.12 €` holds one amount among other numbers, `$410 $210` the old one and the new."""
    amounts = [found[0] for found in AMOUNT.finditer(text)]
    if len(amounts) == 2 and not _WORDS.search(text):
        low, high = sorted(amounts, key=rough)
        return low if rough(low) >= FAIR * rough(high) else text
    return amounts[0] if len(amounts) == 1 and len(_NUMBERS.findall(text)) > 1 else text


def _split_cents(element: Element) -> str:
    """`12` beside a raised `95` is 12.95."""
    text = text_of(element)
    raised = element.select_one("sup, [class*=cent i], [class*=decimal i], [class*=fraction i]")
    cents = text_of(raised).strip(",. ") if raised is not None and raised is not element else ""
    if len(cents) == 2 and cents.isdigit():
        return re.sub(rf"(\d)\s*[.,]?\s*{cents}(?!\d)", rf"\1.{cents}", text, count=1)
    return text


def _innermost(found: list[tuple[Element, str]]) -> list[tuple[Element, str]]:
    """Without the containers of other candidates, unless only the container shows the whole amount."""
    holders: set[Node] = set()
    whole = {element for element, text in found if AMOUNT.search(text)}
    for element, text in found:
        if element in whole or not AMOUNT.search(text):
            holders.update(node for node in lineage(element) if element in whole or node not in whole)
    return [(element, text) for element, text in found if element not in holders]


def _judged(element: Element, text: str, chain: dict[Node, int], near: set[Node]) -> Shown | None:
    names = " ".join(name_of(node) for node in (element, *lineage(element)[:2]) if isinstance(node, Element))
    own = name_of(element)
    if stands_aside(element, near) or _OTHER.search(names):
        return None
    if _PER_UNIT.search(text) or _is_struck(element, names):
        return None
    away = distance(element, chain) if chain else 5
    score = 10.0 - away
    score += 2.0 * bool(AMOUNT.search(text))
    score += 1.5 * bool(_CURRENT.search(own)) + 1.0 * (element.attr("itemprop") == "price")
    score -= 2.0 * bool(_RANGE_WORDS.search(text))
    return Shown(text=text, score=max(score, 0.1), distance=away)


def is_former(element: Element) -> bool:
    """Crossed out, or called an old price by its author."""
    return _is_struck(element, name_of(element))


def _is_struck(element: Element, names: str) -> bool:
    if element.tag in _STRUCK_TAGS or element.select_one("del, s, strike") is not None:
        return True
    parents = lineage(element)[:3]
    if any(isinstance(node, Element) and node.tag in _STRUCK_TAGS for node in parents):
        return True
    style = element.attr("style") or ""
    return "line-through" in style or bool(_FORMER.search(names))
