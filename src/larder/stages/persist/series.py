"""Distinguishes events of one run that share an address, or a title and a day, by what their rows say.

A page on its own tells apart what it shows; this does the same across the pages of a run, where the second of
two shows was folded into the first. A row that says just what an earlier one said is that one again.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from larder.core.model.identity import are_siblings, performance_key, show_fingerprint, show_key
from larder.stages.persist.record_fold import RecordKey, RecordMention
from larder.store.database import Connection
from larder.store.dataset import records
from larder.store.dataset.record_rows import KnownRecord


class _Seen(NamedTuple):
    """An event that this run, or one before it, has seen under a key."""

    key: str
    fingerprint: str | None
    start: datetime
    digest: str | None
    url: str | None
    by_run: int | None


def across_pages(conn: Connection, mentions: Sequence[RecordMention]) -> list[RecordMention]:
    """The mentions of a batch, each row of an event under a key and fingerprint that are its own."""
    rows = [m for m in mentions if _start(m) is not None]
    if not rows:
        return list(mentions)
    seen = {(r.source_id, r.identity_key): r for r in records.by_key(conn, [m.record_key for m in rows])}
    unknown = [(m.page.source.id, m.staged.fingerprint or "") for m in rows if m.record_key not in seen]
    prints = {(r.source_id, r.fingerprint or ""): r for r in records.by_fingerprint(conn, unknown)}
    if moved := _moved(rows, seen):
        seen |= {(r.source_id, r.identity_key): r for r in records.by_key(conn, moved)}
    apart = _Apart(seen, prints)
    return [m if _start(m) is None else apart.named(m) for m in mentions]


def _moved(rows: Sequence[RecordMention], seen: dict[RecordKey, KnownRecord]) -> list[RecordKey]:
    """The keys as performances of rows whose key is known on another day, or is twice in the batch."""
    times = Counter(m.record_key for m in rows)
    new_keys = {
        (m.page.source.id, _as_performance(m).key)
        for m in rows
        if times[m.record_key] > 1 or _is_moved(m, seen.get(m.record_key))
    }
    return sorted(new_keys)


def _is_moved(mention: RecordMention, row: KnownRecord | None) -> bool:
    seen = _of_record(row, mention) if row else None
    return seen is not None and _differs_in_day(seen, mention)


class _Apart:
    def __init__(self, known: dict[RecordKey, KnownRecord], prints: dict[RecordKey, KnownRecord]) -> None:
        self._known, self._known_prints = known, prints
        self._keys: dict[RecordKey, _Seen] = {}
        self._prints: dict[RecordKey, _Seen] = {}

    def named(self, mention: RecordMention) -> RecordMention:
        """The row under its own key; the same row where nothing else has it."""
        seen = self._by_key(mention)
        if seen is not None and _differs_in_day(seen, mention):
            other = _as_performance(mention)
            if seen.by_run == mention.page.run_id or other.record_key in self._known:
                mention, seen = other, self._by_key(other)
        if seen is not None and seen.by_run == mention.page.run_id and _differs_in_time(seen, mention):
            return _as_show(mention)
        return self._noted(self._printed(mention) if seen is None else mention)

    def _noted(self, mention: RecordMention) -> RecordMention:
        if (seen := _of_row(mention)) is None:
            return mention
        self._keys.setdefault(mention.record_key, seen)
        self._prints.setdefault((mention.page.source.id, mention.staged.fingerprint or ""), seen)
        return mention

    def _by_key(self, mention: RecordMention) -> _Seen | None:
        row = self._known.get(mention.record_key)
        return self._keys.get(mention.record_key) or (_of_record(row, mention) if row else None)

    def _printed(self, mention: RecordMention) -> RecordMention:
        """Another event of its title and day: where the time, or a number in its address, is another."""
        at = (mention.page.source.id, mention.staged.fingerprint or "")
        row = self._known_prints.get(at)
        seen = self._prints.get(at) or (_of_record(row, mention) if row else None)
        if seen is None or seen.key == mention.key or seen.by_run != mention.page.run_id:
            return mention
        if not (_differs_in_time(seen, mention) or are_siblings(seen.url, mention.staged.canonical_url)):
            return mention
        name = show_fingerprint(mention.staged.fingerprint or "", mention.key)
        return replace(mention, staged=replace(mention.staged, fingerprint=name))


def _as_performance(mention: RecordMention) -> RecordMention:
    staged = mention.staged
    if not staged.canonical_url or not mention.key.startswith("URL:"):
        return mention
    key = performance_key(staged.canonical_url, str(staged.fields["starts_at"])[:10])
    return replace(mention, key=key, address=None, staged=replace(staged, identity_key=key))


def _as_show(mention: RecordMention) -> RecordMention:
    staged, day = mention.staged, mention.staged.fingerprint or ""
    clock, date = staged.clock or "", str(staged.fields["starts_at"])[:10]
    if not mention.key.startswith("URL:"):
        return mention
    key = show_key(f"{mention.key}#{date}", clock)
    item = replace(staged, identity_key=key, fingerprint=show_fingerprint(day, clock), day_fingerprint=day)
    return replace(mention, key=key, address=None, staged=item)


def _differs_in_day(seen: _Seen, mention: RecordMention) -> bool:
    start = _start(mention)
    same = seen.digest == mention.digest or seen.fingerprint == mention.staged.fingerprint
    return start is not None and not same and seen.start.date() != start.date()


def _differs_in_time(seen: _Seen, mention: RecordMention) -> bool:
    """Both times are known: midnight is a day without one."""
    start = _start(mention)
    if start is None or not mention.staged.clock or seen.digest == mention.digest:
        return False
    clock = seen.start.strftime("%H:%M")
    return clock not in ("00:00", mention.staged.clock) and seen.start.date() == start.date()


def _of_row(mention: RecordMention) -> _Seen | None:
    start = _start(mention)
    if start is None:
        return None
    if not mention.staged.clock:
        start = start.replace(hour=0, minute=0)
    return _Seen(
        mention.key,
        mention.staged.fingerprint,
        start,
        mention.digest,
        mention.staged.canonical_url,
        mention.page.run_id,
    )


def _of_record(row: KnownRecord, mention: RecordMention) -> _Seen | None:
    """A stored event, its start in the row's own time zone."""
    start = _start(mention)
    if row.starts_at is None or start is None:
        return None
    local = datetime.fromtimestamp(row.starts_at / 1e6, start.tzinfo)
    return _Seen(row.identity_key, row.fingerprint, local, row.row_hash, row.canonical_url, row.seen_by_run)


def _start(mention: RecordMention) -> datetime | None:
    """When a row's event starts; None where it is none, or names no moment."""
    staged = mention.staged
    if not mention.is_row or not staged.fingerprint or staged.day_fingerprint or not staged.complete:
        return None
    try:
        start = datetime.fromisoformat(str(staged.fields.get("starts_at") or ""))
    except ValueError:
        return None
    return start if start.tzinfo is not None else None
