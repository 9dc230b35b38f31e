"""Events on a page without markup: every day it names, with the title that belongs to it."""

import re
from itertools import islice
from typing import Any

from turbohtml import Element, Node

from larder.core.model.item import Item, Strategy
from larder.sdk.page import brief_text_of, text_of
from larder.sdk.urls import join
from larder.stages.parse.heuristic.dates import DATE, TIME, Mention, mentions, time_in
from larder.stages.parse.heuristic.day_headings import below_days
from larder.stages.parse.heuristic.headline import announced_title, headline
from larder.stages.parse.heuristic.place import lineage, stands_aside
from larder.stages.parse.heuristic.rows import rows_of
from larder.stages.parse.heuristic.words import EVENT_WORDS
from larder.stages.parse.strategy_input import MAX_BLOCK, MAX_ITEMS, Fields, Look, tidy

MAX_TITLE = 200
MAX_ROW = 8_000
MAX_PARTS = 1_500
MAX_AROUND_PARTS = 150
MAX_AROUND = 600

_HEADS = "h1, h2, h3, h4"
_TITLED = "[itemprop=name], [class*=title i], [class*=titel i], [class*=name i], [class*=artist i]"
_VENUES = ", ".join(f"[class*={word} i]" for word in ("location", "venue", "locatie", "room", "zaal"))
_WORD = re.compile(r"[^\W\d_]+")
_PRICE = re.compile(r"(?:€|EUR|\$|£)\s?\d[\d.,]*(?:,-)?|gratis|free admission", re.IGNORECASE)


def events(look: Look) -> list[Item]:
    """One item a mentioned day; where a row names no title, the page's headline does."""
    title, head = _page_title(look)
    near: set[Node] = {head, *lineage(head)} if head is not None else set()
    found = [mention for mention in look.page.once(mentions) if not stands_aside(mention.element, near)]
    rows = rows_of([mention.element for mention in found])
    below = below_days(found, rows)
    items: list[Item | None] = []
    for mention in found:
        own = [row for row in below.get(mention.element, ()) if not is_huge(row) and row_title(row)]
        items += [_item(mention, row, title, look) for row in own or [rows[mention.element]]]
    return _distinct([item for item in items if item is not None])[:MAX_ITEMS]


def _page_title(look: Look) -> tuple[str, Element | None]:
    """The headline; where that only says that these are events, the page's own name."""
    title, head = look.page.once(headline)
    announced = announced_title(look.page)
    return (announced if announced and is_generic(title) else title), head


def _item(mention: Mention, row: Element, page_title: str, look: Look) -> Item | None:
    if is_huge(row):
        row = mention.element
        if is_huge(row):
            return None
    own = row_title(row)
    title = own or page_title
    if not title:
        return None
    fields = tidy(
        {
            "title": title,
            **_when(mention, row),
            "url": _link(row, look),
            "venue": _venue(row),
            "price": _price(row),
            "images": _image(row, look),
        }
    )
    return Item(
        fields=fields, strategy=Strategy.HEURISTIC, score=0.5 if own else 0.35, block=row.html[:MAX_BLOCK]
    )


def is_huge(row: Element) -> bool:
    """More text than one row ever has: reading it again and again would cost more than it tells."""
    return next(islice(row.descendants, MAX_PARTS, None), None) is not None or len(row.text) > MAX_ROW


def _when(mention: Mention, row: Element) -> Fields:
    if "T" in mention.exact:
        return {"starts_at": mention.exact}
    return {"date_text": mention.with_time(_around(mention, row))}


def _around(mention: Mention, row: Element) -> str:
    """The text to look for a time in: the row's, or what stands beside it where no other day does."""
    for place in (row, row.parent):
        text = brief_text_of(place, MAX_AROUND_PARTS) if isinstance(place, Element) else ""
        if len(text) < MAX_AROUND and time_in(text) and (place is row or len(DATE.findall(text)) == 1):
            return text
    return brief_text_of(mention.element, MAX_AROUND_PARTS)


def row_title(row: Element) -> str:
    """What a row is called: its heading, what its author marks as title, its link, its first words."""
    for selector in (_HEADS, _TITLED, "a[href]"):
        for element in row.select(selector)[:12]:
            if text := _as_title(text_of(element) or element.attr("title") or ""):
                return text
    shown = text_of(row)
    words = _as_title(shown) if len(shown) < MAX_TITLE else ""
    return words if words[:1].isalpha() and not DATE.match(words) else ""


def _as_title(text: str) -> str:
    """A text that can be a title: not a date, a time, a price or a button."""
    bare = TIME.sub(" ", DATE.sub(" ", text))
    bare = " ".join(bare.split()).strip(" -–|@,:;·•")
    if len(bare) < 3 or len(text) > MAX_TITLE or is_generic(bare):
        return ""
    return text if len(bare) > 0.6 * len(text) else bare


def is_generic(text: str) -> bool:
    """Only words that any event page has: no title."""
    return all(word.casefold() in EVENT_WORDS for word in _WORD.findall(text))


def _link(row: Element, look: Look) -> str:
    href = row.attr("href") if row.tag == "a" else None
    link = row.select_one("h1 a[href], h2 a[href], h3 a[href], h4 a[href], a[href]:not([href^='#'])")
    href = href or (link.attr("href") if link is not None else None) or ""
    return (
        (join(look.page.url, href) or "")
        if href and not href.startswith(("mailto:", "tel:", "javascript:"))
        else ""
    )


def _venue(row: Element) -> str:
    found = (text_of(element) for element in row.select(_VENUES)[:4])
    return next((text for text in found if 2 < len(text) < 120 and not DATE.search(text)), "")


def _price(row: Element) -> str:
    text = text_of(row)
    found = _PRICE.search(text) if len(text) < 600 else None
    return found[0] if found else ""


def _image(row: Element, look: Look) -> list[str]:
    picture = row.select_one("img[src]")
    url = join(look.page.url, picture.attr("src") or "") if picture is not None else None
    return [url] if url and url.startswith("http") else []


def _distinct(items: list[Item]) -> list[Item]:
    seen: dict[Any, Item] = {}
    for item in items:
        when = item.fields.get("starts_at") or item.fields.get("date_text")
        seen.setdefault((item.fields["title"], when), item)
    return list(seen.values())
