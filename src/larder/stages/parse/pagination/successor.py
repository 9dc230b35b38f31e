"""Finds the next page by its address alone: this page's with a number that is one higher."""

import re
from collections.abc import Mapping
from itertools import zip_longest
from urllib.parse import parse_qsl, urlsplit

from turbohtml import Element

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page
from larder.sdk.urls import join, registrable_domain
from larder.stages.parse.pagination.links import PagerLink, is_disabled, link_target, same_page
from larder.stages.parse.pagination.words import says_only_more

MAX_LINKS = 60

_PAGERS = "[class*=pag i] a[href], [id*=pag i] a[href], nav[aria-label*=pag i] a[href]"
_DIGITS = re.compile(r"(\d+)")
_PAGE_NAME = re.compile(
    r"(?:^|[/?&._-])(?:page|paged|pagina|pag|pg|p|seite|strona|strana|sida|side|pagenum(?:ber)?)[=/:_-]?$",
    re.IGNORECASE,
)
"""The text before the number of a page."""
_OFFSET = re.compile(r"[?&](?:offset|start|from|skip|first|debut|ab|vanaf)=$", re.IGNORECASE)
"""The text before the number of the first row of a page."""
_NAMES = ("page", "pagina", "seite", "strona", "strana", "sida", "side")
_NAMED = re.compile(rf"[/?&._-](?:{'|'.join(_NAMES)})[=/:_-]?\d{{1,4}}(?!\d)", re.IGNORECASE)
_NAMED_LINKS = ", ".join(f"a[href*={name} i]" for name in _NAMES)
MAX_NAMED_LINKS = 400
MAX_LABEL = 40
MAX_NUMBER = 5
MAX_LINKS_OF_PAGE = 2_000
_LAST_NUMBER = re.compile(r"(.*?)(\d{0,6})")
_ADDED_NUMBER = re.compile(r"(?:/|[?&]\w{1,20}=)\d{1,6}/?")
FIRST_FURTHER = 2
MIN_OFFSET = 4
_OTHER_NUMBER = re.compile(
    r"limit|per_?page|size|count|rows|(?:^|_)id$|^id|cat|tag|type|typ$|lang|year|month|day|date|sort|order|view|filter|topic"
    r"|jahr|jaar|ann[ée]e|maand|monat|mois|instance|event|venue|location|room|star|rating|price",
    re.IGNORECASE,
)
"""A parameter whose number counts something other than pages."""
ADDED_PARTS = 3
"""Parts that an address may add: words, a number, and text after it."""


def follows_by_successor(page: Page) -> NextPage | None:
    """The only address in a pager that continues this page's count; None if there are several."""
    site = registrable_domain(page.url)
    found = [
        url
        for element in page.css(_PAGERS)[:MAX_LINKS]
        if (url := _successor(page, element)) and registrable_domain(url) == site
    ]
    if not found or any(not same_page(url, found[0]) for url in found[1:]):
        return None
    because = "a pager link has this page's address with the next number"
    return NextPage(url=found[0], evidence=NextEvidence.LINK, because=because)


def follows_by_page_name(page: Page) -> NextPage | None:
    """The only address on the page that adds `page-2` or the like to this page's, whatever its link's
    text.
    """
    site = registrable_domain(page.url)
    links = (each for each in page.css(_NAMED_LINKS)[:MAX_NAMED_LINKS] if len(each.text) <= MAX_LABEL)
    found = [
        url for each in links if (url := _named_successor(page, each)) and registrable_domain(url) == site
    ]
    if not found or any(not same_page(url, found[0]) for url in found[1:]):
        return None
    because = "a link has this page's address with the number of the next page"
    return NextPage(url=found[0], evidence=NextEvidence.LINK, because=because)


def follows_by_more(page: Page) -> NextPage | None:
    """The only link named `more` that leads to this page's address with a number: `/stock/20`."""
    links = page.css("a[href]")[:MAX_LINKS_OF_PAGE]
    urls = [
        link_target(page, each.attr("href") or "") for each in links if says_only_more(each.text[:MAX_LABEL])
    ]
    if len({url for url in urls if url}) != 1 or not _only_number_differs(
        page.url, url := next(filter(None, urls))
    ):
        return None
    because = "a link says 'more' and leads to this page's address with a number"
    return NextPage(url=url, evidence=NextEvidence.LINK, because=because)


def _only_number_differs(here: str, there: str) -> bool:
    """Whether it is the same address with a higher number at its end."""
    ours, theirs = _LAST_NUMBER.fullmatch(here.rstrip("/")), _LAST_NUMBER.fullmatch(there.rstrip("/"))
    if ours is None or theirs is None or not theirs[2]:
        return False
    if ours[1] == theirs[1] and ours[2]:
        return int(ours[2]) < int(theirs[2])
    return _ADDED_NUMBER.fullmatch(there.removeprefix(here.rstrip("/"))) is not None


def follows_by_added_number(page: Page) -> NextPage | None:
    """The only address that sets one parameter of this page's to the next number, in whatever language.

    `?sivu=2`, then `?sivu=3`; `?startnr=11` if the link says so: `Næste 11`.
    """
    site = registrable_domain(page.url)
    here = dict(parse_qsl(urlsplit(page.url).query))
    found: dict[str, set[str]] = {}
    for element in page.css("a[href*='=']")[:MAX_NAMED_LINKS]:
        url = link_target(page, element.attr("href") or "")
        if url and registrable_domain(url) == site and (name := _counted_by(here, page.url, url, element)):
            found.setdefault(name, set()).add(url)
    urls = {url for each in found.values() for url in each}
    if len(urls) != 1:
        return None
    because = "a link has this page's address with one number increased"
    return NextPage(url=urls.pop(), evidence=NextEvidence.LINK, because=because)


def _counted_by(here: Mapping[str, str], own: str, url: str, element: Element) -> str:
    """The parameter in which an address differs, if its number continues this page's count."""
    parts, base = urlsplit(url), urlsplit(own)
    there = dict(parse_qsl(parts.query))
    changed = {name for name, value in there.items() if here.get(name) != value}
    if parts.path.rstrip("/") != base.path.rstrip("/") or len(changed) != 1 or here.keys() - there.keys():
        return ""
    name = changed.pop()
    value, before = there[name], here.get(name, "")
    if not value.isdecimal() or len(value) > MAX_NUMBER or _OTHER_NUMBER.search(name) or is_disabled(element):
        return ""
    link = PagerLink(element=element, url=url, label="")
    if link.elsewhere or link.in_calendar or len(element.text) > MAX_LABEL:
        return ""
    return name if _counts_on(int(value), before, element.text) else ""


def _counts_on(number: int, before: str, label: str) -> bool:
    if before:
        own = int(before) if before.isdecimal() and len(before) <= MAX_NUMBER else -1
        return own > 0 and number in (own + 1, own * 2)
    said = {int(each) for each in re.findall(r"(?<!\d)\d{1,4}(?!\d)", label)}
    return number == FIRST_FURTHER or (number >= MIN_OFFSET and number in said)


def _named_successor(page: Page, element: Element) -> str:
    url = link_target(page, element.attr("href") or "")
    if not url or not is_successor(page.url, url) or _NAMED.search(url) is None or is_disabled(element):
        return ""
    link = PagerLink(element=element, url=url, label="")
    return "" if link.elsewhere or link.in_calendar else url


def _successor(page: Page, element: Element) -> str:
    href = element.attr("href") or ""
    if not is_successor(page.url, (join(page.base, href.strip()) or "").partition("#")[0]):
        return ""  # checked first: most links of a pager go elsewhere, and resolving one is slow
    url = link_target(page, href)
    if not url or is_disabled(element):
        return ""
    link = PagerLink(element=element, url=url, label="")
    return url if link.in_pager and not link.elsewhere and not link.in_calendar else ""


def is_successor(here: str, there: str) -> bool:
    """Whether an address continues the count: `/x?page=3` after `/x?page=2`, `/x/page-2.html` after `/x/`."""
    ours, theirs = _DIGITS.split(here), _DIGITS.split(there)
    differ = [at for at, (a, b) in enumerate(zip_longest(ours, theirs)) if a != b]
    if len(ours) == len(theirs) and len(differ) == 1 and differ[0] % 2:
        low, high = ours[differ[0]], theirs[differ[0]]
        return len(high) < 9 and int(high) == int(low) + 1
    stem = here.partition("#")[0].rstrip("/")
    if not there.startswith(stem) or there[len(stem) : len(stem) + 1] not in ("/", "?", "&"):
        return False
    rest = _DIGITS.split(there[len(stem) :])
    if len(rest) != ADDED_PARTS:
        return False
    return (rest[1] == "2" and _PAGE_NAME.search(rest[0]) is not None) or _OFFSET.search(rest[0]) is not None
