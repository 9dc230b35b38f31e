"""Finds the next page of an index by the strongest evidence on the page; no address is invented.

In this order: the declared `next`, `rel=next`, the pager's words, its numbers and arrows, the pattern that
its addresses show, controls that are no links, the page's own state, and for agendas the next month or day.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from turbohtml import Element

from larder.core.model.item import MAX_MONTHS, MAX_WEEKS, NextEvidence, NextPage
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.sdk.selectors import Field, Pick
from larder.sdk.urls import is_http, join, registrable_domain
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination.controls import follows_by_control, loads_more
from larder.stages.parse.pagination.days import follows_by_day
from larder.stages.parse.pagination.forms import follows_by_form, paging_forms
from larder.stages.parse.pagination.letters import follows_by_letter
from larder.stages.parse.pagination.links import (
    PagerLink,
    continues_path,
    is_disabled,
    link_target,
    pager_links,
    same_page,
)
from larder.stages.parse.pagination.months import follows_by_month, month_of
from larder.stages.parse.pagination.numbers import NumberedPager, leads_back, numbered_pager
from larder.stages.parse.pagination.position import follows_by_position, position
from larder.stages.parse.pagination.ranges import follows_by_range
from larder.stages.parse.pagination.selects import follows_by_select, lists_later_page
from larder.stages.parse.pagination.state import next_in_state
from larder.stages.parse.pagination.successor import (
    follows_by_added_number,
    follows_by_more,
    follows_by_page_name,
    follows_by_successor,
)
from larder.stages.parse.pagination.words import LinkMeaning

MAX_REL = 20
_ANY_PAGER = (
    'a[rel~="prev" i], [class*=pagination i] a[href], [class*=pager i] a[href], '
    "nav[aria-label*=pag i] a[href]"
)


def find_next(task: ExtractionTask) -> NextPage | None:
    """The next page of an index, with its evidence."""
    if task.declared is not None and task.declared.next is not None:
        return _declared(task.page, task.declared.next)
    return task.page.cached(_FIND_NEXT_OF_AGENDA if task.kind is Kind.EVENT else _FIND_NEXT_OF_OTHER)


def is_last(task: ExtractionTask) -> bool | None:
    """True if the page shows that none follows, False if one does, None if it shows neither."""
    following = find_next(task)
    if following is not None:
        return False
    if task.declared is not None and task.declared.next is not None:
        return True
    if (shown := position(task.page)) is not None:
        return shown.page >= shown.of
    if any(map(task.page.cached, (loads_more, paging_forms, lists_later_page))):
        return False
    return True if task.page.first(_ANY_PAGER) is not None else None


def _declared(page: Page, field: Field) -> NextPage | None:
    href = next((value for pick in field.picks if (value := _href(page, pick))), "")
    url = (join(page.base, href) or "") if href else ""
    if not is_http(url):
        return None
    return NextPage(url=url, evidence=NextEvidence.DECLARED, because="the declared selector `next`")


def _href(page: Page, pick: Pick) -> str:
    """The address of a pick; for an element without a named attribute, that of its link."""
    if pick.attr or pick.regex is not None or not pick.css:
        value = pick.read(page.tree)
        return value if isinstance(value, str) else ""
    element = page.first(pick.css)
    link = element if element is None or element.attr("href") else element.select_one("a[href]")
    return (link.attr("href") or "") if link is not None else ""


def _find_next(page: Page, *, agenda: bool) -> NextPage | None:
    if (by_rel := _by_rel(page)) is not None:
        return by_rel
    links = page.cached(pager_links)
    pager = numbered_pager(page, links)
    finders: list[Callable[[], NextPage | None]] = [
        partial(_by_link_text, page, links, pager, (LinkMeaning.NEXT,)),
        partial(_by_number, pager),
        partial(_by_link_text, page, links, pager, (LinkMeaning.ARROW,)),
        partial(_by_link_text, page, links, pager, (LinkMeaning.DOUBLE_ARROW,)),
        partial(_by_link_text, page, links, pager, (LinkMeaning.MORE,)),
        partial(_by_pattern, pager),
        partial(follows_by_successor, page),
        partial(follows_by_page_name, page),
        partial(follows_by_added_number, page),
        partial(follows_by_more, page),
        partial(follows_by_position, page),
        partial(follows_by_range, page),
        partial(follows_by_control, page),
        partial(follows_by_form, page),
        partial(follows_by_select, page),
        partial(follows_by_letter, page),
        partial(next_in_state, page),
    ]
    if agenda:
        finders += [
            partial(_by_period, links),
            partial(follows_by_month, page),
            partial(follows_by_day, page),
        ]
    return next((found for find in finders if (found := find()) is not None), None)


_FIND_NEXT_OF_AGENDA = partial(_find_next, agenda=True)
_FIND_NEXT_OF_OTHER = partial(_find_next, agenda=False)


def _by_rel(page: Page) -> NextPage | None:
    site = registrable_domain(page.url)
    for element in page.css('link[rel~="next" i][href], a[rel~="next" i][href]')[:MAX_REL]:
        url = link_target(page, element.attr("href") or "")
        if (
            url
            and registrable_domain(url) == site
            and not is_disabled(element)
            and not _is_outside_pager(element)
        ):
            where = "the page's head" if element.tag == "link" else "a link"
            return NextPage(url=url, evidence=NextEvidence.REL, because=f"rel=next in {where}")
    return None


def _is_outside_pager(element: Element) -> bool:
    return element.tag == "a" and PagerLink(element=element, url="", label="").elsewhere


def _by_link_text(
    page: Page, links: Sequence[PagerLink], pager: NumberedPager | None, claims: tuple[LinkMeaning, ...]
) -> NextPage | None:
    """A link whose words mean the next page: in a pager, or with an address that continues this one."""
    claiming = [
        link
        for link in links
        if link.claim in claims
        and not link.elsewhere
        and (link.claim is LinkMeaning.MORE or not link.in_calendar)
    ]
    if pager is not None:
        claiming = [link for link in claiming if not leads_back(pager, link.url)]
    named = [link for link in claiming if link.in_pager and continues_path(page.url, link.url)]
    chosen = _single_target_link(named) or _single_target_link(
        [link for link in claiming if continues_path(page.url, link.url)]
    )
    chosen = chosen or _single_target_link([link for link in claiming if link.in_pager])
    return _by_link(chosen) if chosen else None


def _single_target_link(links: Sequence[PagerLink]) -> PagerLink | None:
    """The only target of several links: a pager above and one below the rows lead to the same page."""
    if not links or any(not same_page(link.url, links[0].url) for link in links[1:]):
        return None
    return links[0]


def _by_link(link: PagerLink) -> NextPage:
    return NextPage(
        url=link.url, evidence=NextEvidence.LINK, because=f"pager link '{' '.join(link.label.split())}'"
    )


def _by_number(pager: NumberedPager | None) -> NextPage | None:
    link = pager.links.get(pager.current + 1) if pager else None
    return _by_link(link) if link else None


def _by_pattern(pager: NumberedPager | None) -> NextPage | None:
    """The next page by the pattern of addresses, if the pager names only later pages."""
    if pager is None or pager.pattern is None or pager.current >= pager.highest:
        return None
    because = f"the pager's addresses are numbered, up to page {pager.highest}"
    return NextPage(url=pager.pattern.url(pager.current + 1), evidence=NextEvidence.PATTERN, because=because)


def _by_period(links: Iterable[PagerLink]) -> NextPage | None:
    """The next month or week of an agenda: weaker evidence, as such pages never end."""
    claiming = [
        link
        for link in links
        if link.claim is LinkMeaning.PERIOD
        or (
            link.claim in (LinkMeaning.NEXT, LinkMeaning.ARROW, LinkMeaning.DOUBLE_ARROW) and link.in_calendar
        )
    ]
    chosen = _single_target_link(claiming)
    if chosen is None:
        return None
    because = f"calendar link '{' '.join(chosen.label.split())}'"
    pages = MAX_WEEKS if month_of(chosen.url) is None else MAX_MONTHS
    return NextPage(url=chosen.url, evidence=NextEvidence.CALENDAR, because=because, max_calendar_pages=pages)
