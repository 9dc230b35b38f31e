"""Declarative shadow roots: a browser shows the content of `<template shadowrootmode>` in its element's
place.

A parser keeps templates out of the tree, as most of them are not visible. These are.
"""

import re

SHADOW_ROOT = "shadow-root"
"""The element that takes the template's place."""

_MODE = re.compile(r"\sshadowroot(?:mode)?\s*=", re.IGNORECASE)
_TEMPLATE = re.compile(r"<template\b([^>]*)>|</template\s*>", re.IGNORECASE)


def with_shadow_roots(markup: str) -> str:
    """The markup with its shadow roots as visible elements."""
    if _MODE.search(markup) is None:
        return markup
    shown: list[bool] = []

    def replaced(tag: re.Match[str]) -> str:
        if tag[1] is not None:
            shown.append(_MODE.search(tag[1]) is not None)
            return f"<{SHADOW_ROOT}>" if shown[-1] else tag[0]
        return f"</{SHADOW_ROOT}>" if shown and shown.pop() else tag[0]

    return _TEMPLATE.sub(replaced, markup)
