"""Pagination in a page's own state: an address, a cursor, or a page number of a total."""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page
from larder.sdk.urls import is_http, join, registrable_domain
from larder.stages.parse.pagination.links import same_page, with_parameter

MAX_OBJECTS = 5_000
MAX_CURSOR = 500

_HINTS = (
    "hasNext",
    "has_next",
    "nextPage",
    "next_page",
    "nextUrl",
    "next_url",
    "nextCursor",
    "endCursor",
    "agination",
)
_COUNTS = ("totalPages", "total_pages", "pageCount", "lastPage", "numPages", "num_pages")
_ADDRESSES = ("nextpageurl", "nexturl", "nextpage", "nexthref", "nextlink", "next")
_CURSORS = ("endcursor", "nextcursor", "nextpagetoken", "nexttoken", "cursor")
_PARAMETERS = ("cursor", "after", "page_token", "pagetoken", "pageToken", "next", "start_after")
_PAGES = ("currentpage", "pagenumber", "page", "current", "pageindex", "p")
_LASTS = ("totalpages", "pagecount", "lastpage", "numpages", "pages", "nbpages")
_PLAIN = re.compile(r"[^a-z]")
_QUERY_NAMES = frozenset({"page", "p", "pg", "pagina", "seite"})


def next_in_state(page: Page) -> NextPage | None:
    """The next page in the state; None if there is none, or no way to request it."""
    for node in _objects(page):
        found = _by_address(page, node) or _by_cursor(page, node) or _by_count(page, node)
        if found is not None:
            return found
    return None


def _objects(page: Page) -> Iterator[Mapping[str, Any]]:
    """Objects of the page's states, outer before inner, under plain names."""
    pending: deque[Any] = deque(_states(page))
    for _ in range(MAX_OBJECTS):
        if not pending:
            return
        value = pending.popleft()
        if isinstance(value, dict):
            yield {_plain_name(key): inner for key, inner in value.items()}
            value = value.values()
        pending.extend(each for each in value if isinstance(each, dict | list))


@lru_cache(maxsize=8_192)
def _plain_name(key: str) -> str:
    """The common form of a key, cached: a state repeats the same few keys thousands of times."""
    return _PLAIN.sub("", key.lower())


def _states(page: Page) -> list[Any]:
    if (body := page.json()) is not None:
        return [body] if isinstance(body, dict | list) else []
    hint = next((hint for hint in (*_HINTS, *_COUNTS) if _has_state_hint(page, hint)), "")
    return [state.value for state in page.embedded(key=hint)] if hint else []


def _has_state_hint(page: Page, hint: str) -> bool:
    """Whether a script or an attribute with state contains it; all scripts are searched at once."""
    return hint.encode() in page.scripted or any(each.holds(hint) for each in page.state_attributes)


def _by_address(page: Page, node: Mapping[str, Any]) -> NextPage | None:
    href = next((node[name] for name in _ADDRESSES if isinstance(node.get(name), str)), "")
    if not href.startswith(("/", "?", "http")):
        return None
    url = join(page.url, href) or ""
    if (
        not is_http(url)
        or registrable_domain(url) != registrable_domain(page.url)
        or same_page(url, page.url)
    ):
        return None
    return NextPage(url=url, evidence=NextEvidence.CURSOR, because="the page's state names the next address")


def _by_cursor(page: Page, node: Mapping[str, Any]) -> NextPage | None:
    if node.get("hasnextpage", node.get("hasnext", node.get("hasmore"))) is not True:
        return None
    cursor = next((node[name] for name in _CURSORS if isinstance(node.get(name), str) and node[name]), "")
    name = _cursor_parameter(page) if 0 < len(cursor) <= MAX_CURSOR else ""
    if not name:
        return None
    because = f"the page's state gives a cursor, and its addresses take one as `{name}`"
    return NextPage(url=with_parameter(page.url, name, cursor), evidence=NextEvidence.CURSOR, because=because)


def _cursor_parameter(page: Page) -> str:
    """The parameter of a cursor in the page's own address or one of its links."""
    own = {name for name, _ in parse_qsl(urlsplit(page.url).query)}
    for name in _PARAMETERS:
        if (
            name in own
            or page.first(f'a[href*="?{name}="], a[href*="&{name}="], input[name="{name}"]') is not None
        ):
            return name
    return ""


def _by_count(page: Page, node: Mapping[str, Any]) -> NextPage | None:
    """Page 3 of 20: by the address's own parameter, or the one in the state."""
    name = next((name for name in _PAGES if _is_count(node.get(name))), "")
    last = next((node[each] for each in _LASTS if _is_count(node.get(each))), 0)
    if not name or node[name] >= last or node[name] < 1:
        return None
    number: int = node[name]
    query = parse_qsl(urlsplit(page.url).query)
    page_parameters = [each for each, value in query if value == str(number) and each.lower() in _QUERY_NAMES]
    parameter = (
        page_parameters[0]
        if len(page_parameters) == 1
        else name
        if number == 1 and name in _QUERY_NAMES
        else ""
    )
    if not parameter:
        return None
    because = f"the page's state says page {number} of {last}"
    return NextPage(
        url=with_parameter(page.url, parameter, str(number + 1)),
        evidence=NextEvidence.CURSOR,
        because=because,
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1_000_000
