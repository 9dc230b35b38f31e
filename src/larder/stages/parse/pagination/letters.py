"""The next letter of an index from A to Z, on the page of one letter: `/herbs/a`, `/herbs/b`.

A page without a letter in its address shows all things: letters on it are a filter.
"""

import re

from turbohtml import Element

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page
from larder.stages.parse.pagination.links import MAX_LINKS, is_disabled, link_target, same_page

MIN_LETTERS = 5
_LETTER = re.compile(r"(?<![^/=_.-])[A-Za-z](?![^/&#_.-])")


def follows_by_letter(page: Page) -> NextPage | None:
    """The link to the next letter."""
    lettered = [each for each in page.css("a[href]")[:MAX_LINKS] if _names_letter(each)]
    links = {each.text.strip().upper(): url for each in lettered if (url := link_target(page, _href(each)))}
    if len(links) + 1 < MIN_LETTERS:
        return None
    here = next((letter for letter in _letters(page.url) if _has_same_pattern(page.url, letter, links)), "")
    after = min((letter for letter in links if here and letter > here), default="")
    if not after or not _has_same_pattern(page.url, here, {after: links[after]}):
        return None
    return NextPage(url=links[after], evidence=NextEvidence.LINK, because=f"the link to the letter {after}")


def _names_letter(link: Element) -> bool:
    text = link.text.strip()
    return len(text) == 1 and text.isascii() and text.isalpha() and not is_disabled(link)


def _href(link: Element) -> str:
    return link.attr("href") or ""


def _letters(url: str) -> list[str]:
    return [found[0].upper() for found in _LETTER.finditer(url.rpartition("://")[2])]


def _has_same_pattern(url: str, letter: str, links: dict[str, str]) -> bool:
    """Whether the page's address, with its letter replaced, equals that of any of these letters."""
    other, there = next(iter(links.items()))
    host = len(url) - len(url.rpartition("://")[2])
    for found in _LETTER.finditer(url, host):
        if found[0].upper() == letter:
            turned = other if found[0].isupper() else other.lower()
            if same_page(f"{url[: found.start()]}{turned}{url[found.end() :]}", there):
                return True
    return False
