"""The links of a page that may lead to items: outside of menus, to the same site or to others."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from turbohtml import Element, Node

from larder.sdk.page import Page
from larder.sdk.urls import is_http, join, origin, registrable_domain
from larder.stages.parse.heuristic.page_position import MAX_CLIMB

MAX_LINKS = 50_000
"""Maximum links that are read; a page with more is reported as incomplete."""
MAX_DEPTH = 200

_NON_PAGE_SCHEMES = ("#", "javascript:", "mailto:", "tel:", "data:", "whatsapp:", "sms:")
_SCRIPTED = "[onclick*=location], [data-href]"
_CLICK_LINK = re.compile(
    r"""onclick="[^">]{0,60}\blocation(?:\.href\s*=|\s*=|\.(?:assign|replace)\()"""
    r"""\s*(?:'|&#0?39;|&apos;)(?P<href>[^'"&]{1,500})"""
)
"""Matches an address in a page's source or in a click handler."""
_MENUS = frozenset({"nav", "footer", "aside"})
_DIGITS = re.compile(r"\d+")
_PARAMETERS = re.compile(r"[&;]")
_PLAIN = re.compile(r"/(?:[\w~%?&=;,+@!$-][\w.~%?&=;,+@!$/-]*)?", re.ASCII)
"""Matches a path from the root that needs no normalization."""
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2})?", re.IGNORECASE)
MIN_FOLDERS = 2
_SCRIPT = re.compile(r"[a-z]{1,20}(?:\.[a-z]{2,4})?", re.IGNORECASE)
"""Matches `item?id=1`, `viewtopic.php?t=1`: the parameter identifies the item."""
_ID = re.compile(r"\d{5}|(?<!\d)(?!(?:19|20)\d\d\D.*\d)\d{4}")
"""Matches an item's number; a year followed by another number is a part of the title."""
_ENDING = re.compile(r"\.[^\W\d_]\w{1,4}$")
_WORDS_OF_THING = re.compile(r"[^\W_]+(?:[-_][^\W_]+)+(?:\.html?)?")
_SCRIPTS = frozenset({".php", ".asp", ".aspx", ".cgi", ".jsp", ".cfm", ".pl"})
_VIEW_PARAMETERS = re.compile(
    r"(?:sort|order|dir|limit|show|view|mode|per[_-]?page|page|offset|start|filter|price|currency|lang|"
    r"phpsessid|oscsid|zenid|xtcsid)",
    re.IGNORECASE,
)
"""How parameters begin that sort, filter or lay out the same list."""
_NON_ITEM_PATHS = re.compile(
    r"/(?:cart|basket|checkout|login|signin|register|account|wishlist|compare|contact|impressum|privacy|"
    r"terms|agb|datenschutz|winkelwagen|warenkorb|panier|carrito|carrello|merkliste|favorit\w*)(?:[/.?]|$)|"
    r"add[-_]to[-_](?:cart|wishlist|compare)|action=(?:buy_?now|add|profile)|mode=viewprofile|"
    r"/(?:memberlist|member|profile|userinfo)\.php|\.(?:jpe?g|png|gif|webp|pdf|zip)$"
)


class Link(NamedTuple):
    """A link, its absolute target, and the tags above it. A page has thousands, so it is a tuple."""

    element: Element
    url: str
    path: str
    key: str
    """Identifies its target: the address without fragment, scheme and final slash."""
    chain: tuple[Element, ...]
    """The link itself and the elements around it, nearest first."""


def item_links(page: Page) -> list[Link]:
    """Links to other pages of the site, outside of menus and footers, in document order."""
    return _without_variants(list(_links(page, _Resolver(page))))


def _without_variants(found: list[Link]) -> list[Link]:
    """Removes links to a variant of another link's item: `/joco-cup?colour=lilac` beside `/joco-cup`."""
    things = {link.key.rstrip("/") for link in found if "?" not in link.key}
    return [link for link in found if not ("?" in link.key and _thing_of(link.key) in things)]


def _thing_of(key: str) -> str:
    """The address without parameters, if its path names an item; empty for scripts, which need them."""
    path = key.partition("?")[0].rstrip("/")
    return path if _WORDS_OF_THING.fullmatch(path.rpartition("/")[2]) else ""


def outbound_links(page: Page) -> list[Link]:
    """The links of an aggregator: to other sites, in the places of item links."""
    site, base = registrable_domain(page.url), page.base

    def resolve(href: str) -> str:
        url = (join(base, href) or "") if "//" in href else ""
        return url if is_http(url) and registrable_domain(url) != site else ""

    return list(_links(page, resolve))


def _links(page: Page, resolve: Callable[[str], str]) -> Iterator[Link]:
    own = page.url.partition("#")[0].partition("://")[2].rstrip("/")
    here, _, query = own.partition("?")
    own_parameters = frozenset(query.split("&"))
    known: dict[Node, _Place] = {}
    targets: dict[str, tuple[str, str]] = {}  # a row often has several links to its item

    def target(href: str) -> tuple[str, str]:
        url = "" if is_placeholder(href) else resolve(href)
        key = url.partition("#")[0].partition("://")[2].rstrip("/")
        if (
            not url
            or key == own
            or _NON_ITEM_PATHS.search(url.lower())
            or _is_view_of_same_page(key, here, own_parameters)
        ):
            return "", ""
        return url, key

    scripted = "data-href=" in page.text or _CLICK_LINK.search(page.text) is not None
    for element in page.tree.select(f"a[href], {_SCRIPTED}" if scripted else "a[href]")[:MAX_LINKS]:
        path, chain = _place(element, known)
        if not path:
            continue
        href = (element.attr("href") or "").strip() if element.tag == "a" else _scripted_href(element)
        if (found := targets.get(href)) is None:
            found = targets[href] = target(href)
        if found[0]:
            yield Link(element, found[0], path, found[1], chain)


def _scripted_href(element: Element) -> str:
    """The target of a click on an element without links: `onclick="location.href='/item/1'"`, `data-href`."""
    found = _CLICK_LINK.search(f'onclick="{element.attr("onclick") or ""}')
    href = (found["href"] if found else element.attr("data-href")) or ""
    return href.strip() if element.select_one("a[href]") is None else ""


def is_placeholder(href: str) -> bool:
    """Whether it is a template that a script fills in: `/item/{{slug}}`, `/item/${id}`, `<%= url %>`."""
    return "{" in href or "%7b" in href.lower() or "<%" in href


def _is_view_of_same_page(key: str, here: str, own_parameters: frozenset[str]) -> bool:
    """Whether it is the page itself with another order, page size or filter."""
    path, _, query = key.partition("?")
    if not query or path.rstrip("/") != here.rstrip("/"):
        return False
    more = frozenset(query.split("&")) - own_parameters
    return bool(more) and all(_VIEW_PARAMETERS.match(each) is not None for each in more)


_Place: TypeAlias = tuple[str, tuple[Element, ...]]
_TOP: _Place = ("/", ())


def _place(element: Element, known: dict[Node, _Place]) -> _Place:
    """The tags from the body to an element, and its ancestors, nearest first; empty within a menu.

    Links of one container share its part.
    """
    around: list[Element] = []
    node: Node | None = element
    while isinstance(node, Element) and node not in known and len(around) < MAX_DEPTH:
        around.append(node)
        node = node.parent
    place = path, chain = known.get(node, _TOP) if node is not None else _TOP
    for each in reversed(around):
        if path:
            path = "" if (tag := each.tag) in _MENUS else f"{path}{tag}/"
            chain = (each, *chain[:MAX_CLIMB]) if path else ()
        place = known[each] = (path, chain)
    return place


class _Resolver:
    """Makes links absolute; for most it only prepends the origin."""

    def __init__(self, page: Page) -> None:
        self._base, self._known = page.base, is_http(page.url)
        self._site = registrable_domain(page.url)
        self._origin = origin(page.base) if is_http(page.base) else ""

    def __call__(self, href: str) -> str:
        """The absolute address; empty for other sites and for links that are not pages."""
        if not href or href.lower().startswith(_NON_PAGE_SCHEMES):
            return ""
        if self._origin and _is_plain(href):
            return self._origin + href
        if self._origin and href.startswith(self._origin) and _is_plain(href[len(self._origin) :]):
            return href
        url = join(self._base, href) or ""
        if not self._known:
            return url or href
        same = "//" not in href or url.startswith(self._origin + "/")
        return url if same or (is_http(url) and registrable_domain(url) == self._site) else ""


def _is_plain(path: str) -> bool:
    return _PLAIN.fullmatch(path) is not None and "/." not in path


def pieces_of(url: str) -> tuple[list[str], str]:
    """The parts of an address's path, and its query; works for invalid addresses, too."""
    whole, _, query = url.partition("#")[0].partition("?")
    rest = whole.partition("://")[2].partition("/")[2] if "://" in whole else whole
    return [piece for piece in rest.split("/") if piece], query


@lru_cache(maxsize=8_192)
def fine_pattern(url: str) -> str:
    """The shape of an address among row links, and whether its last part has a number."""
    pieces, _ = pieces_of(url)
    return f"{'id' if pieces and _ID.search(pieces[-1]) else ''}{row_pattern(url)}"


@lru_cache(maxsize=8_192)
def row_pattern(url: str) -> str:
    """Its first folder and the coarse shape, as titles with a year add numbers to some addresses.

    A language before it (`/it/brand/alba`, `/it/item/lamp`) is the site's.
    """
    pieces, query = pieces_of(url)
    folders = pieces[1:-1] if len(pieces) > MIN_FOLDERS and _LANGUAGE.fullmatch(pieces[0]) else pieces[:-1]
    folder = _DIGITS.sub("#", folders[0]) if folders else ""
    last = pieces[-1] if pieces else ""
    return f"{folder}/{last if query and _SCRIPT.fullmatch(last) else ''}/{coarse_pattern(url)}"


@lru_cache(maxsize=8_192)
def coarse_pattern(url: str) -> str:
    """Depth, ending, and parameters if no path part is a word: rows may be in different folders."""
    pieces, query = pieces_of(url)
    last = pieces[-1] if pieces else ""
    ending = found[0] if (found := _ENDING.search(last)) else ""
    is_script = ending in _SCRIPTS or not pieces
    names = "&".join(sorted(map(_parameter_name, _PARAMETERS.split(query)))) if is_script else ""
    last_part = "#" if last.removesuffix(ending).isdecimal() else "words"
    return f"{len(pieces)}:{last_part}{ending}?{names}"


def _parameter_name(piece: str) -> str:
    """The name of a parameter; for `?107-large-oak-table`, an item's number and title, a placeholder."""
    name, equals, _ = piece.partition("=")
    return name if equals or not name[:1].isdecimal() else "#"
