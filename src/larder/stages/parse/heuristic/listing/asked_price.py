"""Reads what an advert asks for where no element shows its price: in its title, or in a sentence of its text.

A title with one amount names the price. A sentence does where it asks ("asking $450 shipped"); what was paid,
what it cost new and what others offer in their answers do not count.
"""

import re
from itertools import islice

from larder.sdk.page import Page
from larder.stages.parse.amounts import AMOUNT, rough_amount
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.price_words import ASKING_WORDS, FORMER_WORDS, PER_UNIT, is_other_amount
from larder.stages.parse.heuristic.related_items import stand_in_first_post
from larder.stages.parse.heuristic.segments import Segment, segments

MAX_TEXTS = 60
"""Texts behind the headline that may ask for a price."""
MAX_TEXT = 2_000
MAX_SENTENCES = 40
MAX_LEAD = 60

_END = re.compile(r"[.!?;](?=\s)|\n")


def asked_price(page: Page) -> str:
    """The amount that the page's title or its text asks for; empty where several are asked for."""
    if AMOUNT.search(page.cached(headline)[0]):
        return page.cached(price_in_title)
    shown = page.cached(segments)
    behind = shown.texts[shown.head : shown.head + MAX_TEXTS]
    first = stand_in_first_post([each.holder for each in behind])
    texts = (text for text, own in zip(behind, first, strict=True) if own)
    amounts = [amount for text in texts for amount in _asked_in(text)]
    return amounts[0] if len({rough_amount(amount) for amount in amounts}) == 1 else ""


def price_in_title(page: Page) -> str:
    """The one amount of the page's title; empty where it names several or a price by measure."""
    title = page.cached(headline)[0]
    named = [found[0] for found in AMOUNT.finditer(title)]
    return named[0] if len(named) == 1 and not PER_UNIT.search(title) else ""


def _asked_in(segment: Segment) -> list[str]:
    """The amounts that the sentences of a text ask for."""
    text = segment.text[:MAX_TEXT]
    if AMOUNT.search(text) is None:
        return []
    found = (AMOUNT.search(each) for each in islice(_END.split(text), MAX_SENTENCES))
    return [amount[0] for amount in found if amount is not None and _is_asked(amount)]


def _is_asked(amount: re.Match[str]) -> bool:
    """Does what is before the first amount of a sentence ask for it?"""
    lead = amount.string[: amount.start()][-MAX_LEAD:]
    if is_other_amount(lead) or FORMER_WORDS.search(lead) or PER_UNIT.match(amount.string[amount.end() :]):
        return False
    return rough_amount(amount[0]) > 0 and ASKING_WORDS.search(lead) is not None
