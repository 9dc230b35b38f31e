"""Working records as rows of their tables, each in the order its statement takes."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from larder.core.policy.freshness import RATES, sighted
from larder.stages.persist.record_fold import MOST_CHARACTERS, Mention, WorkingRecord
from larder.store.tables.columns import micros


def new(record: WorkingRecord) -> tuple[Any, ...]:
    """A new record, for `records.add`."""
    first, latest = record.mentions[0], max(m.page.fetched_at for m in record.mentions)
    born = (
        micros(first.page.fetched_at),
        micros(latest),
        micros(record.discovered_at) if record.discovered_at else None,
        first.page.run_id,
    )
    who = (record.source.id, first.staged.kind, record.key, first.staged.fingerprint)
    return (*who, *columns(record), *_evidence(record), *born)


def columns(record: WorkingRecord) -> tuple[Any, ...]:
    """In the order of `records.COLUMNS`."""
    said = [m.staged for m in record.versions]
    url = next((s.url for s in reversed(said) if s.url), None)
    canonical_url = next((s.canonical_url for s in reversed(said) if s.canonical_url), None)
    details = [m for m in record.told if not m.is_row]
    return (
        *content_columns(record.content, url=url, canonical_url=canonical_url),
        record.content_hash,
        record.row_hash,
        details[-1].page.page_id if details else None,
        micros(record.detailed_at) if record.detailed_at else None,
    )


def content_columns(
    content: dict[str, Any], *, url: str | None, canonical_url: str | None
) -> tuple[Any, ...]:
    """What a record's columns say, from its content."""
    return (
        _word(content.get("platform_id")),
        content.get("url") or url,
        canonical_url,
        _word(content.get("title")) or "",
        content.get("price_minor"),
        content.get("currency"),
        content.get("availability"),
        _word(content.get("seller")),
        _word(content.get("category")),
        _word(content.get("brand")),
        content.get("rating"),
        content.get("latitude"),
        content.get("longitude"),
        _instant(content.get("starts_at")),
        _instant(content.get("ends_at")),
        content,
    )


def _word(value: Any) -> str | None:
    return None if value is None else str(value)[:MOST_CHARACTERS]


def _instant(value: Any) -> int | None:
    if not isinstance(value, str):
        return None
    parsed = datetime.fromisoformat(value)
    return micros(parsed) if parsed.tzinfo else None


def _evidence(record: WorkingRecord) -> tuple[int, int, int, int, int]:
    """In the order `records` takes it: base, rate, anchored_at, shown_until, dead_at."""
    latest = max(m.page.fetched_at for m in record.mentions)
    return _anchored(latest, RATES[record.source.tier])


@lru_cache(maxsize=256)
def _anchored(at: datetime, rate: int) -> tuple[int, int, int, int, int]:
    """The same for every row of a page, so worked out once."""
    fresh = sighted(at, rate)
    return (
        fresh.base,
        fresh.rate,
        micros(fresh.anchored_at),
        micros(fresh.shown_until),
        micros(fresh.dead_at),
    )


def seen(record: WorkingRecord) -> tuple[Any, ...]:
    """A sighting, for `records.seen`."""
    latest = max(record.mentions, key=lambda m: m.page.fetched_at)
    discovered = micros(record.discovered_at) if record.discovered_at else None
    return (record.id, latest.page.run_id, micros(latest.page.fetched_at), discovered, *_evidence(record))


def read(record: WorkingRecord) -> tuple[int, str | None, int | None, int | None]:
    """A record read again with the same content, for `records.rows_read`."""
    details = [m.page for m in record.told if not m.is_row]
    scraped = (micros(details[-1].fetched_at), details[-1].page_id) if details else (None, None)
    return (record.id or 0, record.row_hash, *scraped)


def version(record: WorkingRecord, mention: Mention) -> tuple[Any, ...]:
    """A snapshot of what a page said, for `history.add_versions`."""
    page = mention.page
    return (
        record.id,
        page.run_id,
        page.page_id,
        page.source.adapter,
        page.adapter_version,
        page.purpose,
        dict(mention.staged.fields),
        dict(mention.staged.strategies) or None,
        micros(page.fetched_at),
    )


def observations(record: WorkingRecord) -> list[tuple[Any, ...]]:
    """The record's new facts; of several of one kind in a batch only the last one stays current."""
    rows: list[tuple[Any, ...]] = []
    for i, seen in enumerate(record.observed):
        page = seen.mention.page
        later = [o for o in record.observed[i + 1 :] if o.fact is seen.fact]
        ends = micros(later[0].mention.page.fetched_at) if later else None
        whence = (page.run_id, page.page_id, page.adapter_version)
        times = (micros(page.fetched_at), micros(seen.confirmed_at), ends)
        rows.append((record.id, seen.fact, *seen.value, *whence, *times))
    return rows


def changes(record: WorkingRecord, *, born: bool = False) -> list[tuple[Any, ...]]:
    """What the change feed tells of a record: each change of its content, in order."""
    who = (record.id, record.source.id)
    happened: list[tuple[Any, ...]] = [] if record.active else [(*who, "back", None)]
    for i, mention in enumerate(record.versions):
        facts = {seen.fact.value: list(seen.value) for seen in record.observed if seen.mention is mention}
        is_new = born and i == 0
        happened.append((*who, "new" if is_new else "changed", None if is_new else facts or None))
    return happened
