"""Finds the town of a street: a postcode with its town beside the headline, or the line below it."""

import re

from larder.sdk.page import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.listing.locality_words import CATEGORY
from larder.stages.parse.heuristic.listing.place_texts import MAX_PLACE, is_place
from larder.stages.parse.heuristic.listing.town_names import is_town
from larder.stages.parse.heuristic.segments import segments

BESIDE = 12
MAX_LINE = 60
RIGHT_BELOW = 4
MAX_TOWNS = 2
MAX_PARTS = 4
"""Maximum parts of an address in one line."""
NEAR_BEFORE, NEAR_BEHIND = 8, 80
"""Texts before and after the headline in which a postcode is the item's."""

_NAME = r"[A-ZÀ-Ý][\w'’.-]+(?:[\s/-]+[A-ZÀ-Ý(][\w'’.()-]+){0,3}"
_CURRENCY = r"(?:EUR|Euros?|USD|Dollars?|GBP|Pounds?|CHF|Franken|PLN|SEK|NOK|DKK|Kč|CZK|Ft|HUF|RON|Lei)\b"
POSTCODE_TOWN = re.compile(
    rf"\b(?:[A-Z]{{1,2}}-)?(?P<code>\d{{5}}|\d{{4}}\s?[A-Z]{{2}}\b|(?!19|20)\d{{4}}(?!\s[A-Z]{{2}}\b))"
    rf"\s+(?!{_CURRENCY})(?P<town>{_NAME}(?:\s[A-ZØ]{{1,2}}(?!\w))?)"
)
_POSTCODE_BEFORE = re.compile(r"^(?:[A-Z]{1,2}-)?\d{2,6}[\s-]?(?:\d{3}\s|[A-Z]{2}\s)?\s*")
_NAMES = re.compile(rf"{_NAME}(?:,\s*{_NAME}){{1,2}}")


def town_line(page: Page) -> str:
    """The postcode and town at the beginning of a line below the headline: `34117 Kassel, flat to let`."""
    shown = page.cached(segments)
    below = shown.texts[shown.head : shown.head + RIGHT_BELOW]
    lines = (POSTCODE_TOWN.match(each.text) for each in below if len(each.text) <= MAX_LINE)
    return next((found[0] for found in lines if found and found.string[found.end() :][:1] in ("", ",")), "")


def town_beside(page: Page) -> str:
    """The town for a street: `3511 AB` / `Utrecht` in two elements, `Ruzafa, Valencia` below a headline."""
    shown, (title, _) = page.cached(segments), page.cached(headline)
    close = [each.text for each in shown.texts[max(0, shown.head - 2) : shown.head + BESIDE]]
    for first, second in zip(close, [*close[1:], ""], strict=True):
        for text in (first, f"{first} {second}"):
            if len(text) <= MAX_LINE and (found := POSTCODE_TOWN.fullmatch(text)):
                return found[0]
    below = next((text for text in close[min(2, shown.head) :] if text not in title and len(text) > 2), "")
    named = len(below) <= MAX_LINE and _NAMES.fullmatch(below) is not None
    return below if named and not CATEGORY.search(below) else ""


def known_town(page: Page) -> str:
    """A short text near the headline that is a town's name, or an address with one: `Kraków, ul. Leśna 5`.

    Empty where several towns are named: they are a menu, or where something is sent to.
    """
    shown, (title, _) = page.cached(segments), page.cached(headline)
    near = shown.texts[max(0, shown.head - BESIDE) : shown.head + BESIDE]
    texts = dict.fromkeys(each.text.strip(" ,;|·•📍") for each in near if len(each.text) <= MAX_LINE)
    named = [text for text in texts if not title.startswith(text) and _is_address_in_town(text, page)]
    return named[0] if 0 < len(named) <= MAX_TOWNS else ""


def _is_address_in_town(text: str, page: Page) -> bool:
    """Whether a part of it is a town's name, with or without a postcode before it."""
    if not is_place(text) or CATEGORY.search(text):
        return False
    parts = [part.strip() for part in text.split(",")]
    return len(parts) <= MAX_PARTS and any(is_town(_POSTCODE_BEFORE.sub("", part), page) for part in parts)


def by_postcode(page: Page) -> str:
    """The first postcode with its town, near the headline."""
    shown = page.cached(segments)
    for segment in shown.texts[max(0, shown.head - NEAR_BEFORE) : shown.head + NEAR_BEHIND]:
        if len(segment.text) <= MAX_PLACE and (found := POSTCODE_TOWN.search(segment.text)):
            return found[0]
    return ""
