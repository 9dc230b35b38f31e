"""Converts working records into the rows that the store writes."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.core.model.record import Availability
from larder.core.model.source import Kind
from larder.core.policy.freshness import RATES, sighted
from larder.core.policy.trust.gone_wording import is_ended
from larder.stages.persist.record_fold import MAX_CHARACTERS, RecordMention, WorkingRecord
from larder.store.database import micros
from larder.store.dataset.changes import NewChange
from larder.store.dataset.freshness import FreshnessColumns
from larder.store.dataset.history import NewObservation, NewVersion
from larder.store.dataset.record_rows import (
    EndedRecord,
    FirstSighting,
    NewRecordRow,
    ReadAgain,
    RecordColumns,
    RecordIdentity,
    SightedRecord,
)


def new_row(record: WorkingRecord) -> NewRecordRow:
    """The row of a new record."""
    first, latest = record.mentions[0], max(m.page.fetched_at for m in record.mentions)
    return NewRecordRow(
        identity=RecordIdentity(record.source.id, first.staged.kind, record.key, first.staged.fingerprint),
        columns=record_columns(record),
        freshness=_freshness(record),
        sighting=FirstSighting(
            first_at=micros(first.page.fetched_at),
            last_at=micros(latest),
            discovered_at=micros(record.discovered_at) if record.discovered_at else None,
            run_id=first.page.run_id,
        ),
    )


def record_columns(record: WorkingRecord) -> RecordColumns:
    """The columns that a record's content sets."""
    staged = [m.staged for m in record.versions]
    details = [m for m in record.folded if not m.is_row]
    return content_columns(
        record.content,
        url=next((s.url for s in reversed(staged) if s.url), None),
        canonical_url=next((s.canonical_url for s in reversed(staged) if s.canonical_url), None),
        content_hash=record.content_hash,
        row_hash=record.row_hash,
        page_id=details[-1].page.page_id if details else None,
        last_scraped_at=micros(record.detailed_at) if record.detailed_at else None,
    )


def content_columns(
    content: dict[str, Any],
    *,
    url: str | None,
    canonical_url: str | None,
    content_hash: str,
    row_hash: str | None = None,
    page_id: int | None = None,
    last_scraped_at: int | None = None,
) -> RecordColumns:
    """A record's columns from its content; without a row hash the next index row is read in full."""
    return RecordColumns(
        platform_id=_short_text(content.get("platform_id")),
        url=content.get("url") or url,
        canonical_url=canonical_url,
        title=_short_text(content.get("title")) or "",
        price_minor=content.get("price_minor"),
        currency=content.get("currency"),
        availability=content.get("availability"),
        seller=_short_text(content.get("seller")),
        category=_short_text(content.get("category")),
        brand=_short_text(content.get("brand")),
        rating=content.get("rating"),
        latitude=content.get("latitude"),
        longitude=content.get("longitude"),
        starts_at=_instant(content.get("starts_at")),
        ends_at=_instant(content.get("ends_at")),
        content=content,
        content_hash=content_hash,
        row_hash=row_hash,
        page_id=page_id,
        last_scraped_at=last_scraped_at,
    )


def _short_text(value: Any) -> str | None:
    return None if value is None else str(value)[:MAX_CHARACTERS]


def _instant(value: Any) -> int | None:
    if not isinstance(value, str):
        return None
    parsed = datetime.fromisoformat(value)
    return micros(parsed) if parsed.tzinfo else None


def _freshness(record: WorkingRecord) -> FreshnessColumns:
    latest = max(m.page.fetched_at for m in record.mentions)
    return sighted_columns(latest, RATES[record.source.tier])


@lru_cache(maxsize=256)
def sighted_columns(at: datetime, rate: int) -> FreshnessColumns:
    """The freshness of a sighting; the same for every row of a page, so cached."""
    return FreshnessColumns.of(sighted(at, rate))


def sighting_of(record: WorkingRecord) -> SightedRecord:
    """The sighting of a known record."""
    latest = max(record.mentions, key=lambda m: m.page.fetched_at)
    own = next((m.page for m in record.mentions if m.page.purpose is not Purpose.INDEX), latest.page)
    return SightedRecord(
        id=record.id or 0,
        run_id=latest.page.run_id,
        at=micros(latest.page.fetched_at),
        discovered_at=micros(record.discovered_at) if record.discovered_at else None,
        same=0,
        index_url=own.index_url,
        freshness=_freshness(record),
    )


def ended_records(records: Sequence[WorkingRecord]) -> list[EndedRecord]:
    """Those whose latest mention says that they are no longer available."""
    latest = [(r, max(r.mentions, key=lambda m: m.page.fetched_at)) for r in records if r.mentions]
    return [EndedRecord(r.id or 0, micros(m.page.fetched_at)) for r, m in latest if _says_ended(m.staged)]


def _says_ended(staged: Staged) -> bool:
    """Not an event, which is cancelled or over; a product that is sold is out of stock, and may come back."""
    out_of_stock = staged.fields.get("availability") == Availability.OUT_OF_STOCK
    return staged.kind is not Kind.EVENT and not out_of_stock and is_ended(staged.fields.get("status"))


def read_again_row(record: WorkingRecord) -> ReadAgain:
    """A record read again with the same content."""
    details = [m.page for m in record.folded if not m.is_row]
    scraped = (micros(details[-1].fetched_at), details[-1].page_id) if details else (None, None)
    return ReadAgain(record.id or 0, record.row_hash, *scraped)


def version_of_mention(record: WorkingRecord, mention: RecordMention) -> NewVersion:
    """A snapshot of what a page said, for `history.add_versions`."""
    page = mention.page
    return NewVersion(
        record.id or 0,
        page.run_id,
        page.page_id,
        page.source.adapter,
        page.adapter_version,
        page.purpose,
        dict(mention.staged.fields),
        dict(mention.staged.strategies) or None,
        micros(page.fetched_at),
    )


def new_observations(record: WorkingRecord) -> list[NewObservation]:
    """The record's new facts; of several of one kind in a batch only the last one stays current."""
    rows: list[NewObservation] = []
    for i, seen in enumerate(record.observed):
        page = seen.mention.page
        later = [o for o in record.observed[i + 1 :] if o.fact is seen.fact]
        ends = micros(later[0].mention.page.fetched_at) if later else None
        amount, word = seen.value
        rows.append(
            NewObservation(
                record_id=record.id or 0,
                field=seen.fact,
                amount=amount,
                word=word,
                run_id=page.run_id,
                page_id=page.page_id,
                adapter_version=page.adapter_version,
                observed_at=micros(page.fetched_at),
                confirmed_at=micros(seen.confirmed_at),
                superseded_at=ends,
            )
        )
    return rows


def feed_changes(record: WorkingRecord, *, is_new_record: bool = False) -> list[NewChange]:
    """The change feed's rows for a record: each change of its content, in order."""
    who = (record.id or 0, record.source.id)
    happened = [] if record.active else [NewChange(*who, "back", None)]
    for i, mention in enumerate(record.versions):
        facts = {seen.fact.value: list(seen.value) for seen in record.observed if seen.mention is mention}
        is_new = is_new_record and i == 0
        happened.append(NewChange(*who, "new" if is_new else "changed", None if is_new else facts or None))
    return happened
