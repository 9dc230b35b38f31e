"""The scripts of a page, found without building a tree: most shops say there what they sell."""

from collections.abc import Iterator
from typing import NamedTuple

from larder.sdk.markup import Markup, attribute_of

MAX_SCRIPTS = 2_000

_OPENING, _CLOSING = b"<script", b"</script"
_AFTER_NAME = b" \t\r\n\f/>"


class Script(NamedTuple):
    """A script's tag, and where its text stands."""

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
        """What it holds."""
        return self.page.piece(self.start, self.end)

    @property
    def is_commented(self) -> bool:
        """Does it stand inside a comment?"""
        return self.page.is_commented(self.at)

    def attribute(self, name: str) -> str:
        """The value of an attribute of its tag; empty where it has none."""
        return attribute_of(self.tag, name)

    @property
    def is_json_ld(self) -> bool:
        """Does its tag say that it holds JSON-LD?"""
        tag = self.page.body[self.at : self.start].lower()
        return b"ld" in tag and "ld+json" in self.attribute("type").lower()

    def holds(self, text: str) -> bool:
        """Does it hold this (ASCII) text?"""
        return self.page.body.find(text.encode(), self.start, self.end) >= 0


def read_scripts(page: Markup) -> Iterator[Script]:
    """In document order; one pass over the page, however broken."""
    at = page.body.find(_OPENING)
    for _ in range(MAX_SCRIPTS):
        if at < 0:
            return
        script = _script_at(page, at)
        if page.body[at + len(_OPENING) : at + len(_OPENING) + 1] in _AFTER_NAME:
            yield script
        at = page.body.find(_OPENING, script.end)


def _script_at(page: Markup, at: int) -> Script:
    close = page.end_of_tag(at)
    start = (close if close >= 0 else at + len(_OPENING)) + 1
    end = page.body.find(_CLOSING, start)
    return Script(page, at, start, end if end >= 0 else len(page.body))
