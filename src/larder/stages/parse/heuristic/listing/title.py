"""The title of a listing: its headline without price, map links and common words."""

import re

from larder.core.policy.trust.offer_status import without_status
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.heuristic.headline import announced_title, headline
from larder.stages.parse.heuristic.listing.place_texts import without_map_link
from larder.stages.parse.heuristic.page_position import is_hidden
from larder.stages.parse.heuristic.site_name import is_site_name, without_site

_ANY_PAGE = re.compile(
    r"(?:property|listing|item|ad|advert|product|home|object)?\s?(?:details?|information|overview|description)|"
    r"(?:objekt|immobilien|anzeigen?)?(?:details?|beschreibung|informationen)|expos[ée]|"
    r"(?:omschrijving|kenmerken|details)(?: van .{0,20})?|d[ée]tails?(?: de l['’]annonce)?|"
    r"caracter[ií]sticas|descripci[óo]n|descrizione|dettagli(?:o)?(?: .{0,20})?|detalhes",
    re.IGNORECASE,
)
"""Headlines that name the kind of page instead of its item."""
_AMOUNT_FIRST = re.compile(
    rf"^\W*(?:{AMOUNT.pattern.replace('?P<after>', '?:').replace('?P<before>', '?:')})\s*€?\s*(?:[-–/|:]\s*)?"
)
_AMOUNT_LAST = re.compile(
    rf"\s*(?:[-–/|:(]\s*)?(?:{AMOUNT.pattern.replace('?P<after>', '?:').replace('?P<before>', '?:')})\W*$"
)
_SEPARATORS = " -–/|:"
MAX_TITLE = 500
MAX_PIECES = 20
_PIECES = "[class*=hidden i], [hidden], [style], [class*=price i]"
_OTHER = re.compile(r"\W+")
_WORD = re.compile(r"[^\W\d_]{3}")


def listing_title(page: Page) -> str:
    """The listing's title, cleaned."""
    shown = without_status(seen_text(page))[:MAX_TITLE]
    announced = without_status(without_site(page.cached(announced_title)[:MAX_TITLE], page))
    text = without_map_link(shown) or shown
    if is_site_name(text, page) and (not announced or is_site_name(announced, page)):
        return _heading_below(page) or text
    if announced and (not text or _ANY_PAGE.fullmatch(text) or is_site_name(text, page)):
        return announced
    if AMOUNT.search(page.cached(headline)[0]):
        return (
            announced
            if announced and _words_only(announced) in _words_only(text) and not AMOUNT.search(announced)
            else _without_price(text)
        )
    return text


def _heading_below(page: Page) -> str:
    """The first heading below the site's name, if no title names the item."""
    heads = (
        each for each in page.css("h2")[:MAX_PIECES] if each.closest("header, nav, footer, aside") is None
    )
    texts = (text for each in heads if not is_hidden(each) and (text := brief_text_of(each)))
    return next((text for text in texts if not _ANY_PAGE.fullmatch(text)), "")


def seen_text(page: Page) -> str:
    """The headline without hidden parts, such as badges of a script, and without its price."""
    text, head = page.cached(headline)
    pieces = head.select(_PIECES)[:MAX_PIECES] if head is not None else []
    for each in pieces:
        piece = brief_text_of(each)
        rest = text.replace(piece, "", 1)
        is_price = "price" in (each.attr("class") or "").lower() and _WORD.search(rest) is not None
        if piece and (is_price or is_hidden(each)):
            text = rest
    return " ".join(text.split())


def _without_price(text: str) -> str:
    bare = _AMOUNT_LAST.sub("", _AMOUNT_FIRST.sub("", text)).strip(_SEPARATORS)
    return bare if len(bare) > 3 else text


def _words_only(text: str) -> str:
    return _OTHER.sub(" ", text.casefold()).strip()
