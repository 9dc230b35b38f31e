"""Reads a listing's status: before its title, on a badge beside it, or as the value of a status label.

A badge in a table says something about its row: of the flats of a building some are sold.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from larder.core.policy.trust.offer_status import MAX_BADGE, OfferStatus, offer_status, status_before
from larder.core.policy.word_search import joined_lines
from larder.sdk.page import Page
from larder.stages.parse.amounts import without_amount
from larder.stages.parse.heuristic.listing.title import seen_text
from larder.stages.parse.heuristic.page_position import is_hidden, is_in_table_row
from larder.stages.parse.heuristic.segments import Segment, Segments, segments

BEFORE, BEHIND = 14, 8
"""Maximum texts before and after the headline up to a badge; in a card's order more precede it."""
MAX_LABEL = 30
SHARED_TEXTS = 4_096
"""Maximum short texts whose meaning is cached: a site's pages share most of them."""

_LABEL = re.compile(
    joined_lines(r"""
    (?:property |listing |sales? |current |offer )?status|availability|available
    (?:objekt|vermarktungs|angebots)?status|verfügbarkeit|beschikbaarheid
    statut|[ée]tat|disponibilit[ée]|situation
    estado|situaci[óo]n|disponibilidad|stato|disponibilità
    situação|disponibilidade|dostępność|status oferty|stan oferty|tillgänglighet|saatavuus|stav|státusz
""")
)
_YES = frozenset({"yes", "ja", "oui", "sí", "si", "sì", "sim", "tak", "true", "1", "✓", "✔"})
_NO = frozenset({"no", "nein", "nee", "non", "não", "nie", "nej", "false", "0", "-", "–", "✗", "✘"})


def status(page: Page) -> str:
    """`sold`, `reserved`, `rented` or `removed`; empty if title, badge and label have none."""
    if before := status_before(seen_text(page)):
        return before
    shown = page.cached(segments)
    first = max(0, shown.head - BEFORE)
    return _badge(shown.texts, range(first, min(len(shown.texts), shown.head + BEHIND))) or _labelled(shown)


def _badge(texts: Sequence[Segment], near: range) -> str:
    """The first visible text near the headline, outside of tables, that is a status."""
    for at in near:
        state = _state(texts[at].text)
        if not state or is_in_table_row(texts[at].holder) or is_hidden(texts[at].holder):
            continue
        if _follows(texts, at) not in _NO:
            return state
    return ""


def _labelled(shown: Segments) -> str:
    """The value of a status label, in one text or two: `Status: Sold`; `Sold` followed by `Yes`."""
    texts = shown.texts
    begins = [text[: MAX_LABEL + MAX_BADGE] for text in shown.lines]
    for at, said in enumerate(map(_label_or_state, begins)):
        if said is None:
            continue
        value, state = said
        if value is None and state and _follows(texts, at) in _YES:
            return state
        if value is not None and (state := _state(value or _next_text(texts, at))):
            return state
    return ""


@lru_cache(maxsize=SHARED_TEXTS)
def _label_or_state(text: str) -> tuple[str | None, OfferStatus | None] | None:
    """The text after a status label, empty for the label alone; else the status of the text."""
    label, _, value = text.partition(":")
    if len(label) <= MAX_LABEL and _LABEL.fullmatch(label.strip().lower()):
        return value.strip(), None
    state = _state(text)
    return (None, state) if state else None


def _state(text: str) -> OfferStatus | None:
    """The status of a short text, also with the selling price: `Sold $850,000`."""
    return _state_of_badge(text) if len(text) <= MAX_BADGE else None


@lru_cache(maxsize=SHARED_TEXTS)
def _state_of_badge(text: str) -> OfferStatus | None:
    return offer_status(without_amount(text))


def _next_text(texts: Sequence[Segment], at: int) -> str:
    return texts[at + 1].text if at + 1 < len(texts) else ""


def _follows(texts: Sequence[Segment], at: int) -> str:
    return _next_text(texts, at)[:MAX_BADGE].strip(" .:").lower()
