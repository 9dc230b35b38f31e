"""Quotes values in messages for people: on one line, without Python's escapes, and cut if they are long."""

from collections.abc import Mapping
from typing import Any

MAX_QUOTED = 200
"""Maximum characters of a quoted value."""


def quoted(value: Any, limit: int = MAX_QUOTED) -> str:
    """The value as a message shows it: text in quotation marks, a list as its quoted entries."""
    match value:
        case bytes():
            return quoted(value.decode(errors="replace"), limit)
        case bool() | None:
            return {True: "yes", False: "no", None: "nothing"}[value]
        case Mapping():
            return ", ".join(f"{name}: {quoted(each, limit)}" for name, each in value.items()) or "nothing"
        case list() | tuple() | set() | frozenset():
            return ", ".join(quoted(each, limit) for each in value) or "nothing"
        case int() | float():
            return str(value)
    text = _one_line(str(value))
    text = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return f'"{text}"' if "'" in text and '"' not in text else f"'{text}'"


def _one_line(text: str) -> str:
    """The text with each character that a terminal would act on, line breaks included, as a space."""
    return "".join(char if char.isprintable() else " " for char in text)
