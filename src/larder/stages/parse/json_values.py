"""Converts JSON values to text: in place of a text, pages have numbers, lists or objects."""

import html
import re
from typing import Any

from larder.sdk.urls import join

MAX_TEXT = 20_000
MAX_IMAGES = 50


def json_text(value: Any) -> str:
    """A value as one line of text, without markup and entities."""
    if value is None:  # most strings need no cleaning
        return ""
    if isinstance(value, list):
        value = first_value(value)
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name")
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return ""
    plain = value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value)
    if "&" in plain:
        plain = html.unescape(html.unescape(plain))
    if "<" in plain:
        plain = re.sub(r"<[^<>]{0,2000}>", " ", plain)
    return " ".join(plain.split())[:MAX_TEXT]


def json_amount(value: Any) -> str:
    """A price as text. A JSON number is a decimal: 4.199 becomes 4.20, as it would be read as thousands."""
    value = first_value(value)
    shown = json_text(value)
    return f"{value:.2f}" if isinstance(value, float) and _LIKE_THOUSANDS.fullmatch(shown) else shown


_LIKE_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}")


def first_value(value: Any) -> Any:
    """The first of a list, or the value itself."""
    while isinstance(value, list):
        value = value[0] if value else None
    return value


def as_list(value: Any) -> list[Any]:
    """A value as a list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def name_in(value: Any) -> str:
    """The name of a thing, which is a node or a text."""
    value = first_value(value)
    if isinstance(value, dict):
        return json_text(value.get("name") or value.get("@value"))
    return json_text(value)


def image_urls(value: Any, base: str) -> list[str]:
    """Image URLs, absolute, each once."""
    urls: dict[str, None] = {}
    for each in as_list(value)[:MAX_IMAGES]:
        url = (
            json_text(each.get("contentUrl") or each.get("url") or each.get("@id"))
            if isinstance(each, dict)
            else json_text(each)
        )
        if url:
            urls[(join(base, url) if base else url) or url] = None
    return list(urls)
