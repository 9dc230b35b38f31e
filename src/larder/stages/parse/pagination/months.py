"""The next month of an agenda whose pager names months without "next": `« november`, `januari »`."""

import re
from collections.abc import Iterator

from turbohtml import Element

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.calendar_names import month_numbers
from larder.sdk.page import Page
from larder.stages.parse.agenda.patterns import lone_month
from larder.stages.parse.pagination.links import links_below

MAX_LABEL = 40
MAX_HEADINGS = 8
BOTH_SIDES = 2

_STAMP = re.compile(r"(?<!\d)(20\d\d)[-/_.]?(0[1-9]|1[0-2])(?:[-/_.]?01)?(?!\d|[-/_.]\d)")
_TURNED_STAMP = re.compile(r"(?<!\d)(?<!\d[-_/])(0?[1-9]|1[0-2])[-_/](20\d\d)(?![\d-])")
_YEAR = re.compile(
    r"[?&/](?:year|yr|y|jahr|jaar|ann[eé]e|anno|a[nñ]o|rok|aar|år)[=/](20\d\d)(?!\d)", re.IGNORECASE
)
_MONTH = re.compile(
    r"[?&/](?:month|mon|mo|m|monat|maand|mois|mese|mes|miesi[aą]c|m[aå]ned|m[aå]nad)[=/](\d{1,2})(?!\d)",
    re.IGNORECASE,
)
_NEXT_ARROW = re.compile(r"[›»→>▶►❯⟩⟫]\s*$")
_MARKS = re.compile(r"[‹›«»→←<>▶►◀◄❮❯⟨⟩⟪⟫|]+")
_DIRECTION = re.compile(
    r"(?<!\w)(?:next|prev(?:ious)?|volgende|vorige|nächste[rn]?|vorherige[rn]?|vorige[rn]?|suivante?|précédente?"
    r"|siguiente|anterior|successiv[oa]|precedente|próxim[oa]|prossim[oa]|następny|poprzedni)(?!\w)"
    r"(?:\s+(?:month|maand|monat|mois|mes|mês|mese|miesiąc))?",
    re.IGNORECASE,
)


def follows_by_month(page: Page) -> NextPage | None:
    """The link to the month after this page's: by its address, else by the months before and after."""
    links = {month: (url, label) for month, url, label in _month_links(page)}
    here = month_of(page.url) or _month_between(list(links)) or (_month_in_heading(page) if links else None)
    wanted = (
        (here + 1)
        if here
        else next((m for m, (_, label) in links.items() if _NEXT_ARROW.search(label)), None)
    )
    if wanted is None or wanted not in links:
        return None
    url, label = links[wanted]
    return NextPage(url=url, evidence=NextEvidence.CALENDAR, because=f"the link to the next month, '{label}'")


def month_of(url: str) -> int | None:
    """The month in an address, counted from year 0; None if it names none."""
    if found := _STAMP.search(url.rpartition("://")[2]):
        return int(found[1]) * 12 + int(found[2]) - 1
    if found := _TURNED_STAMP.search(url.rpartition("://")[2]):
        return int(found[2]) * 12 + int(found[1]) - 1
    year, month = _YEAR.search(url), _MONTH.search(url)
    return int(year[1]) * 12 + int(month[1]) - 1 if year and month and 1 <= int(month[1]) <= 12 else None


def _month_between(months: list[int]) -> int | None:
    """The month between the linked months before and after."""
    around = sorted(months)
    return around[0] + 1 if len(around) == BOTH_SIDES and around[1] - around[0] == BOTH_SIDES else None


def _month_in_heading(page: Page) -> int | None:
    """The month at the end of a heading of the page, with its year."""
    for heading in page.css("h1, h2, h3")[:MAX_HEADINGS]:
        found = lone_month(" ".join(heading.text.split()[-2:]))
        number = month_numbers().get(found[0].casefold()) if found and found[1] else None
        if found and number:
            return int(found[1]) * 12 + number - 1
    return None


def _month_links(page: Page) -> Iterator[tuple[int, str, str]]:
    links = links_below(page, month_of)
    return ((month, url, label) for month, url, link in links if (label := _label(link)))


def _label(element: Element) -> str:
    """A month's name, arrows, a word such as `Next`, or several of them; empty for other texts."""
    text = " ".join((element.text or element.attr("title") or element.attr("aria-label") or "").split())
    if not text or len(text) > MAX_LABEL:
        return ""
    bare = _DIRECTION.sub(" ", _MARKS.sub(" ", text)).strip()
    return text if not bare or lone_month(bare) is not None else ""
