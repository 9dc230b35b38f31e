"""Pagers that are lists to choose from: `<select onchange="location=this.value">`, an option a page."""

import re

from turbohtml import Element

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page
from larder.sdk.urls import join, registrable_domain
from larder.stages.parse.pagination.forms import PAGE_FIELDS
from larder.stages.parse.pagination.links import PagerLink, link_target, with_parameter

MAX_SELECTS = 40
MAX_OPTIONS = 2_000
MAX_ADDRESS = 2_000

_NUMBERED = re.compile(
    r"(?:[^\W\d_]{2,12}\.? )?(\d{1,5})(?: ?(?:/|of|van|von|de|di|z|av|af|din|из) ?\d{1,5})?"
)
"""Matches `3`, `Page 3` and `3 / 12`."""
_PAGES = re.compile(
    r"(?<![a-z])(?:page|pagina|página|seite|sida|side|strona|strana|sivu|oldal|sayfa)(?!-?size|s?-?per)"
)


def follows_by_select(page: Page) -> NextPage | None:
    """The page behind the selected one: its address is the option's value, or made of the list's name."""
    for select in page.css("select")[:MAX_SELECTS]:
        if PagerLink(element=select, url="", label="").elsewhere:
            continue
        options = _numbered_options(select)
        current = _selected(options)
        following = next((each for number, each in options if number == current + 1), None)
        if current and following is not None and (url := _address(page, select, following)):
            because = f"the option {current + 1} of a list of pages has this address"
            return NextPage(url=url, evidence=NextEvidence.PATTERN, because=because)
    return None


def lists_later_page(page: Page) -> bool:
    """Whether a list named for pages has one behind the selected one, whatever choosing does."""
    for select in page.css("select")[:MAX_SELECTS]:
        names = " ".join(select.attr(name) or "" for name in ("name", "id", "class", "aria-label"))
        options = _numbered_options(select)
        if options and _PAGES.search(names.lower()) and _selected(options) < len(options):
            return True
    return False


def _numbered_options(select: Element) -> list[tuple[int, Element]]:
    """Its options, if they are numbered from one on without a gap."""
    options = select.select("option")[:MAX_OPTIONS]
    found = [
        (int(number[1]), each)
        for each in options
        if (number := _NUMBERED.fullmatch(" ".join(each.text.split()))) is not None
    ]
    numbers = [number for number, _ in found]
    return found if len(found) == len(options) > 1 and numbers == list(range(1, len(found) + 1)) else []


def _selected(options: list[tuple[int, Element]]) -> int:
    """The number of the selected option, the first where none is, as browsers show it; 0 without options."""
    chosen = [number for number, each in options if each.attr("selected") is not None]
    return chosen[0] if chosen else min((number for number, _ in options), default=0)


def _address(page: Page, select: Element, option: Element) -> str:
    value, name = (option.attr("value") or "").strip(), (select.attr("name") or "").lower()
    if value.startswith(("/", "?", "http")) and len(value) <= MAX_ADDRESS:
        url = link_target(page, value)
        return url if url and registrable_domain(url) == registrable_domain(page.url) else ""
    if name not in PAGE_FIELDS or not value.isdecimal() or not _is_sent_by_get(select, page):
        return ""
    return with_parameter(page.url, select.attr("name") or "", value)


def _is_sent_by_get(select: Element, page: Page) -> bool:
    """Whether choosing sends a form by GET to this page: the list's name is a parameter of its address."""
    form = select.closest("form")
    if form is None or (form.attr("method") or "get").strip().lower() != "get":
        return False
    action = join(page.base, form.attr("action") or page.url) or ""
    return action.partition("?")[0] == page.url.partition("?")[0]
