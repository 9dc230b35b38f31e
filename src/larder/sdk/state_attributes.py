"""State in an attribute instead of a script: `data-page="{&quot;props&quot;…"`, `:items='[{"id"…'`.

Server-side frameworks pass data to their front end in this way. Only long JSON objects and lists count: a few
settings of one control are not the page's state.
"""

import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from larder.sdk.raw_markup import Markup

MAX_ATTRIBUTES = 20
MIN_BYTES = 200
"""Bytes of the shortest value that is read."""

_DOUBLE = re.compile(rb'="(?=[\[{](?:[\[{]?&(?:quot|#34|#x22);))')
_SINGLE = re.compile(rb"='(?=[\[{][\[{]?\")")
_EITHER = re.compile(rb"=(?:\"[\[{]{1,2}&|'[\[{]{1,2}\")")
_NAME = re.compile(rb"([\w:@.-]{1,60})\s*$")


class StateAttribute(NamedTuple):
    """An attribute's name, and the position of its JSON; with the interface of a script."""

    page: Markup
    name: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """Its JSON."""
        return html.unescape(self.page.piece(self.start, self.end))

    def holds(self, text: str) -> bool:
        """Whether it contains this ASCII text."""
        return not text or self.page.body.find(text.encode(), self.start, self.end) >= 0


def may_carry_state(source: bytes) -> bool:
    """Whether an attribute begins like one with state: one search, as most pages have none."""
    return _EITHER.search(source) is not None


def read_state_attributes(page: Markup, gaps: Sequence[tuple[int, int]]) -> Iterator[StateAttribute]:
    """The attributes, found in one pass over the text between scripts, those in double quotes first.

    None of comments.
    """
    found = 0
    signs = [
        (each.start(), stop) for start, stop in gaps for each in _EITHER.finditer(page.body, start, stop)
    ]
    for opening, quote in ((_DOUBLE, b'"'), (_SINGLE, b"'")):
        for at, start in (
            (at, sign.end()) for at, stop in signs if (sign := opening.match(page.body, at, stop))
        ):
            if found >= MAX_ATTRIBUTES:
                return
            end = page.body.find(quote, start)
            if end - start >= MIN_BYTES and not page.is_inert(at):
                found += 1
                name = _NAME.search(page.body[max(0, at - 60) : at])
                yield StateAttribute(page, name[1].decode("ascii", "replace") if name else "", start, end)
