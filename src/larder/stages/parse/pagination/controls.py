"""Pagers with controls that are no links: a button that holds an address for a script, a radio button.

A control is followed only if the page holds the address, or the parameter and the number that make it.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import islice

from turbohtml import Element

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page
from larder.sdk.urls import registrable_domain
from larder.stages.parse.pagination.forms import PAGE_FIELDS, ROW_FIELDS
from larder.stages.parse.pagination.links import NUMBER, PagerLink, is_disabled, link_target, with_parameter
from larder.stages.parse.pagination.words import LinkMeaning, link_meaning, names_rows

MAX_CONTROLS = 500
MAX_RADIOS = 200
MAX_ADDRESS = 2_000
MAX_CALL = 300

_CONTROLS = (
    'button, [role=button], a[href^="#"], a[href^="javascript:" i], a:not([href]), input[type=submit], '
    "input[type=button], li[data-page], span[data-page], span[data-href]"
)
_NEXT_URL_ATTRIBUTES = (
    "[data-next], [data-next-url], [data-next-page], [data-next-href], [data-next-page-url]"
)
_FRAGMENTS = (
    "[hx-get][hx-trigger*=revealed], [hx-get][hx-trigger*=intersect], "
    "[data-hx-get][data-hx-trigger*=revealed], turbo-frame[loading=lazy][src]"
)
"""Attributes with which rows are loaded once they become visible."""
_FETCHING = "button[hx-get], a[hx-get], button[data-hx-get], a[data-hx-get]"
_FETCHED = frozenset({"hx-get", "data-hx-get", "formaction", "src", "onclick"})
"""Attributes for loading a part of the page; its address need not be below the page's path."""
_PAGED = re.compile(rf"[?&/](?:{'|'.join(sorted(PAGE_FIELDS))})(?:=|/\d)", re.IGNORECASE)
_PAGE_NUMBER = re.compile(rf"[?&/]({'|'.join(sorted(PAGE_FIELDS))})[=/-]?(\d{{1,5}})(?!\d)", re.IGNORECASE)
_PAGE_CALL_WORDS = re.compile(r"(?:page|seite|pagina)\w{0,12}[\"'$(=]", re.IGNORECASE)
_PAGE_CALL = re.compile(r"gotoPage\((\d{1,5})(?:,\s*['\"](\w{1,30})['\"])?\)")
_CLICK = re.compile(
    r"""\blocation(?:\.href)?\s*(?:=|\.assign\(|\.replace\()\s*['"](?P<address>[/?h][^'"]{1,500})['"]"""
)
_ATTRIBUTE = re.compile(
    rb"""\s(?!href|src|action|content|value|cite|poster|data-href)(?P<name>(?:data-)?[a-z][\w:.-]{2,40})="""
    rb"""["'](?P<address>(?:/|\?|https?://)[^"'\s<>]{1,500})["']"""
)
"""Matches an attribute of a name that no library is known by, with an address."""
MAX_ATTRIBUTES = 2_000
_DIGITS = re.compile(r"\d+")
_CURRENT = re.compile(r"(?:^|[\s_-])(?:current|active|selected)(?:$|[\s_-])", re.IGNORECASE)


def follows_by_control(page: Page) -> NextPage | None:
    """The address in a control for its script, or the one made by radio buttons."""
    for element in _next_page_controls(page):
        url = next(
            (
                found
                for name, value in _stored_addresses(element)
                if (found := _later_page_url(page, name, value))
            ),
            "",
        )
        if url:
            because = f"'{_label(element) or element.tag}' holds this address for a script"
            return NextPage(url=url, evidence=NextEvidence.PATTERN, because=because)
    return _by_radio(page) or _by_script_call(page) or _by_any_attribute(page)


def _by_any_attribute(page: Page) -> NextPage | None:
    """The only address with a later page's number that an attribute of any name holds: for endless lists."""
    found: dict[str, str] = {}
    for each in islice(_ATTRIBUTE.finditer(page.unscripted), MAX_ATTRIBUTES):
        address = unescape(each["address"].decode(errors="replace"))
        if (number := _PAGE_NUMBER.search(address)) is None or not _is_later(number, page):
            continue
        if url := _later_page_url(page, "", address):
            found[url] = each["name"].decode(errors="replace")
    if len(found) != 1:
        return None
    url, name = found.popitem()
    return NextPage(
        url=url, evidence=NextEvidence.PATTERN, because=f"the attribute {name} holds this address"
    )


def _is_later(number: re.Match[str], page: Page) -> bool:
    """Whether it is the number of the page after this one, or of a row behind this page's first."""
    own = next((each for each in _PAGE_NUMBER.finditer(page.url) if each[1] == number[1]), None)
    if number[1].lower() in ROW_FIELDS:
        return int(number[2]) > (int(own[2]) if own is not None else 0)
    return int(number[2]) == (int(own[2]) if own is not None else 1) + 1


def controls(page: Page) -> list[Element]:
    """Controls without a link of their own, bounded."""
    return page.css(_CONTROLS)[:MAX_CONTROLS]


def loads_more(page: Page) -> bool:
    """Whether a control shows more rows by script: a word for more, or the number of a later page."""
    shown = [each for each in page.cached(controls) if not is_disabled(each)]
    return any(_is_next_control(each) for each in shown) or _names_later_page(shown)


def _next_page_controls(page: Page) -> Iterator[Element]:
    yield from (each for each in page.cached(controls) if not is_disabled(each) and _is_next_control(each))
    with_url = (each for css in (_NEXT_URL_ATTRIBUTES, _FRAGMENTS) for each in page.css(css)[:MAX_CONTROLS])
    yield from (each for each in with_url if not _as_link(each).elsewhere)
    yield from _fetch_buttons(page)


def _fetch_buttons(page: Page) -> list[Element]:
    """The only button that loads a further page, whatever its label; several are a pager or filters."""
    buttons = [
        (each, each.attr("hx-get") or each.attr("data-hx-get") or "")
        for each in page.css(_FETCHING)[:MAX_CONTROLS]
        if not is_disabled(each) and not _as_link(each).elsewhere
    ]
    paged = {value: each for each, value in buttons if _PAGED.search(value[:MAX_ADDRESS])}
    return list(paged.values()) if len(paged) == 1 else []


def _is_next_control(control: Element) -> bool:
    label = _label(control)
    claim, link = link_meaning(label), _as_link(control)
    if claim is LinkMeaning.MORE:
        return not link.elsewhere and (link.in_pager or names_rows(label) or _holds_paged_address(control))
    if claim is not LinkMeaning.NEXT or link.elsewhere or control.attr("disabled") is not None:
        return False
    return link.in_pager or names_rows(label) or _holds_paged_address(control)


def _holds_paged_address(control: Element) -> bool:
    """Whether an attribute has an address with a page's number: `Show more` of a text has none."""
    return any(_PAGED.search(value) is not None for _, value in _stored_addresses(control))


def _names_later_page(shown: Iterable[Element]) -> bool:
    """Whether a numbered button of a pager has a higher number than this page's."""
    numbers, current = set[int](), set[int]()
    for each in shown:
        if (found := NUMBER.fullmatch(_label(each))) is None or not _is_of_pager(each):
            continue
        numbers.add(int(found[1]))
        if _is_current(each):
            current.add(int(found[1]))
    current = current or _missing_numbers(numbers)
    return len(current) == 1 and max(numbers) > max(current)


def _missing_numbers(numbers: set[int]) -> set[int]:
    """The only number without a link, as it is this page's; the first if there is no link back to it."""
    if not numbers or 1 not in numbers:
        return {1} if 2 in numbers else set()
    missing = set(range(1, max(numbers))) - numbers if max(numbers) <= MAX_CONTROLS else set()
    return missing if len(missing) == 1 else set()


def _is_of_pager(control: Element) -> bool:
    """Whether it is in a pager, or calls a script that turns pages."""
    calls = (control.attr(name) or "" for name in ("href", "onclick"))
    return _as_link(control).in_pager or any(_PAGE_CALL_WORDS.search(call[:MAX_CALL]) for call in calls)


def _is_current(button: Element) -> bool:
    """Whether it, or the entry of the list that it is in, is marked as this page's."""
    marked = (button.attr("aria-current") or "false") != "false" or button.attr("disabled") is not None
    entry = button.parent if isinstance(button.parent, Element) and button.parent.tag == "li" else button
    return marked or any(_CURRENT.search(each.attr("class") or "") for each in (button, entry))


def _stored_addresses(element: Element) -> Iterator[tuple[str, str]]:
    """Addresses in an element's `data-` attributes, and in those of libraries that load parts of a page."""
    for name, value in element.attrs.items():
        address = value if isinstance(value, str) and (name.startswith("data-") or name in _FETCHED) else ""
        if 1 < len(address) <= MAX_ADDRESS and address.startswith(("/", "?", "http")):
            yield name, address
    click = element.attr("onclick") or ""
    if (found := _CLICK.search(click[:MAX_ADDRESS])) is not None:
        yield "onclick", found["address"]


def _later_page_url(page: Page, name: str, value: str) -> str:
    """The address of a further page of the same index; empty for other addresses."""
    url = link_target(page, value)
    same_site = bool(url) and registrable_domain(url) == registrable_domain(page.url)
    below = same_site and _path(url).startswith(_path(page.url))
    return url if below or (same_site and name in _FETCHED and _PAGED.search(url)) else ""


def _path(url: str) -> str:
    """An address up to its query, without numbers and their surroundings."""
    return _DIGITS.sub("", url.partition("?")[0]).rstrip("/-_")


def _by_radio(page: Page) -> NextPage | None:
    """The next page by radio buttons: their name is the parameter, the checked value this page's number."""
    radios = [
        each
        for each in page.css("input[type=radio][name][value]")[:MAX_RADIOS]
        if (each.attr("value") or "").isdecimal() and _as_link(each).in_pager
    ]
    checked = [each for each in radios if each.attr("checked") is not None]
    if len({(each.attr("name"), each.attr("value")) for each in checked}) != 1:
        return None
    name, number = checked[0].attr("name") or "", int(checked[0].attr("value") or "0")
    if not any(each.attr("name") == name and each.attr("value") == str(number + 1) for each in radios):
        return None
    url = with_parameter(page.url, name, str(number + 1))
    because = f"the pager's radio buttons request this page as {number} by the parameter `{name}`"
    return NextPage(url=url, evidence=NextEvidence.PATTERN, because=because)


def _by_script_call(page: Page) -> NextPage | None:
    """The next page by a component's buttons: the call has the page's number and its parameter."""
    calls = [
        (int(found[1]), found[2] or "page")
        for each in page.cached(controls)
        if (found := _PAGE_CALL.match((each.attr("wire:click") or "")[:MAX_CALL])) and not is_disabled(each)
    ]
    names, numbers = {name for _, name in calls}, {number for number, _ in calls}
    current = _missing_numbers(numbers) or ({max(numbers) + 1} if numbers else set())
    if len(names) != 1 or len(current) != 1 or (after := max(current) + 1) not in numbers:
        return None
    url = with_parameter(page.url, name := names.pop(), str(after))
    because = f"the pager's buttons request page {after} by the parameter `{name}`"
    return NextPage(url=url, evidence=NextEvidence.PATTERN, because=because)


def _as_link(element: Element) -> PagerLink:
    return PagerLink(element=element, url="", label="")


def _label(element: Element) -> str:
    text = " ".join(element.text.split())
    return (text or element.attr("aria-label") or element.attr("value") or "")[:80]
