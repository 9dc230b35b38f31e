"""JSON as pages write it: a ladder from the strict and fast reader to the forgiving and slow ones.

Each step is tried only when the one before it failed; the slow ones only on texts of a bounded size.
"""

import html
import json
import re
from typing import Any

import chompjs
import orjson

CHOMP_LIMIT = 2_000_000
REPAIR_LIMIT = 200_000

_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)+"
    r"|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>|;)+\s*$"
)


def loads(text: str) -> Any:
    """The value of a JSON text, however broken; None where there is none to be had."""
    for attempt in (_strict, _unwrapped, _lenient, _chomped, _repaired):
        value = attempt(text)
        if value is not None:
            return value
    return None


def _strict(text: str) -> Any:
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return None


def _unwrapped(text: str) -> Any:
    return _strict(unwrap(text))


def unwrap(text: str) -> str:
    """Without the comments, CDATA marks and escaped quotes that templates put around a block."""
    bare = _WRAPPING.sub("", text.strip().lstrip("\ufeff")).strip()
    return html.unescape(bare) if bare.startswith(("{&quot;", "[{&quot;", "{ &quot;", "[ {&quot;")) else bare


def _lenient(text: str) -> Any:
    try:
        return json.loads(unwrap(text), strict=False)
    except (ValueError, RecursionError):
        return None


def _chomped(text: str) -> Any:
    bare = unwrap(text)
    if not bare.startswith(("{", "[")) or len(bare) > CHOMP_LIMIT:
        return None
    try:
        return chompjs.parse_js_object(bare)
    except (ValueError, RecursionError):
        return None


def _repaired(text: str) -> Any:
    bare = unwrap(text)
    if not bare.startswith(("{", "[")) or len(bare) > REPAIR_LIMIT:
        return None
    from json_repair import repair_json  # noqa: PLC0415  (rarely needed, slow to import)

    try:
        return repair_json(bare, return_objects=True) or None
    except (ValueError, RecursionError, IndexError, TypeError, AttributeError, KeyError):
        return None
