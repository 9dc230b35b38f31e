"""The library's front door to extraction: one page in, SPEC's fields out, without a source or a database.

    found = extract(html, url="https://shop.example/kettle")
    found.ok, found.strategy, found.items[0]["price"]

Items are normalized but not judged: what validation would drop is still shown.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from larder import adapters
from larder.core.model.item import Dropped, Extracted, Failed, Item, Quarantined
from larder.core.model.job import Purpose
from larder.core.model.record import Availability
from larder.core.model.source import Kind, Source
from larder.sdk import Page, SiteAdapter
from larder.sdk.urls import canonical_url, is_http, registrable_domain
from larder.stages.normalize.context import Context
from larder.stages.normalize.dates import parse_when
from larder.stages.normalize.fields import common_fields, resolve_url
from larder.stages.normalize.kinds import own_fields
from larder.stages.normalize.money import read_money
from larder.stages.normalize.price import parse_price
from larder.stages.parse import parse
from larder.stages.parse.recognise import kind_of, purposes_of

__all__ = ["Extraction", "canonical_url", "extract", "parse_price", "parse_when", "registrable_domain"]

_ZONES = {
    "nl": "Europe/Amsterdam", "be": "Europe/Brussels", "de": "Europe/Berlin", "at": "Europe/Vienna",
    "ch": "Europe/Zurich", "fr": "Europe/Paris", "uk": "Europe/London", "ie": "Europe/Dublin",
    "it": "Europe/Rome", "es": "Europe/Madrid", "pl": "Europe/Warsaw", "se": "Europe/Stockholm",
    "dk": "Europe/Copenhagen",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a page gave, or why it gave nothing."""

    ok: bool
    reason: str | None = None
    details: str = ""
    strategy: str = ""
    items: tuple[dict[str, Any], ...] = ()
    last: bool | None = None
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
    """Everything that can be read from one page; `kind` and `adapter` are found out where not given."""
    page = _page(html, url)
    reader = adapters.find(adapter) if adapter else adapters.by_domain(registrable_domain(page.url) or "")
    wanted = Kind(kind) if kind else reader.kind if reader else kind_of(page)
    reader = reader if reader is not None and reader.kind is wanted else adapters.find(wanted)
    result = _read(page, reader, wanted)
    if isinstance(result, Failed):
        return Extraction(ok=False, reason=result.reason, details=result.details, notes=result.notes)
    context = _context(page, wanted, now)
    return Extraction(
        ok=True,
        strategy=result.strategy,
        items=_presumed([_shown(item, reader, context) for item in result.items], wanted),
        last=result.last,
        advertised=result.advertised,
        notes=result.notes,
    )


def _page(html: bytes | str, url: str | None) -> Page:
    """The page at its address; where none is given, at the one it names itself."""
    page = Page(url or "", html)
    if not url:
        named = page.meta().get("canonical") or page.meta().get("og:url") or ""
        page.url = named if is_http(named) else ""
    return page


def _read(page: Page, reader: SiteAdapter, kind: Kind) -> Extracted | Failed:
    """As the likelier of detail and index page first; the other where that finds nothing."""
    source = Source(id=0, slug="page", name="page", kind=kind, site_id=0, adapter=reader.id, url=page.url)
    results: list[Extracted | Failed] = []
    for purpose in purposes_of(page, kind) if reader.domain is None else (Purpose.DETAIL, Purpose.INDEX):
        result = parse(page, source=source, adapter=reader, purpose=purpose)
        if isinstance(result, Extracted) and result.items:
            return result
        results.append(result)
    return next((result for result in results if isinstance(result, Extracted)), results[0])


def _context(page: Page, kind: Kind, now: datetime | None) -> Context:
    zone = _zone(page, now)
    moment = now or datetime.now(UTC)
    return Context(
        source="page",
        kind=kind,
        base_url=page.url,
        observed_at=moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone)),
        language=page.language or "en",
        tz=zone,
    )


def _zone(page: Page, now: datetime | None) -> str:
    """The caller's zone where `now` has one by name, else that of the page's country, else UTC."""
    named = getattr(now.tzinfo, "key", None) if now is not None else None
    if named and named != "UTC":
        return str(named)
    return _ZONES.get((registrable_domain(page.url) or "").rsplit(".", 1)[-1], "UTC")


def _shown(item: Item, reader: SiteAdapter, context: Context) -> dict[str, Any]:
    """An item's fields as a record would hold them, whatever validation would say."""
    answered = reader.normalize(item)
    raw = (answered.item if isinstance(answered, Dropped | Quarantined) else answered).fields
    fields = common_fields(raw, context.base_url)
    fields |= own_fields(raw, fields, context)
    money = read_money(
        raw.get("price"), currency=raw.get("currency"), default=context.currency, kind=context.kind
    )
    url = resolve_url(raw.get("url"), context.base_url)
    return {**fields, **money.fields, **({"url": url} if url else {})}


def _presumed(items: list[dict[str, Any]], kind: Kind) -> tuple[dict[str, Any], ...]:
    """A shop page that names a price and says nothing about stock sells: told as presumed, and here only."""
    if kind is Kind.PRODUCT and len(items) == 1 and "price" in items[0] and "availability" not in items[0]:
        return ({**items[0], "availability": Availability.IN_STOCK.value, "presumed": ["availability"]},)
    return tuple(items)
