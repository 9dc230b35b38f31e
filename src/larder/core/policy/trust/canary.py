"""May a new version of an adapter become the active one?

It reads stored pages that the active version read before. What differs is an error of one version or the
other, and a person decides which. Prices and dates must not differ at all; in other fields a small share
may.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any

from larder.core.plurals import plural

PAGES = 50
"""Stored pages of each purpose that are read again."""
UNREADABLE_MAX = 0.02
"""Share of pages that cannot be read any more."""
VANISHED_MAX = 0.02
"""Share of items that are not found any more."""
LOST_MAX = 0.05
"""Share of items that lose a field they had."""
CHANGED_MAX = 0.1
"""Share of items whose value of a field differs."""
EXACT = frozenset({"price", "price_minor", "currency", "availability", "starts_at"})
"""Fields that must not differ."""
YOUNG = timedelta(days=1)
"""The age below which a source is still being set up: what its operator declares is not refused."""
SAMPLES = 20


class CanaryState(StrEnum):
    """The state of the version that would read a source's pages."""

    PROVEN = "proven"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDiff:
    """One field over all items that both versions found."""

    field: str
    had: int = 0
    """Items for which the active version had a value."""
    changed: int = 0
    lost: int = 0
    gained: int = 0

    @property
    def differs(self) -> bool:
        """Whether some item has another value, lost it or gained it."""
        return bool(self.changed or self.lost or self.gained)


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceSample:
    """One difference, as an example."""

    page: int
    url: str
    item: str
    field: str
    was: Any
    now: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The candidate's reading of stored pages, compared with the active version's."""

    pages: int = 0
    without_body: int = 0
    """Pages whose bodies are no longer stored."""
    unreadable: int = 0
    items: int = 0
    vanished: int = 0
    appeared: int = 0
    zero_prices: int = 0
    fields: Sequence[FieldDiff] = ()
    samples: Sequence[DifferenceSample] = field(default=())

    @property
    def differs(self) -> bool:
        """Whether the candidate differs from the active version in anything."""
        moved = any(diff.differs for diff in self.fields)
        return moved or bool(self.unreadable or self.vanished or self.appeared or self.zero_prices)


def objections(seen: Comparison) -> tuple[str, ...]:
    """Objections to the candidate; empty: it may become active."""
    return tuple(_objections(seen))


def _objections(seen: Comparison) -> Iterator[str]:
    if seen.unreadable > UNREADABLE_MAX * seen.pages:
        yield f"{seen.unreadable} of {seen.pages} pages can no longer be read"
    if seen.vanished > VANISHED_MAX * seen.items:
        yield f"{seen.vanished} of {seen.items} items are no longer found"
    if seen.zero_prices:
        yield f"a price of 0 is read {plural(seen.zero_prices, 'time')}"
    for diff in seen.fields:
        yield from _field_objections(diff)


def _field_objections(diff: FieldDiff) -> Iterator[str]:
    if diff.lost > LOST_MAX * diff.had:
        yield f"{diff.field} is lost in {diff.lost} of {diff.had} items"
    if diff.changed > (0 if diff.field in EXACT else CHANGED_MAX * diff.had):
        yield f"{diff.field} differs in {diff.changed} of {diff.had} items"


def field_diffs(pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> tuple[FieldDiff, ...]:
    """(before, now) of each item → the outcome of each field, by name."""
    names = sorted({name for pair in pairs for text in pair for name in text})
    return tuple(_field(name, pairs) for name in names)


def _field(name: str, pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> FieldDiff:
    both = [(before.get(name), now.get(name)) for before, now in pairs]
    return FieldDiff(
        field=name,
        had=sum(before is not None for before, _ in both),
        changed=sum(before is not None and now is not None and before != now for before, now in both),
        lost=sum(before is not None and now is None for before, now in both),
        gained=sum(before is None and now is not None for before, now in both),
    )
