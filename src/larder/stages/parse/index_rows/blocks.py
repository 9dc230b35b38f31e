"""Finds the rows of an index page: elements of equal structure, each with a link.

Links that are in the same place of like blocks have the same tags above them. Each such set of links is a
candidate; the block of a link is the largest element that holds no other link of the set. The set whose
blocks show most (prices, pictures, words) is the page's list. A price is a help, not a condition.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from turbohtml import Element

from larder.sdk.page import Page
from larder.sdk.urls import registrable_domain
from larder.stages.parse.heuristic.price_elements import currency_texts, elements_with_amounts
from larder.stages.parse.heuristic.related_items import related_items
from larder.stages.parse.index_rows.block_scores import MAX_RICHNESS, MIN_ROWS, row_elements, score_of
from larder.stages.parse.index_rows.excluded_rows import OutsideListCache, is_sponsored, notice_rows
from larder.stages.parse.index_rows.last_page_rows import last_page_rows
from larder.stages.parse.index_rows.links import (
    Link,
    coarse_pattern,
    fine_pattern,
    item_links,
    outbound_links,
    row_pattern,
)
from larder.stages.parse.index_rows.row_classes import with_rows_of_same_class
from larder.stages.parse.index_rows.row_links import links_of_rows
from larder.stages.parse.index_rows.row_prices import RowPrices
from larder.stages.parse.index_rows.row_shapes import rows_like

MAX_GROUPS = 150
MAX_BLOCKS = 2_000
OTHER_FOLDERS_WEIGHT = 0.7
MIXED_DISCOUNT = 0.1
MIN_OUTSIDE_ROWS = 5
MIN_PRICED_SHARE = 0.6
BARE, RICH = 0.8, 2.0
"""Most that a block of a menu shows on average, and least that one with picture, text and price does."""
MIN_PATTERN_SHARE, MIN_UNPRICED_SHARE = 0.15, 0.25
MIN_RICH_ROWS = 5
"""Minimum blocks of a rich list that a longer menu does not hide."""


@dataclass(frozen=True, slots=True)
class Block:
    """One row: its elements, and the link to its item."""

    elements: tuple[Element, ...]
    link: Link
    price: str = ""

    @property
    def element(self) -> Element:
        """The first element of the row."""
        return self.elements[0]


def row_blocks(page: Page) -> list[Block]:
    """The rows of the page's own list, in document order; none if it has no list."""
    amounts, links = RowPrices(page), page.cached(item_links)
    known = _blocks_of_known_shape(page, amounts)
    found = known if 0 < len(known) < MIN_ROWS else _list_with_prices(page, links, amounts)
    if known and {each.link.key for each in known}.isdisjoint(each.link.key for each in found):
        found = known  # a menu that is longer than the last page's rows
    return _without_related_items(page, found or _last_page_blocks(page, amounts))


def _list_with_prices(page: Page, links: Sequence[Link], amounts: RowPrices) -> list[Block]:
    """The largest list; if it has no prices and only a box names its own, the largest by all amounts."""
    found = _largest_list(links, amounts, page)
    if not amounts.holders or any(block.price for block in found) or not _has_unnamed_prices(page):
        return found
    by_any_amount = _largest_list(links, RowPrices(page, by_name=False), page)
    priced = sum(bool(block.price) for block in by_any_amount)
    return by_any_amount if priced >= max(MIN_ROWS, MIN_PRICED_SHARE * len(by_any_amount)) else found


def _has_unnamed_prices(page: Page) -> bool:
    return len(page.cached(currency_texts)) > len(page.cached(elements_with_amounts))


def _without_related_items(page: Page, found: list[Block]) -> list[Block]:
    """Removes the few rows below a heading for other items, such as recently viewed ones."""
    others = page.cached(related_items) if found else frozenset()
    own = [each for each in found if others.isdisjoint(each.link.chain)] if others else found
    return own if len(own) > len(found) / 2 else found


def outbound_blocks(page: Page) -> list[Block]:
    """The rows of a list of links to other sites; a short list, or one without prices, is advertising."""
    found = _largest_list(page.cached(outbound_links), RowPrices(page))
    priced = sum(bool(block.price) for block in found)
    return found if len(found) >= MIN_OUTSIDE_ROWS and priced >= MIN_PRICED_SHARE * len(found) else []


def _largest_list(all_links: Sequence[Link], amounts: RowPrices, page: Page | None = None) -> list[Block]:
    best: tuple[float, float, list[Element]] = (0.0, 0.0, [])
    rich: tuple[float, list[Element]] = (0.0, [])
    aside = OutsideListCache()
    for links in _groups(all_links):
        uniformity = _uniformity(links)
        most = len(links) * MAX_RICHNESS * uniformity
        if most <= best[0] and (best[1] > BARE or most <= rich[0]):  # cannot win, whatever its blocks show
            continue
        found = _largest_elements(links)
        mixed = 1.0 - MIXED_DISCOUNT * (
            1.0 - uniformity
        )  # prefers uniform links between lists of equal score
        rows, richness = score_of(found, amounts, aside) if len(found) >= MIN_ROWS else (0.0, 0.0)
        score = rows * richness * uniformity * mixed
        if score > best[0]:
            best = (score, richness, found)
        if score > rich[0] and richness >= RICH and len(found) >= MIN_RICH_ROWS:
            rich = (score, found)
    chosen = rich[1] if best[1] <= BARE and rich[1] else best[2]
    return _with_links_and_prices(all_links, chosen, amounts, page) if chosen else []


def _blocks_of_known_shape(page: Page, amounts: RowPrices) -> list[Block]:
    """The rows with the structure of rows on earlier pages of the index."""
    rows = rows_like(page, page.row_shapes)
    prices = amounts.of(part for parts, _ in rows for part in parts)
    return [Block(parts, link, next(filter(None, map(prices.get, parts)), "")) for parts, link in rows]


def _last_page_blocks(page: Page, amounts: RowPrices) -> list[Block]:
    named = last_page_rows(page, page.cached(item_links))
    prices = amounts.of(row for row, _ in named)
    return [Block((row,), link, prices.get(row, "")) for row, link in named]


def _groups(links: Sequence[Link]) -> list[list[Link]]:
    """Groups links by place, and by place and address shape; groups with most different targets first."""
    groups: dict[tuple[str, str], dict[str, list[tuple[int, Link]]]] = {}
    for at, link in enumerate(links):
        for shape in ("", fine_pattern(link.url)):
            groups.setdefault((link.path, shape), {}).setdefault(link.key, []).append((at, link))
    groups_of_size = {
        (path, tuple(group)): group for (path, _), group in groups.items() if len(group) >= MIN_ROWS
    }
    large = sorted(groups_of_size.values(), key=len, reverse=True)
    return [_one_link_a_target(list(group.values())) for group in large[:MAX_GROUPS]]


def _one_link_a_target(found: Sequence[Sequence[tuple[int, Link]]]) -> list[Link]:
    """Keeps one link for each target: the one from the largest group, as a sidebar repeats only a few."""
    if all(each[0][1].chain[1:2] == each[-1][1].chain[1:2] for each in found):
        return [each[0][1] for each in found]
    nodes = ({node for _, link in each for node in link.chain} for each in found)
    around = Counter(chain.from_iterable(nodes))
    chosen = (max(each, key=lambda link: sum(around[node] for node in link[1].chain)) for each in found)
    return [link for _, link in sorted(chosen)]


def _uniformity(links: Sequence[Link]) -> float:
    """The share of addresses with the same pattern; other folders count less."""
    own = Counter(row_pattern(link.url) for link in links).most_common(1)[0][1]
    coarse = Counter(coarse_pattern(link.url) for link in links).most_common(1)[0][1]
    return max(own, OTHER_FOLDERS_WEIGHT * coarse) / len(links) if coarse >= MIN_ROWS else 0.0


def _largest_elements(links: Sequence[Link]) -> list[Element]:
    """The largest element around each link that contains no other of these links."""
    paths = [link.chain for link in links]
    links_within = Counter(chain.from_iterable(paths))
    tops = [
        next(at for at, node in enumerate([*path, None]) if node is None or links_within[node] > 1)
        for path in paths
    ]
    if not tops:
        return []
    depth = Counter(len(path) - top for path, top in zip(paths, tops, strict=True)).most_common(1)[0][0]
    found = [_at_depth(path, top, depth) for path, top in zip(paths, tops, strict=True)]
    return list(dict.fromkeys(element for element in found if element is not None))


def _at_depth(path: Sequence[Element], top: int, depth: int) -> Element | None:
    """The element at the most frequent depth, for a link that is alone in a larger container."""
    at = min(max(len(path) - depth, 0), top) - 1 if len(path) - top < depth else top - 1
    return path[at] if at >= 0 else None


def _with_links_and_prices(
    all_links: Sequence[Link], found: Sequence[Element], amounts: RowPrices, page: Page | None
) -> list[Block]:
    rows = _without_excluded_rows(with_rows_of_same_class(found))
    extents = row_elements(rows)
    chosen = links_of_rows(all_links, extents)
    prices = amounts.of(part for parts in extents.values() for part in parts)
    if page is not None:
        chosen |= _links_to_other_sites(page, extents, chosen, prices)
    complete = [
        Block(extents[row], chosen[row], next((prices[part] for part in extents[row] if part in prices), ""))
        for row in rows
        if row in chosen
    ]
    return _without_outliers(_one_a_target(complete))


def _links_to_other_sites(
    page: Page,
    extents: dict[Element, tuple[Element, ...]],
    chosen: dict[Element, Link],
    prices: dict[Element, str],
) -> dict[Element, Link]:
    """Rows without a link to this site, as a board shows a partner's rows; a few of them are advertising."""
    left = {row: parts for row, parts in extents.items() if row not in chosen}
    priced = {row: parts for row, parts in left.items() if any(part in prices for part in parts)}
    if len(priced) < MIN_OUTSIDE_ROWS:
        return {}
    found = links_of_rows(page.cached(outbound_links), priced)
    sites = Counter(registrable_domain(link.url) for link in found.values())
    return {
        row: link for row, link in found.items() if sites[registrable_domain(link.url)] >= MIN_OUTSIDE_ROWS
    }


def _without_excluded_rows(rows: Sequence[Element]) -> list[Element]:
    """Removes rows outside of the list, and advertising."""
    is_outside = OutsideListCache()
    kept = [row for row in rows if row.parent is not None and not is_outside(row)]
    announcements = notice_rows(kept)
    return [row for row in kept if row not in announcements and not is_sponsored(row)][:MAX_BLOCKS]


def _one_a_target(found: Sequence[Block]) -> list[Block]:
    """Keeps one row for each target: its first with a price, else its first, as pages may repeat rows."""
    by_key: dict[str, Block] = {}
    for block in found:
        if (known := by_key.get(block.link.key)) is None or (block.price and not known.price):
            by_key[block.link.key] = block
    return list(by_key.values())


def _without_outliers(found: Sequence[Block]) -> list[Block]:
    """Removes blocks whose link has a rare pattern and that lack the price that most blocks have.

    Beside priced things even a few such blocks are advertising: gift cards, guides.
    """
    if len(found) < MIN_ROWS:
        return []
    pattern_counts = Counter(coarse_pattern(block.link.url) for block in found)
    most_priced = sum(bool(block.price) for block in found) >= 0.7 * len(found)
    common = [
        block
        for block in found
        if (block.price and most_priced)
        or pattern_counts[coarse_pattern(block.link.url)]
        >= (MIN_UNPRICED_SHARE if most_priced else MIN_PATTERN_SHARE) * len(found)
    ]
    return common if len(common) >= MIN_ROWS else []
