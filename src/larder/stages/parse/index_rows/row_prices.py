"""Chooses the selling price among the amounts of a row.

The first that is neither crossed out nor called an old price, a saving, an instalment, shipping or a price by
the unit. The only amount of a row is its price, whatever its author calls it, unless the row says that its
price is told on request; a crossed-out one never is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from turbohtml import Element, Node

from larder.core.policy.trust.offer_status import WORDS
from larder.core.policy.word_search import WordSearch
from larder.sdk.page import Page, brief_text_of, texts_in
from larder.stages.parse.amounts import AMOUNT, rough_amount
from larder.stages.parse.heuristic.amount_texts import (
    MIN_SALE_SHARE,
    amounts_in,
    is_cost_of_new,
    remark_behind,
    with_words_around,
    words_before,
)
from larder.stages.parse.heuristic.page_position import ancestors, lineage, name_of
from larder.stages.parse.heuristic.price_elements import BARE, currency_texts, elements_with_amounts
from larder.stages.parse.heuristic.price_words import (
    GROSS_WORDS,
    NET_NAME,
    OTHER_EDITION,
    PRICE_LABEL,
    PRICE_REMARK,
    SURELY_CURRENT,
    is_called_former,
    is_net,
    is_other_amount,
    is_shipping,
    is_struck,
)
from larder.stages.parse.heuristic.prices import MAX_AMOUNT_WORDS
from larder.stages.parse.heuristic.vocabulary.prices import FORMER_WORDS, ON_REQUEST

NAME_LEVELS = 3
MAX_ROW = 2_000
MAX_LABEL = 20
MAX_TEXTS = 300
MAX_MENTION_PARTS = 12
MAX_NAMED_SHARE = 0.5
"""Maximum share of rows with an amount named a price for which unnamed amounts count, too."""

_PRICE_PER_UNIT = re.compile(
    r"/\s?(?:\d{1,4}\s?)?(?:m²|m2|qm|sq\.?\s?ft|kg|kilo\w{0,6}|g|gr|gramm?|l|ltr|lit[re]{2}\w?|ml|cl|st|stk|stück)\b|"
    r"\b(?:per|pro|je|par|por|al)\s(?:\d{1,4}\s?)?(?:m²|m2|qm|kg|liter|litre|l|stück|stuk|100)\b"
)
_INSTALMENT = re.compile(
    r"\b(?:mtl\.?|monatlich|monthly payment|finanzierung|leas(?:e|en|ing)|\d+\s?x\s|in \d+ raten)|"
    r"\b(?:from|ab|vanaf|dès|desde|da|od|fra|från)\b.{0,20}(?:/|\b(?:per|pro|par|al|pr\.?|por))\s?(?:month|mo|monat"
    r"|mois|mese?|maand|mnd|mês|md|måned|mån|månad)\b"
)
"""In lower case."""
_DIGIT = re.compile(r"\d")
_BARS = re.compile(r"[|·•]")
_LETTERS = re.compile(r"[^\W\d_]{4}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_STATUS = WordSearch(*WORDS.values())
_PART_LABEL = re.compile(
    r"(?:price per unit|unit price|stückpreis|prix unitaire|precio unitario|eenheidsprijs|"
    r"cena jednostkowa|"
    r"base price|basispreis|grundpreis|basisprijs|prix de base|prezzo base|precio base|"
    r"preço base|"
    r"grundpris|cena bazowa|základní cena|net price|nettopreis|nettoprijs|prix net|"
    r"(?:tax|vat)(?: amount)?|steuerbetrag|steuer|btw|tva|iva|moms|ammontare iva|importe iva|montant tva)"
    r"[\s:]*$"
)
"""Matches the text before a part of the price: the net price, or the tax alone."""
_SELLING_LABEL = re.compile(
    r"(?:sales? price|selling price|our price|verkaufspreis|endpreis|verkoopprijs|prix de vente|"
    r"precio de venta|prezzo di vendita|preço de venda|salgspris|försäljningspris|cena sprzedaży|"
    r"prodejní cena)[\s:]*$"
)
_ESTIMATE_LABEL = re.compile(
    r"(?:estimated?(?: (?:value|price))?|est\.|guide price|schätz(?:ung|preis|wert)|taxe|"
    r"taxatie(?:waarde)?|richtprijs|geschat(?:te waarde)?|estimation|estimación|precio estimado|stima|wycena|"
    r"estymacja|estimativa|värdering|vurdering|"
    r"next bid|minimum bid|nächstes gebot|volgend bod|buyer'?s premium|opgeld|aufgeld|frais acheteur)[\s:]*$"
)
"""In lower case; an auction's estimate is not its bid."""
_OTHER_NAME = re.compile(
    r"(?:^|[\s_-])(?:saving\w*|save|discount|shipping|delivery|versand\w*|installments?|instalments?"
    r"|finan[csz]\w*|leasing|deposit|"
    r"fees?|charges|service-?costs?|servicekosten|nebenkosten|avgift|unit-?price|base-?price|grundpreis"
    r"|per-?unit|price-?unit\S*|\w*(?:scale|tier|bulk|staffel)-?(?:price|preis|prijs)\w*"
    r"|line-through|old|was|former|regular|market|rrp|msrp|uvp|compare\w*)(?:$|[\s_-])"
)
_PRICE_AND_OTHER = re.compile(
    r"(?:price|preis|prijs)[-_]+(?:(?:and|und|en)[-_]+)?(?:shipping|delivery|versand\w*|fees?|charges)"
)
"""Matches the name of a container of both: `price-shipping`."""


Amounts = list[tuple[Element, str]]


class RowPrices:
    """The amounts of a page by the rows that hold them."""

    def __init__(self, page: Page, *, by_name: bool = True) -> None:
        read = elements_with_amounts if by_name else currency_texts
        self._shown = [(element, text) for element, text in page.cached(read) if not is_struck(element)]
        self.holders: set[Node] = set()
        for element, _ in self._shown:
            self.holders.add(element)
            self.holders.update(lineage(element))

    def of(self, parts: Iterable[Element]) -> dict[Element, str]:
        """The price in each of these elements that contains an amount."""
        wanted = set(parts)
        found = _by_row(self._shown, wanted)
        ranks = {part: [price_rank(*each, part) for each in amounts] for part, amounts in found.items()}
        selling = {part: _selling_price(amounts, ranks[part], part) for part, amounts in found.items()}
        named = {part for part, own in ranks.items() if min(own) <= 0}  # not names of parts or shipping alone
        if found and len(named) < MAX_NAMED_SHARE * len(wanted):
            selling |= _unnamed(wanted - named, found)
        else:
            selling |= {part: "" for part in found.keys() - named if _only_mentions(found[part])}
        return {part: price for part, price in selling.items() if price}


def _unnamed(rows: set[Element], named: Mapping[Element, Amounts]) -> dict[Element, str]:
    """The prices of rows without an amount named a price, as some sites name only sale prices."""
    found = {row: _shown_amounts(row, {each for each, _ in named.get(row, ())}) for row in rows}
    return {row: amounts[0][1] for row, amounts in found.items() if _is_price(amounts, row)}


def _shown_amounts(row: Element, named: set[Element]) -> Amounts:
    shown = amounts_in(texts_in(row, MAX_TEXTS))
    return [(each, text) for each, text in shown if each not in named and not is_struck(each)]


def _by_row(amounts: Amounts, rows: set[Element]) -> dict[Element, Amounts]:
    found: dict[Element, Amounts] = {}
    for element, text in amounts:
        holder = next(filter(rows.__contains__, chain((element,), ancestors(element))), None)
        if isinstance(holder, Element):
            found.setdefault(holder, []).append((element, text))
    return found


def _is_price(amounts: list[tuple[Element, str]], part: Element) -> bool:
    """Whether the only amount of a row is the whole text of its element."""
    if len(amounts) != 1:
        return False
    element, text = amounts[0]
    return _is_alone(text) and price_rank(element, text, part) <= 0


def _is_alone(text: str) -> bool:
    """Whether a text is an amount with nothing but a label for the price: `Our Price: CAD$57.95`."""
    amount = AMOUNT.search(text)
    labelled = amount is not None and PRICE_LABEL.fullmatch(text[: amount.start()])
    return BARE.match(text[amount.start() :] if amount is not None and labelled else text) is not None


def _selling_price(amounts: Amounts, ranks: Sequence[int], part: Element) -> str:
    if len(amounts) == 1:
        return "" if ranks[0] > 0 and _tells_no_price(part.text[:MAX_ROW]) else amounts[0][1]
    ranked = [(rank, _is_mention(element)) for rank, (element, _) in zip(ranks, amounts, strict=True)]
    best = ranked.index(min(ranked))
    equal = [each for each, rank in zip(amounts, ranked, strict=True) if rank == ranked[best]]
    return _lower_beside(amounts[best], equal)


def _lower_beside(best: tuple[Element, str], others: Amounts) -> str:
    """The lower of two adjacent amounts without words: the selling price."""
    after = next((node for node in best[0].next_siblings if isinstance(node, Element)), None)
    beside = next((text for element, text in others if element == after and element.tag != "sup"), "")
    if not (beside and BARE.match(best[1]) and BARE.match(beside)) or _LETTERS.search(best[1] + beside):
        return best[1]
    high, low = rough_amount(best[1]), rough_amount(beside)
    return beside if MIN_SALE_SHARE * high <= low < high else best[1]


def _is_mention(element: Element) -> bool:
    """Whether an element has more text than an amount: `Touring bike ($900 off)` is a title."""
    whole = PRICE_REMARK.sub(" ", brief_text_of(element, MAX_MENTION_PARTS))
    return len(_WORD.findall(whole)) > MAX_AMOUNT_WORDS


def _only_mentions(amounts: Amounts) -> bool:
    """Whether all amounts of a row are in prose: the price when new, the cost of shipping."""
    return all(_is_mention(element) for element, _ in amounts)


def _tells_no_price(row: str) -> bool:
    """Whether the price is on request, or the item is sold; a single amount of such a row may be a fee."""
    return ON_REQUEST.search(row) is not None or _STATUS.search(row) is not None


def price_rank(element: Element, text: str, part: Element) -> int:
    """The rank of an amount: 0 for a selling price, negative if named so; higher is less likely."""
    lead = words_before(element, text) or ""
    if is_called_former(element) or FORMER_WORDS.search(lead) or OTHER_EDITION.search(lead):
        return 3
    small = with_words_around(element, text).lower()
    label = "" if GROSS_WORDS.search(small) else _label(lead).lower()
    if (
        is_net(label[-MAX_LABEL:], small, remark_behind(element))
        or _PART_LABEL.search(label)
        or _PRICE_PER_UNIT.search(f"{label} {small}")
    ):
        return 2
    if _INSTALMENT.search(f"{label} {small}") or _ESTIMATE_LABEL.search(label) or is_other_amount(label):
        return 2
    if is_cost_of_new(text) or is_shipping(small):
        return 2
    named = [element]
    for node in lineage(element, NAME_LEVELS):
        if node is part or not isinstance(node, Element):
            break
        named.append(node)
    names = [name_of(node) for node in named]
    if any(map(NET_NAME.search, names)):
        return 2
    if SURELY_CURRENT.search(names[0]) or _SELLING_LABEL.search(label):
        return -1
    return 2 if any(map(_is_other_name, names)) else 0


def _label(lead: str) -> str:
    """The words before an amount; none if they contain another amount, which they describe.

    `Ref: 317 | 5 rooms | Fee € 45`: only what is behind the last bar.
    """
    lead = _BARS.split(lead)[-1]
    return "" if _DIGIT.search(lead) else lead


@lru_cache(maxsize=4_096)
def _is_other_name(name: str) -> bool:
    return _OTHER_NAME.search(_PRICE_AND_OTHER.sub("price", name.lower())) is not None
