"""Checks after every run whether selectors still read what they read before.

Nothing is normalized here. It may fail without cause (the full check then shows that), but what passes is
read right: rows are found, each field about as often as before, and most known rows have the same value in
every field.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from larder.sdk.selectors import Part, read_selectors
from larder.stages.parse.declared import SKIPPED_ELEMENTS
from larder.stages.parse.repair.known_values import Sample

MIN_SHARE = 0.5
MIN_KNOWN_ROWS = 2
"""Known rows that must be found again before they are compared."""
_NAMES = ("url", "platform_id", "sku", "title")

ItemsByName = Mapping[str, Mapping[str, Any]]


def reads_as_before(
    name: str, declared: Mapping[str, Any], old: Sequence[Sample], new: Sequence[Sample]
) -> bool:
    """Whether a part of a declaration reads new pages as it read old ones."""
    part: Part = getattr(read_selectors({name: declared}), name)
    before, now = _items(part, old), _items(part, new)
    if not before or not now or len(now) * len(old) < MIN_SHARE * len(before) * len(new):
        return False
    if part.next is not None and _goes_on(part, old) and not _goes_on(part, new):
        return False
    shares, earlier_shares = _shares(now), _shares(before)
    if any(shares.get(field, 0) < MIN_SHARE * share for field, share in earlier_shares.items()):
        return False
    pairs = [(before[key], now[key]) for key in before.keys() & now.keys()]
    return len(pairs) < MIN_KNOWN_ROWS or all(_is_unchanged(field, pairs) for field in earlier_shares)


def _items(part: Part, samples: Sequence[Sample]) -> ItemsByName:
    """The values read, by a name that identifies them on other pages."""
    found: dict[str, Mapping[str, Any]] = {}
    for sample in samples:
        for row in part.rows(sample.page.tree):
            raw = part.read(row, SKIPPED_ELEMENTS)
            name = next((raw[each] for each in _NAMES if each in raw), "") if part.row else sample.address
            if raw:
                found[str(name)] = raw
    return found


def _shares(items: ItemsByName) -> dict[str, float]:
    times = Counter(field for raw in items.values() for field in raw)
    return {field: many / len(items) for field, many in times.items()}


def _is_unchanged(field: str, rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> bool:
    pairs = [(before[field], now.get(field)) for before, now in rows if field in before]
    return sum(bool(before == now) for before, now in pairs) >= MIN_SHARE * len(pairs)


def _goes_on(part: Part, samples: Sequence[Sample]) -> bool:
    return any(part.next is not None and part.next.read(each.page.tree) for each in samples)
