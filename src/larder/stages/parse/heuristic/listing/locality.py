"""Finds a listing's place: in meta tags, an address line, a labelled value, the title or the breadcrumbs.

What the page writes for machines comes first, then what its author calls an address, then what a title says
behind "in". A text beside the headline counts only where the page's own titles repeat it.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node, Text

from larder.sdk.page import Page
from larder.sdk.urls import join
from larder.stages.parse.heuristic.address import path_of
from larder.stages.parse.heuristic.headline import announced_title, headline
from larder.stages.parse.heuristic.listing.breadcrumbs import (
    breadcrumb_texts,
    names_category,
    place_in_breadcrumbs,
    place_within,
)
from larder.stages.parse.heuristic.listing.fact_words import AREA_LABEL, COUNT_LABELS
from larder.stages.parse.heuristic.listing.facts import facts
from larder.stages.parse.heuristic.listing.locality_words import (
    CATEGORY,
    CONTROL,
    MARKETPLACE,
    PLACE_LABEL,
    PLACE_NAME,
    TOWN_LABEL,
)
from larder.stages.parse.heuristic.listing.pinned_place import pinned_place, place_of_map_link
from larder.stages.parse.heuristic.listing.place_texts import (
    MAX_PLACE,
    address_of_lines,
    is_place,
    is_said_in,
    place_after_preposition,
    shares_name,
    without_map_link,
)
from larder.stages.parse.heuristic.listing.town import (
    POSTCODE_TOWN,
    by_postcode,
    known_town,
    town_beside,
    town_line,
)
from larder.stages.parse.heuristic.listing.town_names import is_town
from larder.stages.parse.heuristic.page_position import lineage, name_of, stands_aside
from larder.stages.parse.heuristic.related_items import is_related
from larder.stages.parse.heuristic.segments import Segment, segments
from larder.stages.parse.heuristic.site_name import without_site

MAX_TITLE = 300
MAX_NAMED = 60
MAX_PIECES = 40
MAX_TEXTS_BESIDE = 8

_META = (
    ("og:street-address", "og:locality", "og:region", "og:postal-code"),
    ("place:street_address", "place:locality", "place:region"),
    ("business:contact_data:street_address", "business:contact_data:locality"),
    ("geo.placename",),
    ("address",),
)
_MARKED = (
    "address, [data-testid*=address i], [data-testid*=location i], [itemprop=address], "
    "[aria-label*=address i], [aria-label*=adres i]"
)
_FRONT_PAGE = "a[href='/'], a[href='./'], a[rel=home], a[class*=logo i], a[class*=brand i]"
_LABELS = frozenset({"dt", "th", "b", "strong", "label"})
_CODE = re.compile(r"(?:\d{5}|\d{4}\s?[A-Z]{2})(?:\s*\([^)]{1,40}\))?")
"""Matches a postcode, with a part of its town if there is one."""
_IN_TOWN = re.compile(r",\s*[^\W\d]")
_DIGITS = re.compile(r"\d")


def locality(page: Page) -> str:
    """The address or place of the page's item in one line; empty if the page has none."""
    readers = (
        _by_meta, _by_name, _by_label, town_line, _by_title, pinned_place, _beside_headline, known_town,
        place_of_map_link, _by_loose_name, _by_whole_title, _by_breadcrumbs, by_postcode,
    )  # fmt: skip
    place = next((place for read in readers if (place := read(page))), "")
    return _with_town(place, page) if place else ""


def _with_town(place: str, page: Page) -> str:
    """`Forest Street 20` with the town that follows it in a label or a title."""
    known = place.casefold()
    named = (*_places_in_titles(page), _beside_headline(page))
    longer = (each for each in named if known in each.casefold() and len(each) > len(place))
    if more := next(filter(_is_place_without_category, longer), ""):
        return more
    if _IN_TOWN.search(place) or POSTCODE_TOWN.search(place):
        return place
    if inside := place_within(place, page):
        return f"{inside}, {place}"
    town = _by_label(page, TOWN_LABEL) or town_beside(page)
    if not town and _CODE.fullmatch(place):
        town = _by_title(page)
    if known in town.casefold():
        return town
    return place if not town or town.casefold() in known else f"{place}, {town}"


def _is_place_without_category(text: str) -> bool:
    return is_place(text) and not CATEGORY.search(text)


def _by_meta(page: Page) -> str:
    meta = page.meta()
    named = (", ".join(meta[name] for name in names if meta.get(name)) for names in _META)
    return next((place for place in named if is_place(place)), "")


def _by_name(page: Page) -> str:
    """The text of an element named as an address, if it looks like one or is in the page's titles.

    If a title is an address itself, a text that shares no word with it is the agent's.
    """
    place, address = _page_titles(page), " ".join(_addresses(page)).casefold()
    shown = (text for text in page.cached(_texts_by_name) if _looks_right(text, place))
    return next((text for text in shown if not address or shares_name(address, text)), "")


def _by_loose_name(page: Page) -> str:
    return next(iter(page.cached(_texts_by_name)), "")


def _looks_right(text: str, place: str) -> bool:
    if "," in text or _DIGITS.search(text):
        return True
    return is_said_in(place, text)


def _page_titles(page: Page) -> str:
    """All names of the page: titles, descriptions, its address."""
    meta = page.meta()
    texts = (page.cached(announced_title), meta.get("og:description", ""), meta.get("description", ""))
    return " ".join(texts).casefold()


def _texts_by_name(page: Page) -> list[str]:
    """Short texts in elements named as an address or a place."""
    _, head = page.cached(headline)
    near: set[Node] = {head, *lineage(head)} if head is not None else set()
    found = page.called(_is_place_name, also=_MARKED)
    own = (each for each in found[:MAX_NAMED] if not stands_aside(each, near) and not is_related(page, each))
    shown = map(_visible_place, own)
    return [text for text in shown if is_place(text) and not CONTROL.fullmatch(text)]


def _visible_place(element: Element) -> str:
    if element.closest("form, select, [class*=agent i], [class*=contact i], [class*=broker i]") is not None:
        return ""
    pieces = [
        node.data.strip() for node in islice(element.descendants, MAX_PIECES + 1) if isinstance(node, Text)
    ]
    if len(pieces) > MAX_PIECES:
        return ""
    place = [
        piece
        for piece in pieces
        if piece and not PLACE_LABEL.fullmatch(piece) and not CONTROL.fullmatch(piece)
    ]
    return without_map_link(re.sub(r"\s+,", ",", " ".join(" ".join(place).split())))


@lru_cache(maxsize=8_192)
def _is_place_name(name: str) -> bool:
    return PLACE_NAME.search(name) is not None


def _by_label(page: Page, labels: re.Pattern[str] = PLACE_LABEL) -> str:
    """The value of a place label, in one or two elements, with its second line: `Location: Utrecht`."""
    texts = page.cached(segments).texts
    for at, segment in enumerate(texts):
        label, colon, value = segment.text[: MAX_PLACE * 2].partition(":")
        if len(label) > 30 or not labels.fullmatch(label.strip()):
            continue
        if not colon and at and texts[at - 1].text.endswith(":"):
            continue  # the value of another label: `Setting:` `town`
        lines = [each.text for each in texts[at + 1 : at + 3]]
        value = without_map_link(value.strip() or address_of_lines(lines))
        sure = bool(colon) or _is_label(segment.holder) or _are_cells_of_one_row(texts[at : at + 2])
        if not sure and (CATEGORY.search(value) or not _is_said_or_known(value, page)):
            continue
        if is_place(value) and not value[0].islower() and not CONTROL.fullmatch(value):
            return value
    return ""


def _is_said_or_known(place: str, page: Page) -> bool:
    return _looks_right(place, _page_titles(page)) or is_town(place, page)


def _is_label(element: Element) -> bool:
    return element.tag in _LABELS or "label" in name_of(element)


def _are_cells_of_one_row(pair: Sequence[Segment]) -> bool:
    """A label and its value, each in a cell of the same row."""
    holders = [each.holder for each in pair]
    return [each.tag for each in holders] == ["td", "td"] and holders[0].parent == holders[1].parent


def _by_breadcrumbs(page: Page) -> str:
    """The places in the breadcrumbs; none for goods: neither a kind of home nor a size is named.

    Below a marketplace the title does not count as naming a home: `Flat wheels` are goods.
    """
    trail = " ".join(breadcrumb_texts(page)[1:])
    named = trail if MARKETPLACE.search(trail) else " ".join((trail, *page.cached(_titles)))
    return place_in_breadcrumbs(page) if CATEGORY.search(named) or page.cached(facts) else ""


def _by_title(page: Page) -> str:
    """The text after "in" in the page's titles, or a title that is an address itself."""
    return next((place for place in _places_in_titles(page) if _is_place_without_category(place)), "")


def _by_whole_title(page: Page) -> str:
    """A title with a place that has no clear beginning: `Piso en venta en goya, 54, Madrid`."""
    return next(
        (title for title in page.cached(_titles) if _ENDS_IN_NAMES.search(title) and is_place(title)), ""
    )


def _titles(page: Page) -> list[str]:
    shown, _ = page.cached(headline)
    place = without_site(page.cached(announced_title)[:MAX_TITLE], page)
    if _IN_TOWN.search(shown) and _BEHIND_HEADLINE.match(place.removeprefix(shown)):
        place = shown  # an address, followed by the site's name
    return [without_map_link(place), without_map_link(shown[:MAX_TITLE])]


def _places_in_titles(page: Page) -> list[str]:
    titles = page.cached(_titles)
    meta = page.meta()
    place = [*titles, meta.get("og:description", ""), meta.get("description", "")]
    behind = (place_after_preposition(text[:MAX_TITLE]) for text in place)
    whole = (text for text in titles if _ENDS_IN_NAMES.search(text))
    return [*_addresses(page), *behind, *whole]


def _addresses(page: Page) -> list[str]:
    """Titles that are addresses."""
    return [text for text in page.cached(_titles) if _ADDRESS.search(text) and not CATEGORY.search(text)]


_ADDRESS = re.compile(
    r"^\d{1,6}[A-Za-z]?\s+[A-Z][^,]{2,50},\s*[A-Z]|"  # 2200 Pacific Ave, San Francisco
    r"\b\d{5}\s+[A-ZÀ-Ý][a-zà-ÿ]{2,}|,\s*[A-Z]{2}\s+\d{5}\b|\b\d{4}\s?[A-Z]{2}\b|"
    r",\s*[A-Z][a-z][\w' -]{1,40},?\s[A-Z]{1,2}\d{1,2}[A-Z]?(?:\s?\d[A-Z]{2})?$"  # Church Road, Stroud, GL5
)
_BEHIND_HEADLINE = re.compile(r"\s+[|·•–—-]\s")
_ENDS_IN_NAMES = re.compile(r",\s*[A-ZÀ-Ý][^\d,]{2,40}$")


def _beside_headline(page: Page) -> str:
    """A text right beside the headline that the page's titles or description repeat."""
    shown = page.cached(segments)
    title, head = page.cached(headline)
    if head is None:
        return ""
    place = _page_titles(page)
    close = shown.texts[max(0, shown.head - MAX_TEXTS_BESIDE // 2) : shown.head + MAX_TEXTS_BESIDE]
    own = [each for each in close if not _leads_home(each.holder, page) and not names_category(each.holder)]
    texts = filter(is_place, _without_headline(own, title))
    return next((text for text in texts if is_said_in(place, text)), "")


def _leads_home(holder: Element, page: Page) -> bool:
    """Whether it is a link to the front page, as headers have around the site's name."""
    link = holder.closest("a[href]")
    return link is not None and path_of(join(page.url, link.attr("href") or "") or page.url) == "/"


def _without_headline(texts: Iterable[Segment], title: str) -> list[str]:
    """The texts that are neither part of the headline, nor categories, labels or links to the front page."""
    return [
        without_map_link(each.text)
        for each in texts
        if each.text not in title
        and each.text[0].isupper()
        and not CATEGORY.search(each.text)
        and not _is_fact_label(each.text.strip(" :").lower())
        and each.holder.closest(_FRONT_PAGE) is None
    ]


def _is_fact_label(text: str) -> bool:
    """Whether it is a label that a title repeats: `Pièces`."""
    return any(label.fullmatch(text) for label in (*COUNT_LABELS.values(), AREA_LABEL))
