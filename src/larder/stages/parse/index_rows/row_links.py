"""Chooses the link of each row: its address has the pattern of other rows' links and its own target."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node

from larder.sdk.page import brief_text_of
from larder.stages.parse.heuristic.page_position import lineage, name_of
from larder.stages.parse.index_rows.links import Link, coarse_pattern, fine_pattern, pieces_of

FITNESS_TOLERANCE = 0.01
MAX_LINK_NODES = 12
MAX_ROWS_A_TARGET = 2
"""Maximum rows that link to one item, as a recommended item is shown twice; others link to no item."""

MAX_FOLDERS = 20
MIN_HEADED_SHARE = 0.6
"""Minimum share of rows with their link in a heading; then an agent's name is not the link of a row."""
SELLER_BOX_LEVELS = 4
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SELLER = re.compile(
    r"(?<![a-z])(?:agents?|agency|agencies|brokers?|realtor|authors?|sellers?|vendors?|advertisers?|makler|makelaar"
    r"|agence|contact|agente|agenzia|inmobiliaria|imobiliaria|immobiliare|verkoper|anbieter|vendeur|vendedor)(?![a-z])"
)
_PEOPLE = re.compile(
    r"(?:members?|users?|profiles?|people|authors?|sellers?|dealers?|agents?|mitglied(?:er)?|leden|lid|"
    r"membres?|miembros?|usuarios?|utent[ei]|utilizadores|medlemmar|medlemmer|uzytkownicy|uzivatele)"
)
"""First folders of sellers' addresses."""
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
ANY_HEADING = "h1, h2, h3, h4, h5, h6"


def links_of_rows(links: Sequence[Link], extents: dict[Element, tuple[Element, ...]]) -> dict[Element, Link]:
    """The link of each row; rows without one are left out."""
    return _link_a_row(_own_paths(_links_within(links, extents)))


def _links_within(
    links: Sequence[Link], extents: dict[Element, tuple[Element, ...]]
) -> dict[Element, list[Link]]:
    row_of = {part: row for row, parts in extents.items() for part in parts}
    found: dict[Element, list[Link]] = {}
    for link in links:
        row = next((row_of[node] for node in link.chain if node in row_of), None)
        if row is not None:
            found.setdefault(row, []).append(link)
    return found


def _own_paths(links: dict[Element, list[Link]]) -> dict[Element, list[Link]]:
    """Removes links of most rows to one script (a calculator) if most rows have others.

    What the headings lead to is no such script: `item.php?id=1` shows the thing itself.
    """
    paths = Counter(p for group in links.values() for p in {_script(each) for each in group})
    common = {path for path, rows in paths.items() if rows * 2 > len(links)}
    headed = Counter(
        path
        for group in links.values()
        for each in group
        if (path := _script(each)) in common and _in_heading(each.element)
    )
    scripts = {path for path in common if headed[path] * 2 < len(links)}
    own = {
        row: distinct
        for row, group in links.items()
        if (distinct := [each for each in group if _script(each) not in scripts])
    }
    return own if len(own) >= 0.6 * len(links) else links


def _script(link: Link) -> str:
    return link.key.partition("?")[0]


def _link_a_row(links: dict[Element, list[Link]]) -> dict[Element, Link]:
    """The link of each row to its item: with the pattern of other rows' links and its own target."""
    rows_with = Counter(key for group in links.values() for key in {link.key for link in group})
    sections = _sections(links)
    link_fitness = _link_fitness(list(links.values()))
    views = _views(links)

    def fitness(link: Link, group: Sequence[Link]) -> float:
        repeated = 0.5 if sum(link.key == other.key for other in group) > 1 else 0.0
        shared = 1.0 if rows_with[link.key] > MAX_ROWS_A_TARGET else 0.0
        seller = 0.5 if _is_of_seller(link) else 0.0
        section = 2.0 if _script(link).rstrip("/") in sections else 0.0
        heading = 0.6 if _in_heading(link.element) else 0.0
        view = 1.0 if link.key in views else 0.0
        return link_fitness(link) + repeated + heading - shared - seller - section - view

    chosen = {row: _fittest_link(group, fitness) for row, group in links.items()}
    chosen |= _headed_links(links, chosen)
    return {row: link for row, link in chosen.items() if rows_with[link.key] <= MAX_ROWS_A_TARGET}


def _headed_links(links: dict[Element, list[Link]], chosen: dict[Element, Link]) -> dict[Element, Link]:
    """The heading links of the remaining rows if most have one; rare folders give them other patterns."""
    headings = {link.key for group in links.values() for link in group if _in_heading(link.element)}
    headed = sum(link.key in headings for link in chosen.values())
    if headed == len(chosen) or headed < MIN_HEADED_SHARE * len(chosen):
        return {}
    others = (row for row, link in chosen.items() if link.key not in headings)
    found = {row: [each for each in links[row] if _in_heading(each.element)] for row in others}
    return {row: own[0] for row, own in found.items() if own and not _is_of_seller(own[0])}


def _sections(links: dict[Element, list[Link]]) -> frozenset[str]:
    """Folders of a row's links that contain its item: brand or category.

    A last piece that many rows have is no thing's name: `/item/1/contact`.
    """
    last = _last_pieces(links)
    found: set[str] = set()
    for group in links.values():
        folders = {path for each in group for path in _folders_of(each) if last[_last_piece(each)] == 1}
        found |= folders & {_script(each).rstrip("/") for each in group}
    return frozenset(found)


def _folders_of(link: Link) -> Iterator[str]:
    """The folders around an address, below the site's root: of `/a/b/c`, `/a/b` and `/a`."""
    folder = _script(link).rstrip("/").rpartition("/")[0]
    for _ in range(MAX_FOLDERS):
        if "/" not in folder:
            return
        yield folder
        folder = folder.rpartition("/")[0]


def _last_pieces(links: dict[Element, list[Link]]) -> Counter[str]:
    """The number of rows with a link that has this ending."""
    return Counter(name for group in links.values() for name in {_last_piece(each) for each in group})


def _views(links: dict[Element, list[Link]]) -> frozenset[str]:
    """The keys of links below another link of their row that end alike in other rows: `/thread/1/latest`."""
    last = _last_pieces(links)
    found: set[str] = set()
    for group in links.values():
        paths = {_script(each).rstrip("/") for each in group}
        found |= {each.key for each in group if last[_last_piece(each)] > 1 and _folder_above(each) in paths}
    return frozenset(found)


def _folder_above(link: Link) -> str:
    return _script(link).rstrip("/").rpartition("/")[0]


def _last_piece(link: Link) -> str:
    return _script(link).rstrip("/").rpartition("/")[2]


def _is_of_seller(link: Link) -> bool:
    """Whether a link is in a box named as a seller's, or leads to a folder of people."""
    return _leads_to_people(link) or is_in_seller_box(link.chain)


def _leads_to_people(link: Link) -> bool:
    return _PEOPLE.fullmatch(_folder(link.url).strip("/").lower()) is not None


def is_in_seller_box(chain: Iterable[Node]) -> bool:
    """Whether one of the nearest elements is named as a seller's."""
    near = islice(chain, SELLER_BOX_LEVELS)
    return any(isinstance(node, Element) and _is_seller(name_of(node)) for node in near)


@lru_cache(maxsize=8_192)
def _is_seller(name: str) -> bool:
    return _SELLER.search(_CAMEL.sub("-", name).lower()) is not None


def _fittest_link(group: Sequence[Link], fitness: Callable[[Link, Sequence[Link]], float]) -> Link:
    """The best link; between equals the one with most text, as an author's name is short."""
    scores = [(fitness(link, group), link) for link in group]
    best = max(score for score, _ in scores)
    fit = [link for score, link in scores if best - score < FITNESS_TOLERANCE]
    if len({link.key for link in fit}) == 1:
        return fit[0]
    return max(fit, key=lambda link: len(brief_text_of(link.element, MAX_LINK_NODES).split()))


def _link_fitness(groups: Sequence[Sequence[Link]]) -> Callable[[Link], float]:
    """The number of rows with a link of this pattern, reduced if those share their targets."""
    shares: dict[str, float] = {}
    for pattern in (fine_pattern, coarse_pattern, _folder):
        rows, targets = Counter[str](), dict[str, set[str]]()
        for group in groups:
            rows.update({pattern(link.url) for link in group})
            for link in group:
                targets.setdefault(pattern(link.url), set()).add(link.key)
        shares |= {made: min(len(targets[made]), count) / len(groups) for made, count in rows.items()}
    return lambda link: sum(shares[made(link.url)] for made in (fine_pattern, coarse_pattern, _folder))


@lru_cache(maxsize=8_192)
def _folder(url: str) -> str:
    """The first folder of an address: items may be nested at any depth in it, sellers are in others."""
    pieces, _ = pieces_of(url)
    return f"/{pieces[0]}/" if len(pieces) > 1 else "/"


def _in_heading(element: Element) -> bool:
    around = (element, *islice(lineage(element, 2), 2))
    return any(isinstance(node, Element) and node.tag in HEADINGS for node in around) or (
        element.select_one(ANY_HEADING) is not None
    )


def has_other_target(element: Element, link: Link) -> bool:
    """Whether links of an element lead elsewhere than to the row's item, such as to its agent."""
    around = element.closest("a[href]")
    links = element.select("a[href]")[:3] or ([around] if around is not None else [])
    others = [path for each in links if (path := _path(each.attr("href") or ""))]
    own = _path(link.url)
    return bool(others) and not any(own.endswith(path) or path.endswith(own) for path in others)


def _path(href: str) -> str:
    """An address without the parts in which two links to one item may differ; empty if it has no target."""
    return "" if href.startswith("javascript:") else href.partition("#")[0].partition("?")[0].strip("./")
