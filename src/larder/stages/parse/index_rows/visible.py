"""Makes an item of each visible row: title, link, price, images, place and badge."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from turbohtml import Element

from larder.core.model.item import Item, Strategy
from larder.sdk.page import Page, brief_text_of
from larder.sdk.raw_fields import without_empty
from larder.sdk.urls import join
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.extraction_task import MAX_BLOCK, MAX_ITEMS, Fields
from larder.stages.parse.heuristic.price_words import OTHER_AMOUNT_WORDS
from larder.stages.parse.index_rows.badges import badge_fields
from larder.stages.parse.index_rows.blocks import Block, outbound_blocks, row_blocks
from larder.stages.parse.index_rows.titles import row_titles
from larder.stages.parse.interest import interest_in

MAX_PLACE = 100
MAX_NAMED = 60
MAX_PLACES = 3
"""Classes of street, postcode and town in separate elements."""
MAX_ADDRESSES = 500
MAX_BEHIND = 8
MAX_PRICE_IN_TITLE = 40
"""Maximum characters of a price text that the title contains, or the reverse, unless an amount ends it."""

_PLACE = re.compile(
    r"(?:^|[\s_-])(?:address|adresse|adres|location|locatie|localit\w*|ort|plaats|lieu|ubicaci\w*|place|city|hood|"
    r"direccion|indirizzo|zona)(?:$|[\s_-])",
    re.IGNORECASE,
)
_IDS = (
    "data-id",
    "data-adid",
    "data-listing-id",
    "data-product-id",
    "data-item-id",
    "data-pid",
    "data-estate-id",
)
_PICTURES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "src")
"""Picture attributes; those of lazy loading first, as `src` is then a placeholder that all rows share."""


def visible_rows(page: Page) -> list[Item]:
    """One item for each block; none if the page has no list."""
    return _items(page.cached(row_blocks), page)


def outbound_rows(page: Page) -> list[Item]:
    """The same for rows that lead to other sites; rows of this site have precedence."""
    return _items(page.cached(outbound_blocks), page)


def _items(found: Sequence[Block], page: Page) -> list[Item]:
    named, badges = row_titles(found), badge_fields(found)
    shown = [block for block in found if block.link.key in named]
    return [_item(b, named[b.link.key], badges.get(b.link.key, {}), page) for b in shown][:MAX_ITEMS]


def _item(block: Block, title: str, badge: Fields, page: Page) -> Item:
    talks = len(block.price) > MAX_PRICE_IN_TITLE and (block.price in title or title in block.price)
    fields = without_empty(
        {
            "title": title,
            "url": block.link.url,
            "price": amount_at_end(block.price) if talks else block.price,
            "platform_id": _id(block),
            "images": _images(block, page),
            "address": _place(block, page.cached(_place_elements)),
            "interested": interest_in(block.elements, page),
            **badge,
        }
    )
    return Item(fields=fields, strategy=Strategy.HEURISTIC, score=0.4, block=_html(block))


def amount_at_end(text: str) -> str:
    """The only amount of a text that ends with it: `For sale: a table of oak - € 47`."""
    found = list(AMOUNT.finditer(text))
    if (
        len(found) != 1
        or len(text) - found[0].end() > MAX_BEHIND
        or OTHER_AMOUNT_WORDS.search(text[: found[0].start()])
    ):
        return ""
    return found[0][0]


def _html(block: Block) -> str:
    return "".join(part.html[:MAX_BLOCK] for part in block.elements)[:MAX_BLOCK]


def _id(block: Block) -> str | None:
    return next((value for name in _IDS if (value := block.element.attr(name))), None)


def _images(block: Block, page: Page) -> list[str]:
    picture = next((found for part in block.elements if (found := part.select_one("img")) is not None), None)
    if picture is None:
        return []
    sources = (picture.attr(name) or "" for name in _PICTURES)
    source = next((each for each in sources if each and not each.startswith("data:")), "")
    url = join(page.base, source) if source else None
    return [url] if url else []


def _place(block: Block, called: frozenset[Element]) -> str:
    if not called:
        return ""
    named = (each for part in block.elements for each in part.select("[class], address")[:MAX_NAMED])
    places = (brief_text_of(each, 12) for each in named if each in called)
    first, *more = [*islice((text for text in places if 1 < len(text) <= MAX_PLACE), MAX_PLACES), ""]
    return (
        first if "," in first else ", ".join([first, *(text for text in more if text and text not in first)])
    )


def _place_elements(page: Page) -> frozenset[Element]:
    """The place, by its usual classes and tags."""
    tagged = page.css("address")[:MAX_ADDRESSES]
    return frozenset([*page.called_groups(_is_place_name)[0], *tagged])


@lru_cache(maxsize=4_096)
def _is_place_name(name: str) -> bool:
    return _PLACE.search(name) is not None
