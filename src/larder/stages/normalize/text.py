"""Readable text: unescaped, with plain spaces, bounded. Pages contain anything until cleaned."""

import html
import re
from typing import Any

DEFAULT_LIMIT = 255
MAX_TITLE = 500
MAX_DESCRIPTION = 20_000

_RAW_LIMIT = 4 * MAX_DESCRIPTION  # cut before cleaning, so that a ten-megabyte title takes no time
_TAG = re.compile(r"<(?:[a-zA-Z/!][^<>]{0,1000})?>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]")
_WORD = re.compile(r"\w+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]+")


def clean(value: Any, limit: int = DEFAULT_LIMIT) -> str | None:
    """Readable text of at most `limit` characters, or None if nothing is readable."""
    if value is None or isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)[:_RAW_LIMIT]
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if not text.isprintable():
        text = _INVISIBLE.sub("", _CONTROL.sub(" ", text))
    return " ".join(text.split())[:limit].rstrip() or None


def plain_words(text: str) -> str:
    """The words of a text in lower case, without signs, for comparisons."""
    return " ".join(_WORD.findall(text.casefold()))
