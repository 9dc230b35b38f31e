"""Finds amounts in texts: a number with its currency before, behind or beside it."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node, Text

from larder.sdk.page import brief_text_of
from larder.stages.parse.amounts import AMOUNT, NUMBER, RANGE, SIGN, rough_amount
from larder.stages.parse.heuristic.price_words import (
    GROSS_WORDS,
    NET_WORDS,
    PRICE_LABEL,
    is_other_amount,
    is_shipping,
)
from larder.stages.parse.heuristic.vocabulary.prices import FORMER_WORDS

MAX_FOUND = 400
MAX_TEXT = 90
MAX_BEHIND = 7
MAX_REMARK = 20
MAX_WRAPPERS = 2
MAX_LEAD = 40
MAX_PARTS = 12
MAX_AROUND = 60
MIN_SALE_SHARE = 0.3
"""Minimum sale price as a share of the old price; a lower amount is another item's price."""

_BARE_NUMBER = re.compile(rf"\s*(?:{NUMBER})\s*")
_SIGN_FIRST = re.compile(rf"\s*([万萬만]?(?:{SIGN}))(?!\s*\d)")
_SIGN_LAST = re.compile(rf"(?:^|[^\d\s])\s*({SIGN})\s*$")
SIGN_BETWEEN = re.compile(r"(?<![\d.,])(\d{1,6})\s?([€£$])\s?(\d{2})(?![\d.,])")
_CENTS = re.compile(r"[.,]\d\d")
_DIGITS_OF_CENTS = re.compile(r"\d\d")
_UNFINISHED = re.compile(r"\d[.,]?$")
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
_UNITS = re.compile(r"(?<![\d.,])\d{1,3}(?:[.,' ]\d{3})*$")
_RAISED = frozenset({"sup", "small"})
_WORDS = re.compile(r"[^\W\d_]{4,}")
_COST = re.compile(
    r"\b(?:costs?(?: me)?|retails?(?: for| at)?|kost|kosten|coûte(?:nt)?|cuestan?|costan?|kosztuje)\W*$",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"\W*(?:(?:when|if|brand|as) )*(?:new|neu|nieuw|neufs?|neuves?|nuev[oa]s?|nuov[oaie]|nowy)\b",
    re.IGNORECASE,
)
_UNSEEN = frozenset({"script", "style", "option", "template", "noscript"})
_DIGIT = re.compile(r"\d")
_TO = frozenset({"to", "up to", "bis", "tot", "à", "hasta", "a", "até", "do", "till", "til", "-", "–", "—"})
_AND = frozenset(["and", "und", "en", "et", "y", "e", "i", "och", "og"])
_BETWEEN = re.compile(r"\b(?:between|zwischen|tussen|entre|tra|fra|między|mellan|mellem)\s*$")


def amounts_in(texts: Iterable[tuple[Text, str]]) -> list[tuple[Element, str]]:
    """The elements of these texts whose own text is an amount."""
    found: dict[Element, str] = {}
    whole: dict[Element, str] = {}  # cached by parent: one may hold a hundred thousand texts
    for node, data in texts:
        if len(data := data.strip()) >= MAX_TEXT or _DIGIT.search(data) is None:
            continue
        if not isinstance(parent := node.parent, Element):
            continue
        if AMOUNT.search(data) is not None:
            text = _with_cents(data, node)
        else:
            if parent not in whole:
                whole[parent] = _split_by_comments(parent)
            text = whole[parent] or _beside_its_sign(data, node, parent)
        if text and parent.tag not in _UNSEEN:
            shown = bare_amount(" ".join(text.split()))
            if parent not in found or _sureness(found[parent]) < _sureness(shown):
                found[parent] = shown
        if len(found) >= MAX_FOUND:
            break
    return list(found.items())


def _with_cents(data: str, node: Text) -> str:
    """Joins cents: `29€90`, and `€ 12<sup>,99</sup>` or `€ 12,<sup>99</sup>` with the element after it."""
    if SIGN_BETWEEN.search(data):
        return SIGN_BETWEEN.sub(r"\1.\3 \2", data)
    shown = data.rstrip()
    behind = node.next_sibling if _UNFINISHED.search(shown) else None
    cents = brief_text_of(behind, 2).strip() if isinstance(behind, Element) else ""
    if _CENTS.fullmatch(cents) if shown[-1].isdigit() else _DIGITS_OF_CENTS.fullmatch(cents):
        return shown + cents
    return data


def _sureness(text: str) -> int:
    """The rank of a post's line: 0 for `Neupreis war 658 Euro`, 2 for `Price: 95 £ delivered`, else 1."""
    amount = AMOUNT.search(text)
    if amount is None:
        return 1
    if is_other_amount(text[: amount.start()]) or is_cost_of_new(text):
        return 0
    return 2 if PRICE_LABEL.fullmatch(text[: amount.start()]) else 1


def is_cost_of_new(text: str) -> bool:
    """Whether it is the price when new of a used item: `Cost £209 new`."""
    amount = AMOUNT.search(text)
    return amount is not None and _costs_new(text[: amount.start()], text[amount.end() :])


def _costs_new(before: str, behind: str) -> bool:
    return _COST.search(before) is not None and _NEW.match(behind) is not None


def _split_by_comments(parent: Element) -> str:
    """Joins an amount that is split by comments: `CHF <!-- -->2.25`."""
    inner = parent.children
    if len(inner) < 2 or len(inner) > 8 or any(isinstance(each, Element) for each in inner):
        return ""
    text = parent.text
    return text if len(text) < MAX_TEXT and AMOUNT.search(text) else ""


def _beside_its_sign(data: str, node: Text, parent: Element) -> str:
    """Joins a number with its currency's element: `<b>2320</b> <i>元</i>`, `<i>€</i> 8,99`."""
    if not _BARE_NUMBER.fullmatch(data):
        return ""
    number, last = _with_raised_cents(data.strip(), parent), parent
    if number != data.strip() and isinstance(parent.next_sibling, Element):
        last = parent.next_sibling  # the sign is behind the cents
    elif parent.tag in _RAISED and (units := _units_before(parent)):
        number = f"{units}{',' if '.' in units or ',' not in units else '.'}{number}"
    for after, before in ((node, node), (last, parent)):
        if sign := _SIGN_FIRST.match(_shown_beside(after.next_siblings)):
            return f"{number} {sign[1]}"
        if sign := _SIGN_LAST.search(_shown_beside(before.previous_siblings)):
            return f"{sign[1]} {number}"
    return ""


def _units_before(raised: Element) -> str:
    """The number right before raised cents: `12` of `12<sup>95</sup>€`."""
    before = raised.previous_sibling
    text = (
        before.data
        if isinstance(before, Text)
        else brief_text_of(before, 2)
        if isinstance(before, Element)
        else ""
    )
    cents = brief_text_of(raised, 2).strip()
    units = _UNITS.search(text.rstrip()) if len(cents) == 2 and cents.isdigit() else None
    return units[0] if units is not None else ""


def _shown_beside(siblings: Iterable[Node]) -> str:
    """The text of the nearest sibling that is not only space."""
    return next(filter(str.strip, map(text_beside, islice(siblings, 2))), "")


def _with_raised_cents(number: str, parent: Element) -> str:
    """Joins the raised cents after an amount: `<i>€</i><b>1.202</b><sup>90</sup>`."""
    raised = parent.next_sibling
    if not isinstance(raised, Element) or number.endswith((",", ".")):
        return number
    if _CENTS.fullmatch(behind := brief_text_of(raised, 3).strip()):
        return number + behind  # `<b>$</b><b>12</b><b>.99</b>`
    if raised.tag not in ("sup", "small"):
        return number
    cents = brief_text_of(raised, 3).strip(",. ")
    mark = "." if "," in number else ","
    return f"{number}{mark}{cents}" if len(cents) == 2 and cents.isdigit() else number


def text_beside(node: Node | None) -> str:
    """The text of a sibling, if it is short."""
    text = (
        node.data if isinstance(node, Text) else brief_text_of(node, 5) if isinstance(node, Element) else ""
    )
    return text if len(text) < MAX_TEXT else ""


def remark_behind(element: Element) -> str:
    """The remark in the element after an amount: `<b>€ 10</b> <i>excl. VAT</i>`."""
    around = _outermost(element)
    shown = (text_beside(node).strip() for node in islice(around.next_siblings, MAX_BEHIND))
    beside = filter(None, shown)
    remark = next(beside, "")
    if not _is_remark(remark):
        return ""
    if AMOUNT.fullmatch(next(beside, "")) is None:
        return remark
    return remark if _is_remark(next(beside, "")) else ""  # `€ 10 excl. € 12 incl.`: each amount has one


def _outermost(element: Element) -> Element:
    """The largest element with no other text than this one's: `<b><bdi>€ 10</bdi></b> <i>excl. VAT</i>`."""
    for _ in range(MAX_WRAPPERS):
        parent = element.parent
        if not isinstance(parent, Element) or _tells_more(parent, element):
            break
        element = parent
    return element


def _tells_more(parent: Element, element: Element) -> bool:
    return any(each != element and text_beside(each).strip() for each in parent.children[: MAX_BEHIND + 1])


def _gross_of_two(text: str, found: list[re.Match[str]]) -> str:
    """The gross amount of `€ 10 HT € 12 TTC`, or with the words before each; empty without such words."""
    before, between, behind = (
        text[: found[0].start()],
        text[found[0].end() : found[1].start()],
        text[found[1].end() :],
    )
    if NET_WORDS.search(before) or GROSS_WORDS.search(before):  # the words precede their amounts
        return found[0][0] if NET_WORDS.search(between) else found[1][0] if NET_WORDS.search(before) else ""
    if NET_WORDS.search(between):
        return found[1][0]
    return found[0][0] if NET_WORDS.search(behind) else ""


def _current_of_two(text: str, found: list[re.Match[str]]) -> str:
    """The current price of `statt 59 € nur 39 €` and `39 € statt 59 €`; empty without such words."""
    former = [
        FORMER_WORDS.search(words) is not None
        for words in (text[: found[0].start()], text[found[0].end() : found[1].start()])
    ]
    if former[0] == former[1]:
        return ""
    return found[1][0] if former[0] else found[0][0]


def _asked_of_two(text: str, found: list[re.Match[str]]) -> str:
    """The asking price of `Bought new for £199, price £29`; empty unless exactly one amount is named so."""
    between = text[found[0].end() : found[1].start()]
    around = ((text[: found[0].start()], between), (between, text[found[1].end() :]))
    other = [is_other_amount(before) or _costs_new(before, behind) for before, behind in around]
    return "" if other[0] == other[1] else found[other.index(False)][0]


def _is_remark(text: str) -> bool:
    return 0 < len(text) <= MAX_REMARK and not text.endswith(":") and _DIGIT.search(text) is None


@lru_cache(maxsize=8_192)
def bare_amount(text: str) -> str:
    """Selects the amount of `New (7) from 99.12 €`, which has other numbers, and of `$410 $210`."""
    if span := RANGE.search(text):
        return f"{span['low']} {span['sign']}"
    found = list(AMOUNT.finditer(text))
    amounts = [each[0] for each in found]
    if len(found) == 2 and _is_range(text, found):
        return amounts[0]
    if len(found) == 2 and (gross := _gross_of_two(text, found)):
        return gross
    if len(found) == 2 and (now := _current_of_two(text, found)):
        return now
    if len(found) == 2 and (asked := _asked_of_two(text, found)):
        return asked
    if len(amounts) == 2 and not _WORDS.search(text):
        low, high = sorted(amounts, key=rough_amount)
        return low if rough_amount(low) >= MIN_SALE_SHARE * rough_amount(high) else text
    return amounts[0] if len(amounts) == 1 and len(_NUMBERS.findall(text)) > 1 else text


def _is_range(text: str, amounts: list[re.Match[str]]) -> bool:
    """Whether two amounts are a range: `from £245,000 to £340,000`, `tussen € 20 en € 30`."""
    low, high = amounts
    between = text[low.end() : high.start()].strip().lower()
    joined = between in _TO or (between in _AND and _BETWEEN.search(text[: low.start()].lower()) is not None)
    return joined and rough_amount(low[0]) < rough_amount(high[0])


def with_words_around(element: Element, text: str) -> str:
    """An amount with the words around it, if its element has no other amount: `1 858,05 zł netto`."""
    whole = brief_text_of(element, MAX_PARTS)
    alone = len(text) < len(whole) <= MAX_AROUND and len(AMOUNT.findall(whole)) == 1
    return whole.replace("*", "") if alone else text


def words_before(element: Element, text: str) -> str | None:
    """The words right before an amount, in its element or in those before it; None for a percentage."""
    amount = AMOUNT.search(text)
    if amount is None:
        return None if "%" in text else ""
    if text[: amount.start()].strip():
        return text[: amount.start()]
    whole, found, _ = brief_text_of(element).partition(amount[0])
    if found and whole.strip():
        return whole[-MAX_LEAD:]
    beside = (text_beside(node) for node in islice(element.previous_siblings, 2))
    before = next(filter(str.strip, beside), "")
    return before if len(before) <= MAX_LEAD and not is_shipping(before) else ""
