"""The change feed, for operators and downstream systems: what happened to records after a cursor.

Each line brings the record as it stands now, so whoever follows the feed needs nothing else: a line with a
record says "this is how it is", a line without one says "let go of it". A record that changed twice is told
twice, both times as it is now; that does no harm, and nothing is missed.

Visitors are told of what they may see: of hidden sources nothing, except to let go of records that they
could see before. That holds for whoever comes late, too: what came to pass while a source was public is told
after it was hidden, without a word of what it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from larder.actions.dataset import public_record
from larder.actions.dataset import records as record_actions
from larder.core.errors import NotFound
from larder.core.model.source import Visibility
from larder.store.database import Connection
from larder.store.database.statement import AnyRow, loads
from larder.store.dataset import changes
from larder.store.dataset.changes import Change, Cursor
from larder.store.reads import public
from larder.store.tables import records, sources
from larder.store.tables.columns import moment

LATEST = "latest"
"""The cursor of whoever wants only what is still to come."""
FIELD_NAMES = tuple(name for name in public_record.FIELD_NAMES if name not in ("distance_km", "highlight"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One thing that happened."""

    cursor: str
    at: datetime
    record_id: int
    source: str | None
    change: str
    details: Mapping[str, Any] | None
    record: Mapping[str, Any] | None
    """As it stands now; None: it is erased, or not to be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePage:
    """A page of the feed; `next` goes on from there, for ever."""

    changes: Sequence[ChangeLine]
    next: str
    more: bool
    """There is more already: come back at once."""


def changes_since(
    conn: Connection, cursor: str | None = None, *, limit: int = 100, everything: bool = True, now: datetime
) -> ChangePage:
    """What came after `cursor`, oldest first; from the beginning without one. `everything`: also hidden."""
    if cursor == LATEST:
        return ChangePage(changes=[], next=str(changes.latest_cursor(conn)), more=False)
    place = Cursor() if cursor is None else Cursor.parse(cursor)
    if not changes.is_still_kept(conn, place):
        raise NotFound(
            f"the feed no longer reaches back to {cursor}", hint="read all records, then begin at `latest`"
        )
    rows = changes.list_since(conn, place, most=limit)
    ends = changes.cursor_of(rows[-1]) if rows else place
    return ChangePage(
        changes=_lines(conn, rows, everything=everything, now=now),
        next=str(ends),
        more=len(rows) == limit,
    )


def _lines(conn: Connection, rows: Sequence[Change], *, everything: bool, now: datetime) -> list[ChangeLine]:
    """Filtered after the page was cut: a long stretch that nobody may see costs no more than a short one."""
    seen = _sources(conn, {row.source_id for row in rows}, everything=everything)
    told_of = [row for row in rows if row.public or row.source_id in seen]
    begun = record_actions.all_records(now) if everything else public.visible(now)
    ids = {row.record_id for row in told_of}
    current = {row.id: row for row in conn.execute(begun.where(records.c.id.in_(ids)))} if ids else {}
    return [_line(row, current.get(row.record_id), seen.get(row.source_id), now) for row in told_of]


def _sources(conn: Connection, ids: set[int], *, everything: bool) -> Mapping[int, AnyRow]:
    """Those that may be seen."""
    query = select(sources.c.id, sources.c.slug).where(sources.c.id.in_(ids))
    if not everything:
        query = query.where(sources.c.visibility == Visibility.PUBLIC)
    return {row.id: row for row in conn.execute(query)} if ids else {}


def _line(row: Change, current: AnyRow | None, source: AnyRow | None, now: datetime) -> ChangeLine:
    """One line; where its source is not to be seen, no more than that the record is to be let go of."""
    return ChangeLine(
        cursor=str(changes.cursor_of(row)),
        at=moment(row.at),
        record_id=row.record_id,
        source=source.slug if source else None,
        change=row.change if source else changes.WITHDRAWN,
        details=loads(row.details) if source else None,
        record=None if current is None else public_record.to_public(current, FIELD_NAMES, now=now),
    )
