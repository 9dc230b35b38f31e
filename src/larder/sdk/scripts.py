"""The scripts of a page, found in its text without building a tree: most shops say there what they sell."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_TAG = 2_000
MAX_SCRIPTS = 2_000
LONGEST_COMMENT = 50_000
"""A comment that began further back than this has surely ended."""

_OPENING, _CLOSING = "<script", "</script"
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A script's tag, and where its text stands."""

    tag: str
    page: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """What it holds."""
        return self.page[self.start : self.end]

    def attribute(self, name: str) -> str:
        """The value of an attribute of its tag; empty where it has none."""
        found = (match for match in _ATTRIBUTE.finditer(self.tag) if match[1].lower() == name)
        return next((html.unescape(match[2] or match[3] or match[4] or "") for match in found), "")


def read_scripts(page: str) -> Iterator[Script]:
    """In document order, without those that are commented out; one pass over the text, however broken."""
    at = page.find(_OPENING)
    for _ in range(MAX_SCRIPTS):
        if at < 0:
            return
        start = _end_of_tag(page, at) + 1
        end = page.find(_CLOSING, start)
        end = end if end >= 0 else len(page)
        if page[at + len(_OPENING) : at + len(_OPENING) + 1] in " \t\r\n\f/>":
            yield Script(tag=page[at:start], page=page, start=start, end=end)
        at = page.find(_OPENING, end)


def is_commented(script: Script) -> bool:
    """Does it stand inside a comment?"""
    before = script.start - len(script.tag)
    begun = script.page.rfind("<!--", max(0, before - LONGEST_COMMENT), before)
    return begun >= 0 and script.page.find("-->", begun, script.start) < 0


def _end_of_tag(page: str, at: int) -> int:
    """Where the tag closes; a `>` inside quotes does not count."""
    close = page.find(">", at, at + MAX_TAG)
    while close >= 0 and (page.count('"', at, close) % 2 or page.count("'", at, close) % 2):
        further = page.find(">", close + 1, at + MAX_TAG)
        if further < 0:
            break
        close = further
    return close if close >= 0 else at + len(_OPENING)
