"""State that a page's own scripts carry: JSON blocks and objects assigned to a variable.

Read with JSON's own decoder from where the object starts; only what is no JSON goes to a JavaScript reader.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import chompjs

from larder.sdk.lenient_json import RepairBudget, parse_lenient_json
from larder.sdk.scripts import Script
from larder.sdk.state_attributes import StateAttribute

MAX_SCRIPTS = 300
MAX_STATES = 60
MAX_TRIES = 500
MAX_SCRIPT = 5_000_000
JAVASCRIPT_LIMIT = 300_000
MIN_STATE = 8

_OPENINGS = tuple(re.compile(sign) for sign in (r"= ?[{\[]", r"\.push\([{\[]", r'JSON\.parse\("'))
"""The text before an object; three patterns with plain beginnings are faster than one for all."""
_EVENTS = re.compile(r"events['\"]?: ?\[")
"""The text before the events of a calendar that a script draws."""
_NAME = re.compile(r"([\w$.]{1,60})[\"'\]\s]*$")
_JSON = re.compile(r'"|\{\s*["}]|\[\s*[\[{"\d\]tfn-]')
"""The beginnings of JSON; a name without quotes is JavaScript."""
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedState:
    """One object found in a script, under the name the script gives it."""

    name: str
    value: Any


def read_states(scripts: Sequence[Script], key: str = "") -> list[EmbeddedState]:
    """The states of a page in document order; only of scripts that contain `key`, if given."""
    states: list[EmbeddedState] = []
    budget = RepairBudget()
    for script in scripts[:MAX_SCRIPTS]:
        if len(states) >= MAX_STATES:
            break
        if not MIN_STATE <= script.end - script.start <= MAX_SCRIPT or not script.holds(key):
            continue
        values = script.attributes
        kind = values.get("type", "").lower()
        if "ld+json" in kind or values.get("src") or script.is_commented:
            continue
        name = values.get("id") or values.get("data-name") or ""
        is_json = "json" in kind
        text = script.text
        states.extend(_json_block(name, text, budget) if is_json else _assignments(text, budget))
    return states[:MAX_STATES]


def attribute_states(attributes: Sequence[StateAttribute], key: str = "") -> list[EmbeddedState]:
    """The states in attributes, `key` as above."""
    budget = RepairBudget()
    holding = (
        attribute
        for attribute in attributes
        if attribute.end - attribute.start <= MAX_SCRIPT and attribute.holds(key)
    )
    return [state for attribute in holding for state in _json_block(attribute.name, attribute.text, budget)]


def _json_block(name: str, text: str, budget: RepairBudget) -> list[EmbeddedState]:
    value = parse_lenient_json(text, budget)
    return [EmbeddedState(name=name or "json", value=value)] if isinstance(value, dict | list) else []


def _assignments(text: str, budget: RepairBudget) -> list[EmbeddedState]:
    states: list[EmbeddedState] = []
    done = 0
    for at, start in _openings(text):
        if at < done or len(states) >= MAX_STATES:  # inside an object that was read already
            continue
        value, end = _object_at(text, start, budget)
        if isinstance(value, dict | list) and value:
            states.append(EmbeddedState(name=_name_before(text, at), value=value))
            done = end
    return states


def _openings(text: str) -> list[tuple[int, int]]:
    """The beginnings of objects: the sign before each, and the object itself."""
    signs = (*_OPENINGS, _EVENTS) if "events" in text else _OPENINGS
    every = (match.span() for sign in signs for match in islice(sign.finditer(text), MAX_TRIES))
    return sorted((at, end - 1) for at, end in every)[:MAX_TRIES]


def _name_before(text: str, at: int) -> str:
    match = _NAME.search(text[max(0, at - 80) : at])
    return match[1].removeprefix("window.") if match else "json"


def _object_at(text: str, start: int, budget: RepairBudget) -> tuple[Any, int]:
    if not _JSON.match(text, start):
        return _javascript_at(text, start)
    piece = text[start:]  # each error counts the lines before it: the text must be short
    try:
        value, length = _DECODER.raw_decode(piece)
    except (ValueError, RecursionError):
        return _javascript_at(text, start)
    if isinstance(value, str):  # JSON.parse("…"): JSON inside a string
        return parse_lenient_json(value, budget), start + length
    return value, start + length


def _javascript_at(text: str, start: int) -> tuple[Any, int]:
    if text[start : start + 1] not in ("{", "["):
        return None, start + 1
    try:
        return chompjs.parse_js_object(text[start : start + JAVASCRIPT_LIMIT]), start + 1
    except (ValueError, RecursionError):
        return None, start + 1
