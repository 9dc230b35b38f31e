"""Reads stock from a label and its value near the headline: "Availability: Out Of Stock", "Voorraad | 0".

Many shops show the button that buys on things that are not there, too. Who writes the label means the thing:
where all such values of a page agree, they decide.
"""

import re
from collections.abc import Iterator

from turbohtml import Element, Node

from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.headline import source_around
from larder.stages.parse.heuristic.place import lineage, stands_aside
from larder.stages.parse.heuristic.stock import MAX_TEXTS, NOTICE_LEVELS, is_hidden
from larder.stages.parse.heuristic.texts import text_beside
from larder.stages.parse.heuristic.words import IN_STOCK, LATER, OUT_OF_STOCK

MAX_LABELLED = 80
"""Characters of a label with its value."""
LABEL_NODES = 12
AREA_BYTES = 60_000

_TEXTS = "li, dt, th, td, tr, p, div, span, strong, b, label"
_LABEL = re.compile(
    r"(?:(?:current|product|aktueller|actuele|huidige) )?(?:"
    r"availability|available|in stock|stock(?: (?:status|level|availability))?|inventory|quantity available"
    r"|verfügbarkeit|verfügbar|lieferbarkeit|lager(?:bestand|status|saldo)?|bestand|auf lager"
    r"|beschikbaarheid|beschikbaar|voorraad(?:status)?|op voorraad|leverbaarheid"
    r"|disponibilit[éà]|disponible|en stock|état du stock|disponibilidad|existencias|hay stock"
    r"|disponibile|giacenza|in magazzino"
    r"|dostępność|stan magazynowy|na stanie|w magazynie"
    r"|disponibilidade|disponível|estoque|em (?:stock|estoque)"
    r"|tillgänglighet|lagerstatus|i lager|tilgængelighed|på lager"
    r")(?:\s*[:：]\s*|\s+|$)",
)
_NONE = re.compile(
    r"(?:0|zero|none|no|nein|nee|non|nie|não|nej)(?: (?:in stock|pcs|pieces|items?|units?|left|stück|stuks?"
    r"|op voorraad|auf lager|pièces?|unidades|pezzi|szt\.?|st\.?|available))?[ .!]*"
)
_SOME = re.compile(
    r"(?:[1-9]\d{0,5}|yes|ja|oui|sí|si|sì|tak|sim)(?: (?:in stock|pcs|pieces|items?|units?|left|stück|stuks?"
    r"|op voorraad|auf lager|pièces?|unidades|pezzi|szt\.?|st\.?|available))?[ .!]*"
)
_LABELS_IN_SOURCE = re.compile(
    rb"(?i)availab|stock|inventory|quantity|verf|liefer|lager|bestand|beschikb|voorraad|leverb|dispon|existenc"
    rb"|giacenza|magaz|dost|stan|estoque|tillg|tilg"
)


def labelled_stock(page: Page, head: Element | None) -> str:
    """`OutOfStock`, `InStock` or words for "later", as labels near the headline say; none if they differ."""
    if head is None or not _LABELS_IN_SOURCE.search(source_around(page, 0, AREA_BYTES)):
        return ""
    around = [head, *lineage(head)]
    area, near = around[: NOTICE_LEVELS + 1][-1], set(around)
    said = set(_said_in(area, near)) if isinstance(area, Element) else set()
    return said.pop() if len(said) == 1 else ""


def _said_in(area: Element, near: set[Node]) -> Iterator[str]:
    for element in area.select(_TEXTS)[:MAX_TEXTS]:
        text = brief_text_of(element, limit=LABEL_NODES).strip().lower()
        label = _LABEL.match(text) if 0 < len(text) <= MAX_LABELLED else None
        if label is None:
            continue
        value = text[label.end() :] or _beside(element)
        stock = _of_value(value)
        if stock and not stands_aside(element, near) and not is_hidden(element):
            yield stock


def _beside(label: Element) -> str:
    """What stands behind a label that is an element of its own."""
    node = label.next_sibling
    for _ in range(3):
        if node is None:
            return ""
        if text := text_beside(node).strip(" :\n\t\r"):
            return text.lower()
        node = node.next_sibling
    return ""


def _of_value(value: str) -> str:
    """What a value says that begins with words for it, or is a number of things or a plain yes or no."""
    value = value.strip(" ✓✔✗✘•:")
    if len(value) > MAX_LABELLED:
        return ""
    if _NONE.fullmatch(value) or _begins(OUT_OF_STOCK.search(value)):
        return "OutOfStock"
    if _begins(later := LATER.search(value)) and later is not None:
        return later.group()
    return "InStock" if _SOME.fullmatch(value) or _begins(IN_STOCK.search(value)) else ""


def _begins(found: re.Match[str] | None) -> bool:
    return found is not None and found.start() == 0
