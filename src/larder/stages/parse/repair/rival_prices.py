"""Finds other amounts that could be the price.

If a page shows an unexplained amount, no repair of a price is proven: the known price might be the one that
was crossed out since.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from turbohtml import Element, Node

from larder.sdk.page import brief_text_of
from larder.sdk.selectors import Pick
from larder.stages.parse.amounts import AMOUNT, rough_amount
from larder.stages.parse.heuristic.price_words import is_former
from larder.stages.parse.repair.evidence import PRICE, read_field
from larder.stages.parse.repair.known_values import SampleScope

MAX_LEVELS = 2
"""Containers up from a price within which another amount is its rival, on a detail page."""
_EXPLAINED = re.compile(
    r"(?:/|\bper\b|\bpro\b|\bje\b|\ba\b)\s*(?:m²|m2|sq\.?\s?(?:m|ft)|sqm|kg|g\b|l\b|ltr|100|st|stk|piece|unit|round|"
    r"stück|stuk|night|nacht|day|week|year|jaar|jahr)|deposit|kaution|borg|shipping|versand|verzend|delivery|"
    r"service|save\b|discount|korting|rabatt|\bwas\b|before|instead|statt",
    re.IGNORECASE,
)


def rival_prices(picks: Sequence[Pick], scope: SampleScope, *, whole: bool) -> list[str]:
    """Amounts beside the price that are neither equal, nor explained, nor known from the last reading."""
    minor = scope.known.values.get(PRICE, {}).get("price_minor")
    if not isinstance(minor, int):
        return []
    before = {rough_amount(found[0]) for found in AMOUNT.finditer(scope.known.text)} | {minor / 100}
    before.add(rough_amount(str(read_field(PRICE, picks, scope) or "")))
    near = scope.node if whole else _price_block(picks, scope)
    if near is None:
        return []
    own = (
        {each for pick in picks if pick.css for each in scope.node.select(pick.css)}
        if picks[0].join
        else set()
    )
    return [
        text for element, text in _amounts(near) if rough_amount(text) not in before and element not in own
    ]


def _price_block(picks: Sequence[Pick], scope: SampleScope) -> Node | None:
    """The block around the price."""
    found = (each for pick in picks for each in scope.node.select(pick.css)[:1] if pick.css)
    element = next(found, None)
    if element is None:
        return None
    return next(islice(element.ancestors, MAX_LEVELS - 1, None), element)


def _amounts(near: Node) -> Iterator[tuple[Element, str]]:
    for each in near.descendants:
        if not isinstance(each, Element) or any(isinstance(inner, Element) for inner in each.children):
            continue
        text = brief_text_of(each, 10)
        if (found := AMOUNT.search(text)) and not is_former(each) and not _is_explained(each, text):
            yield each, found[0]


def _is_explained(element: Element, text: str) -> bool:
    beside = brief_text_of(element.parent, 6) if isinstance(element.parent, Element) else ""
    return bool(_EXPLAINED.search(text) or _EXPLAINED.search(beside if len(beside) < 40 else ""))
