"""The scripts of a page, found without building a tree: most shops have their data there."""

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple

from larder.sdk.raw_markup import Markup, attribute_of, attributes_of

MAX_SCRIPTS = 2_000
BARE_TAG = len("<script>")

_OPENING = re.compile(rb"<script(?=[\s/>]|\Z)")
_CLOSING = re.compile(rb"</script")
"""Patterns that begin with a plain text are faster than a search for the text."""
_LINKED_DATA = re.compile(rb"[lL][dD]")


class Script(NamedTuple):
    """A script's tag, and the position of its text."""

    page: Markup
    at: int
    start: int
    end: int

    @property
    def tag(self) -> str:
        """Its opening tag."""
        return self.page.piece(self.at, self.start)

    @property
    def text(self) -> str:
        """The script's text."""
        return self.page.piece(self.start, self.end)

    @property
    def is_commented(self) -> bool:
        """Whether it is inside a comment."""
        return self.page.is_commented(self.at)

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes of its tag that have a value."""
        return attributes_of(self.tag)

    def attribute(self, name: str) -> str:
        """The value of an attribute of its tag; empty where it has none."""
        return attribute_of(self.tag, name)

    @property
    def is_json_ld(self) -> bool:
        """Whether its type is JSON-LD."""
        if self.start - self.at <= BARE_TAG:
            return False
        may = _LINKED_DATA.search(self.page.body, self.at, self.start) is not None
        return may and "ld+json" in self.attribute("type").lower()

    def holds(self, text: str) -> bool:
        """Whether it contains this ASCII text."""
        return not text or _holding(text).search(self.page.body, self.start, self.end) is not None


@lru_cache(maxsize=32)
def _holding(text: str) -> re.Pattern[bytes]:
    return re.compile(re.escape(text.encode()))


_script: Any = partial(tuple.__new__, Script)
"""A script from its four values: pages have hundreds, and this takes half the time of the class itself."""


def read_scripts(page: Markup) -> Iterator[Script]:
    """The scripts in document order, in one pass over the page, however broken."""
    body = page.body
    opening = _OPENING.search(body)
    for _ in range(MAX_SCRIPTS):
        if opening is None:
            return
        at, start = opening.span()
        if body[start : start + 1] == b">":
            start += 1
        elif (close := page.end_of_tag(at)) >= 0:
            start = close + 1
        closing = _CLOSING.search(body, start)
        end = closing.start() if closing else len(body)
        yield _script((page, at, start, end))
        opening = _OPENING.search(body, end)
