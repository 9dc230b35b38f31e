"""What did a page yield, and does it count for drift?

Only pages that could have been read count: a blocked or empty page is an outage, an out-of-stock product
without a price is expected. A page without a valid item counts as failed, unless its items were duplicates
or forbidden. An unchanged page counts with the yield of its last reading.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from larder.core.model.outcome import DropReason, FailReason

OUTAGES = frozenset({FailReason.BLOCKED_PAGE, FailReason.EMPTY_PAGE})
MIN_COMPARED = 20
BLAMELESS = frozenset({DropReason.DUPLICATE_WITHIN_RUN, DropReason.BLOCKED_BY_ROBOTS_TXT})


@dataclass(frozen=True, slots=True, kw_only=True)
class PageYield:
    """Counts over pages: URLs attempted and failed; items extracted, dropped, valid; prices of 0.

    Index pages are counted once more by themselves: a run reads few of them and many pages of one item each,
    in a mixture that changes from run to run, so that only what they list can be held against what is usual.
    """

    attempted: int = 0
    failed: int = 0
    extracted: int = 0
    dropped: int = 0
    valid: int = 0
    zero_prices: int = 0
    index_pages: int = 0
    listed: int = 0
    """Valid items on them."""
    compared: int = 0
    """Values that two readings gave: row and detail page, or profile and general reading."""
    agreed: int = 0
    unknown_stock: int = 0
    """Products whose own page does not state their stock: dropped as drift counts, stored as `unknown`."""

    def __add__(self, other: "PageYield") -> "PageYield":
        return PageYield(**{name: getattr(self, name) + getattr(other, name) for name in _COUNTS})

    @property
    def failure_rate(self) -> float:
        """URLs failed / attempted."""
        return _share(self.failed, self.attempted)

    @property
    def drop_rate(self) -> float:
        """Items dropped / extracted."""
        return _share(self.dropped, self.extracted)

    @property
    def yield_rate(self) -> float:
        """Valid items / URLs attempted."""
        return _share(self.valid, self.attempted)

    @property
    def fill(self) -> float:
        """Valid items on a page: on an index page, where there were any."""
        return _share(self.listed, self.index_pages) if self.index_pages else self.yield_rate

    @property
    def of_own_pages(self) -> int:
        """Valid items of detail pages, and products of unknown stock among them."""
        return self.valid - self.listed + self.unknown_stock

    @property
    def agreement(self) -> float | None:
        """The share of values that two readings agreed on; None where too few were compared."""
        return _share(self.agreed, self.compared) if self.compared >= MIN_COMPARED else None

    def of_index(self) -> "PageYield":
        """The same counts, as those of index pages."""
        return replace(self, index_pages=self.attempted, listed=self.valid)


NO_YIELD = PageYield()
_COUNTS = tuple(field.name for field in fields(PageYield))


def _share(part: int, total: int) -> float:
    return part / total if total else 0.0


def yield_of_failed_page(reason: FailReason) -> PageYield:
    """The yield of a page that was fetched and could not be read."""
    if reason in OUTAGES or reason is FailReason.OOS_NO_PRICE:
        return NO_YIELD
    return PageYield(attempted=1, failed=1)


def yield_of_read_page(
    *, extracted: int, valid: int, drops: Mapping[DropReason, int] | None = None, zero_prices: int = 0
) -> PageYield:
    """The yield of a page that was read, from its items, valid items, and reasons for drops."""
    drops = drops or {}
    expected = drops.get(DropReason.OOS_NO_PRICE, 0)
    if extracted and extracted == expected:
        return NO_YIELD
    blameless = expected + sum(drops.get(reason, 0) for reason in BLAMELESS)
    return PageYield(
        attempted=1,
        failed=int(not valid and extracted > blameless),
        extracted=extracted - expected,
        dropped=sum(drops.values()) - expected,
        valid=valid,
        zero_prices=zero_prices,
    )
