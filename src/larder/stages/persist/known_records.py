"""Finds the stored records that a batch of pages mentions: by key, fingerprint or address."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from larder.core.model.identity import show_fingerprint
from larder.core.model.record import Observed
from larder.stages.persist.record_fold import RecordKey, RecordMention, WorkingRecord, from_store
from larder.store.database import Connection, micros
from larder.store.dataset import history, pins, records
from larder.store.dataset.record_rows import KnownRecord

KnownRecords = dict[RecordKey, WorkingRecord]


def stored_by_key(conn: Connection, mentions: Iterable[RecordMention]) -> dict[RecordKey, KnownRecord]:
    """The records that are stored under the keys of a batch."""
    rows = records.by_key(conn, list({m.record_key: None for m in mentions}))
    return {(row.source_id, row.identity_key): row for row in rows}


def known_to(
    conn: Connection,
    mentions: Sequence[RecordMention],
    stored: Mapping[RecordKey, KnownRecord] | None = None,
) -> KnownRecords:
    """The stored records of a batch, by the batch's keys; `stored`: those of its keys, where looked up."""
    by_key = {m.record_key: m for m in mentions}
    stored = stored_by_key(conn, mentions) if stored is None else stored
    known: KnownRecords = {
        place: from_store(stored[place], m.page.source) for place, m in by_key.items() if place in stored
    }
    shows = [m for m in by_key.values() if show_name(m)]
    unknown = [m for place, m in by_key.items() if place not in known]
    found = records.by_fingerprint(conn, [*_prints(unknown), *_show_prints(shows)])
    _match_prints(known, unknown, found, lambda m: m.staged.fingerprint)
    _match_prints(known, shows, found, show_name)
    unknown = [m for place, m in by_key.items() if place not in known]
    _match_days(known, unknown, found)
    unknown = [m for place, m in by_key.items() if place not in known]
    _match_addresses(known, unknown, records.by_url(conn, _urls(unknown)))
    _read_contents(conn, known, mentions)
    _read_pins(conn, known)
    return known


def _prints(unknown: Iterable[RecordMention]) -> list[RecordKey]:
    pairs = [(m, name) for m in unknown for name in (m.staged.fingerprint, m.staged.day_fingerprint)]
    return [(m.page.source.id, name) for m, name in pairs if name]


def _show_prints(shows: Iterable[RecordMention]) -> list[RecordKey]:
    return [(m.page.source.id, name) for m in shows if (name := show_name(m))]


def show_name(mention: RecordMention) -> str | None:
    """The fingerprint with time of a row that is the only one of its day.

    The last of a day's shows may be listed under the address that all of them had: its time identifies it.
    A row with a key of the site needs none.
    """
    staged = mention.staged
    if not mention.is_row or staged.day_fingerprint or not staged.fingerprint or not staged.clock:
        return None
    return show_fingerprint(staged.fingerprint, staged.clock) if mention.key.startswith("URL:") else None


def _urls(unknown: Iterable[RecordMention]) -> list[RecordKey]:
    return sorted({(m.page.source.id, m.address) for m in unknown if m.address})


def _match_prints(
    known: KnownRecords,
    mentions: Sequence[RecordMention],
    rows: Sequence[KnownRecord],
    print_of: Callable[[RecordMention], str | None],
) -> None:
    """A stored event of the same fingerprint is the same event, under however many addresses."""
    by_print = {(row.source_id, row.fingerprint): row for row in rows}
    for mention in mentions:
        source = mention.page.source
        row = by_print.get((source.id, print_of(mention)))
        if row is not None:
            own = (source.id, row.identity_key)
            known[mention.record_key] = known.setdefault(own, from_store(row, source))


def _match_days(known: KnownRecords, unknown: Sequence[RecordMention], rows: Sequence[KnownRecord]) -> None:
    """Match a day's only event with one of its shows now: that of the same time, or any if it had none."""
    by_print = {(row.source_id, row.fingerprint): row for row in rows}
    for mention in unknown:
        source = mention.page.source
        row = by_print.get((source.id, mention.staged.day_fingerprint or ""))
        if row is None or (source.id, row.identity_key) in known or not _is_start(row, mention):
            continue
        record = from_store(row, source)
        known[source.id, row.identity_key] = known[source.id, mention.key] = record


def _is_start(row: KnownRecord, mention: RecordMention) -> bool:
    starts = datetime.fromisoformat(str(mention.staged.fields["starts_at"]))
    if starts.tzinfo is None:
        return False
    midnight = starts.replace(hour=0, minute=0, second=0, microsecond=0)
    return row.starts_at in (micros(starts), micros(midnight))


def _match_addresses(
    known: KnownRecords, unknown: Sequence[RecordMention], rows: Sequence[KnownRecord]
) -> None:
    """The one record that is known under the address of an unknown thing is that thing, its key changed.

    An address that several records have identifies none of them. Events of a series share theirs: one that
    this run saw is not the one of another day.
    """
    by_url: dict[RecordKey, list[KnownRecord]] = {}
    for row in rows:
        by_url.setdefault((row.source_id, row.canonical_url or ""), []).append(row)
    for mention in unknown:
        source = mention.page.source
        found = by_url.get((source.id, mention.address or ""), [])
        if len(found) == 1 and not (
            mention.staged.fingerprint and found[0].seen_by_run == mention.page.run_id
        ):
            own = (source.id, found[0].identity_key)
            known[source.id, mention.key] = known.setdefault(own, from_store(found[0], source))


def _read_contents(conn: Connection, known: KnownRecords, mentions: Sequence[RecordMention]) -> None:
    """Content is read only where a page may change it."""
    needed = {
        record.id: record
        for m in mentions
        if (record := known.get((m.page.source.id, m.key)))
        and record.id is not None
        and not (m.is_row and m.digest == record.row_hash)
    }
    for record_id, content in records.load_contents(conn, list(needed)).items():
        needed[record_id].content = content


def _read_pins(conn: Connection, known: KnownRecords) -> None:
    """Read pinned values; what pages say of them is still compared with what they said before."""
    pinned = {record.id: record for record in known.values() if record.pinned and record.id is not None}
    if not pinned:
        return
    for row in pins.by_record(conn, list(pinned)):
        pinned[row.record_id].pins[row.field] = row.value
    for record in pinned.values():
        record.facts.clear()
    for fact in history.list_current_facts(conn, list(pinned)):
        pinned[fact.record_id].facts[Observed(fact.field)] = (fact.amount, fact.word)
