"""Chooses how to read a page without a source: adapter, kind, language, time zone and currency."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from larder import adapters
from larder.core.model.item import Dropped, Extracted, Failed, Item, Quarantined
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.sdk import Page, SiteAdapter
from larder.sdk.urls import is_http, registrable_domain
from larder.stages.normalize.context import Context
from larder.stages.normalize.time_zones import zone_of_address
from larder.stages.parse import parse
from larder.stages.parse.page_kind import kind_of, purposes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialReading:
    """How a page was read, and its outcome."""

    page: Page
    reader: SiteAdapter
    source: Source
    purpose: Purpose
    result: Extracted | Failed


def page_at(html: bytes | str, url: str | None) -> Page:
    """The page at its address; without one, at the address that it declares."""
    page = Page(url or "", html)
    if not url:
        address = page.markup.canonical or page.meta().get("og:url") or ""
        page.url = address if is_http(address) else ""
    return page


def read_as_likely_kind(
    page: Page,
    *,
    kind: Kind | str | None,
    adapter: str | None,
    params: Mapping[str, Any] | None = None,
) -> TrialReading:
    """Read the page as the likelier of detail and index page; if that finds nothing, as the other."""
    reader = adapters.find(adapter) if adapter else adapters.by_domain(registrable_domain(page.url) or "")
    page_kind = Kind(kind) if kind else reader.kind if reader else kind_of(page)
    reader = reader if reader is not None and reader.kind is page_kind else adapters.find(page_kind)
    source = Source(
        id=0, slug="page", name="page", kind=page_kind, site_id=0, adapter=reader.id, url=page.url,
        params=params or {},
    )  # fmt: skip
    readings: list[TrialReading] = []
    for purpose in _purposes(page, reader, page_kind):
        result = parse(page, source=source, adapter=reader, purpose=purpose)
        readings.append(TrialReading(page=page, reader=reader, source=source, purpose=purpose, result=result))
        if isinstance(result, Extracted) and result.items:
            return readings[-1]
    return next((reading for reading in readings if isinstance(reading.result, Extracted)), readings[0])


def _purposes(page: Page, reader: SiteAdapter, kind: Kind) -> tuple[Purpose, Purpose]:
    return purposes_of(page, kind) if reader.domain is None else (Purpose.DETAIL, Purpose.INDEX)


def context_of(reading: TrialReading, now: datetime | None) -> Context:
    """The normalization context of a page without a source."""
    page = reading.page
    zone = _zone(page, now)
    moment = now or datetime.now(UTC)
    return Context(
        source="page",
        kind=reading.source.kind,
        base_url=page.url,
        observed_at=moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone)),
        language=page.language or "en",
        tz=zone,
        index=reading.purpose is Purpose.INDEX,
    )


def _zone(page: Page, now: datetime | None) -> str:
    """The caller's zone if `now` has one with a name, else that of the page's country, else UTC."""
    zone_name = getattr(now.tzinfo, "key", None) if now is not None else None
    if zone_name and zone_name != "UTC":
        return str(zone_name)
    return zone_of_address(page.url) or "UTC"


def adapter_item(item: Item, reader: SiteAdapter) -> Item:
    """The item after the adapter's own hook, also if that would leave it out."""
    answered = reader.normalize(item)
    return answered.item if isinstance(answered, Dropped | Quarantined) else answered
