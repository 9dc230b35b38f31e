"""Parses JSON as pages write it: with a strict and fast parser first, then with lenient and slow ones.

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

_OPENING = re.compile(r"[{\[]")
_QUOTED_KEY = re.compile(r"[{\[,]\s*&quot;")


def loads(text: str) -> Any:
    """The value of a JSON text, however broken; None where it cannot be read."""
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


def _repaired(text: str) -> Any:
    bare = unwrap(text) or text[text.find("{") :] if "{" in text else ""
    if not bare or len(bare) > REPAIR_LIMIT:
        return None
    from json_repair import repair_json  # noqa: PLC0415  (rarely needed, slow to import)

    try:
        return repair_json(bare, return_objects=True) or None
    except (ValueError, RecursionError, IndexError, TypeError, AttributeError, KeyError):
        return None
