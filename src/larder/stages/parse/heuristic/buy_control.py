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
"""Maximum containers up from the headline to its buy area."""
TOO_MANY_BUTTONS = 3
LABEL_BYTES = 200
"""Bytes after a button's tag in which its label is searched."""
BUY_AREA_BYTES = 60_000
"""Bytes after the headline in which the buy area is searched."""

MAX_NAMED_WORDS = 2
"""Maximum words of a button that is recognised by its name alone."""

_SENDING = frozenset({"button", "input"})
_CHOICES = (
    "select, input[type=radio], [class*=swatch i], [class*=variant i], [id*=variant i], "
    "[class*=size i] button, [class*=size i] li"
)
_BUTTON = re.compile(rb"<(button|input)\b[^>]{0,1000}>")
_DISABLED = re.compile(rb"\sdisabled(?=[\s=/>])")
_CHOICE = re.compile(rb"<select|=[\"']?radio")
_NOTIFY_STEMS = {language: tuple(word[1:].encode() for word in words) for language, words in NOTIFY.items()}
"""Without the first letter, which may be a capital; only the page's language is searched, for speed."""


class Control(StrEnum):
    """The action of the buy area."""

    BUYS = "buys"
    SWITCHED_OFF = "switched off"
    NONE = "none"


def buy_control(page: Page) -> Control:
    """The action of the controls beside the headline; a basket button waiting for a size is none."""
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
        waiting = [each for each in baskets if each.attr("disabled") is None]  # disabled until a choice
        any_out = any(says_out_of_stock(words) for _, words in shown)
        return Control.BUYS if waiting and _is_of_main_item(waiting, chain) and not any_out else Control.NONE
    if baskets:
        return Control.SWITCHED_OFF
    return Control.SWITCHED_OFF if any(only_notifies(words) for _, words in shown) else Control.NONE


def _is_shown_for_main_item(control: Element, near: set[Node], page: Page) -> bool:
    """Whether it belongs to the headline, and is visible."""
    return not (is_hidden(control) or is_beside(control, near, page))


@lru_cache(maxsize=8_192)
def _is_about_stock(words: str) -> bool:
    """Whether its words are about stock: checked before its position, as that is slower."""
    return _is_basket(words) or says_out_of_stock(words) or only_notifies(words)


def _is_of_main_item(baskets: list[Element], chain: dict[Node, int]) -> bool:
    """The controls near the headline, if they are few: a list has a button for each of its items."""
    away = [distance(each, chain) for each in baskets]
    nearest = min(away)
    if nearest > BUY_AREA_LEVELS:  # nested tables
        return len(baskets) == 1 and baskets[0].tag != "a" and baskets[0].closest("form") is not None
    return away.count(nearest) < TOO_MANY_BUTTONS


def _is_basket(words: str) -> bool:
    """Whether a button's words add the item to a basket; a reservation in a shop does not."""
    words = letters_and_digits(words)
    return 0 < len(words) < 60 and _names_basket(words) and not says_out_of_stock(words)


def _is_named_basket(button: Element, words: str) -> bool:
    """Whether a button is named so and has only one or two other words: `Add`, in any language."""
    if button.tag not in _SENDING or not 0 < len(words.split()) <= MAX_NAMED_WORDS or only_notifies(words):
        return False
    return _names_basket(f"{name_of(button)} {button.attr('name') or ''}")


def may_contradict(page: Page, control: Control) -> bool:
    """Whether the tree is needed: reads only the bytes after the headline."""
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
    """The position of the first button that names a basket, and whether it is disabled."""
    for button in _BUTTON.finditer(area):
        inner = b"" if button[1] == b"input" else area[button.end() : button.end() + LABEL_BYTES]
        if _names_basket((button[0] + inner.partition(b"</button")[0]).decode(errors="replace")):
            return button.start(), _DISABLED.search(button[0]) is not None
    return BUY_AREA_BYTES, False


def names_no_basket(area: bytes) -> bool:
    """Whether that part of a page's source has no enabled button that names a basket."""
    at, off = _first_basket(area)
    return off or at >= BUY_AREA_BYTES


def _names_basket(text: str) -> bool:
    words = letters_and_digits(text)
    return any(map(words.__contains__, BASKET))
