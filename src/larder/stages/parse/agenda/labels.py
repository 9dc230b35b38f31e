"""Reads the label before a date: `<b>Deadline:</b> 3 May`, `<dt>Deadline</dt><dd>3 May</dd>`."""

from turbohtml import Element, Node, Text

from larder.sdk.page import brief_text_of
from larder.stages.parse.agenda.element_names import OTHER_DATE_WORDS

MAX_PIECES = 20
MAX_LABEL = 40
MAX_CLIMB = 2
MAX_LABEL_WORDS = 3

_PAIRED = frozenset({"dd", "td"})
_LABELS = frozenset({"dt", "th", "td"})
_INLINE = frozenset({"b", "strong", "span", "em", "i", "label", "small", "div", "p", "h4", "h5", "h6"})


def is_other_day(node: Node, before: str = "") -> bool:
    """Is a day no event's: by its label, or by what is written `before` it in its own text?"""
    return OTHER_DATE_WORDS.search(f"{label_of(node)} {before}"[-MAX_LABEL:]) is not None


def label_of(node: Node) -> str:
    """The label that stands right before a text or an element; empty where none does."""
    for _ in range(MAX_CLIMB + 1):
        before = node.previous_sibling
        while isinstance(before, Text) and before.data.isspace():
            before = before.previous_sibling
        if before is not None:
            return _as_label(before, node)
        parent = node.parent
        if not isinstance(parent, Element) or parent.tag in ("tr", "li", "body"):
            return ""
        node = parent
    return ""


def _as_label(before: Node, node: Node) -> str:
    if not isinstance(before, Element):
        return ""
    paired = before.tag in _LABELS and isinstance(node, Element) and node.tag in _PAIRED
    if not paired and before.tag not in _INLINE:
        return ""
    text = brief_text_of(before, MAX_PIECES)[: MAX_LABEL + 1].strip()
    brief = text.endswith(":") or len(text.split()) <= MAX_LABEL_WORDS
    return text[:MAX_LABEL] if paired or (len(text) <= MAX_LABEL and brief) else ""
