"""The records that a batch of pages speaks of, found by key, fingerprint or address."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from larder.core.model.record import Observed
from larder.stages.persist.working import Mention, WorkingRecord, from_store
from larder.store import pins, records
from larder.store.statement import AnyRow

Known = dict[tuple[int, str], WorkingRecord]


def known_to(conn: Connection, said: Sequence[Mention]) -> Known:
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
    _read_pins(conn, known)
    return known


Name = Callable[[Any], str | None]


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


def _match(known: Known, unknown: Sequence[Mention], rows: Sequence[AnyRow], name: Name) -> None:
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


def _read_pins(conn: Connection, known: Known) -> None:
    """What an operator pinned stays as pinned; what pages say of it is still compared with what they said."""
    pinned = {record.id: record for record in known.values() if record.pinned and record.id is not None}
    if not pinned:
        return
    for row in pins.of(conn, list(pinned)):
        pinned[row.record_id].pins[row.field] = row.value
    for record in pinned.values():
        record.facts.clear()
    for row in records.current_facts(conn, list(pinned)):
        pinned[row.record_id].facts[Observed(row.field)] = (row.amount, row.word)
