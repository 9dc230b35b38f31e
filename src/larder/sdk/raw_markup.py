"""A page's bytes, read in place: the needed data is often a few hundred of a million of them.

Tags are found without decoding the page or building its tree. That is safe because every charset of the web
but UTF-16 keeps `<`, `>` and the quotes; a page in UTF-16 is re-encoded. Only extracted parts are decoded.
"""

import codecs
import html
import re

from larder.core.cached_property import cached_property
from larder.sdk.charset import charset_of, decode_body

MAX_TAG = 20_000
MAX_TRIES = 100
MAX_COMMENT = 50_000
MAX_SCRIPT = 200_000
"""Bytes of the longest script: one that began further back has ended."""

_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_TAG = re.compile(rb"""(?:[^>"']++|"[^"]*"|'[^']*')*+>""")
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Markup:
    """The source of one page."""

    def __init__(self, source: bytes | str, content_type: str | None = None) -> None:
        self._content_type = content_type
        self.source = source
        """The bytes of the page."""
        if isinstance(source, bytes) and source.startswith(_WIDE):
            source = decode_body(source)
        if isinstance(source, str):
            self.text = source  # fills the cached property below
            source = source.encode("utf-8", "replace")
        self.body = source

    @cached_property
    def text(self) -> str:
        """The decoded text."""
        return decode_body(self.body, self._content_type)

    @cached_property
    def canonical(self) -> str:
        """The address in the page's `<link rel=canonical>`; empty if there is none."""
        at = self.body.find(b"canonical")
        for _ in range(MAX_TRIES):
            if at < 0:
                break
            start = max(0, self.body.rfind(b"<", max(0, at - MAX_TAG), at))
            tag = self.piece(start, self.end_of_tag(start) + 1)
            if tag.startswith("<link") and attribute_of(tag, "rel").lower() == "canonical":
                return attribute_of(tag, "href").strip()
            at = self.body.find(b"canonical", at + 1)
        return ""

    def piece(self, start: int, end: int) -> str:
        """A part of it, decoded."""
        return self.decoded(self.body[start:end])

    def decoded(self, part: bytes) -> str:
        """An extracted part, decoded as UTF-8 if it is valid, else like the page."""
        try:
            return part.decode("utf-8")
        except UnicodeDecodeError:
            return decode_body(part, charset=lambda: self._charset)

    @cached_property
    def _charset(self) -> str:
        return charset_of(self.body, self._content_type)

    def end_of_tag(self, at: int) -> int:
        """The end of the tag that begins at `at`, -1 if it is not closed.

        A `>` inside quotes does not count.
        """
        match = _TAG.match(self.body, at, at + MAX_TAG)
        return match.end() - 1 if match else self.body.find(b">", at, at + MAX_TAG)

    def is_inert(self, at: int) -> bool:
        """Whether the position is no tag but text: of a script, or in a comment."""
        return self.is_scripted(at) or self.is_commented(at)

    def is_commented(self, at: int) -> bool:
        """Whether it is inside a comment."""
        begun = self.body.rfind(b"<!--", max(0, at - MAX_COMMENT), at)
        return begun >= 0 and self.body.find(b"-->", begun, at) < 0

    def is_scripted(self, at: int) -> bool:
        """Whether the position is in a script's text."""
        earliest = max(0, at - MAX_SCRIPT)
        closed = self.body.rfind(b"</script", earliest, at)
        return self.body.rfind(b"<script", max(closed, earliest), at) >= 0


def attribute_of(tag: str, name: str) -> str:
    """The value of an attribute of a tag; empty if it has none."""
    return attributes_of(tag).get(name, "")


def attributes_of(tag: str) -> dict[str, str]:
    """The attributes of a tag that have a value, names in lower case, the first of each name."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(tag):
        found.setdefault(name.lower(), html.unescape(double or single or bare))
    return found
