"""Tells what texts within a title are to each other: words glued by styles, the two sides of a match."""

import re
from itertools import islice, pairwise

from turbohtml import Element, Text

MAX_TEXTS = 40
MIN_LETTERS = 3

_GLUED = re.compile(r"[a-zà-öø-ÿ][A-ZÀ-ÖØ-Þ+]")


def is_glued(element: Element, shown: str) -> bool:
    """Whether only styles separate parts of the text that is shown of it: `The Harbour<i>Live at Sea</i>`."""
    texts = (node.data for node in islice(element.descendants, MAX_TEXTS) if isinstance(node, Text))
    pairs = pairwise(filter(None, texts))
    return any(
        _are_glued(before, behind) and before[-1:] + behind[:MIN_LETTERS] in shown for before, behind in pairs
    )


def _are_glued(before: str, behind: str) -> bool:
    """Whether two texts join without a space, and not within a word: the second has several."""
    if _GLUED.fullmatch(before[-1:] + behind[:1]):
        return True
    words = before[-1:].isalpha() and behind[:1].isalpha() and len(before.strip()) >= MIN_LETTERS
    return words and " " in behind.strip()


def is_match(link: Element) -> bool:
    """Whether a link's three texts are two sides and what stands between them: `Rovers v Albion`."""
    texts = [text.strip() for text in islice(link.stripped_strings, MAX_TEXTS)]
    return len(texts) == MATCH_PARTS and texts[1].casefold().strip(".") in _VERSUS


_VERSUS = frozenset({"v", "vs", "-", "–", "—", ":", "x", "gegen", "tegen", "contre", "contra", "mot", "mod"})
MATCH_PARTS = 3
