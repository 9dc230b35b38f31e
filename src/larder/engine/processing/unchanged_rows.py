"""Caches normalized rows of index pages.

Discovery reads the top of an index every half hour, and nearly every row is unchanged, though new rows move
it from page to page. Normalizing is deterministic, so the result is reused on any page of the source. Rows
with dates relative to the fetch ("yesterday") are never cached, nor are rows that were not stored.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.item import Dropped, Item, Quarantined, Staged
from larder.sdk.urls import origin
from larder.stages.normalize import Context
from larder.store.content_digest import digest
from larder.store.json_safe import dumps

Normalized = Staged | Dropped | Quarantined
NormalizeItem = Callable[[Item], Normalized]
Surroundings = tuple[str, str, Context]
"""What a result depends on besides the row: the adapter, its version, and the page or the site."""
NormalizedRows = dict[bytes, Staged]
"""Normalized rows, by the row as the page shows it."""
Generation = dict[Surroundings, NormalizedRows]

RELATIVE_DATES = frozenset({"posted_at", "available_from", "starts_at", "ends_at", "date_text"})
"""Raw fields that may be relative to the time of the fetch."""
MAX_ROWS = 20_000
"""Rows of one generation; the last two generations are cached."""
_ANY_TIME = datetime.min.replace(tzinfo=UTC)
_FROM_ROOT = ("/", "https://", "http://")
"""The start of an address that is the same on every page of an origin."""


@dataclass(slots=True, kw_only=True)
class RowCache:
    """Normalized rows of index pages; rows that were not read since `rows` others are dropped."""

    rows: int = MAX_ROWS
    _recent: Generation = field(default_factory=dict)
    _before: Generation = field(default_factory=dict)
    _added: int = 0

    def judge(
        self, items: Sequence[Item], judge: NormalizeItem, *, adapter: str, version: str, context: Context
    ) -> list[Normalized]:
        """Normalize items; rows of an index page that are cached are not normalized again."""
        if not context.index:
            return [judge(item) for item in items]
        here = replace(context, observed_at=_ANY_TIME)
        anywhere = replace(here, base_url=_origin(here.base_url))
        self._drop_old()
        on_page = self._rows_of((adapter, version, here))
        on_site = self._rows_of((adapter, version, anywhere))
        return [self._one(item, judge, on_site if _is_same_anywhere(item) else on_page) for item in items]

    def _drop_old(self) -> None:
        if self._added >= self.rows:
            self._recent, self._before, self._added = {}, self._recent, 0

    def _rows_of(self, surroundings: Surroundings) -> tuple[NormalizedRows, NormalizedRows]:
        return self._recent.setdefault(surroundings, {}), self._before.get(surroundings, {})

    def _one(
        self, item: Item, judge: NormalizeItem, rows: tuple[NormalizedRows, NormalizedRows]
    ) -> Normalized:
        if not RELATIVE_DATES.isdisjoint(item.fields):
            return judge(item)
        recent, before = rows
        name = dumps([item.fields, item.strategy, item.strategies, item.score])
        if (known := recent.get(name)) is not None:
            return known
        judged = before.get(name) or _with_digest(judge(item))
        if isinstance(judged, Staged):
            recent[name] = judged
            self._added += 1
        return judged


def _origin(url: str) -> str:
    """What an address from the root is relative to; the page itself if its URL has a user name or no host."""
    try:
        return url if "@" in url else origin(url)
    except BadInput:
        return url


def _with_digest(judged: Normalized) -> Normalized:
    return replace(judged, digest=digest(judged.fields)) if isinstance(judged, Staged) else judged


def _is_same_anywhere(item: Item) -> bool:
    """Whether all addresses of the row are the same on every page of the origin."""
    url = item.fields.get("url")
    return isinstance(url, str) and all(each.startswith(_FROM_ROOT) for each in (url, *_images(item.fields)))


def _images(fields: Mapping[str, Any]) -> Iterator[str]:
    images = fields.get("images", ())
    for image in images if isinstance(images, list | tuple) else (images,):
        yield str(image.get("url") if isinstance(image, Mapping) else image)
