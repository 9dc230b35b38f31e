"""Reads the breadcrumbs of a page, from its markup or as shown, and the place in them."""

import re
from typing import Any

from turbohtml import Element

from larder.sdk.jsonld import types_of
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.listing.locality_words import CATEGORY, MARKETPLACE
from larder.stages.parse.heuristic.listing.place_texts import is_place
from larder.stages.parse.heuristic.page_position import name_of

MAX_CRUMBS = 12

_CRUMBS = (
    "[class*=crumb i] li, [id*=crumb i] li, nav[aria-label*=crumb i] li, [data-testid*=crumb i] li, "
    "[class*=crumb i] a, [id*=crumb i] a"
)
_NUMBERED = re.compile(r"\S*\d\S*")
"""Matches the number of an advert, such as `ASR-5000`."""


def breadcrumb_names(page: Page) -> list[str]:
    """The names of the breadcrumbs in the page's markup."""
    nodes = (node for node in page.json_ld() if "BreadcrumbList" in types_of(node))
    steps: Any = next((node.get("itemListElement") for node in nodes), None)
    listed = (
        [each for each in steps[:MAX_CRUMBS] if isinstance(each, dict)] if isinstance(steps, list) else []
    )
    names = (
        each.get("name") or (each["item"].get("name") if isinstance(each.get("item"), dict) else "")
        for each in listed
    )
    return [name for name in names if isinstance(name, str)]


def breadcrumb_texts(page: Page) -> list[str]:
    """The breadcrumbs as the page shows them, else as in its markup."""
    shown = (brief_text_of(each, 10) for each in page.css(_CRUMBS)[: MAX_CRUMBS * 2])
    return list(dict.fromkeys(filter(None, shown))) or breadcrumb_names(page)


def place_in_breadcrumbs(page: Page) -> str:
    """The last breadcrumbs that are neither categories nor the item itself."""
    title, _ = page.cached(headline)
    places = [
        text
        for text in map(_behind_category, breadcrumb_texts(page)[1:MAX_CRUMBS])
        if is_place(text)
        and not CATEGORY.search(text)
        and not MARKETPLACE.search(text)
        and text not in title
        and not _NUMBERED.fullmatch(text)
    ]
    return ", ".join(reversed(places[-3:]))


def place_within(place: str, page: Page) -> str:
    """The breadcrumb behind that of a place, which is in it; empty for the item itself."""
    title, _ = page.cached(headline)
    trail = breadcrumb_texts(page)[:MAX_CRUMBS]
    behind = trail[trail.index(place) + 1 :] if place in trail else []
    return next((text for text in behind[-1:] if _is_within(text, title)), "")


def _is_within(step: str, title: str) -> bool:
    """Whether a breadcrumb names a place, not a category nor the item."""
    if step == title or CATEGORY.search(step) or _NUMBERED.fullmatch(step):
        return False
    return is_place(step)


def _behind_category(step: str) -> str:
    """The place in a breadcrumb that repeats its category: `To let - Leeds`."""
    first, _, rest = step.partition(" - ")
    return rest if rest and CATEGORY.search(first) else step


def names_category(holder: Element) -> bool:
    """Whether an element, or the link that it is, is named as a category, as on boards."""
    link = holder.closest("a[href]")
    around = (holder, link, link.parent if link is not None else None)
    return any(isinstance(each, Element) and "categor" in name_of(each) for each in around)
