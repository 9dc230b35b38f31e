"""Numbered pagers: which links are pages of this index, which page this is, and how addresses count."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile
from urllib.parse import parse_qsl, urlsplit

from turbohtml import Element, Text

from larder.sdk.page import Page
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.pagination.links import NUMBER, PagerLink, continues_path, is_disabled, same_page

MAX_NODES = 400
MAX_ROOT = 5
MAX_NUMBERS = 20
"""With more numbers than this, a box is a calendar or an archive of years."""

_DIGITS = re.compile(r"(\d+)")
_CURRENT = re.compile(
    r"(?:^|[\s_-])(?:current|active|selected|aktiv|actief|huidige|on)(?:$|[\s_-])", re.IGNORECASE
)
_PAGE_SIZE_PARAMETER = re.compile(
    r"(?:limit|per-?_?page|page-?_?size|(?:[^a-z]|^)(?:size|count|rows|rooms?|zimmer|kamers?|beds?|bath|banho|quartos|"
    r"stars?|rating|year|jahr|jaar|month|monat|maand))[=/_-]?$",
    re.IGNORECASE,
)
"""The text before a number that counts something other than pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """How addresses of an index count: the parts around one number, which is `step * page + offset`."""

    before: str
    after: str
    step: int
    offset: int

    def url(self, page: int) -> str:
        """The address of a page."""
        return f"{self.before}{self.step * page + self.offset}{self.after}"

    def page(self, url: str) -> int | None:
        """The page number of an address; None if the address has another pattern."""
        if not (url.startswith(self.before) and url.endswith(self.after)):
            return None
        middle = url[len(self.before) : len(url) - len(self.after)]
        if not middle.isdecimal() or len(middle) > 9 or (int(middle) - self.offset) % self.step:
            return None
        return (int(middle) - self.offset) // self.step


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedPager:
    """A numbered pager: its links by number, and the number of the current page."""

    links: dict[int, PagerLink]
    current: int
    pattern: Pattern | None

    @property
    def highest(self) -> int:
        """The highest page number in it."""
        return max(*self.links, self.current)


def numbered_pager(page: Page, links: Sequence[PagerLink]) -> NumberedPager | None:
    """The page's numbered pager, if there is one; an element named as a pager is preferred."""
    groups = _groups([link for link in links if link.number is not None])
    found = [pager for root, group in groups if (pager := _pager(page, root, group))]
    found.sort(key=lambda pager: not any(link.in_pager for link in pager.links.values()))
    return found[0] if found else None


def _groups(links: Sequence[PagerLink]) -> list[tuple[Element, list[PagerLink]]]:
    """Number links, grouped by the nearest element with several of them."""
    paths = {id(link): _ancestor_elements(link) for link in links}
    links_within = Counter(node for path in paths.values() for node in path)
    groups: dict[Element, list[PagerLink]] = {}
    for link in links:
        path = paths[id(link)]
        root = next((node for node in path if links_within[node] >= 2), None) or _box_of_single_link(path)
        if root is not None:
            groups.setdefault(root, []).append(link)
    return list(groups.items())


def _box_of_single_link(path: Sequence[Element]) -> Element | None:
    """The box of a single number link: the nearest with another number, as for two pages."""
    return next(
        (node for node in path[:2] if any(_marked_and_unlinked_numbers(node))),
        path[1] if len(path) > 1 else None,
    )


def _ancestor_elements(link: PagerLink) -> list[Element]:
    return [node for node in lineage(link.element, MAX_ROOT) if isinstance(node, Element)]


def _pager(page: Page, root: Element, group: Sequence[PagerLink]) -> NumberedPager | None:
    links = {link.number: link for link in reversed(group) if link.number is not None}
    if not links or len(links) > MAX_NUMBERS or group[0].elsewhere or group[0].in_calendar:
        return None
    shown = _marked_and_unlinked_numbers(root)
    pattern = pattern_of(_addresses(page, links, shown[0]))
    further = [link for number, link in links.items() if number > 1 and number not in shown[0]]
    if pattern is None and not _is_second_page(page, further):
        return None
    if _is_other_number(links):
        return None
    current = _current_page(page, shown, links, pattern)
    if current is None or not _is_next_to_link(current, links):
        return _by_offsets(links, pattern, shown) if pattern else None
    return NumberedPager(links=links, current=current, pattern=pattern)


def _is_second_page(page: Page, further: Sequence[PagerLink]) -> bool:
    """Whether the only link of an index of two pages continues this page's address."""
    return len(further) <= 1 and all(link.in_pager or continues_path(page.url, link.url) for link in further)


def _addresses(page: Page, links: dict[int, PagerLink], marked: set[int]) -> list[tuple[int, str]]:
    """The linked pages and the page itself; the first one's address may have another form."""
    own = {number: page.url for number in marked if len(marked) == 1}
    return sorted({**own, **{number: link.url for number, link in links.items()}}.items())


def _by_offsets(
    links: dict[int, PagerLink], pattern: Pattern, shown: tuple[set[int], set[int]]
) -> NumberedPager | None:
    """`0 | 10 | 20`: links labelled with the first row of their page."""
    current = shown[0] or shown[1]
    numbers = sorted({*links, *current})
    steps = {high - low for low, high in pairwise(numbers)}
    step = min(steps, default=0)
    if len(current) != 1 or step < 2 or numbers[0] or any(gap % step for gap in steps) or pattern.step != 1:
        return None
    pages = {number // step + 1: link for number, link in links.items()}
    return NumberedPager(links=pages, current=current.pop() // step + 1, pattern=None)


def _is_next_to_link(current: int, links: dict[int, PagerLink]) -> bool:
    return current + 1 in links or current - 1 in links


def _is_other_number(links: dict[int, PagerLink]) -> bool:
    """Whether the number in the address counts rooms, rows a page or years."""
    number, link = max(links.items())
    matches = [found for found in _DIGITS.finditer(link.url) if int(found[1][:9]) == number]
    return bool(matches) and _PAGE_SIZE_PARAMETER.search(link.url[: matches[-1].start()]) is not None


def _current_page(
    page: Page, shown: tuple[set[int], set[int]], links: dict[int, PagerLink], pattern: Pattern | None
) -> int | None:
    marked, bare = shown
    if len(marked) == 1:
        return next(iter(marked))
    own = pattern.page(page.url) if pattern else None
    if own is not None and own >= 1:
        return own
    beside = bare if len(bare) == 1 else {n for n in bare if n not in links and _is_next_to_link(n, links)}
    if len(beside) == 1:  # of several, such as the number of all rows, the one that the links lack
        return next(iter(beside))
    if bare or 2 not in links:
        return None
    return 1 if 1 not in links or _is_first_page(page, links[1]) else None


def _is_first_page(page: Page, first: PagerLink) -> bool:
    """Whether all numbers are links, and that of page 1 only adds its number to this page's address."""
    here, there = urlsplit(page.url), urlsplit(first.url)
    added = set(parse_qsl(there.query)).symmetric_difference(parse_qsl(here.query))
    if here.path != there.path:
        further = len(there.path) > len(here.path) and continues_path(page.url, first.url)
        return first.in_pager and not added and further
    return len(added) == 1 and added <= set(parse_qsl(there.query)) and added.pop()[1] in ("0", "1")


def _marked_and_unlinked_numbers(root: Element) -> tuple[set[int], set[int]]:
    """The numbers marked as the current one, and those without a link."""
    marked, bare = set[int](), set[int]()
    for node in islice(root.descendants, MAX_NODES):
        if not isinstance(node, Text) or not (found := NUMBER.fullmatch(node.data.strip())):
            continue
        inner = _elements_below(node, root)
        if any(_is_current(each) for each in inner):
            marked.add(int(found[1]))
        elif not any(each.tag == "a" and each.attr("href") and not is_disabled(each) for each in inner):
            bare.add(int(found[1]))
    return marked, bare


def _elements_below(node: Text, root: Element) -> list[Element]:
    """The elements around a text, up to `root`."""
    inside = takewhile(lambda each: each is not root, lineage(node, MAX_ROOT + 1))
    return [each for each in inside if isinstance(each, Element)]


def _is_current(element: Element) -> bool:
    if (element.attr("aria-current") or "false") != "false":
        return True
    return _CURRENT.search(element.attr("class") or "") is not None


def pattern_of(numbered_urls: Sequence[tuple[int, str]]) -> Pattern | None:
    """How the addresses of numbered pages count; None if two of them do not show it."""
    usable = [(number, url) for number, url in numbered_urls if number > 1] or list(numbered_urls)
    if len(usable) < 2:
        usable = list(numbered_urls)
    return next((found for one, other in pairwise(usable) if (found := _common_pattern(one, other))), None)


def _common_pattern(one: tuple[int, str], other: tuple[int, str]) -> Pattern | None:
    """The pattern of two addresses that differ in one number only."""
    (low, first), (high, second) = one, other
    pieces, others = _DIGITS.split(first), _DIGITS.split(second)
    if len(pieces) != len(others) or low == high:
        return None
    differ = [at for at, (a, b) in enumerate(zip(pieces, others, strict=True)) if a != b]
    if (
        len(differ) != 1
        or not pieces[differ[0]].isdecimal()
        or max(len(pieces[differ[0]]), len(others[differ[0]])) > 9
    ):
        return None
    at, gap = differ[0], high - low
    step, rest = divmod(int(others[at]) - int(pieces[at]), gap)
    if rest or step < 1:
        return None
    before, after = "".join(pieces[:at]), "".join(pieces[at + 1 :])
    return Pattern(before=before, after=after, step=step, offset=int(pieces[at]) - step * low)


def leads_back(pager: NumberedPager, url: str) -> bool:
    """Whether this is the address of the current page or of an earlier one."""
    own = pager.pattern.page(url) if pager.pattern else None
    if own is not None:
        return own <= pager.current
    return any(number <= pager.current and same_page(link.url, url) for number, link in pager.links.items())
