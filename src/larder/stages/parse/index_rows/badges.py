"""Reads the badges of rows: sold, reserved, rented, removed, sold out.

A badge is a short text of its own that is shown. One that is in the same place of every row is part of
the template, and "sold out" beside a button that buys is of something else: neither says anything.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from turbohtml import Element, Text

from larder.core.policy.trust.offer_status import MAX_BADGE, WORDS, offer_status
from larder.core.policy.word_search import WordSearch
from larder.stages.parse.extraction_task import Fields
from larder.stages.parse.heuristic.page_position import is_hidden
from larder.stages.parse.heuristic.stock import is_buy_button
from larder.stages.parse.heuristic.words import OUT_OF_STOCK
from larder.stages.parse.index_rows.blocks import Block

MAX_NODES = 400
MAX_TEXT = 8_000
MAX_BUTTONS = 20

_BADGE_WORDS = WordSearch(*WORDS.values(), *OUT_OF_STOCK.patterns)
"""All badge words in one search: a row without any of them is skipped early."""


class _Badge(NamedTuple):
    text: str
    place: str
    element: Element


def badge_fields(blocks: Sequence[Block]) -> dict[str, Fields]:
    """`status` or `availability` by link target, for the rows that have such a badge."""
    badges = {block.link.key: _badges(block) for block in blocks}
    places = Counter(place for found in badges.values() for place in {(b.place, b.text) for b in found})
    fields_by_key: dict[str, Fields] = {}
    for block in blocks:
        own = [b for b in badges[block.link.key] if places[b.place, b.text] < len(blocks)]
        if fields := _badge_field(own, block):
            fields_by_key[block.link.key] = fields
    return fields_by_key


def _badges(block: Block) -> list[_Badge]:
    return [badge for part in block.elements for badge in _badges_in(part)]


def _badges_in(part: Element) -> Iterator[_Badge]:
    text = part.text[:MAX_TEXT]
    if _BADGE_WORDS.search(text) is None:
        return
    for node in islice(part.descendants, MAX_NODES):
        if isinstance(node, Text) and isinstance(node.parent, Element):
            shown = " ".join(node.data[: 2 * MAX_BADGE].split())
            if _is_badge(shown) and not is_hidden(node.parent):
                yield _Badge(shown, f"{node.parent.tag} {node.parent.attr('class') or ''}", node.parent)


@lru_cache(maxsize=4_096)
def _is_badge(text: str) -> bool:
    return 2 < len(text) <= MAX_BADGE and (offer_status(text) is not None or _is_out_of_stock(text))


def _is_out_of_stock(text: str) -> bool:
    return OUT_OF_STOCK.fullmatch(text.strip(" .!•|–—-[]()")) is not None


def _badge_field(badges: Sequence[_Badge], block: Block) -> Fields:
    status = next((state for badge in badges if (state := offer_status(badge.text))), None)
    out = any(_is_out_of_stock(badge.text) for badge in badges) and not _has_buy_button(block)
    return {**({"status": status.value} if status else {}), **({"availability": "SoldOut"} if out else {})}


def _has_buy_button(block: Block) -> bool:
    buttons = (each for part in block.elements for each in part.select("button, a, input")[:MAX_BUTTONS])
    return any(is_buy_button(button) for button in buttons)
