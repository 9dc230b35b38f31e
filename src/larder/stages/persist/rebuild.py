"""Rewrites the history of records from pages that were read again.

Nothing is deleted: versions and facts that no longer hold become void, and new ones are written with the
time at which their page was fetched. Idempotent: pages with the same values change nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from larder.stages.persist import rows, tombstones, void
from larder.stages.persist.batch import persist
from larder.stages.persist.known_records import KnownRecords, known_to
from larder.stages.persist.listed_shows import as_listed
from larder.stages.persist.record_fold import (
    PageItems,
    RecordKey,
    RecordMention,
    WorkingRecord,
    mentions_of,
    shared_addresses,
)
from larder.stages.persist.timeline import Difference, Timeline
from larder.stages.persist.unchanged_page import seen_again
from larder.store.database import Connection, micros
from larder.store.database.statement import in_batches
from larder.store.dataset import history, sightings, timelines, voids
from larder.store.dataset.history import NewObservation, NewVersion, VersionRow
from larder.store.dataset.sightings import PageSighting
from larder.store.dataset.timelines import ConfirmedObservation, ObservationRow


@dataclass(slots=True, kw_only=True)
class Rebuilt:
    """The changes that a replayed batch of pages makes, or would make."""

    new: int = 0
    """Records that nobody knew of."""
    versions: int = 0
    facts: int = 0
    overlaid: int = 0
    """Versions and facts that give way."""
    differences: list[Difference] = field(default_factory=list)


def rebuild(conn: Connection, batch: Sequence[PageItems], *, now: datetime, write: bool) -> Rebuilt:
    """Fold these pages into their records' history; without `write`, only return what would change."""
    mentions = tombstones.without_erased(conn, [mention for page in batch for mention in mentions_of(page)])
    mentions = as_listed(conn, mentions)
    known = known_to(conn, mentions)
    unknown = {m.record_key for m in mentions if m.record_key not in known}
    if write and unknown:
        persist(conn, [_with_items_of(page, unknown) for page in batch], now=now)
        known = known_to(conn, mentions)
    worked_out = [line.work_out() for line in _timelines(conn, batch, mentions, known)]
    if write:
        _write(conn, worked_out, now=now)
        _store_sightings(conn, batch, mentions, known)
    return Rebuilt(
        new=len(unknown),
        versions=sum(len(line.written) for line in worked_out),
        facts=sum(len(line.observed) for line in worked_out),
        overlaid=sum(len(line.overlaid) + len(line.unobserved) for line in worked_out),
        differences=[difference for line in worked_out for difference in line.differences],
    )


def _with_items_of(page: PageItems, keys: set[RecordKey]) -> PageItems:
    """A page with those of its items that are about these."""
    items = [m.staged for m in mentions_of(page) if m.record_key in keys]
    return replace(page, staged=items, shared=shared_addresses(page))


def _timelines(
    conn: Connection, batch: Sequence[PageItems], mentions: Sequence[RecordMention], known: KnownRecords
) -> list[Timeline]:
    pages = frozenset(page.page_id for page in batch)
    found = {
        i: Timeline(record_id=i, key="", pages=pages) for i in timelines.records_shown_on(conn, sorted(pages))
    }
    for mention in mentions:
        record = known.get(mention.record_key)
        if record is not None and record.id is not None:
            line = found.setdefault(record.id, Timeline(record_id=record.id, key=record.key, pages=pages))
            line.key = record.key
            line.mentions.append(mention)
    for ids in in_batches(sorted(found)):
        _load_timelines(conn, {i: found[i] for i in ids})
    return [found[i] for i in sorted(found)]


def _load_timelines(conn: Connection, lines: dict[int, Timeline]) -> None:
    mentions: dict[int, list[VersionRow]] = {i: [] for i in lines}
    facts: dict[int, list[ObservationRow]] = {i: [] for i in lines}
    for row in timelines.list_versions(conn, list(lines)):
        mentions[row.record_id].append(row)
    for fact in timelines.list_observations(conn, list(lines)):
        facts[fact.record_id].append(fact)
    for i, line in lines.items():
        line.versions, line.facts = mentions[i], facts[i]


def _write(conn: Connection, lines: Sequence[Timeline], *, now: datetime) -> None:
    overlaid = [row.id for line in lines for row in line.overlaid]
    unobserved = [row.id for line in lines for row in line.unobserved]
    voids.void_replaced(conn, overlaid, unobserved, now=now)
    versions = [_version(line, mention) for line in lines for mention in line.written]
    history.add_versions(conn, versions, now=now)
    history.add_observations(conn, [row for line in lines for row in _facts(line)])
    timelines.confirm_observations(
        conn,
        [
            ConfirmedObservation(fact.row.id, micros(fact.confirmed_at))
            for line in lines
            for fact in line.confirmed
            if fact.row
        ],
    )
    moved = [line.record_id for line in lines if line.written or line.overlaid]
    moved += [line.record_id for line in lines if line.observed or line.unobserved]
    void.refold_touched(conn, sorted(set(moved)), now=now)


def _version(line: Timeline, mention: RecordMention) -> NewVersion:
    record = WorkingRecord(id=line.record_id, source=mention.page.source, key=line.key)
    return rows.version_of_mention(record, mention)


def _facts(line: Timeline) -> list[NewObservation]:
    """Rows of facts, not current; which fact is current is computed once all are written."""
    versions = []
    for fact, current in line.observed:
        if current.statement is not None:
            at, page, (amount, word) = micros(current.statement.at), current.statement, current.value
            versions.append(
                NewObservation(
                    record_id=line.record_id,
                    field=fact,
                    amount=amount,
                    word=word,
                    run_id=page.run_id,
                    page_id=page.page_id,
                    adapter_version=page.adapter_version,
                    observed_at=at,
                    confirmed_at=micros(current.confirmed_at),
                    superseded_at=at,
                )
            )
    return versions


def _store_sightings(
    conn: Connection, batch: Sequence[PageItems], mentions: Sequence[RecordMention], known: KnownRecords
) -> None:
    """Store sightings at the pages' own times; freshness changes only for records not seen since."""
    shown: dict[int, list[int]] = {page.page_id: [] for page in batch}
    for mention in mentions:
        record = known.get(mention.record_key)  # none: an index row that says too little for a record
        if record is not None and record.id is not None and record.id not in shown[mention.page.page_id]:
            shown[mention.page.page_id].append(record.id)
    for page in sorted(batch, key=lambda page: page.fetched_at):
        ids = shown[page.page_id]
        late = timelines.unseen_since(conn, [(i, page.fetched_at) for i in ids])
        sightings.mark_seen(conn, seen_again(page, sorted(late)))
    timelines.delete_sightings(conn, list(shown))
    sightings.add(
        conn,
        [
            PageSighting(p.source.id, p.run_id, p.page_id, p.number, micros(p.fetched_at), shown[p.page_id])
            for p in batch
            if shown[p.page_id]
        ],
    )
