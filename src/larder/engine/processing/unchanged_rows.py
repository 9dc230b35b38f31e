"""Caches normalized rows of index pages.

Discovery reads the top of an index every half hour, and nearly every row is unchanged. Normalizing is
deterministic, so the result of each row of a page's last reading is reused. Rows whose dates are relative to
the fetch ("yesterday") are never cached, nor are rows that were not stored.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from larder.core.model.item import Dropped, Item, Quarantined, Staged
from larder.stages.normalize import Context
from larder.store.json_safe import dumps

Normalized = Staged | Dropped | Quarantined
NormalizeItem = Callable[[Item], Normalized]

RELATIVE_DATES = frozenset({"posted_at", "available_from", "starts_at", "ends_at", "date_text"})
"""Raw fields that may be relative to the time of the fetch."""
MAX_PAGES = 512
"""Index pages whose rows are cached; the least recently read is dropped first."""
_ANY_TIME = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True, kw_only=True)
class RowCache:
    """Normalized rows of index pages."""

    pages: int = MAX_PAGES
    _pages: OrderedDict[tuple[str, str, Context], dict[bytes, Staged]] = field(default_factory=OrderedDict)

    def judge(
        self, items: Sequence[Item], judge: NormalizeItem, *, adapter: str, version: str, context: Context
    ) -> list[Normalized]:
        """Normalize items; rows of an index page that are cached are not normalized again."""
        if not context.index:
            return [judge(item) for item in items]
        page = (adapter, version, replace(context, observed_at=_ANY_TIME))
        before = self._pages.pop(page, {})
        now: dict[bytes, Staged] = {}
        judged = [self._one(item, judge, before, now, context.observed_at) for item in items]
        self._pages[page] = now
        if len(self._pages) > self.pages:
            self._pages.popitem(last=False)
        return judged

    @staticmethod
    def _one(
        item: Item, judge: NormalizeItem, before: dict[bytes, Staged], now: dict[bytes, Staged], at: datetime
    ) -> Normalized:
        if not RELATIVE_DATES.isdisjoint(item.fields):
            return judge(item)
        name = dumps([item.fields, item.strategy, item.strategies, item.score])
        known = before.get(name)
        judged = judge(item) if known is None else replace(known, observed_at=at)
        if isinstance(judged, Staged):
            now[name] = judged
        return judged
