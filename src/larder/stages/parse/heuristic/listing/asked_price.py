"""Reads an asking price that no element shows: from an advert's title, or from a sentence of its text.

A title with one amount names the price. A sentence does where it asks ("asking $450 shipped"); what was paid,
what it cost new and what others offer in their answers do not count.
"""

import re
from itertools import islice

from larder.sdk.page import Page
from larder.stages.parse.amounts import AMOUNT, rough_amount
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.price_words import ASKING_WORDS, PER_UNIT, is_other_amount
from larder.stages.parse.heuristic.related_items import in_first_post
from larder.stages.parse.heuristic.segments import Segment, segments
from larder.stages.parse.heuristic.vocabulary.prices import FORMER_WORDS

MAX_TEXTS = 60
"""Maximum texts after the headline that may contain an asking price."""
MAX_TEXT = 2_000
MAX_SENTENCES = 40
MAX_LEAD = 60

_END = re.compile(r"[.!?;](?=\s)|\n")


def asked_price(page: Page) -> str:
    """The asking price in the page's title or its text; empty if there are several."""
    if AMOUNT.search(page.cached(headline)[0]):
        return page.cached(price_in_title)
    shown = page.cached(segments)
    behind = shown.texts[shown.head : shown.head + MAX_TEXTS]
    first = in_first_post([each.holder for each in behind])
    texts = (text for text, own in zip(behind, first, strict=True) if own)
    amounts = [amount for text in texts for amount in _asked_in(text)]
    return amounts[0] if len({rough_amount(amount) for amount in amounts}) == 1 else ""


def price_in_title(page: Page) -> str:
    """The only amount of the page's title; empty if it has several or a price per unit."""
    title = page.cached(headline)[0]
    named = [found[0] for found in AMOUNT.finditer(title)]
    return named[0] if len(named) == 1 and not PER_UNIT.search(title) else ""


def _asked_in(segment: Segment) -> list[str]:
    """The asking prices in the sentences of a text."""
    text = segment.text[:MAX_TEXT]
    if AMOUNT.search(text) is None:
        return []
    found = (AMOUNT.search(each) for each in islice(_END.split(text), MAX_SENTENCES))
    return [amount[0] for amount in found if amount is not None and _is_asked(amount)]


def _is_asked(amount: re.Match[str]) -> bool:
    """Whether the text before the first amount of a sentence asks for it."""
    lead = amount.string[: amount.start()][-MAX_LEAD:]
    if is_other_amount(lead) or FORMER_WORDS.search(lead) or PER_UNIT.match(amount.string[amount.end() :]):
        return False
    return rough_amount(amount[0]) > 0 and ASKING_WORDS.search(lead) is not None
