"""Reads the stated position of a page: "page 3 of 20"."""

import re
from dataclasses import dataclass

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page

MAX_TEXT = 80
_OF = re.compile(r"(\d(?<!\d\d)\d{0,5})\s*(?:of|van|von|de|di|sur|su|av|z|/)\s*(\d{1,6})\b", re.IGNORECASE)
_PAGE_BEFORE = re.compile(r"\b(?:page|pagina|página|seite|pag\.?|strona|side|sida)\s*$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"((?:[?&](?:page|p|pg|pagina|seite|paged|pag|pn|pagenumber|strona|o)=)|(?:[/_-](?:page|p|pg|pagina|seite|pag)[/_-]?))(\d{1,6})(?!\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePosition:
    """The page's number, and the number of pages."""

    page: int
    of: int


def position(page: Page) -> PagePosition | None:
    """The position in the page's visible text."""
    shown = page.cached(_position_match)
    return PagePosition(page=int(shown[1]), of=int(shown[2])) if shown else None


def _position_match(page: Page) -> re.Match[str] | None:
    """The first "3 of 20", preferably within one text: `3 of 3` before `1 2 3` is not 3123."""
    shown = _behind_page_word(page.visible)
    if shown is None:
        return None
    whole = (_behind_page_word(text) for _, text in page.texts if len(text) <= MAX_TEXT)
    return next(filter(None, whole), shown)


def _behind_page_word(text: str) -> re.Match[str] | None:
    """The position after the word for a page; numbers are searched first, as that is fast."""
    pairs = _OF.finditer(text)
    return next(
        (pair for pair in pairs if _PAGE_BEFORE.search(text[max(0, pair.start() - 12) : pair.start()])), None
    )


def follows_by_position(page: Page) -> NextPage | None:
    """The next page, if the text says that pages follow, and the page's own address has a place for its
    number.
    """
    shown = position(page)
    if shown is None or shown.page >= shown.of:
        return None
    counted = [found for found in _NUMBERED.finditer(page.url) if int(found[2]) == shown.page]
    if len(counted) != 1:
        return None
    url = f"{page.url[: counted[0].start(2)]}{shown.page + 1}{page.url[counted[0].end(2) :]}"
    because = f"page {shown.page} of {shown.of}, and the address has that number"
    return NextPage(url=url, evidence=NextEvidence.PATTERN, because=because)
