"""Reads stock from a page: words about stock are facts, a buy button is only evidence."""

import re
from functools import lru_cache

from turbohtml import Element, Node

from larder.sdk.css_names import NameSearch
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.button_words import says_buy, says_notify, says_out_of_stock
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import (
    is_hidden,
    is_in_table_row,
    is_on_other_card,
    lineage,
    stands_aside,
)
from larder.stages.parse.heuristic.related_items import is_related
from larder.stages.parse.heuristic.words import (
    BACKORDER,
    BASKET_NAMES,
    IN_STOCK,
    OUT_OF_STOCK,
    STOCK_NOUN,
    letters_and_digits,
)

MAX_MARKED = 200
MAX_BUTTONS = 400
MAX_TEXTS = 1_000
MAX_NOTICE = 40
"""Maximum characters of a text that only says that the item is out of stock."""
MAX_SENTENCE = 90
"""Maximum characters of a sentence about the item: "This product is currently …"."""
MAX_NEAR = 120
"""Maximum characters of a text that may be one of these, with punctuation."""
NOTICE_LEVELS = 3
"""Maximum containers up from the headline to the one with the notice."""

_TEXTS = "p, span, strong, b, em, div, li, dd, td"
_MARKED = "[itemprop=availability]"
_MARKED_NAME = re.compile(
    r"stock|availab|verf(?:ü|u|ue)g|dispo(?:n|\b)|sold|voorraad|preorder|delivery-?info"
)
_STOCK_LABEL = re.compile(
    r"\b(?:availability|stock|status|verfügbarkeit|lager|bestand|beschikbaarheid|voorraad|disponibilit[éà]"
    r"|disponibilidad|stato|dostępność|tillgänglighet|dostupnost|disponibilidade|lagerstatus|stück|stuks?|pcs"
    r"|pieces|articles?|artikel|produ(?:it|cto)|prodotto|units?|unités|exemplaires?|exemplare|unidades|left|uit"
    r"|sólo|solo|quantità|derniers|últimas|ultimi|wenige|maar|sofort|direct|subito|immédiatement|now"
    r"|immediately|hours|days|tagen?|horas|ore|giorni|only|nur|nog|noch"
    r"|in (?:store|negozio|de winkel|der filiale)|im laden|en (?:magasin|boutique|tienda)|in|en)\b"
)
_ITEM_OUT_OF_STOCK = re.compile(
    r"(?:(?:sorry|leider|helaas|désolé|lo sentimos|siamo spiacenti|niestety|infelizmente|tyvärr)\W+)?"
    r"(?:(?:this|the|our|dies\w*|das|der|dit|deze|het|ce|cet|cette|este|esta|el|la"
    r"|questo|ten|o|a|den här)\s)?"
    r"(?:product|produ[ck]t\w*|item|article|artikel\w*|art[ií]culo|articolo|prodotto|towar|artigo|vara|varan)\b"
)
_REMARK = re.compile(r"\s*[,;(]\s*|\s[-–|]\s|\.\s+")
_ADVERB = re.compile(
    r"^(?:derzeit|momentan|aktuell|zurzeit|leider|tijdelijk|momenteel|helaas|temporairement|actuellement"
    r"|momentanément|temporalmente|actualmente|de momento|por el momento|al momento|attualmente"
    r"|momentaneamente|purtroppo)\s+",
    re.IGNORECASE,
)
_BEFORE_WORDS = re.compile(r"^[\W\d_]+")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SAID_OF_PAGES = re.compile(r"avail|dispon|verfügbar|expired", re.IGNORECASE)
"""Matches words of error pages: "Service temporarily unavailable"."""
_NAMED_LINK = ", ".join(
    f"[{attribute}*={word} i]"
    for attribute in ("class", "id", "onclick")
    for word in ("cart", "basket", "buy", "btn", "button", "order", "ticket", "notify")
)
_BUTTONS = (
    "button, input[type=submit], input[type=button], input[type=image], [role=button], "
    f"a:is({_NAMED_LINK})"  # first, as it excludes most elements
)
_FORMS = (
    "form[action*=addtocart i], form[action*='cart/add' i], "
    "form[class*=add-to-cart i], form[class*=variations_form], form[id*=add-to-basket i]"
)

_SENDS = "button, input[type=submit], input[type=image], input[type=button], [role=button], a"
"""Elements that submit a form: one without them buys nothing."""


_CUSTOM_BUTTON = re.compile(
    rb"<(?=[a-z]{1,20}-)((?:buy|cart|basket|purchase|add-to|order)-[a-z-]{0,30}|[a-z]{1,20}-(?:[a-z]{1,20}-){0,3}"
    rb"(?:button|btn|buy|add-to-cart))(?=[\s>/])"
)
MAX_CUSTOM = 8
_DISABLED_NAMES = frozenset(
    {"disabled", "is-disabled", "btn-disabled", "button-disabled", "button--disabled"}
)


def stock_words(page: Page, head: Element | None) -> str:
    """The page's words about stock; empty if an enabled buy button contradicts them."""
    near = _headline_and_ancestors(head)
    words = _stock_by_name(page, near) or _sold_out(page, near)
    if OUT_OF_STOCK.search(words) is None or not has_cart_form(page, head):
        return words
    later = BACKORDER.search(words)  # "not in stock and must be ordered first"
    return later.group() if later is not None else ""


def has_cart_form(page: Page, head: Element | None) -> bool:
    """Whether there is a buy button, or a buy form that can be submitted."""
    near = _headline_and_ancestors(head)
    return any(
        (button.tag != "form" or _can_send(button)) and _is_of_main_item(button, near, page)
        for button in page.cached(buy_buttons)
    )


def is_beside(element: Element, near: set[Node], page: Page) -> bool:
    """Whether it is in a menu, a section of related items or another item's card."""
    if stands_aside(element, near) or is_related(page, element):
        return True
    return bool(near) and is_on_other_card(element, near, page.url)


def _is_of_main_item(button: Element, near: set[Node], page: Page) -> bool:
    """Whether it buys the page's item, and not one beside it."""
    return not is_beside(button, near, page)


def _can_send(form: Element) -> bool:
    """Whether it can be submitted: false if all its buy buttons are disabled."""
    sends = form.select(_SENDS)[:MAX_BUTTONS]
    baskets = [each for each in sends if says_buy(button_text(each)[:60])]
    return any(not is_disabled_button(each) for each in baskets or sends)


def has_buy_button(page: Page, head: Element | None) -> bool:
    """Whether a button buys the page's item: evidence for stock without words."""
    near = _headline_and_ancestors(head)
    return any(_is_of_main_item(button, near, page) for button in page.cached(buy_buttons))


def says_sold_out(page: Page, head: Element | None) -> bool:
    """Whether a short text near the headline says "out of stock", and no button buys the item."""
    if head is None or has_cart_form(page, head):
        return False
    near = _headline_and_ancestors(head)
    return any(
        is_notice(text.strip(" .!"))
        and not is_hidden(element)
        and not is_beside(element, near, page)
        and not is_in_table_row(element)
        for element, text in page.cached(_texts_near_headline)
    )


def says_in_stock(page: Page, head: Element | None) -> bool:
    """Whether a short text near the headline only says that the item is in stock."""
    near = _headline_and_ancestors(head)
    return any(
        _is_in_stock_notice(text) and not is_hidden(element) and not is_beside(element, near, page)
        for element, text in page.cached(_texts_near_headline)
    )


def _texts_near_headline(page: Page) -> list[tuple[Element, str]]:
    """The short texts in the container of the headline, each with its element."""
    _, head = page.cached(headline)
    if head is None:
        return []
    area = [head, *lineage(head, NOTICE_LEVELS)][-1]
    texts = ((each, brief_text_of(each, limit=8)) for each in area.select(_TEXTS)[:MAX_TEXTS])
    return [(each, text) for each, text in texts if 0 < len(text) <= MAX_NEAR]


@lru_cache(maxsize=8_192)
def _is_in_stock_notice(text: str) -> bool:
    """Whether a text, or its first or last part (`In stock, sent today`), only says "in stock"."""
    if OUT_OF_STOCK.search(text) is not None:
        return False
    parts = _REMARK.split(text.strip(" .!¡)✓✔•").lower())
    return any(map(_says_only_in_stock, (parts[0], parts[-1])))


def _says_only_in_stock(words: str) -> bool:
    found = IN_STOCK.search(words) if 0 < len(words) <= MAX_NOTICE else None
    if found is None:
        return False
    while found is not None:
        words = words.replace(found.group(), " ", 1)
        found = IN_STOCK.search(words)
    return not _LETTERS.search(_STOCK_LABEL.sub(" ", words))


@lru_cache(maxsize=8_192)
def is_notice(words: str) -> bool:
    """Whether a text only says "out of stock", or begins with the item and says so."""
    words = _ADVERB.sub("", words, count=1)
    of_thing = _ITEM_OUT_OF_STOCK.match(words.lower()) is not None
    most = MAX_SENTENCE if of_thing else MAX_NOTICE
    found = OUT_OF_STOCK.search(words) if 0 < len(words) <= most else None
    if found is None:
        return False
    return of_thing or found.group() == words.lower() or _SAID_OF_PAGES.search(words) is None


def _headline_and_ancestors(head: Element | None) -> set[Node]:
    return {head, *lineage(head)} if head is not None else set()


def _stock_by_name(page: Page, near: set[Node]) -> str:
    """The nearest short text in an element named as stock or availability."""
    first_in = ""
    for element in page.called(_is_stock_name, also=_MARKED)[:MAX_MARKED]:
        text = (element.attr("content") or element.attr("href") or brief_text_of(element)).strip()
        if not text or len(text) > 120:
            continue
        out = OUT_OF_STOCK.search(text) is not None
        said = STOCK_NOUN.sub("", text)
        if not out and (first_in or not (IN_STOCK.search(said) or BACKORDER.search(said))):
            continue
        if is_beside(element, near, page) or (out and is_hidden(element)):
            continue
        if out:
            return text
        first_in = text
    return first_in


_is_stock_name = NameSearch(_MARKED_NAME)


def _sold_out(page: Page, near: set[Node]) -> str:
    """A button that says that nothing can be bought, or not yet."""
    for button in page.cached(clickable_elements):
        words = button_text(button)
        if len(words) < 60 and _says_out_or_later(words) and _is_of_main_item(button, near, page):
            return words
    return ""


@lru_cache(maxsize=8_192)
def _says_out_or_later(words: str) -> bool:
    return says_out_of_stock(words) or BACKORDER.search(words) is not None


def buy_buttons(page: Page) -> list[Element]:
    """All elements of the page that buy."""
    return [
        *page.css(_FORMS)[:20],
        *(each for each in page.cached(clickable_elements) if is_buy_button(each)),
    ]


def button_text(button: Element) -> str:
    """The text of a button."""
    labels = (button.attr(name) for name in ("value", "aria-label", "alt"))
    return brief_text_of(button) or next((text for text in labels if text), "")


def clickable_elements(page: Page) -> list[Element]:
    """Buttons and similar controls, bounded."""
    return [*page.css(_BUTTONS)[:MAX_BUTTONS], *_custom_buttons(page)]


def _custom_buttons(page: Page) -> list[Element]:
    """Elements with such a name (`<buy-button>`) that contain no HTML button."""
    found = {name.decode() for name in _CUSTOM_BUTTON.findall(page.unscripted)}
    names = ", ".join(sorted(found)[:MAX_CUSTOM])
    elements = page.css(names)[:MAX_BUTTONS] if names else []
    return [each for each in elements if each.select_one(_SENDS) is None]


def is_disabled_button(button: Element) -> bool:
    """Whether it is disabled, or shown as such."""
    if button.attr("disabled") is not None or (button.attr("aria-disabled") or "").lower() == "true":
        return True
    return not _DISABLED_NAMES.isdisjoint((button.attr("class") or "").lower().split())


def is_buy_button(button: Element) -> bool:
    """Whether it buys, and is enabled."""
    if is_disabled_button(button) or says_out_of_stock(button.text[:60]) or _shows_basket(button):
        return False
    if says_notify(button_text(button)[:60]):
        return False
    named = (button.attr(name) for name in ("class", "id", "name", "value", "title"))
    return says_buy(" ".join([*(name for name in named if name), button.text[:200]]))


def _shows_basket(button: Element) -> bool:
    """Whether it is a header's link to the basket: it begins with the basket's name, with a count."""
    if button.tag != "a":
        return False
    text = _BEFORE_WORDS.sub("", button.text[:200], count=1)  # its content may come first: `0,00 € Basket`
    words = text or button.attr("title") or button.attr("aria-label") or ""
    return letters_and_digits(words).startswith(BASKET_NAMES)
