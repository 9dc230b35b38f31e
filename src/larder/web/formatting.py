"""Formats stored values for display."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from larder.core.model.record import Availability

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d.*)?")
_WORDS = frozenset(map(str, Availability))


def display_value(value: Any) -> str:
    """A stored value for display: yes, in stock, Mon 14 Dec 2026, 16:00."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    text = str(value)
    if text in _WORDS:
        return text.replace("_", " ")
    return _moment(text) if _MOMENT.fullmatch(text) else text


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment:%a %d %b %Y}" if len(text) == len("2026-12-14") else f"{moment:%a %d %b %Y, %H:%M}"


def image_urls(images: Any) -> list[str]:
    """The image URLs of a record."""
    every = images if isinstance(images, Sequence) and not isinstance(images, str) else [images]
    found = (each.get("url") if isinstance(each, Mapping) else each for each in every)
    return [str(each) for each in found if each]
