"""Writes a batch of pages into the dataset with a fixed number of statements, however many rows they have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from larder.core.errors import Category, Transient
from larder.core.model.identity import performance_key
from larder.core.model.image import images_of, images_wanted
from larder.core.model.record import Observed
from larder.core.model.run import NewRecord
from larder.core.policy.trust.agreement import NONE_COMPARED, Agreement, readings_agree
from larder.stages.persist import price_jumps, rows, tombstones
from larder.stages.persist.known_records import KnownRecords, known_to, show_name, stored_by_key
from larder.stages.persist.listed_shows import as_listed
from larder.stages.persist.price_jumps import PriceJump
from larder.stages.persist.record_fold import PageItems, RecordKey, RecordMention, WorkingRecord, mentions_of
from larder.stages.persist.series import across_pages
from larder.stages.persist.unchanged_rows import find_unchanged, write_unchanged
from larder.store.database import Connection, micros, moment_or_none
from larder.store.dataset import changes, history, records, sightings
from larder.store.dataset.record_rows import ChangedRecord, KnownRecord
from larder.store.dataset.sightings import PageSighting
from larder.store.pages import images


@dataclass(slots=True, kw_only=True)
class Persisted:
    """What persisting one page found out."""

    new: list[NewRecord] = field(default_factory=list)
    incomplete: list[NewRecord] = field(default_factory=list)
    """Rows of unknown things that say too little to be records."""
    postponed: list[NewRecord] = field(default_factory=list)
    """Of such rows, those whose own page was asked for lately and did not help."""
    discovered_at: list[datetime | None] = field(default_factory=list)
    """Of each known row: when a discovery first saw it."""
    doubled: list[str] = field(default_factory=list)
    """Of each row that this run had seen under another address: its title and its address."""
    updated: int = 0
    unchanged: int = 0
    ids: list[int] = field(default_factory=list)
    """The records the page spoke of, in its order."""
    price_changed: bool = False
    price_jumps: Sequence[PriceJump] = ()
    """Prices that were held back."""
    agreement: Agreement = NONE_COMPARED
    """How far a detail page says what its record's rows and earlier pages say."""


def persist(conn: Connection, batch: Sequence[PageItems], *, now: datetime) -> dict[int, Persisted]:
    """Write a batch; what each page (by job) found out."""
    mentions = [mention for page in batch for mention in mentions_of(page)]
    mentions = as_listed(conn, across_pages(conn, tombstones.without_erased(conn, mentions)))
    stored = stored_by_key(conn, mentions)
    same = find_unchanged(mentions, stored)
    rest = [mention for mention in mentions if mention.record_key not in same]
    known = known_to(conn, rest, stored)
    rest, jumps = price_jumps.hold_back(conn, rest, known, now=now)
    found = {page.job_id: Persisted(price_jumps=jumps.get(page.job_id, ())) for page in batch}
    named: Named = {}
    read = iter(rest)
    by_job = [
        (m.page.job_id, _seen_again(same[m.record_key].record, found[m.page.job_id]))
        if m.record_key in same
        else (m.page.job_id, _fold(known, named, next(read), found[m.page.job_id]))
        for m in mentions
    ]
    folded = [(job_id, record) for job_id, record in by_job if record is not None]
    touched = list({id(r): r for _, r in folded if isinstance(r, WorkingRecord)}.values())
    _write(conn, touched, now=now)
    write_unchanged(conn, [(m.page, same[m.record_key]) for m in mentions if m.record_key in same])
    for job_id, record in folded:
        found[job_id].ids.append(record.id or 0)
    _write_sightings(conn, batch, found)
    for record in touched:
        for seen in record.observed:
            found[seen.mention.page.job_id].price_changed |= seen.fact is Observed.PRICE and seen.changed
    return found


def _seen_again(row: KnownRecord, persisted: Persisted) -> KnownRecord:
    """An unchanged row of a known record."""
    persisted.discovered_at.append(moment_or_none(row.discovered_at))
    persisted.unchanged += 1
    return row


Named = dict[RecordKey, WorkingRecord]
"""Records of this batch by their fingerprint; without one, by an address that is theirs alone."""


def _fold(
    known: KnownRecords, named: Named, mention: RecordMention, persisted: Persisted
) -> WorkingRecord | None:
    """The record after one mention of it, known or new; None where that says too little for a new one."""
    source_id = mention.page.source.id
    place = (source_id, mention.key)
    name = (source_id, mention.staged.fingerprint or mention.address or "")
    record = known.get(place) or named.get(name) or named.get((source_id, show_name(mention) or ""))
    if record is None and not mention.staged.complete:
        row = NewRecord(
            identity_key=mention.key, url=_own_page(mention), incomplete=True, lacks=mention.staged.lacks
        )
        persisted.incomplete.append(row)
        return None
    if record is None:
        record = known[place] = WorkingRecord(id=None, source=mention.page.source, key=mention.key)
        record.fold(mention)
        persisted.new.append(NewRecord(identity_key=mention.key, url=_own_page(mention)))
    else:
        persisted.discovered_at.append(record.discovered_at)
        if not mention.is_row:
            persisted.agreement += readings_agree(record.content, mention.staged.fields)
        _fold_again(record, mention, persisted)
    if name[1]:
        named.setdefault(name, record)
    if mention.page.discovers and record.discovered_at is None:
        record.discovered_at = mention.page.fetched_at
    return record


def _fold_again(record: WorkingRecord, mention: RecordMention, persisted: Persisted) -> None:
    """Fold a mention onto a known record, and count the result."""
    double = record.is_double(mention)
    changed = record.fold(mention)
    persisted.updated += changed
    persisted.unchanged += not changed and not double
    if double:
        fields = mention.staged.fields
        day = str(fields.get("starts_at") or "")[:10]
        name = " ".join(filter(None, (str(fields.get("title") or mention.key), day)))
        persisted.doubled.append(f"{name} was shown before, not under {mention.staged.url}")


def _own_page(mention: RecordMention) -> str | None:
    """The address of a record's own page; None for performances and shows, which share the production's."""
    staged = mention.staged
    if staged.day_fingerprint and mention.address is None:
        return None
    day = str(staged.fields.get("starts_at") or "")[:10]
    is_performance = staged.canonical_url and mention.key == performance_key(staged.canonical_url, day)
    return None if is_performance else staged.url


def _write(conn: Connection, touched: Sequence[WorkingRecord], *, now: datetime) -> None:
    new = [record for record in touched if record.id is None]
    existing = [record for record in touched if record.id is not None]
    _insert(conn, new, now=now)
    records.update_contents(
        conn, [ChangedRecord(r.id or 0, rows.record_columns(r)) for r in existing if r.changed], now=now
    )
    records.mark_rows_read(conn, [rows.read_again_row(r) for r in existing if r.read and not r.changed])
    sightings.mark_seen(conn, [rows.sighting_of(r) for r in existing])
    records.mark_ended(conn, rows.ended_records(touched))
    history.add_versions(conn, [rows.version_of_mention(r, m) for r in touched for m in r.versions], now=now)
    history.confirm_fields(
        conn,
        [
            history.ConfirmedFact(r.id or 0, fact, micros(at))
            for r in existing
            for fact, at in r.confirmed.items()
        ],
    )
    history.add_observations(conn, [row for r in touched for row in rows.new_observations(r)])
    folded = [row for r in new for row in rows.feed_changes(r, is_new_record=True)]
    changes.add(conn, folded + [row for r in existing for row in rows.feed_changes(r)], now=now)
    _queue_images(conn, [r for r in touched if images_wanted(r.source.params)], now=now)


def _queue_images(conn: Connection, touched: Sequence[WorkingRecord], *, now: datetime) -> None:
    """Queue images of records that were read or came back, where their source wants images."""
    shown = {r.id or 0: images_of(r.content, images_wanted(r.source.params)) for r in touched if r.read}
    images.set_images(conn, shown, now=now)
    images.requeue_released(conn, [r.id or 0 for r in touched if not r.active], now=now)


def _insert(conn: Connection, new: Sequence[WorkingRecord], *, now: datetime) -> None:
    ids = records.add(conn, [rows.new_row(record) for record in new], now=now)
    for record in new:
        record.id = ids.get((record.source.id, record.key))
        if record.id is None:
            raise Transient(f"{record.key} was written by another process meanwhile", category=Category.DB)


def _write_sightings(conn: Connection, batch: Sequence[PageItems], found: Mapping[int, Persisted]) -> None:
    """Which records each page showed, in the page's order."""
    shown = [
        PageSighting(p.source.id, p.run_id, p.page_id, p.number, micros(p.fetched_at), found[p.job_id].ids)
        for p in batch
        if found[p.job_id].ids and p.stands_for_records
    ]
    sightings.add(conn, shown)
