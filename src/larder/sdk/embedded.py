"""State that a page's own scripts carry: JSON blocks and objects assigned to a variable.

Read with JSON's own decoder from where the object starts; only what is no JSON goes to a JavaScript reader.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

import chompjs
from turbohtml import Document

from larder.sdk.jsontext import loads

MAX_SCRIPTS = 300
MAX_STATES = 60
MAX_SCRIPT = 5_000_000
JAVASCRIPT_LIMIT = 300_000
MIN_STATE = 20

_ASSIGNED = re.compile(
    r"(?:(?:window|self|globalThis)\s*(?:\.\s*|\[\s*[\"'])|(?:var|let|const)\s+)?"
    r"([\w$.]{2,60})(?:[\"']\s*\])?\s*=\s*(?=[{\[])"
    r"|([\w$.]{2,60})\.push\(\s*(?=[{\[])"
    r"|\bJSON\.parse\(\s*(?=\")"
)
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One object found in a script, under the name the script gives it."""

    name: str
    value: Any


def read_states(tree: Document) -> list[State]:
    """The states of a page in document order."""
    states: list[State] = []
    for script in tree.select("script:not([src])")[:MAX_SCRIPTS]:
        kind = (script.attr("type") or "").lower()
        if "ld+json" in kind:
            continue
        text = script.text
        if len(text) < MIN_STATE or len(text) > MAX_SCRIPT:
            continue
        name = script.attr("id") or script.attr("data-name") or ""
        states.extend(_json_block(name, text) if "json" in kind else _assignments(text))
        if len(states) >= MAX_STATES:
            break
    return states[:MAX_STATES]


def _json_block(name: str, text: str) -> list[State]:
    value = loads(text)
    return [State(name=name or "json", value=value)] if isinstance(value, dict | list) else []


def _assignments(text: str) -> list[State]:
    states: list[State] = []
    at = 0
    while (found := _ASSIGNED.search(text, at)) and len(states) < MAX_STATES:
        value, at = _object_at(text, found.end())
        if isinstance(value, dict | list) and value:
            states.append(State(name=found[1] or found[2] or "json", value=value))
    return states


def _object_at(text: str, start: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _javascript_at(text, start)
    if isinstance(value, str):  # JSON.parse("…"): JSON inside a string
        return loads(value), end
    return value, end


def _javascript_at(text: str, start: int) -> tuple[Any, int]:
    if text[start : start + 1] not in ("{", "["):
        return None, start + 1
    try:
        return chompjs.parse_js_object(text[start : start + JAVASCRIPT_LIMIT]), start + 1
    except (ValueError, RecursionError):
        return None, start + 1
