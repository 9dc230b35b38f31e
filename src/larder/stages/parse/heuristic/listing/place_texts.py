"""Checks whether a text may be a place, and removes words of links and remarks after it."""

import re

from larder.stages.parse.heuristic.listing.locality_words import (
    PART_OF_TOWN,
    PLACE_LABEL,
    PREPOSITION_AND_PLACE,
)

MAX_PLACE = 120

_LETTERS = re.compile(r"[^\W\d_]{3,}")
_SIGNS = re.compile(r"[€$£@!?{}<>]|https?:|www\.|\bm²|\bm2\b|\d\s?(?:miles?|km|min(?:utes|uten|\.)?|mi)\b")
_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,4}")
_LINK_WORDS = re.compile(
    r"\s*\(?\b(?:show|view|see|open|ver|voir|zie|bekijk|toon|auf|vedi|zur)\b[^,]{0,20}\b(?:map|mapa"
    r"|karte|carte|kaart|"
    r"mappa|kort|anzeigen)\b\)?.*$",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s*(?:\[[^\]]{0,40}\]|\(\s*(?:for|to|te|zu|à|en|in) [^)]{0,20}\))\s*$", re.IGNORECASE)


def without_map_link(text: str) -> str:
    """Removes the words of a link to a map after the place."""
    return _REMARK.sub("", _LINK_WORDS.sub("", text)).strip(" ,;|·-–")


def is_place(text: str) -> bool:
    """Whether it may be a place: short, with letters, and not a price, a sentence or a menu's word."""
    if not 2 < len(text) <= MAX_PLACE or not _LETTERS.search(text):
        return False
    if _SIGNS.search(text) or _HOST.fullmatch(text) or text.endswith((".", ":")):
        return False
    return not PLACE_LABEL.fullmatch(text) and not PART_OF_TOWN.fullmatch(text)


def is_said_in(titles: str, text: str) -> bool:
    """Whether the titles, in lower case, contain these as whole words."""
    return re.search(rf"(?<!\w){re.escape(text.casefold())}(?!\w)", titles) is not None


def place_after_preposition(title: str) -> str:
    """The place in a title: `Calle Goya, Madrid` of `Piso en venta en Calle Goya, Madrid`."""
    found = PREPOSITION_AND_PLACE.search(title)
    return _PLACE_END.split(found["place"])[0].strip(" ,.") if found else ""


_PLACE_END = re.compile(
    r"\s[|·•–—-]\s|;|\.\s|\s(?:mit|with|for|met|avec|con)\s|\s(?:por|from|ab|vanaf|à partir)\s(?=.{0,4}\d)"
)


def shares_name(address: str, text: str) -> bool:
    """Whether a text has a longer word of an address, which is in lower case."""
    return any(is_said_in(address, word) for word in _NAME.findall(text))


_NAME = re.compile(r"[^\W\d_]{4,}")


def address_of_lines(lines: list[str]) -> str:
    """The first line, with the second one if an address ends in that form."""
    first, second = (*lines, "", "")[:2]
    if _POSTCODE.fullmatch(second):
        return f"{first} {second}"
    return f"{first}, {second}" if len(second) <= MAX_PLACE // 2 and _SECOND_LINE.fullmatch(second) else first


_SECOND_LINE = re.compile(
    r"(?:[A-Z]{1,2}-)?\d{4,5}(?:\s?[A-Z]{2})?\s+[A-ZÀ-Ý].*|[A-ZÀ-Ý][^,]*,\s*[A-Z]{2,3}\s+\d{4,5}(?:-\d{4})?|"
    r"[A-Z][\w ,'-]*\b[A-Z]{1,2}\d{1,2}[A-Z]?(?:\s?\d[A-Z]{2})?"
)
"""Matches a postcode and its town at the end of an address's line."""
_POSTCODE = re.compile(r"\d{4,5}|\d{4}\s?[A-Z]{2}|[A-Z]{1,2}\d{1,2}[A-Z]?(?:\s?\d[A-Z]{2})?")
