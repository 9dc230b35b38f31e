"""Parses JSON as pages write it: with a strict and fast parser first, then with lenient and slow ones.

Each step is tried only if the one before failed; the slow ones only on texts of a bounded size. The slowest
guesses, on some texts in quadratic time: the number of characters that it may read is bounded.
"""

import html
import json
import re
from dataclasses import dataclass
from typing import Any

import chompjs
import orjson

CHOMP_LIMIT = 2_000_000
REPAIR_LIMIT = 100_000
MAX_ESCAPES = 200
"""Maximum escapes in a text that is repaired: for each of them the string is scanned from its beginning."""
READS_PER_CHARACTER = 50
"""A text without any quotes takes 22, one with a single fault takes 1."""
MIN_READS = 10_000

_OPENING = re.compile(r"[{\[]")
_QUOTED_KEY = re.compile(r"[{\[,]\s*&quot;")


@dataclass(slots=True)
class RepairBudget:
    """How many characters may still be repaired, shared by all texts of a page."""

    characters: int = REPAIR_LIMIT

    def spend(self, characters: int) -> bool:
        """Whether so many are left; they are used up then."""
        if characters > self.characters:
            return False
        self.characters -= characters
        return True


def parse_lenient_json(text: str, budget: RepairBudget | None = None) -> Any:
    """The value of a JSON text, however broken; None if it cannot be read."""
    for attempt in (_strict, _unwrapped, _lenient, _chomped):
        value = attempt(text)
        if value is not None:
            return value
    return _repaired(text, budget or RepairBudget())


def _strict(text: str) -> Any:
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return None


def _unwrapped(text: str) -> Any:
    return _strict(unwrap(text)) if "{" in text or "[" in text else None


def unwrap(text: str) -> str:
    """The object or list itself: without comments, CDATA marks, semicolons and escaped quotes around it."""
    text = text.replace("<![CDATA[", "").replace("]]>", "") if "CDATA" in text[:100] else text
    opening = _OPENING.search(text)
    if opening is None:
        return ""
    bare = text[opening.start() : max(text.rfind("}"), text.rfind("]")) + 1]
    return html.unescape(bare) if _QUOTED_KEY.search(bare[:200]) else bare


def _lenient(text: str) -> Any:
    try:
        return json.loads(unwrap(text), strict=False)
    except (ValueError, RecursionError):
        return None


def _chomped(text: str) -> Any:
    bare = unwrap(text)
    if not bare or len(bare) > CHOMP_LIMIT:
        return None
    try:
        return chompjs.parse_js_object(bare)
    except (ValueError, RecursionError):
        return None


class _MeteredText(str):
    """A text that can be read a limited number of times; then it raises `ValueError`."""

    __slots__ = ("_reads",)
    _reads: int

    def __new__(cls, text: str) -> "_MeteredText":
        metered = super().__new__(cls, text)
        metered._reads = MIN_READS + READS_PER_CHARACTER * len(text)
        return metered

    def __getitem__(self, key: Any) -> str:
        self._reads -= 1
        if self._reads < 0:
            raise ValueError(READS_PER_CHARACTER)
        return super().__getitem__(key)


def _repaired(text: str, budget: RepairBudget) -> Any:
    bare = unwrap(text) or text[text.find("{") :] if "{" in text else ""
    bare = bare.replace("\\/", "/")  # means the same, and some pages escape every slash
    if not bare or bare.count("\\") > MAX_ESCAPES or not budget.spend(len(bare)):
        return None
    from json_repair import repair_json  # noqa: PLC0415  (rarely needed, slow to import)

    try:
        return repair_json(_MeteredText(bare), return_objects=True) or None
    except (ValueError, RecursionError, IndexError, TypeError, AttributeError, KeyError):
        return None
