"""Scores a list's blocks by what they show: text, a picture, a heading and a price.

A row may consist of several elements (`dt` and `dd`, two `tr`s): it extends up to the next one.
"""

from collections.abc import Sequence
from itertools import islice

from turbohtml import Element

from larder.stages.parse.index_rows.counted_rows import counted_rows
from larder.stages.parse.index_rows.excluded_rows import OutsideListCache
from larder.stages.parse.index_rows.row_links import ANY_HEADING, HEADINGS
from larder.stages.parse.index_rows.row_prices import RowPrices

MIN_ROWS = 3
"""Minimum elements of equal structure in a list."""
SAMPLED_BLOCKS = 8
MAX_NODES = 1_500
MAX_TEXT = 8_000
MIN_TEXT = 3
ENOUGH_TEXT = 150
MAX_RICHNESS = 3.21
"""Upper bound of a block's score: text, picture, heading and price."""
MAX_FOLLOWING = 6
MIN_PARTED_SHARE = 0.7
"""Minimum share of rows followed by other elements, for rows that consist of several elements."""


def score_of(found: Sequence[Element], amounts: RowPrices, is_aside: OutsideListCache) -> tuple[float, float]:
    """The rows that a set of blocks counts, and what a sample of them shows on average."""
    extents = row_elements(found)
    step = max(1, len(found) // SAMPLED_BLOCKS)
    sample = found[::step][: SAMPLED_BLOCKS + 1]
    shown = [_richness(extents[element], amounts) for element in sample if not is_aside(element)]
    return counted_rows(found, sample, amounts.holders), sum(shown) / len(sample)


def _richness(parts: Sequence[Element], amounts: RowPrices) -> float:
    if any(next(islice(part.descendants, MAX_NODES, None), None) is not None for part in parts):
        return 0.0
    text = sum(len(" ".join(part.text.split())) for part in parts)
    if not MIN_TEXT <= text <= MAX_TEXT:
        return 0.0
    picture = any(part.select_one("img, picture, [style*=background]") is not None for part in parts)
    heading = any(part.tag in HEADINGS or part.select_one(ANY_HEADING) is not None for part in parts)
    price = any(part in amounts.holders for part in parts)
    return min(text, ENOUGH_TEXT) / ENOUGH_TEXT + 0.6 * picture + 0.4 * heading + 1.2 * price


def row_elements(rows: Sequence[Element]) -> dict[Element, tuple[Element, ...]]:
    """Extends each row up to the next one if rows consist of several elements (`dt`, two `tr`s)."""
    row_set, alone = set(rows), 0
    following: dict[Element, tuple[Element, ...]] = {}
    for row in rows if len(rows) >= MIN_ROWS else ():
        parts = following[row] = _elements_until_next_row(row, row_set)
        alone += not parts
        if len(rows) - alone < MIN_PARTED_SHARE * len(rows):
            break  # too few rows have following elements, whatever the others have
    if len(following) - alone < MIN_PARTED_SHARE * len(rows):
        return {row: (row,) for row in rows}
    return {row: (row, *following[row]) for row in rows}


def _elements_until_next_row(row: Element, rows: set[Element]) -> tuple[Element, ...]:
    parts: list[Element] = []
    for node in islice(row.next_siblings, 4 * MAX_FOLLOWING):
        if not isinstance(node, Element) or next(iter(node.stripped_strings), None) is None:
            continue
        if node in rows:
            return tuple(parts)
        parts.append(node)
        if len(parts) > MAX_FOLLOWING:
            return ()
    return tuple(parts[:1])
