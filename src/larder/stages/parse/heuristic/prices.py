"""Which of the amounts on a page is what its thing costs?

Amounts are looked for where authors name them (class, id, itemprop) and where a currency stands beside a
number. The nearest to the headline wins; crossed-out, per-unit, shipping and related prices do not take part.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from turbohtml import Element, Node

from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.amounts import AMOUNT, NUMBER, rough
from larder.stages.parse.heuristic.place import MAX_CLIMB, distance, lineage, name_of, stands_aside
from larder.stages.parse.heuristic.price_words import (
    CURRENT,
    FORMER,
    FORMER_WORDS,
    NET,
    NET_NAME,
    OTHER,
    OTHER_WORDS,
    PER_UNIT,
    RANGE_WORDS,
    SURELY_CURRENT,
    UNIT,
)
from larder.stages.parse.heuristic.texts import FAIR, MAX_TEXT, amounts_in, bare_amount, text_beside

MAX_CANDIDATES = 400
MAX_NODES = 60_000
MAX_BESIDE = 3_000
LABEL = 40
SENTENCE = 24
"""What is longer talks about an amount rather than being one."""
SIDE_BY_SIDE = 3
"""Containers up from two amounts within which they are about one thing."""
NEAR = 3
"""Containers up from the headline within which a price is surely its own."""

_NAMED = "[itemprop=price], [data-qa*=price i], [data-testid*=price i]"
_PRICE_NAME = re.compile(r"price|prix|preis|prijs|precio|preco|cena|prezzo")
_BARE = re.compile(rf"^\D{{0,12}}(?:{NUMBER})(?:\s*[.,]?-+)?\D{{0,6}}$")
_DATA = ("data-price", "data-product-price", "data-price-amount", "data-item-price")
_DECIMAL = re.compile(r"\d{1,7}[.,]\d{2}")
_DIGIT = re.compile(r"\d")
_STRUCK_TAGS = frozenset({"del", "s", "strike"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An amount where it stands."""

    text: str
    score: float
    distance: int
    former: bool = False
    """Called an old price by its author, but not crossed out."""
    net: bool = False
    """Without tax: what it costs only where no other price is shown."""
    holder: Element


def selling_price(page: Page, head: Element | None) -> str:
    """The text of the price that most likely sells the page's thing; empty where none does."""
    shown = candidates(page, head)
    return _lower_of_two(shown).text if shown else ""


def _lower_of_two(shown: list[Shown]) -> Shown:
    """Two amounts side by side and no word about which: the lower one sells, the other is what it was."""
    beside = {*lineage(shown[0].holder, SIDE_BY_SIDE)}
    near = {
        amount: each
        for each in shown
        if each.distance <= shown[0].distance
        and not each.net
        and not beside.isdisjoint(lineage(each.holder, SIDE_BY_SIDE))
        and (amount := rough(each.text))
    }
    low, high = min(near, default=0.0), max(near, default=0.0)
    return near[low] if len(near) == 2 and low >= FAIR * high else shown[0]


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
    for read in (priced, _signed, _kept):
        judged = (_judged(element, text, chain, near) for element, text in page.once(read))
        shown = _current([each for each in judged if each is not None])
        if head is not None and read is priced and all(each.distance > NEAR for each in shown):
            beside = (_judged(element, text, chain, near) for element, text in _beside(head))
            shown += _current([each for each in beside if each is not None and each.distance <= NEAR])
        if shown:
            return sorted(shown, key=lambda each: -each.score)
    return _close_by(page, chain)


def _close_by(page: Page, chain: dict[Node, int]) -> list[Shown]:
    """Where all prices stand aside by their names: those close to the headline, if they are one amount."""
    judged = (_judged(element, text, chain, None) for element, text in page.once(priced) if chain)
    near = _current([each for each in judged if each is not None and each.distance <= 2 * NEAR])
    now = [each for each in near if not each.former]
    return now[:1] if len({rough(each.text) for each in now}) == 1 else []


def _current(shown: list[Shown]) -> list[Shown]:
    """Without what is called an old price, unless no other stands as near to the headline."""
    now = [each for each in shown if not each.former]
    nearest = min((each.distance for each in now), default=MAX_CLIMB + 1)
    return now + [each for each in shown if each.former and each.distance < nearest]


def _beside(head: Element) -> list[tuple[Element, str]]:
    """Amounts close to the headline, on pages whose names say nothing."""
    around = [node for node in lineage(head, NEAR) if isinstance(node, Element)]
    return amounts_in(around[-1], MAX_BESIDE) if around else []


def priced(page: Page) -> list[tuple[Element, str]]:
    """The innermost elements that show an amount, with their text."""
    return _innermost(_found(page))


def _found(page: Page) -> list[tuple[Element, str]]:
    called = page.called(_is_price_name, also=_NAMED)[:MAX_CANDIDATES]
    named = [(element, _amount_text(element, named=True)) for element in called]
    found = [(element, text) for element, text in named if text]
    return found or page.once(_signed)


def _kept(page: Page) -> list[tuple[Element, str]]:
    """Amounts that only attributes keep, for scripts to show."""
    kept = ((element, attribute) for attribute in _DATA for element in page.css(f"[{attribute}]")[:20])
    amounts = ((element, (element.attr(attribute) or "").strip()) for element, attribute in kept)
    return [(element, text) for element, text in amounts if _DECIMAL.fullmatch(text)]


@lru_cache(maxsize=8_192)
def _is_price_name(name: str) -> bool:
    return _PRICE_NAME.search(name.lower()) is not None


def _signed(page: Page) -> list[tuple[Element, str]]:
    """Elements whose own text is an amount with a currency: for pages that name nothing."""
    body = page.first("body")
    return amounts_in(body, MAX_NODES) if body is not None else []


def _amount_text(element: Element, *, named: bool) -> str:
    content = element.attr("content")
    if content and _BARE.match(content.strip()):
        return content.strip()
    if element.tag in ("meta", "input", "option", "select", "script", "style", "form"):
        return ""
    if not (whole := _split_cents(element)):
        return ""
    text = _unstruck(element, whole)
    if len(text) > MAX_TEXT or _DIGIT.search(text) is None:
        return ""
    return bare_amount(text) if AMOUNT.search(text) or (named and _BARE.match(text)) else ""


def _unstruck(element: Element, text: str) -> str:
    """Without the parts that are crossed out."""
    for struck in element.select("del, s, strike"):
        text = text.replace(_split_cents(struck), " ", 1)
    return " ".join(text.split())


def _split_cents(element: Element) -> str:
    """`12` beside a raised `95` is 12.95."""
    text = brief_text_of(element)
    if not text:
        return ""
    raised = element.select_one("sup, [class*=cent i], [class*=decimal i], [class*=fraction i]")
    cents = brief_text_of(raised).strip(",. ") if raised is not None and raised is not element else ""
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


def _judged(element: Element, text: str, chain: dict[Node, int], near: set[Node] | None) -> Shown | None:
    """One amount as a candidate; with `near`, what stands aside is none."""
    names = " ".join(name_of(node) for node in (element, *lineage(element, 2)) if isinstance(node, Element))
    own = name_of(element)
    if _is_other(own if SURELY_CURRENT.search(own) else names):
        return None
    if near is not None and stands_aside(element, near):
        return None
    lead = _lead(element, text)
    if lead is None or PER_UNIT.search(text) or is_struck(element) or OTHER_WORDS.search(lead):
        return None
    away = distance(element, chain) if chain else 5
    score = 10.0 - away
    score += 2.0 * bool(AMOUNT.search(text))
    score += 1.5 * bool(CURRENT.search(own)) + 1.0 * (element.attr("itemprop") == "price")
    score -= 2.0 * bool(RANGE_WORDS.search(text)) + 3.0 * (len(text) > SENTENCE)
    score -= 6.0 * bool(UNIT.search(own))
    net = bool(NET.search(text) or _is_net(names))
    former = _is_former(names) or FORMER_WORDS.search(lead) is not None
    return Shown(
        text=text, score=max(score - 4.0 * net, 0.1), distance=away, former=former, net=net, holder=element
    )


def _lead(element: Element, text: str) -> str | None:
    """The words right before an amount, in its element or the one before; None for a percentage."""
    amount = AMOUNT.search(text)
    if amount is None:
        return None if "%" in text else ""
    if text[: amount.start()].strip():
        return text[: amount.start()]
    before = text_beside(element.previous_sibling)
    return before if len(before) <= LABEL else ""


@lru_cache(maxsize=8_192)
def _is_other(names: str) -> bool:
    return OTHER.search(names) is not None


@lru_cache(maxsize=8_192)
def _is_net(names: str) -> bool:
    return NET_NAME.search(names) is not None


@lru_cache(maxsize=8_192)
def _is_former(names: str) -> bool:
    return FORMER.search(names) is not None


def is_former(element: Element) -> bool:
    """Crossed out, or called an old price by its author."""
    return is_struck(element) or _is_former(name_of(element))


def is_struck(element: Element) -> bool:
    """Crossed out."""
    parents = (element, *lineage(element, 3))
    if any(isinstance(node, Element) and node.tag in _STRUCK_TAGS for node in parents):
        return True
    return "line-through" in (element.attr("style") or "")
