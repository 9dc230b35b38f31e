"""Chooses the price of a page's item among the amounts that it shows.

Amounts are looked for where authors name them (class, id, itemprop) and where a currency is beside a
number. The nearest to the headline wins; crossed-out, per-unit, shipping and related prices do not take part.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, dropwhile, islice, takewhile

from turbohtml import Element, Node

from larder.sdk.page import Page, texts_in
from larder.stages.parse.amounts import AMOUNT, rough_amount
from larder.stages.parse.heuristic.amount_texts import (
    MAX_LEAD,
    MIN_SALE_SHARE,
    amounts_in,
    is_cost_of_new,
    remark_behind,
    with_words_around,
    words_before,
)
from larder.stages.parse.heuristic.page_position import (
    MAX_CLIMB,
    distance,
    is_on_other_card,
    lineage,
    name_of,
    stands_aside,
)
from larder.stages.parse.heuristic.price_elements import (
    BARE,
    DIGIT,
    MAX_LEVELS,
    attribute_prices,
    currency_texts,
    distance_of_words,
    elements_with_amounts,
    without_other_parts,
)
from larder.stages.parse.heuristic.price_words import (
    ASKING_WORDS,
    CURRENT_NAME,
    NET_NAME,
    OTHER_AMOUNT_NAME,
    OTHER_EDITION,
    PER_MONTH,
    PER_UNIT,
    PRICE_LABEL,
    PRICE_REMARK,
    RANGE_WORDS,
    SURELY_CURRENT,
    UNIT_PRICE_NAME,
    is_former_name,
    is_net,
    is_other_amount,
    is_shipping,
    is_struck,
)
from larder.stages.parse.heuristic.related_items import in_first_post
from larder.stages.parse.heuristic.segments import says_unpriced
from larder.stages.parse.heuristic.vocabulary.prices import FORMER_WORDS

MAX_BESIDE = 3_000
MAX_SENTENCE = 60
"""Maximum characters before an amount that are checked for its meaning."""
MAX_AMOUNT_LENGTH = 24
MAX_AMOUNT_WORDS = 2
"""Maximum words of an amount; a text with more characters or words only mentions one."""
PAIR_LEVELS = 3
"""Maximum containers up from two amounts that belong to one item."""

_TABLES = ("tbody", "table")
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPrice:
    """An amount and its position."""

    text: str
    score: float
    distance: int
    former: bool = False
    """Named as an old price, but not struck out."""
    net: bool = False
    """Without tax: used only if no other price is shown."""
    holder: Element


def selling_price(page: Page, head: Element | None, *, rent: bool = False) -> str:
    """The text of the item's most likely price, for sale or rent; empty if there is none."""
    shown = price_candidates(page, head, rent=rent, own=True)
    around = set(lineage(head)) if head is not None else set()
    if rent:
        shown = list(compress(shown, in_first_post([each.holder for each in shown])))
    if head is not None:
        shown = _from_own(shown, around, page)
    if shown and _is_sentence(shown[0].text) and page.cached(says_unpriced):
        return ""
    return _lower_of_two(shown, around).text if shown else ""


def _from_own(shown: list[ShownPrice], around: set[Node], page: Page) -> list[ShownPrice]:
    """The candidates from the first that is not on another item's card."""
    return [*dropwhile(lambda each: is_on_other_card(each.holder, around, page.url), shown)]


def _lower_of_two(shown: list[ShownPrice], around: set[Node]) -> ShownPrice:
    """The lower of two adjacent amounts without words: the other is the former price.

    Amounts in sentences are not compared: they are bids and counter-offers.
    """
    beside = _containers(shown[0].holder, around)
    near = {
        amount: each
        for each in shown
        if each.distance <= shown[0].distance
        and not each.net
        and not _is_sentence(each.text)
        and not beside.isdisjoint(_containers(each.holder, around))
        and (amount := rough_amount(each.text))
    }
    low, high = min(near, default=0.0), max(near, default=0.0)
    return near[low] if len(near) == 2 and low >= MIN_SALE_SHARE * high else shown[0]


def _containers(holder: Element, around: set[Node]) -> set[Node]:
    """The parent of an amount and its nearest ancestors, without tables and those around the headline."""
    above = [*takewhile(lambda node: getattr(node, "tag", "") not in _TABLES, lineage(holder, PAIR_LEVELS))]
    return {*above[:1], *(node for node in above if node not in around)}


def has_clear_price(page: Page, head: Element | None, *, rent: bool = False) -> bool:
    """Whether one price is nearer to the headline than all others; in a list all are equally far."""
    shown = price_candidates(page, head, rent=rent)
    best = {each.text for each in shown if each.score == shown[0].score}
    return len(best) == 1


def price_candidates(
    page: Page, head: Element | None, *, rent: bool = False, own: bool = False
) -> list[ShownPrice]:
    """Amounts of the page, the likeliest first; ties in document order. `rent` allows monthly prices.

    With `own` amounts without a name take part where only cards of other things have one.
    """
    chain: dict[Node, int] = (
        {node: at for at, node in enumerate([head, *lineage(head)])} if head is not None else {}
    )
    near = set(chain)
    words = page.cached(distance_of_words)
    for read in (elements_with_amounts, currency_texts, attribute_prices):
        amounts = without_other_parts(page, page.cached(read))
        judged = (_as_candidate(element, text, chain, near, rent=rent) for element, text in amounts)
        shown = _without_former([each for each in judged if each is not None])
        if head is not None and read is elements_with_amounts:
            named = min((each.distance for each in shown), default=MAX_LEVELS + 1)
            shown += _nearer(page, named, chain, near, rent=rent)
        shown = [each for each in shown if words is None or _is_beside_words(each, words)]
        ranked = sorted(shown, key=lambda each: -each.score)
        if ranked and (head is None or not own or _from_own(ranked, near, page)):
            return ranked
    if words is not None:
        return []
    return _near_headline(page, chain, rent=rent) or _near_headline(page, chain, by_name=False, rent=rent)


def _is_beside_words(amount: ShownPrice, words: int) -> bool:
    """Whether an amount that is no sentence is as near to the headline as the words in the price's place."""
    return amount.distance <= words and not _is_sentence(amount.text)


def _near_headline(
    page: Page, chain: dict[Node, int], *, by_name: bool = True, rent: bool
) -> list[ShownPrice]:
    """The amounts near the headline, for a page without named prices, if they are one amount."""
    shown = without_other_parts(page, page.cached(elements_with_amounts)) if chain else []
    judged = (
        _as_candidate(element, text, chain, None, by_name=by_name, rent=rent) for element, text in shown
    )
    near = _without_former([each for each in judged if each is not None and each.distance <= 2 * MAX_LEVELS])
    now = [each for each in near if not each.former]
    return now[:1] if len({rough_amount(each.text) for each in now}) == 1 else []


def _without_former(shown: list[ShownPrice]) -> list[ShownPrice]:
    """Removes amounts named as old prices, unless no other is as near to the headline."""
    now = [each for each in shown if not each.former]
    nearest = min((each.distance for each in now), default=MAX_CLIMB + 1)
    return now + [each for each in shown if each.former and each.distance < nearest]


def _nearer(
    page: Page, named: int, chain: dict[Node, int], near: set[Node], *, rent: bool
) -> list[ShownPrice]:
    """Amounts nearer to the headline than named prices, which may be another item's."""
    close = islice(chain, 1, 1 + max(0, min(named - 1, MAX_LEVELS)))
    around = [node for node in close if isinstance(node, Element)]
    beside = without_other_parts(page, amounts_in(texts_in(around[-1], MAX_BESIDE))) if around else []
    amounts = [(element, text) for element, text in beside if _is_amount(text, named)]
    judged = (_as_candidate(element, text, chain, near, rent=rent) for element, text in amounts)
    return _without_former([each for each in judged if each is not None and each.distance < named])


def _is_amount(text: str, named: int) -> bool:
    """Whether an unnamed amount counts beside named prices: it must be the whole text."""
    return named > MAX_LEVELS or (len(text) <= MAX_AMOUNT_LENGTH and BARE.match(text) is not None)


def _as_candidate(
    element: Element,
    text: str,
    chain: dict[Node, int],
    near: set[Node] | None,
    *,
    by_name: bool = True,
    rent: bool,
) -> ShownPrice | None:
    """One amount as a candidate, or None; `near` excludes other boxes, `by_name` excludes other names."""
    names = " ".join(name_of(node) for node in (element, *lineage(element, 2)) if isinstance(node, Element))
    own = name_of(element)
    if by_name and _is_other(own if SURELY_CURRENT.search(own) else names):
        return None
    if near is not None and stands_aside(element, near):
        return None
    lead = words_before(element, text)
    if lead is None or is_struck(element) or _is_zero(text):
        return None
    if is_other_amount(lead[-MAX_SENTENCE:]) or is_cost_of_new(text):
        return None
    with_words = with_words_around(element, text)
    if is_shipping(with_words):
        return None
    if (by_name and _is_per_unit(with_words, rent=rent)) or (rent and _is_mere_mention(text, lead)):
        return None
    away = distance(element, chain) if chain else 5
    score = 10.0 - away
    score += 2.0 * bool(AMOUNT.search(text))
    score += 1.5 * bool(CURRENT_NAME.search(own)) + 1.0 * (element.attr("itemprop") == "price")
    score -= 2.0 * bool(RANGE_WORDS.search(text)) + 3.0 * _is_sentence(text)
    score += 2.0 * bool(PRICE_LABEL.fullmatch(lead)) - 6.0 * bool(UNIT_PRICE_NAME.search(own))
    label = "" if DIGIT.search(lead) else lead[-MAX_LEAD:]  # words before a digit belong to another amount
    net = is_net(label, with_words, remark_behind(element)) or _is_net(names)
    former = is_former_name(names) or bool(FORMER_WORDS.search(lead) or OTHER_EDITION.search(lead))
    return ShownPrice(
        text=text, score=max(score - 4.0 * net, 0.1), distance=away, former=former, net=net, holder=element
    )


def _is_zero(text: str) -> bool:
    """Whether the amount is zero, as in an empty basket."""
    return AMOUNT.search(text) is not None and not rough_amount(text)


def _is_per_unit(text: str, *, rent: bool) -> bool:
    """Whether it is the price of a part: of a kilogram, or of a month if the item is not for rent."""
    return PER_UNIT.search(text) is not None or (not rent and PER_MONTH.search(text) is not None)


@lru_cache(maxsize=4_096)
def _is_sentence(text: str) -> bool:
    """Whether a text is a sentence with an amount."""
    return len(text) > MAX_AMOUNT_LENGTH or len(_WORD.findall(PRICE_REMARK.sub(" ", text))) > MAX_AMOUNT_WORDS


def _is_mere_mention(text: str, lead: str) -> bool:
    """Whether an advert's prose mentions an amount that is not asked for: the old price, shipping."""
    return (
        _is_sentence(text)
        and len(_WORD.findall(lead)) >= MAX_AMOUNT_WORDS
        and ASKING_WORDS.search(lead) is None
    )


@lru_cache(maxsize=8_192)
def _is_other(names: str) -> bool:
    return OTHER_AMOUNT_NAME.search(names) is not None


@lru_cache(maxsize=8_192)
def _is_net(names: str) -> bool:
    return NET_NAME.search(names) is not None
