"""Finds the headline: the element with the name of the page's item."""

import re
from functools import lru_cache

from turbohtml import Element, Text

from larder.core.accents import without_accents
from larder.sdk.css_names import NameSearch
from larder.sdk.page import Page, brief_text_of, text_of
from larder.sdk.urls import join
from larder.stages.parse.heuristic.address import path_of
from larder.stages.parse.heuristic.site_name import is_host_name

MAX_HEADS = 40
MAX_TITLE = 300
H1_BONUS = 0.3
MIN_WORD = 3
"""Minimum letters of a word; a shorter part may be a styled part of a word."""
MIN_ONLY_WORD = 6
"""Minimum letters of an address's only word that names an item; shorter ones are categories or codes."""
MIN_NAMED = 0.6
"""Minimum share of an address's words in a title that matches it."""
_WORD = re.compile(r"\w+")
_HEADS = "h1, [itemprop=name]"
_SPARE_HEAD = re.compile(r"title|name")
_PARTS = frozenset({
    "location", "organizer", "performer", "performers", "address", "brand", "manufacturer", "author",
    "publisher", "seller", "provider", "review", "containedInPlace",
})  # fmt: skip
"""What an item's microdata names beside itself."""
_MENUS = "nav, footer, [class*=crumb i]"
_HEADING = re.compile(rb"<h1")
_PAGE_HEADING_NAME = re.compile(
    r"page-?_?heading|page-?_?title|product-?_?name|product-?_?title|item-?_?title|article-?_?title"
    r"|content-?_?heading"
)
_TITLE_SEPARATOR = re.compile(r"\s+[-–—|:»·/]+\s+")
_NO_HEADING = frozenset({"a", "title", "option", "script", "style", "noscript"})
MIN_TITLE_PART = 6


def headline(page: Page) -> tuple[str, Element | None]:
    """The page's own title and its element; the title alone if no element shows it."""
    announced = announced_title(page)
    heads = [head for head in page.css(_HEADS)[:MAX_HEADS] if head.tag == "h1" or _is_heading(head)]
    heads = [head for head in heads if not is_host_name(brief_text_of(head), page.url)] or heads
    address = _address_words(page)
    best = _most_similar(heads, announced, address)
    if best is None or (announced and _is_unlike_page(best, announced, page)):
        other = _most_similar(_other_heads(page), announced, address)
        if other is not None and similarity(text_of(other), announced) >= 0.6:
            best = other
        elif best is not None:
            best = _text_in_title(page, announced) or best
    if best is not None and (named := _announced_by_address(page, announced, text_of(best))):
        return named, None
    if best is None or page_address_share(page, text_of(best)) == 0:
        best = _text_of_address(page, announced) or best
    if best is None:
        best = _title_element(page, announced)
    if best is None:
        return _announced_by_address(page, announced, "") or announced, None
    return without_badge(best, heading_text(best)) or announced, best


def _other_heads(page: Page) -> list[Element]:
    """Candidates if no first heading matches; links to other pages only if there is nothing else."""
    found = [
        each
        for each in page.called(_is_title_name, also="h2, h3, h4, h5")[: MAX_HEADS * 3]
        if each.closest("footer") is None or each.closest("article, main") is not None
    ]
    return [each for each in found if not _leads_elsewhere(each, page)] or found


def _leads_elsewhere(head: Element, page: Page) -> bool:
    """Whether it is a link to another page, as titles on the cards of other items are."""
    link = head.closest("a[href]") or head.select_one("a[href]")
    if link is None or link.text != head.text:
        return False
    to = join(page.url, link.attr("href") or "")
    return to is not None and path_of(to) != path_of(page.url)


def _title_element(page: Page, announced: str) -> Element | None:
    """The headline of a page without headings: an element named so, else a text that is part of its title."""
    for element in page.called(_is_page_heading_name)[:MAX_HEADS]:
        if 0 < len(brief_text_of(element)) < MAX_TITLE and element.select_one("form, table") is None:
            return element
    return _text_in_title(page, announced)


def _text_in_title(page: Page, announced: str) -> Element | None:
    """The element that shows a part of the announced title: `Puzzle` of `Puzzle: 7248 | Games`."""
    named = _own_parts(page, announced)
    parts = {
        part.casefold()
        for whole in named
        for part in (whole, whole.partition(": ")[0])
        if len(part) >= MIN_TITLE_PART
    }
    found: dict[str, Element] = {}
    for node, text in page.texts if parts else ():
        parent = node.parent
        fits = isinstance(parent, Element) and parent.tag not in _NO_HEADING
        if isinstance(parent, Element) and fits and (part := text.strip().casefold()) in parts:
            found.setdefault(part, parent)
    return next(reversed(found.values()), None)  # the site's own name is first, in its header


def _text_of_address(page: Page, announced: str) -> Element | None:
    """The first text with the words of the page's address, if no title of the page shares one with it."""
    words = _slug_words(page)
    if not words or page_address_share(page, announced) > 0:
        return None
    for node, text in page.texts:
        parent = node.parent
        shown = isinstance(parent, Element) and parent.tag not in _NO_HEADING
        named = shown and len(text) < MAX_TITLE and _words(text) == words
        if isinstance(parent, Element) and named and parent.closest(_MENUS) is None:
            return parent
    return None


def _own_parts(page: Page, announced: str) -> list[str]:
    """The parts of a title that share words with the page's address; all if none does."""
    parts = _TITLE_SEPARATOR.split(announced)
    return [part for part in parts if page_address_share(page, part) > 0] or parts


def _announced_by_address(page: Page, announced: str, shown: str) -> str:
    """The part of the announced title that matches the address if the heading shares no word with it."""
    if page_address_share(page, shown) > 0:
        return ""
    parts = [part.strip() for part in _TITLE_SEPARATOR.split(announced)] if announced else []
    parts = parts if len(parts) > 1 else [part.strip() for part in announced.split(", ")]
    named = [part for part in parts if page_address_share(page, part) >= MIN_NAMED]
    return named[0] if len(parts) > 1 and named else ""


def page_address_share(page: Page, title: str) -> float:
    """The share (0–1) of words in a title, of the last part of the page's address that is not a number."""
    words = _slug_words(page)
    return len(words & _words(title)) / len(words) if words else 0.0


def _slug_words(page: Page) -> frozenset[str]:
    """The words of that part; empty if they are too few to name a thing."""
    pieces = [piece for piece in path_of(page.url).split("/") if piece and not piece.isdecimal()]
    slug = pieces[-1].rpartition(".htm") if pieces else ("", "", "")
    words = {word for word in _words((slug[0] or slug[2]).replace("_", " ")) if not word.isdecimal()}
    enough = len(words) > 1 or any(len(word) >= MIN_ONLY_WORD and word.isalpha() for word in words)
    return frozenset(words) if enough else frozenset()


def _is_unlike_page(head: Element, announced: str, page: Page) -> bool:
    """Whether a heading differs from the page's announced title and address, or is the site's name."""
    text = text_of(head)
    unlike = similarity(text, announced) < 0.3 and page_address_share(page, text) < MIN_NAMED
    return unlike or _is_site_name_heading(head, page)


def _is_site_name_heading(head: Element, page: Page) -> bool:
    """Whether a heading is a link to a page above this one: it is the site's name, as in its header."""
    link = head.closest("a[href]") or head.select_one("a[href]")
    path = path_of(join(page.url, link.attr("href") or "") or "") if link is not None else ""
    return bool(path) and path_of(page.url).startswith(path) and path != path_of(page.url)


def heading_text(head: Element) -> str:
    """A heading's words, with spaces between its parts: `<b>Elm Road 1</b><i>3527 AB</i>`."""
    parts = [
        each for each in head.children if isinstance(each, Element) and len(each.text.strip()) >= MIN_WORD
    ]
    if len(parts) < 2 or len(parts) < len(head.children):
        return _without_controls(head)
    return " ".join(text for each in parts if (text := text_of(each)))


def _without_controls(head: Element) -> str:
    """A heading's words without the links or buttons after them: `Choir <a>.ics</a>`."""
    text, first, last = text_of(head), head.children[:1], head.children[-1:]
    plain = first and isinstance(first[0], Text) and not first[0].data.isspace()
    tail = next((each for each in (*last, *head.children[-2:-1]) if isinstance(each, Element)), None)
    if (
        not plain
        or tail is None
        or (tail.tag not in _CONTROLS and tail.select_one("a[href], button") is None)
    ):
        return text
    words = text.removesuffix(text_of(tail)).rstrip()
    return text_of(tail) if words.endswith(":") else words or text


def without_badge(head: Element, text: str) -> str:
    """`[For sale] Oak table` without the badge in an element before its words."""
    first = next(
        (each for each in head.children if not (isinstance(each, Text) and each.data.isspace())), None
    )
    if not isinstance(first, Element) or not any(map(_BADGE_NAME.match, (first.attr("class") or "").split())):
        return text
    badge = text_of(first)
    rest = text.removeprefix(badge).strip()
    is_badge = 0 < len(badge.split()) <= MAX_BADGE_WORDS and MIN_WORD <= len(rest) < len(text)
    return rest if is_badge else text


_BADGE_NAME = re.compile(r"(?:prefix|label|badge|ribbon)(?:$|-|link)", re.IGNORECASE)
MAX_BADGE_WORDS = 3
_CONTROLS = frozenset({"a", "button"})
_is_title_name = NameSearch(_SPARE_HEAD)
_is_page_heading_name = NameSearch(_PAGE_HEADING_NAME)


def source_around(page: Page, before: int, behind: int) -> bytes:
    """Source bytes before and after the page's first heading, else from its beginning; without scripts."""
    at = page.cached(_heading_at)
    return page.unscripted[max(0, at - before) : at + behind]


def _heading_at(page: Page) -> int:
    found = _HEADING.search(page.unscripted)
    return found.start() if found else 0


def announced_title(page: Page) -> str:
    """The title that the page announces in its meta tags."""
    meta = page.meta()
    return meta.get("og:title") or meta.get("twitter:title") or text_of(page.first("title"))


def _most_similar(heads: list[Element], announced: str, address: str) -> Element | None:
    """The heading most similar to the announced title or the address; the first if none is."""
    named = [(head, text) for head in heads if (text := brief_text_of(head)) and len(text) < MAX_TITLE]
    if len(named) < 2:
        return named[0][0] if named else None
    fitness = {head: similarity(text, announced) + similarity(text, address) for head, text in named}
    return max(fitness, key=lambda head: fitness[head] + H1_BONUS * (head.tag == "h1"))


def _is_heading(head: Element) -> bool:
    """Whether it is neither a meta tag, nor part of a breadcrumb, nor the name of a part: of the place."""
    part = head.closest("[itemscope]")
    names_part = part is not None and part.attr("itemprop") in _PARTS
    outside = head.closest("[class*=crumb i], [itemtype*=Breadcrumb i], nav, footer") is None
    return head.tag != "meta" and outside and not names_part


def _address_words(page: Page) -> str:
    return path_of(page.url)[-MAX_TITLE:].replace("_", " ")


def similarity(a: str, b: str) -> float:
    """The share (0–1) of the shorter text's words in the other one; longer agreement counts a little more."""
    ours, theirs = _words(a), _words(b)
    if not ours or not theirs:
        return 0.0
    shared = len(ours & theirs)
    return shared / len(ours) * 0.7 + shared / len(theirs) * 0.3


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    """Words without accents, to compare a title with its address."""
    return frozenset(_WORD.findall(without_accents(text.casefold())))
