"""Decodes pages. Valid UTF-8 is read as UTF-8; the header and the meta tag count only for other bytes."""

import codecs
import re
from collections.abc import Callable

from turbohtml.detect import detect

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_SAMPLE = 64 * 1024


def decode_body(
    body: bytes, content_type: str | None = None, *, charset: Callable[[], str] | None = None
) -> str:
    """The text of `body`; undecodable bytes are replaced, never an error.

    A part of a page that is not UTF-8 is read by the `charset` of the whole.
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body.decode(codec, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as wrong:
        if wrong.reason == "unexpected end of data":  # cut in the middle of a character
            return body.decode("utf-8", "replace")
    return body.decode(charset() if charset is not None else charset_of(body, content_type), "replace")


def charset_of(body: bytes, content_type: str | None = None) -> str:
    """The charset of a body that is not UTF-8: the declared one, else a detected one."""
    return _declared(content_type) or _detected(body)


def _declared(content_type: str | None) -> str | None:
    match = _CHARSET.search(content_type or "")
    return _known(match[1]) if match else None


def _detected(body: bytes) -> str:
    guess = detect(body[:_SAMPLE])
    return _known(guess.encoding or "") or "utf-8"


def _known(name: str) -> str | None:
    """Python's name for a charset, as browsers read it: Latin-1 means Windows-1252."""
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return "cp1252" if codec in ("iso8859-1", "ascii") else codec
