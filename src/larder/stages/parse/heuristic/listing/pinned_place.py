"""Finds the place beside a pin: an icon of a map marker, which templates have before an address."""

import re
from functools import lru_cache

from turbohtml import Element, Node, Text

from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.listing.locality_words import CATEGORY, CONTROL
from larder.stages.parse.heuristic.listing.place_texts import MAX_PLACE, is_place, without_map_link
from larder.stages.parse.heuristic.page_position import lineage, stands_aside

MAX_PINS = 48
MAX_TEXTS = 8

_PIN = re.compile(
    r"(?:^|[\s_-])(?:map-?(?:marker|pin)|marker|pin|geo-?alt|location-?(?:dot|pin|arrow|on)?|place(?:holder)?)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_ICONS = frozenset({"i", "svg", "span", "img", "em", "div"})


def pinned_place(page: Page) -> str:
    """The first text after a pin that may be a place and is not beside the page's item."""
    _, head = page.cached(headline)
    near: set[Node] = {head, *lineage(head)} if head is not None else set()
    pins = (each for each in page.called(_is_pin)[:MAX_PINS] if _is_icon(each))
    shown = (_text_behind(pin) for pin in pins if not stands_aside(pin, near))
    return next((text for text in shown if is_place(text) and not CONTROL.fullmatch(text)), "")


def _is_icon(element: Element) -> bool:
    return element.tag in _ICONS and not element.text.strip()


def _text_behind(pin: Element) -> str:
    """The text after an icon, or after the element around it."""
    following, parent = pin.next_sibling, pin.parent
    shown = following.data if isinstance(following, Text) else ""
    if not shown.strip() and isinstance(parent, Element):
        shown = brief_text_of(parent, MAX_TEXTS)
    text = without_map_link(" ".join(shown.split()))
    return text if len(text) <= MAX_PLACE and not CATEGORY.search(text) else ""


@lru_cache(maxsize=8_192)
def _is_pin(name: str) -> bool:
    return _PIN.search(name) is not None


def place_of_map_link(page: Page) -> str:
    """The text of a link to the page's map, if it has a street and a town."""
    links = page.css("a[href*=map i]")[:MAX_TEXTS]
    texts = (without_map_link(brief_text_of(link, 10)) for link in links)
    return next((text for text in texts if "," in text and is_place(text)), "")
