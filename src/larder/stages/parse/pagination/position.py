"""Reads the stated position of a page: "page 3 of 20"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from turbohtml import Element

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.pagination.words import is_slide_show_name

MAX_TEXT = 80
_OF = re.compile(r"(\d(?<!\d\d)\d{0,5})\s*(?:of|van|von|de|di|sur|su|av|z|/)\s*(\d{1,6})\b", re.IGNORECASE)
_ONLY_POSITION = re.compile(
    r"^\D{0,12}(\d{1,5})\s*(?:/|of|van|von|de|di|sur|su|av|af|z|od|din|из)\s*(\d{1,5})\D{0,12}$"
)
_PAGERS = "[class*=pager i], [class*=paginat i], [class*=paging i], [id*=pager i], [id*=paginat i]"
MAX_PAGERS = 40
MAX_PARTS = 12
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
        return _position_in_pager(page)
    whole = (_behind_page_word(text) for _, text in page.texts if len(text) <= MAX_TEXT)
    return next(filter(None, whole), shown)


def _position_in_pager(page: Page) -> re.Match[str] | None:
    """`1 / 3` as the text of an element in a pager."""
    texts = (brief_text_of(each, MAX_PARTS) for each in page.css(_PAGERS)[:MAX_PAGERS] if not _is_other(each))
    found = (_ONLY_POSITION.search(text) for text in texts if len(text) <= MAX_TEXT)
    return next((each for each in found if each is not None and int(each[1]) <= int(each[2])), None)


def _is_other(pager: Element) -> bool:
    """Whether a pager belongs to pictures or comments."""
    names = (f"{each.attr('class') or ''} {each.attr('id') or ''}" for each in _around(pager))
    return any(map(is_slide_show_name, names))


def _around(element: Element) -> Iterator[Element]:
    return (each for each in (element, *lineage(element)) if isinstance(each, Element))


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
