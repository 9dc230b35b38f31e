"""Learns a site's profile from fetched pages, compared with the general reading of its source."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from larder.core.model.item import Extracted, Failed, Item
from larder.core.model.job import Purpose
from larder.core.model.site_profile import PROFILE, SELECTORS, ReadingChoice, SiteProfile, applied_profile
from larder.core.model.source import Source
from larder.engine.processing.meaning import meaning_on
from larder.sdk.adapter import SiteAdapter
from larder.sdk.urls import registrable_domain
from larder.stages.parse import parse
from larder.stages.parse.profile.learn import (
    MAX_DETAIL_PAGES,
    DetailSample,
    IndexSample,
    learn_site_profile,
    profile_fields,
    unproven_fields,
)
from larder.stages.parse.repair import Sample, read_proposed

T = TypeVar("T")

ASKED_PAGES = 5
"""Detail pages that are requested before a source has run."""


def general_source(source: Source) -> Source:
    """The source without its profile; declarations of a person stay."""
    profile = applied_profile(source.params)
    learned = profile.selectors if profile else {}
    declared = {
        name: part for name, part in (source.params.get(SELECTORS) or {}).items() if name not in learned
    }
    params = {name: value for name, value in source.params.items() if name not in (SELECTORS, PROFILE)}
    return replace(source, params={**params, **({SELECTORS: declared} if declared else {})})


def row_urls(source: Source, adapter: SiteAdapter, index: Sample) -> list[str]:
    """The addresses of the detail pages of an index page's rows, on the same site."""
    site = registrable_domain(index.page.url)
    rows = _items(_read(general_source(source), adapter, index, Purpose.INDEX))
    urls = dict.fromkeys(str(row.fields.get("url") or "") for row in rows)
    return [url for url in urls if registrable_domain(url) == site and url != index.page.url]


def evenly_spread(found: Sequence[T], limit: int = MAX_DETAIL_PAGES) -> Sequence[T]:
    """As many detail pages as a profile is learned from, from the first to the last."""
    return found[:: max(1, len(found) // limit)][:limit]


def detail_urls(source: Source, adapter: SiteAdapter, index: Sample) -> Sequence[str]:
    """The detail pages to request and to learn from: fewer than if they were stored already."""
    return evenly_spread(row_urls(source, adapter, index), ASKED_PAGES)


def learn_profile(
    source: Source,
    adapter: SiteAdapter,
    index: Sample,
    details: Sequence[Sample],
    *,
    now: datetime,
    proposed: Mapping[str, Sequence[str]] | None = None,
    only_better: bool = False,
) -> SiteProfile | None:
    """The profile with its samples, decided if its proof is good; None if nothing could be learned.

    `proposed`: selectors proposed by a language model, by path. `only_better`: None, too, if no profile can
    read better than the general reading.
    """
    source = general_source(source)
    page, pages = _samples(source, adapter, index, details)
    candidates = read_proposed("detail", proposed or {})
    understand = meaning_on(source, index=False)
    profile = learn_site_profile(
        source.kind, page, pages, understand, proposed=candidates, only_better=only_better
    )
    if profile is None:
        return None
    declared = source.params.get(SELECTORS) or {}
    selectors = {name: part for name, part in profile.selectors.items() if name not in declared}
    reading_ = ReadingChoice.PROFILE if profile.proven else ReadingChoice.UNDECIDED
    return replace(
        profile, selectors=selectors, reading=reading_, learned_at=now.isoformat(timespec="seconds")
    )


def fields_to_ask_for(
    source: Source, adapter: SiteAdapter, index: Sample, details: Sequence[Sample]
) -> dict[str, tuple[str, ...]]:
    """Fields whose place on the detail pages is not proven, with their values in the rows."""
    source = general_source(source)
    page, pages = _samples(source, adapter, index, details)
    return unproven_fields(source.kind, page, pages, meaning_on(source, index=False))


def _samples(
    source: Source, adapter: SiteAdapter, index: Sample, details: Sequence[Sample]
) -> tuple[IndexSample, list[DetailSample]]:
    reading = _read(source, adapter, index, Purpose.INDEX)
    following = reading.next_page if isinstance(reading, Extracted) else None
    page = IndexSample(sample=index, rows=_items(reading), next_url=following.url if following else "")
    return page, [DetailSample(sample=each, general=_detail(source, adapter, each)) for each in details]


def _read(source: Source, adapter: SiteAdapter, sample: Sample, purpose: Purpose) -> Extracted | Failed:
    return parse(sample.page, source=source, adapter=adapter, purpose=purpose)


def _items(reading: Extracted | Failed) -> tuple[Item, ...]:
    return reading.items if isinstance(reading, Extracted) else ()


def _detail(source: Source, adapter: SiteAdapter, sample: Sample) -> Mapping[str, Any]:
    items = _items(_read(source, adapter, sample, Purpose.DETAIL))
    if len(items) != 1:
        return {}
    fields = items[0].fields
    return {**profile_fields(source.kind, fields), "currency": fields.get("currency")}
