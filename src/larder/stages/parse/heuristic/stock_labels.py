"""Reads stock from labels near the headline: "Availability: Out Of Stock", "Voorraad | 0", or only "Sold".

Many shops show the button that buys on things that are not there, too. Who writes the label means the thing:
where all such values of a page agree, they decide. Shops of single pieces leave "InStock" in their markup
when a piece is sold: there the label, and that nothing buys it, are what a reader goes by.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node

from larder.core.policy.trust.offer_status import MAX_BADGE, OfferStatus, offer_status
from larder.sdk.page import Page, texts_in
from larder.stages.parse.heuristic.amount_texts import text_beside
from larder.stages.parse.heuristic.buy_control import names_no_basket
from larder.stages.parse.heuristic.headline import headline, source_around
from larder.stages.parse.heuristic.page_position import is_hidden, is_in_table_row, lineage, stands_aside
from larder.stages.parse.heuristic.stock import (
    MAX_TEXTS,
    NOTICE_LEVELS,
    has_cart_form,
    is_beside,
    is_notice,
    says_sold_out,
)
from larder.stages.parse.heuristic.words import BACKORDER, IN_STOCK, OUT_OF_STOCK

MAX_LABELLED = 80
"""Maximum characters of a label with its value."""
MAX_DATA = 200
MAX_LATER = 80
MAX_LATER_WORDS = 13
"""Maximum words of a text that only says that the item must be ordered first."""
LEVELS = 3
BEFORE = 2_000
"""Bytes before the headline in which a label on the picture is searched."""
BEHIND = 8_000
"""Bytes after it in which the item's labels and buttons are searched."""

_LABEL = re.compile(
    r"(?:(?:current|product|aktueller|actuele|huidige) )?(?:"
    r"availability|available|in stock|stock(?: (?:status|level|availability))?|inventory|quantity available"
    r"|verfügbarkeit|verfügbar|lieferbarkeit|lager(?:bestand|status|saldo)?|bestand|auf lager"
    r"|beschikbaarheid|beschikbaar|voorraad(?:status)?|op voorraad|leverbaarheid"
    r"|disponibilit[éà]|disponible|en stock|état du stock|disponibilidad|existencias|hay stock"
    r"|disponibile|giacenza|in magazzino"
    r"|dostępność|stan magazynowy|na stanie|w magazynie"
    r"|disponibilidade|disponível|estoque|em (?:stock|estoque)"
    r"|tillgänglighet|lagerstatus|i lager|tilgængelighed|tilgjengelighet|på lager|saatavuus|varastotilanne"
    r"|dostupnost[ťi]?|stav skladu|skladom|skladem|raspoloživost|razpoložljivost|na zalogi|na zalihi|"
    r"zaloga|zaliha"
    r"|disponibilitate|în stoc|stoc|elérhetőség|(?:raktár)?készlet|stok durumu|stok|διαθεσιμότητα|απόθεμα"
    r"|наличие|на складе|наявність|наличност|saadavus|laoseis|likutis|pieejamība"
    r")(?:\s*[:：]\s*|\s+|$)",
)
_NONE = re.compile(
    r"(?:0|zero|none|no|nein|nee|non|nie|não|nej|ne|nem|nu|ei|hayır|όχι|нет|ні|не)(?: (?:in stock|pcs|"
    r"pieces|items?|units?|left|stück|stuks?"
    r"|op voorraad|auf lager|pièces?|unidades|pezzi|szt\.?|st\.?|available))?[ .!]*"
)
_SOME = re.compile(
    r"(?:[1-9]\d{0,5}|yes|ja|oui|sí|si|sì|tak|sim|ano|áno|igen|da|kyllä|evet|ναι|да|так)(?: (?:in stock|"
    r"pcs|pieces|items?|units?|left|stück|stuks?"
    r"|op voorraad|auf lager|pièces?|unidades|pezzi|szt\.?|st\.?|available))?[ .!]*"
)
_PIECE = re.compile(rb">\s*+([^<>]{3,160})<")
"""Matches a short text between two tags."""
_NO_NOTICE = frozenset({"a", "button", "option", "label", "script", "style", "template", "title"})
_DENIED = re.compile(
    r"\b(?:no|not|never|without|cannot|keine?n?|nicht|geen|pas|aucune?|non|nie|inte|inga)\W+\S*(?:\W+\S+)?\W*"
    r"(?:back|pre)[ -]?order|discount|rabatt|korting|customers?"
)
_GONE = frozenset({OfferStatus.SOLD, OfferStatus.RESERVED})


def labelled_stock(page: Page, head: Element | None) -> str:
    """`OutOfStock`, `InStock` or words for "later" from labels near the headline; none if they differ."""
    if head is None:
        return ""
    area, near = _area_of(head)
    statements = set(_statements_in(page, area, near))
    return statements.pop() if len(statements) == 1 else ""


def _area_of(head: Element) -> tuple[Element, set[Node]]:
    """The container of the headline and its labels, and the headline's ancestors."""
    around = [head, *lineage(head)]
    return [each for each in around[: NOTICE_LEVELS + 1] if isinstance(each, Element)][-1], set(around)


def _statements_in(page: Page, area: Element, near: set[Node]) -> Iterator[str]:
    for node, data in texts_in(area, MAX_TEXTS):
        text = data.strip().lower() if len(data) <= MAX_DATA else ""
        label = _LABEL.match(text) if 0 < len(text) <= MAX_LABELLED else None
        holder = node.parent
        if label is None or not isinstance(holder, Element):
            continue
        stock = _availability_of(text[label.end() :] or ("" if _is_statement(text) else _value_behind(node)))
        if stock and not is_beside(holder, near, page) and not is_hidden(holder):
            yield stock


def _is_statement(text: str) -> bool:
    """Whether a text says "in stock" without a colon, so that the next text is not its value."""
    return not text.endswith((":", "：")) and IN_STOCK.search(text) is not None


def _value_behind(label: Node) -> str:
    """The text after a label: beside it, or beside the one or two elements that contain only the label."""
    node: Node | None = label
    for _ in range(LEVELS):
        if node is None:
            return ""
        for after in islice(node.next_siblings, 3):
            if text := text_beside(after).strip(" :\n\t\r"):
                return text.lower()
        node = node.parent
    return ""


def _availability_of(value: str) -> str:
    """The stock of a value: words for it at the beginning, a number of items, or a plain yes or no."""
    value = value.strip(" ✓✔✗✘•:")
    if len(value) > MAX_LABELLED:
        return ""
    if _NONE.fullmatch(value) or _is_at_start(OUT_OF_STOCK.search(value)):
        return "OutOfStock"
    if _is_at_start(later := BACKORDER.search(value)) and later is not None:
        return later.group()
    return "InStock" if _SOME.fullmatch(value) or _is_at_start(IN_STOCK.search(value)) else ""


def later_notice(page: Page, head: Element | None) -> str:
    """The words of a short text near the headline that says that the item must be ordered first."""
    if head is None:
        return ""
    area, near = _area_of(head)
    for node, data in texts_in(area, MAX_TEXTS):
        later = _says_later(data.strip()) if len(data) <= MAX_DATA else ""
        holder = node.parent
        if not later or not isinstance(holder, Element) or holder.tag in _NO_NOTICE or holder == head:
            continue
        if not (is_beside(holder, near, page) or is_hidden(holder)):
            return later
    return ""


@lru_cache(maxsize=4_096)
def _says_later(text: str) -> str:
    """Its words for "later"; not for `3 in stock (can be backordered)`, which is in stock."""
    before_bracket = text.partition("(")[0] if IN_STOCK.search(text.partition("(")[0]) is not None else text
    if not 0 < len(before_bracket) <= MAX_LATER or len(before_bracket.split()) > MAX_LATER_WORDS:
        return ""
    found = BACKORDER.search(before_bracket)
    return found.group() if found is not None and _DENIED.search(before_bracket.lower()) is None else ""


def _is_at_start(found: re.Match[str] | None) -> bool:
    return found is not None and found.start() == 0


def is_labelled_sold(page: Page) -> bool:
    """Whether a label for sold, reserved or sold out is near the headline, and no button buys.

    The page's bytes are searched first: a basket button, which most pages have, ends the search there.
    """
    area = source_around(page, BEFORE, BEHIND)
    if not names_no_basket(area) or not any(map(_says_gone, _PIECE.findall(area))):
        return False
    _, head = page.cached(headline)
    return head is not None and (says_sold_out(page, head) or _has_sold_label(page, head))


@lru_cache(maxsize=8_192)
def _says_gone(piece: bytes) -> bool:
    """Whether a short text of the source may say that the item is not available."""
    text = " ".join(piece.decode(errors="replace").split())
    return offer_status(text) in _GONE or is_notice(text.strip(" .!"))


def _has_sold_label(page: Page, head: Element) -> bool:
    area, near = _area_of(head)
    if has_cart_form(page, head):
        return False
    labels = (node.parent for node, data in texts_in(area, MAX_TEXTS) if _is_sold_label(data))
    return any(
        isinstance(each, Element)
        and each != head
        and not stands_aside(each, near)
        and not is_hidden(each)
        and not is_in_table_row(each)
        for each in labels
    )


def _is_sold_label(data: str) -> bool:
    text = data.strip() if len(data) <= MAX_DATA else ""
    return 2 < len(text) <= MAX_BADGE and offer_status(text) in _GONE
