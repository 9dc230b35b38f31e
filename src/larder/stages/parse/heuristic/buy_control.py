"""Reads the control in the buy area: it buys, is disabled, or only offers a notification."""

import re
from enum import StrEnum
from functools import lru_cache

from turbohtml import Element, Node

from larder.sdk.page import Page
from larder.stages.parse.heuristic.button_words import only_notifies, says_out_of_stock
from larder.stages.parse.heuristic.headline import headline, source_around
from larder.stages.parse.heuristic.page_position import distance, is_hidden, lineage, name_of
from larder.stages.parse.heuristic.stock import (
    button_text,
    clickable_elements,
    is_beside,
    is_disabled_button,
)
from larder.stages.parse.heuristic.words import BASKET, NOTIFY, letters_and_digits

BUY_AREA_LEVELS = 4
"""Containers up from the headline that hold its buy area."""
TOO_MANY_BUTTONS = 3
LABEL_BYTES = 200
"""Bytes after a button's tag that hold its label."""
BUY_AREA_BYTES = 60_000
"""Bytes after the headline that hold the buy area."""

MAX_NAMED_WORDS = 2
"""Words of a button that is told by its name alone."""

_SENDING = frozenset({"button", "input"})
_CHOICES = (
    "select, input[type=radio], [class*=swatch i], [class*=variant i], [id*=variant i], "
    "[class*=size i] button, [class*=size i] li"
)
_BUTTON = re.compile(rb"<(button|input)\b[^>]{0,1000}>")
_DISABLED = re.compile(rb"\sdisabled(?=[\s=/>])")
_CHOICE = re.compile(rb"<select|=[\"']?radio")
_NOTIFY_STEMS = {language: tuple(word[1:].encode() for word in words) for language, words in NOTIFY.items()}
"""Without the first letter, which may be a capital. Each costs a search: only the page's language counts."""


class Control(StrEnum):
    """What the buy area offers."""

    BUYS = "buys"
    SWITCHED_OFF = "switched off"
    NONE = "none"


def buy_control(page: Page) -> Control:
    """What the controls beside the headline do. A basket button that waits for a choice of size is none."""
    _, head = page.cached(headline)
    chain = {node: at for at, node in enumerate([head, *lineage(head)])} if head is not None else {}
    near = set(chain)
    telling = (
        (each, words)
        for each in page.cached(clickable_elements)
        if _is_about_stock(words := button_text(each)) or _is_named_basket(each, words)
    )
    shown = [pair for pair in telling if _is_shown_for_main_item(pair[0], near, page)]
    baskets = [each for each, words in shown if _is_basket(words) or _is_named_basket(each, words)]
    pressed = [each for each in baskets if not is_disabled_button(each)]
    if pressed:
        any_out = any(says_out_of_stock(words) for _, words in shown)
        return Control.BUYS if _is_of_main_item(pressed, chain) and not any_out else Control.NONE
    if baskets and page.first(_CHOICES) is not None:
        waiting = [each for each in baskets if each.attr("disabled") is None]  # it asks for the choice
        any_out = any(says_out_of_stock(words) for _, words in shown)
        return Control.BUYS if waiting and _is_of_main_item(waiting, chain) and not any_out else Control.NONE
    if baskets:
        return Control.SWITCHED_OFF
    return Control.SWITCHED_OFF if any(only_notifies(words) for _, words in shown) else Control.NONE


def _is_shown_for_main_item(control: Element, near: set[Node], page: Page) -> bool:
    """Does it belong to the headline, and can it be seen?"""
    return not (is_hidden(control) or is_beside(control, near, page))


@lru_cache(maxsize=8_192)
def _is_about_stock(words: str) -> bool:
    """Does it say anything of stock? Asked before where it is: its words cost less to look at."""
    return _is_basket(words) or says_out_of_stock(words) or only_notifies(words)


def _is_of_main_item(baskets: list[Element], chain: dict[Node, int]) -> bool:
    """Close to the headline and hardly more than one: a list has a button on each of its things."""
    away = [distance(each, chain) for each in baskets]
    nearest = min(away)
    if nearest > BUY_AREA_LEVELS:  # in tables within tables
        return len(baskets) == 1 and baskets[0].tag != "a" and baskets[0].closest("form") is not None
    return away.count(nearest) < TOO_MANY_BUTTONS


def _is_basket(words: str) -> bool:
    """A button whose own words put the thing into a basket; a reservation in a shop does not."""
    words = letters_and_digits(words)
    return 0 < len(words) < 60 and _names_basket(words) and not says_out_of_stock(words)


def _is_named_basket(button: Element, words: str) -> bool:
    """A button whose author calls it so, with a word or two that say nothing else: `Add`, in any language."""
    if button.tag not in _SENDING or not 0 < len(words.split()) <= MAX_NAMED_WORDS or only_notifies(words):
        return False
    return _names_basket(f"{name_of(button)} {button.attr('name') or ''}")


def may_contradict(page: Page, control: Control) -> bool:
    """Is it worth building the tree for? Reads the bytes behind the headline alone."""
    area = source_around(page, 0, BUY_AREA_BYTES)
    if control is Control.BUYS:
        at, off = _first_basket(area)
        return at < BUY_AREA_BYTES and not off
    promises = [
        word for word in _NOTIFY_STEMS.get(page.language or "en", _NOTIFY_STEMS["en"]) if word in area
    ]
    if not promises and b"disabled" not in area:
        return False
    at, off = _first_basket(area)
    if off and not _CHOICE.search(area):
        return True
    return any(area.find(promise, 0, at + len(promise) - 1) >= 0 for promise in promises)


def _first_basket(area: bytes) -> tuple[int, bool]:
    """Where the first button is that names a basket, and whether it is switched off."""
    for button in _BUTTON.finditer(area):
        inner = b"" if button[1] == b"input" else area[button.end() : button.end() + LABEL_BYTES]
        if _names_basket((button[0] + inner.partition(b"</button")[0]).decode(errors="replace")):
            return button.start(), _DISABLED.search(button[0]) is not None
    return BUY_AREA_BYTES, False


def names_no_basket(area: bytes) -> bool:
    """Has no button in that part of a page's source words for a basket, unless it is switched off?"""
    at, off = _first_basket(area)
    return off or at >= BUY_AREA_BYTES


def _names_basket(text: str) -> bool:
    words = letters_and_digits(text)
    return any(map(words.__contains__, BASKET))
