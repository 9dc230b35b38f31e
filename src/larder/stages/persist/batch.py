"""A batch of pages into the dataset with a fixed number of statements, however many rows they hold."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.core.errors import Category, Transient
from larder.core.model.record import Observed
from larder.core.model.run import Arrival
from larder.core.policy.freshness import RATES, sighted
from larder.stages.persist.working import Mention, PageItems, WorkingRecord, from_store, mentions_of
from larder.store import records
from larder.store.statement import AnyRow
from larder.store.tables.columns import micros

MOST_CHARACTERS = 500


@dataclass(slots=True, kw_only=True)
class Persisted:
    """What persisting one page found out."""

    new: list[Arrival] = field(default_factory=list)
    discovered_at: list[datetime | None] = field(default_factory=list)
    """Of each known row: when a discovery first saw it."""
    updated: int = 0
    unchanged: int = 0
    ids: list[int] = field(default_factory=list)
    """The records the page spoke of, in its order."""
    price_changed: bool = False


def persist(conn: Connection, batch: Sequence[PageItems], *, now: datetime) -> dict[int, Persisted]:
    """Write a batch; what each page (by job) found out."""
    said = [mention for page in batch for mention in mentions_of(page)]
    known = _known(conn, said)
    found = {page.job_id: Persisted() for page in batch}
    for mention in said:
        _fold(known, mention, found[mention.page.job_id])
    touched = list({id(record): record for record in known.values()}.values())
    _write(conn, touched, now=now)
    _write_sightings(conn, batch, touched)
    for record in touched:
        for mention in record.mentions:
            found[mention.page.job_id].ids.append(record.id or 0)
        for seen in record.observed:
            found[seen.mention.page.job_id].price_changed |= seen.fact is Observed.PRICE and seen.changed
    return found


Known = dict[tuple[int, str], WorkingRecord]


def _fold(known: Known, mention: Mention, found: Persisted) -> None:
    place = (mention.page.source.id, mention.key)
    record = known.get(place)
    if record is None:
        record = known[place] = WorkingRecord(id=None, source=mention.page.source, key=mention.key)
        record.fold(mention)
        found.new.append(Arrival(identity_key=mention.key, url=mention.staged.url))
    else:
        found.discovered_at.append(record.discovered_at)
        changed = record.fold(mention)
        found.updated += changed
        found.unchanged += not changed
    if mention.page.discovers and record.discovered_at is None:
        record.discovered_at = mention.page.fetched_at


def _known(conn: Connection, said: Sequence[Mention]) -> Known:
    """The records that a batch speaks of, under the key by which it does."""
    asked = {(m.page.source.id, m.key): m for m in said}
    known: Known = {}
    for row in records.by_key(conn, list(asked)):
        place = (row.source_id, row.identity_key)
        known[place] = from_store(row, asked[place].page.source)
    unknown = [m for place, m in asked.items() if place not in known]
    _match(known, unknown, records.by_fingerprint(conn, _prints(unknown)), _print_of)
    unknown = [m for place, m in asked.items() if place not in known]
    _match(known, unknown, records.by_url(conn, _urls(unknown)), _url_of)
    _read_contents(conn, known, said)
    return known


def _print_of(thing: Any) -> str | None:
    found: str | None = thing.fingerprint
    return found


def _url_of(thing: Any) -> str | None:
    found: str | None = thing.canonical_url
    return found


def _prints(unknown: Iterable[Mention]) -> list[tuple[int, str]]:
    return [(m.page.source.id, m.staged.fingerprint) for m in unknown if m.staged.fingerprint]


def _urls(unknown: Iterable[Mention]) -> list[tuple[int, str]]:
    """Addresses that stand for one thing: one that several unknown rows share says nothing about which."""
    times = Counter((m.page.source.id, m.staged.canonical_url) for m in unknown if m.staged.canonical_url)
    return [(source, url) for (source, url), n in times.items() if n == 1 and url]


def _match(known: Known, unknown: Sequence[Mention], rows: Sequence[AnyRow], name: Any) -> None:
    """Take known records for unknown mentions of the same name; never one that the batch mentions itself."""
    by_name: dict[tuple[int, str | None], AnyRow] = {}
    for row in rows:
        if (row.source_id, row.identity_key) not in known:
            by_name.setdefault((row.source_id, name(row)), row)
    for mention in unknown:
        row_found = by_name.pop((mention.page.source.id, name(mention.staged)), None)
        if row_found is not None:
            known[mention.page.source.id, mention.key] = from_store(row_found, mention.page.source)


def _read_contents(conn: Connection, known: Known, said: Sequence[Mention]) -> None:
    """Content is read only where a page may change it."""
    needed = {
        record.id: record
        for m in said
        if (record := known.get((m.page.source.id, m.key)))
        and record.id is not None
        and not (m.is_row and m.digest == record.row_hash)
    }
    for record_id, content in records.contents(conn, list(needed)).items():
        needed[record_id].content = content


def _write(conn: Connection, touched: Sequence[WorkingRecord], *, now: datetime) -> None:
    new = [record for record in touched if record.id is None]
    old = [record for record in touched if record.id is not None]
    _insert(conn, new, now=now)
    records.change(conn, [(r.id, *_columns(r)) for r in old if r.changed], now=now)
    records.rows_read(conn, [_read(r) for r in old if r.read and not r.changed])
    records.seen(conn, [_seen(r) for r in old])
    records.add_versions(conn, [_version(r, m) for r in touched for m in r.versions], now=now)
    records.observe(conn, [row for r in touched for row in _observations(r)])
    records.confirm(conn, [(r.id or 0, fact, micros(at)) for r in old for fact, at in r.confirmed.items()])
    born = [(r.id, r.source.id, "new", None) for r in new]
    records.add_changes(conn, born + [row for r in old for row in _changes(r)], now=now)


def _insert(conn: Connection, new: Sequence[WorkingRecord], *, now: datetime) -> None:
    ids = records.add(conn, [_new(record) for record in new], now=now)
    for record in new:
        record.id = ids.get((record.source.id, record.key))
        if record.id is None:
            raise Transient(f"{record.key} was written by somebody else meanwhile", category=Category.DB)


def _new(record: WorkingRecord) -> tuple[Any, ...]:
    first = record.mentions[0]
    born = (
        micros(first.page.fetched_at),
        micros(record.discovered_at) if record.discovered_at else None,
        first.page.run_id,
    )
    who = (record.source.id, first.staged.kind, record.key, first.staged.fingerprint)
    return (*who, *_columns(record), *_evidence(record), *born)


def _columns(record: WorkingRecord) -> tuple[Any, ...]:
    """In the order of `records.COLUMNS`."""
    content, staged = record.content, record.mentions[-1].staged
    details = [m for m in record.mentions if not m.is_row]
    return (
        _word(content.get("platform_id")),
        content.get("url") or staged.url,
        staged.canonical_url,
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
        record.content_hash,
        record.row_hash,
        details[-1].page.page_id if details else None,
        micros(record.detailed_at) if record.detailed_at else None,
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
    fresh = sighted(latest, RATES[record.source.tier])
    return (
        fresh.base,
        fresh.rate,
        micros(fresh.anchored_at),
        micros(fresh.shown_until),
        micros(fresh.dead_at),
    )


def _seen(record: WorkingRecord) -> tuple[Any, ...]:
    latest = max(record.mentions, key=lambda m: m.page.fetched_at)
    discovered = micros(record.discovered_at) if record.discovered_at else None
    return (record.id, latest.page.run_id, micros(latest.page.fetched_at), discovered, *_evidence(record))


def _read(record: WorkingRecord) -> tuple[int, str | None, int | None, int | None]:
    details = [m.page for m in record.mentions if not m.is_row]
    scraped = (micros(details[-1].fetched_at), details[-1].page_id) if details else (None, None)
    return (record.id or 0, record.row_hash, *scraped)


def _version(record: WorkingRecord, mention: Mention) -> tuple[Any, ...]:
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


def _observations(record: WorkingRecord) -> list[tuple[Any, ...]]:
    """The record's new facts; of several of one kind in a batch only the last one stays current."""
    rows: list[tuple[Any, ...]] = []
    for i, seen in enumerate(record.observed):
        page = seen.mention.page
        later = [o for o in record.observed[i + 1 :] if o.fact is seen.fact]
        ends = micros(later[0].mention.page.fetched_at) if later else None
        at = (page.run_id, page.page_id, page.adapter_version, micros(page.fetched_at), ends)
        rows.append((record.id, seen.fact, *seen.value, *at))
    return rows


def _changes(record: WorkingRecord) -> list[tuple[Any, ...]]:
    who = (record.id, record.source.id)
    happened: list[tuple[Any, ...]] = [] if record.active else [(*who, "back", None)]
    if record.changed:
        facts = {seen.fact.value: list(seen.value) for seen in record.observed}
        happened.append((*who, "changed", facts or None))
    return happened


def _write_sightings(conn: Connection, batch: Sequence[PageItems], touched: Iterable[WorkingRecord]) -> None:
    """Which records each page showed, in the page's order."""
    shown: dict[int, list[int]] = {page.job_id: [] for page in batch}
    for record in touched:
        for mention in record.mentions:
            shown[mention.page.job_id].append(record.id or 0)
    rows = [
        (p.source.id, p.run_id, p.page_id, p.number, micros(p.fetched_at), shown[p.job_id])
        for p in batch
        if shown[p.job_id]
    ]
    records.add_sightings(conn, rows)
