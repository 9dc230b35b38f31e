"""The structure of a page for a language model: tags, names and the beginning of texts, indented.

Addresses, the values of other attributes, scripts and forms are left out; of similar siblings only the first
few are shown.
"""

import re
from collections.abc import Iterator

from turbohtml import Element, Node, Text

from larder.sdk.page import Page

MAX_LINES = 220
MAX_CHARS = 9_000
MAX_DEPTH = 24
MAX_TEXT = 60
MAX_NAMES = 6
"""Maximum classes and attributes of one element."""
MAX_ALIKE = 5
"""Maximum siblings of the same tag and classes that are shown."""
NAMED_BY = frozenset({"itemprop", "role", "rel", "property"})
"""Attributes whose value is shown: words of the page's author, never of a visitor."""
_LEFT_OUT = frozenset(
    {"script", "style", "template", "head", "noscript", "svg", "iframe", "nav", "footer", "form", "select"}
)
_NAME = re.compile(r"-?[A-Za-z_][\w-]{0,60}")
_ADDRESS = re.compile(r"(?:https?://|www\.|\S+@)\S*", re.IGNORECASE)


def page_skeleton(page: Page) -> str:
    """The main part of a page, bounded."""
    root = next(iter(page.tree.select("main")), None) or next(iter(page.tree.select("body")), page.tree)
    shown: list[str] = []
    left = MAX_CHARS
    for line in _lines(root, 0):
        left -= len(line) + 1
        if left < 0 or len(shown) >= MAX_LINES:
            break
        shown.append(line)
    return "\n".join(shown)


def _lines(node: Node, depth: int) -> Iterator[str]:
    same_name: dict[str, int] = {}
    for child in node.children:
        if not isinstance(child, Element) or child.tag in _LEFT_OUT:
            continue
        name = _named(child)
        same_name[name] = same_name.get(name, 0) + 1
        if same_name[name] > MAX_ALIKE or depth >= MAX_DEPTH:
            continue
        text = _own_text(child)
        yield f"{' ' * depth}{name}" + (f": {text}" if text else "")
        yield from _lines(child, depth + 1)


def _named(element: Element) -> str:
    """The element's tag, id, classes, and the names of its other attributes."""
    classes = [name for name in (element.attr("class") or "").split() if _NAME.fullmatch(name)][:MAX_NAMES]
    identifier = element.attr("id") or ""
    own = f"#{identifier}" if _NAME.fullmatch(identifier) else ""
    attributes = [name for name in element.attrs if name not in ("class", "id") and _NAME.fullmatch(name)]
    text = "".join(_attribute(element, name) for name in attributes[:MAX_NAMES])
    return f"{element.tag}{own}{''.join(f'.{name}' for name in classes)}{text}"


def _attribute(element: Element, name: str) -> str:
    value = element.attr(name) or ""
    return f'[{name}="{value}"]' if name in NAMED_BY and _NAME.fullmatch(value) else f"[{name}]"


def _own_text(element: Element) -> str:
    words = " ".join(node.data[: 4 * MAX_TEXT] for node in element.children if isinstance(node, Text))
    return without_addresses(words)


def without_addresses(text: str) -> str:
    """A text on one line, short, without control characters and addresses."""
    shown = "".join(each if each.isprintable() else " " for each in text[: 8 * MAX_TEXT])
    return " ".join(_ADDRESS.sub("…", shown).split())[:MAX_TEXT]
