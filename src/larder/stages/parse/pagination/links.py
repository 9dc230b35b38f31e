"""The links of a page that may belong to a pager: numbers, words and arrows."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from turbohtml import Element

from larder.core.cached_property import cached_property
from larder.core.errors import BadInput
from larder.sdk.page import Page
from larder.sdk.urls import canonical_url, join, registrable_domain
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.pagination.words import (
    LinkMeaning,
    is_calendar_name,
    is_next_class,
    is_next_entry,
    is_next_icon,
    is_other_navigation_name,
    is_pager_name,
    is_slide_show_name,
    link_meaning,
)

T = TypeVar("T")

MAX_LINKS = 50_000
MAX_CLIMB = 8
MAX_LABEL = 60
MAX_ICONS = 4
_WEB = ("https://", "http://")
"""join returns URLs, so only the scheme needs a check."""

NUMBER = re.compile(r"[\[(]?\s*(?:(?:page|pagina|seite|página)\s+)?(\d{1,5})\s*[\])]?", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_ENDING = re.compile(r"(?:[/_-]*(?:page|pagina|seite|pag|pg|p)?[/_-]*\d*)?(?:\.\w{2,5})?/?$", re.IGNORECASE)
_DISABLED_NAME = re.compile(r"(?:^|[\s_-])(?:disabled|inactive|unavailable)(?:$|[\s_-])", re.IGNORECASE)


@dataclass(frozen=True)
class PagerLink:
    """A link that may belong to a pager by its number, word or class, and its target."""

    element: Element
    url: str
    label: str
    number: int | None = None
    claim: LinkMeaning | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the link and the elements around it, nearest first."""
        around = [node for node in lineage(self.element, MAX_CLIMB) if isinstance(node, Element)]
        return tuple(_name(node) for node in (self.element, *around) if node.tag not in ("body", "html"))

    @property
    def in_pager(self) -> bool:
        """Whether it is in an element named as a pager."""
        return any(is_pager_name(name) for name in self.names)

    @property
    def in_calendar(self) -> bool:
        """Whether it is in a calendar."""
        return any(is_calendar_name(name) for name in self.names)

    @property
    def elsewhere(self) -> bool:
        """Whether it belongs to a slide show, a filter or the like; the nearest name decides."""
        for name in self.names:
            if is_pager_name(name):
                return is_slide_show_name(name)
            if is_other_navigation_name(name):
                return True
        return False


def _name(element: Element) -> str:
    parts = (element.attr(name) for name in ("class", "id", "aria-label", "data-testid"))
    return " ".join(part for part in parts if part)


def pager_links(page: Page) -> list[PagerLink]:
    """The candidates among a page's links, in document order, without those to other sites."""
    site = registrable_domain(page.url)
    if site is None:
        return []
    return [
        link
        for link in _candidates(page)
        if registrable_domain(link.url) == site and not is_disabled(link.element)
    ]


def _candidates(page: Page) -> Iterator[PagerLink]:
    for element in page.tree.select("a[href]")[:MAX_LINKS]:
        label, number, claim = _label_and_meaning(element)
        if number is None and claim is None:
            continue
        url = link_target(page, element.attr("href") or "")
        if url:
            yield PagerLink(element=element, url=url, label=label, number=number, claim=claim)


def _label_and_meaning(element: Element) -> tuple[str, int | None, LinkMeaning | None]:
    text = " ".join(element.text.split())
    if len(text) > MAX_LABEL:
        return "", None, None
    if text and (found := NUMBER.fullmatch(text)):
        return text, int(found[1]), None
    for label in (text, element.attr("aria-label") or "", element.attr("title") or ""):
        if label and (claim := link_meaning(label.strip())):
            return label, None, claim
    return _icon_label_and_meaning(element, text)


def _icon_label_and_meaning(element: Element, text: str) -> tuple[str, int | None, LinkMeaning | None]:
    """The meaning of a link without words, by its picture's text or its class."""
    if len(text) <= 2:
        picture = element.select_one("img[alt]")
        alt = (picture.attr("alt") or "") if picture is not None else ""
        if alt and (claim := link_meaning(alt)):
            return alt, None, claim
    called = element.attr("class") or ""
    if len(text) < 30 and _is_in_next(element):
        return text or "next", None, LinkMeaning.NEXT
    if called and is_next_class(called) and len(text) < 30:
        return (
            text or "next",
            None,
            LinkMeaning.NEXT if "next" in called.lower().split() else LinkMeaning.ARROW,
        )
    if not text and any(map(is_next_icon, _icon_names(element))):
        return "next", None, LinkMeaning.ARROW
    return "", None, None


def _icon_names(element: Element) -> Iterator[str]:
    """What the pictures in a link are called by their author."""
    for each in element.select("i, svg, use, span")[:MAX_ICONS]:
        yield from filter(None, (each.attr("class"), each.attr("href") or each.attr("xlink:href")))


def _is_in_next(element: Element) -> bool:
    """Whether it is the only link of a list entry named as the next page's."""
    entry = element.parent
    if not isinstance(entry, Element) or entry.tag not in ("li", "span", "div"):
        return False
    return is_next_entry(entry.attr("class") or "") and len(entry.select("a")) == 1


def link_target(page: Page, href: str) -> str:
    """The target of a link, as written; empty if it is this page or no page."""
    href = href.strip()
    if not href or href.startswith("#") or href.split(":", 1)[0].lower() in ("javascript", "mailto", "tel"):
        return ""
    url = (join(page.base, href) or "").partition("#")[0]
    return url if url.startswith(_WEB) and not same_page(url, page.url) else ""


def links_below(page: Page, named: Callable[[str], T | None]) -> Iterator[tuple[T, str, Element]]:
    """What the addresses below this page's own name, such as days, each with its URL and link."""
    site = registrable_domain(page.url)
    for element in page.css("a[href]")[:MAX_LINKS]:
        href = element.attr("href") or ""
        if named(href) is None:
            continue
        url = link_target(page, href)
        value = named(url)
        if (
            value is not None
            and registrable_domain(url) == site
            and continues_path(page.url, url)
            and not is_disabled(element)
        ):
            yield value, url, element


def same_page(one: str, other: str) -> bool:
    """Whether two URLs name the same page."""
    try:
        return canonical_url(one) == canonical_url(other)
    except BadInput:
        return one == other


def with_parameter(url: str, name: str, value: str) -> str:
    """An address with one parameter set, replacing its earlier value."""
    parts = urlsplit(url)
    others = [(each, held) for each, held in parse_qsl(parts.query, keep_blank_values=True) if each != name]
    return urlunsplit(parts._replace(query=urlencode([*others, (name, value)]), fragment=""))


def continues_path(current: str, url: str) -> bool:
    """Whether it may be a further page of the same index.

    The same path except for a number, or one below it.
    """
    here, there = urlsplit(current), urlsplit(url)
    if _DIGITS.sub("#", here.path).rstrip("/") == _DIGITS.sub("#", there.path).rstrip("/"):
        return True
    stem = _ENDING.sub("", here.path)
    return (
        there.path.startswith(stem)
        and len(there.path) <= len(stem) + 40
        and "#" in _digits_masked(there.path, stem)
    )


def _digits_masked(path: str, stem: str) -> str:
    return _DIGITS.sub("#", path[len(stem) :])


def is_disabled(element: Element) -> bool:
    """Whether the link is disabled, by itself or by the list entry around it."""
    around = (element, element.parent)
    return any(
        _DISABLED_NAME.search(each.attr("class") or "") is not None
        or each.attr("aria-disabled") == "true"
        or each.attr("hidden") is not None
        for each in around
        if isinstance(each, Element)
    )
