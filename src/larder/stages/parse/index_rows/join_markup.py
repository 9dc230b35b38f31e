"""Joins the markup of an index page with its visible list: one item a row, with the fields of both.

Markup is surer about a value, the visible list about which rows there are. Rows are paired by address, by
number or by title. Markup that describes few of many visible rows, or none of them, is not the list.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from larder.core.accents import without_accents
from larder.core.model.item import Item
from larder.sdk.page import Page
from larder.stages.parse.amounts import SIGN
from larder.stages.parse.index_rows.merge_duplicates import merge_duplicates
from larder.stages.parse.index_rows.visible import visible_rows

MIN_VISIBLE_ROWS = 5
"""Minimum blocks that count as a list against the markup; with known row shapes, one is enough."""
MIN_PAIRED_SHARE = 0.5
"""Share of the markup's items that must be paired with a visible row for both to be the same list."""
MIN_MARKUP_ITEMS = 3
LABEL_SHARE = 0.2
MAX_UNPAIRED_SHARE = 0.4
"""Maximum share of an embedded state's objects that are not rows."""
MIN_ID = 4
MIN_TRUNCATED_TITLE = 30
"""Minimum characters of a title that markup may have cut off."""

_WORD = re.compile(r"\w+")
_SIGN = re.compile(SIGN)


def join_with_visible_rows(page: Page, items: Sequence[Item], *, from_state: bool) -> Sequence[Item]:
    """The rows of an index from its markup (or embedded state) joined with its visible list."""
    items, rows = merge_duplicates(page, items), page.cached(visible_rows)
    if not rows:
        return items
    fewest = 1 if page.row_shapes else MIN_VISIBLE_ROWS
    pairs = _Pairs.of(items, rows)
    labels = _shared_titles(items)
    together = [
        _item_with_row_fields(item, rows[at], labels) if (at := pairs.row_of.get(n)) is not None else item
        for n, item in enumerate(items)
    ]
    if len(pairs.row_of) < MIN_PAIRED_SHARE * len(items) or not pairs.row_of:
        return (
            _visible_completed(rows, pairs, together)
            if _is_visible_better(rows, items, from_state, fewest)
            else items
        )
    if from_state and (_are_few_unpaired(items, pairs) or _are_all_rows_paired(rows, pairs, fewest)):
        together = [item for n, item in enumerate(together) if n in pairs.row_of or "url" in item.fields]
    return _with_unpaired_rows(rows, pairs, together) if len(rows) > len(items) else together


def _are_few_unpaired(items: Sequence[Item], pairs: "_Pairs") -> bool:
    return len(items) - len(pairs.row_of) <= MAX_UNPAIRED_SHARE * len(items)


def _are_all_rows_paired(rows: Sequence[Item], pairs: "_Pairs", fewest: int) -> bool:
    """Whether each visible row has its object; the state's other objects (map markers) are on other pages."""
    return len(rows) >= fewest and len(pairs.item_of) == len(rows)


def _is_visible_better(rows: Sequence[Item], items: Sequence[Item], from_state: bool, fewest: int) -> bool:
    """Whether the visible list is the page's, and the markup describes something else."""
    if len(rows) < fewest:
        return False
    priced = sum("price" in row.fields for row in rows) >= MIN_PAIRED_SHARE * len(rows)
    if from_state:
        return priced or len(rows) >= len(items)
    return len(rows) >= len(items) and (
        priced or len(items) < MIN_MARKUP_ITEMS or any("url" not in each.fields for each in items)
    )


def _shared_titles(items: Sequence[Item]) -> frozenset[str]:
    """Titles that many items share: they name a category, not an item."""
    counts = Counter(str(item.fields.get("title", "")) for item in items)
    return frozenset(title for title, count in counts.items() if count > max(2, LABEL_SHARE * len(items)))


def _visible_completed(rows: Sequence[Item], pairs: "_Pairs", together: Sequence[Item]) -> Sequence[Item]:
    """The visible list, each row completed from the markup."""
    return [together[n] if (n := pairs.item_of.get(at)) is not None else row for at, row in enumerate(rows)]


def _with_unpaired_rows(rows: Sequence[Item], pairs: "_Pairs", together: Sequence[Item]) -> Sequence[Item]:
    """The markup's rows and the visible rows that are not in it, each once."""
    linked = all("url" in item.fields for item in together)
    if not linked and len(pairs.row_of) < len(together):
        return together
    return [*together, *(row for at, row in enumerate(rows) if at not in pairs.item_of)]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pairs items of the markup with visible rows; each is used at most once."""

    row_of: dict[int, int]
    item_of: dict[int, int]

    @classmethod
    def of(cls, items: Sequence[Item], rows: Sequence[Item]) -> "_Pairs":
        by_name: dict[str, list[int]] = {}
        for at, row in enumerate(rows):
            for name in _match_keys(row, row.fields.get("url")):
                by_name.setdefault(name, []).append(at)
        row_of, item_of = dict[int, int](), dict[int, int]()
        for n, item in enumerate(items):
            named = (at for name in _match_keys(item, item.fields.get("url")) for at in by_name.get(name, ()))
            found = next((at for at in named if at not in item_of), None)
            if found is not None:
                row_of[n], item_of[found] = found, n
        pairs = cls(row_of, item_of)
        pairs.add_cut_titles(items, rows)
        return pairs

    def add_cut_titles(self, items: Sequence[Item], rows: Sequence[Item]) -> None:
        """Pairs a remaining item and row if one title begins with the other: one of them is cut off."""
        left = _by_title_start(n for n in enumerate(items) if n[0] not in self.row_of)
        right = _by_title_start(at for at in enumerate(rows) if at[0] not in self.item_of)
        for beginning, found in left.items():
            shown = right.get(beginning, [])
            if len(found) == len(shown) == 1:
                self.row_of[found[0]], self.item_of[shown[0]] = shown[0], found[0]


def _by_title_start(items: Iterable[tuple[int, Item]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, item in items:
        if title := _normalized_title(str(item.fields.get("title") or ""))[:MIN_TRUNCATED_TITLE]:
            found.setdefault(title, []).append(at)
    return found


def _match_keys(item: Item, url: Any) -> Iterable[str]:
    """The keys that identify a row, the surest first: its address, numbers and slugs in it, its title."""
    path = (
        url.partition("#")[0].partition("?")[0].partition("://")[2].rstrip("/").casefold()
        if isinstance(url, str)
        else ""
    )
    if path:
        yield f"url {url.partition('://')[2].partition('#')[0].rstrip('/').casefold()}"
        yield f"path {path}"
        last = path.rpartition("/")[2].rpartition(".")[0] or path.rpartition("/")[2]
        yield from (f"id {each}" for each in (last, *re.findall(r"\d{4,}", last)) if len(each) >= MIN_ID)
    for name in ("platform_id", "sku", "slug"):
        counts = str(item.fields.get(name) or "").casefold()
        if len(counts) >= MIN_ID:
            yield f"id {counts}"
    if title := _normalized_title(str(item.fields.get("title") or "")):
        yield f"title {title}"


def _normalized_title(title: str) -> str:
    """A title in lower case, without accents and punctuation."""
    return " ".join(_WORD.findall(without_accents(title.casefold())))


def _is_truncated(title: str, shown: str) -> bool:
    """Whether this is the beginning of the card's full title."""
    return (
        len(title) >= MIN_TRUNCATED_TITLE
        and len(shown) > len(title)
        and shown.casefold().startswith(title.casefold().rstrip(".… "))
    )


def _item_with_row_fields(item: Item, row: Item, labels: frozenset[str]) -> Item:
    """The markup's item completed from the card."""
    lacking = {name: value for name, value in row.fields.items() if name not in item.fields}
    title = str(item.fields.get("title", ""))
    if title in labels or _is_truncated(title, str(row.fields["title"])):
        lacking["title"] = row.fields["title"]
    if (
        "price" in item.fields
        and "currency" not in item.fields
        and not _SIGN.search(str(item.fields["price"]))
    ):
        sign = _SIGN.search(str(row.fields.get("price", "")))
        lacking |= {"currency": sign[0]} if sign else {}
    origins = dict.fromkeys(lacking, row.strategy)
    return replace(
        item,
        fields={**item.fields, **lacking},
        strategies={**item.strategies, **origins},
        block=item.block or row.block,
    )
