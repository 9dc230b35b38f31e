"""Index rows that look as they did when their page was last read mean what they meant then.

Discovery reads the top of an index every half hour, and nearly every row of it is as it was. Normalizing is
deterministic, so its result is remembered for each row of each index page's last reading. What depends on
the time of the fetch (a date in words) is never remembered; what could not be stored is judged afresh.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from larder.core.model.item import Dropped, Item, Quarantined, Staged
from larder.stages.normalize import Context
from larder.store.database.json_safe import dumps

Normalized = Staged | Dropped | Quarantined
NormalizeItem = Callable[[Item], Normalized]

RELATIVE_DATES = frozenset({"posted_at", "available_from", "starts_at", "ends_at", "date_text"})
"""Raw fields that may say "yesterday"."""
MAX_PAGES = 512
"""Index pages whose rows are remembered; the one that was read longest ago is forgotten first."""
_ANY_TIME = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True, kw_only=True)
class RowCache:
    """What the rows of index pages came to."""

    pages: int = MAX_PAGES
    _pages: OrderedDict[tuple[str, str, Context], dict[bytes, Staged]] = field(default_factory=OrderedDict)

    def judge(
        self, items: Sequence[Item], judge: NormalizeItem, *, adapter: str, version: str, context: Context
    ) -> list[Normalized]:
        """The same as judging each, but what is remembered is not worked out again."""
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
