"""`extract`: everything that can be read from one page. Items are normalized but not judged."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from larder.core.model.item import Failed, Item, NextPage
from larder.core.model.record import Availability
from larder.core.model.source import Kind
from larder.extraction.reading import adapter_item, context_of, page_at, read_as_likely_kind
from larder.sdk import SiteAdapter
from larder.stages.normalize import Context
from larder.stages.normalize.fields import common_fields, resolve_url
from larder.stages.normalize.kinds import own_fields
from larder.stages.normalize.money import price_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The fields of a page, or why there are none."""

    ok: bool
    reason: str | None = None
    details: str = ""
    strategy: str = ""
    items: tuple[dict[str, Any], ...] = ()
    last: bool | None = None
    next_page: NextPage | None = None
    advertised: int | None = None
    notes: tuple[str, ...] = ()


def extract(
    html: bytes | str,
    *,
    url: str | None,
    kind: Kind | str | None = None,
    adapter: str | None = None,
    now: datetime | None = None,
) -> Extraction:
    """Everything that can be read from one page; `kind` and `adapter` are detected if not given."""
    reading = read_as_likely_kind(page_at(html, url), kind=kind, adapter=adapter)
    result = reading.result
    if isinstance(result, Failed):
        return Extraction(ok=False, reason=result.reason, details=result.details, notes=result.notes)
    context = context_of(reading, now)
    return Extraction(
        ok=True,
        strategy=result.strategy,
        items=_presume_stock([_fields(item, reading.reader, context) for item in result.items], context.kind),
        last=result.last,
        next_page=result.next_page,
        advertised=result.advertised,
        notes=result.notes,
    )


def _fields(item: Item, reader: SiteAdapter, context: Context) -> dict[str, Any]:
    """An item's fields as a record would have them, whether or not validation would accept them."""
    raw = adapter_item(item, reader).fields
    fields = common_fields(raw, context.base_url)
    fields |= own_fields(raw, fields, context)
    money = price_fields(raw, context)
    url = resolve_url(raw.get("url"), context.base_url)
    values = {**fields, **money.fields, **({"url": url} if url else {})}
    return values | _PRESUMED if raw.get("buyable") and "availability" not in values else values


_PRESUMED: dict[str, Any] = {"availability": Availability.IN_STOCK.value, "presumed": ["availability"]}


def _presume_stock(items: list[dict[str, Any]], kind: Kind) -> tuple[dict[str, Any], ...]:
    """Mark a product with a price and unknown stock as in stock, presumed; only here."""
    if kind is Kind.PRODUCT and len(items) == 1 and "price" in items[0] and "availability" not in items[0]:
        return (items[0] | _PRESUMED,)
    return tuple(items)
