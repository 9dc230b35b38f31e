"""The change feed for operators and downstream systems: changes of records after a cursor.

Each line has the record in its present state, so that readers need no other call: a line with a record
replaces the reader's copy, a line without one deletes it. A record that changed twice has two lines, both
with its present state: applying both is harmless, and nothing is missed.

Visitors get lines of public sources only, and deletions of records that were public before. For a reader that
starts late, changes from before a source was hidden are deletions without content.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from larder.actions.dataset import public_record
from larder.core.errors import NotFound
from larder.store.database import Connection, moment
from larder.store.database.statement import json_value
from larder.store.dataset import changes
from larder.store.dataset.changes import Change, Cursor
from larder.store.reads import records
from larder.store.reads.lookup import slugs_by_id
from larder.store.reads.rows import RecordRow

LATEST = "latest"
"""The cursor that skips all changes so far."""
FIELD_NAMES = tuple(name for name in public_record.FIELD_NAMES if name not in ("distance_km", "highlight"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One change of a record, as the feed of changes reports it."""

    cursor: str
    at: datetime
    record_id: int
    source: str | None
    change: str
    details: Mapping[str, Any] | None
    record: Mapping[str, Any] | None
    """Its present state; None: it is erased or not visible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePage:
    """A page of the feed; `next` is the cursor of the following one."""

    changes: Sequence[ChangeLine]
    next: str
    more: bool
    """Whether there are more changes already."""


def changes_since(
    conn: Connection,
    cursor: str | None = None,
    *,
    limit: int = 100,
    include_hidden: bool = True,
    now: datetime,
) -> ChangePage:
    """Changes after `cursor`, oldest first.

    From the beginning without one. `everything`: also hidden ones.
    """
    if cursor == LATEST:
        return ChangePage(changes=[], next=str(changes.latest_cursor(conn)), more=False)
    place = Cursor() if cursor is None else Cursor.parse(cursor)
    if not changes.is_retained(conn, place):
        raise NotFound(
            f"the changes after cursor {cursor} are no longer stored (LARDER_CHANGES_KEEP_DAYS)",
            hint="read all records, then begin at `latest`",
        )
    rows = changes.list_since(conn, place, limit=limit)
    ends = changes.cursor_of(rows[-1]) if rows else place
    return ChangePage(
        changes=_lines(conn, rows, include_hidden=include_hidden, now=now),
        next=str(ends),
        more=len(rows) == limit,
    )


def _lines(
    conn: Connection, rows: Sequence[Change], *, include_hidden: bool, now: datetime
) -> list[ChangeLine]:
    """Lines filtered after paging, so that a page costs the same however many lines are hidden."""
    seen = slugs_by_id(conn, {row.source_id for row in rows}, public_only=not include_hidden)
    reported = [row for row in rows if row.public or row.source_id in seen]
    ids = {row.record_id for row in reported}
    current = records.current(conn, ids, public_only=not include_hidden, now=now)
    return [_line(row, current.get(row.record_id), seen.get(row.source_id), now) for row in reported]


def _line(row: Change, current: RecordRow | None, source: str | None, now: datetime) -> ChangeLine:
    """One line; for a source that is not visible, only that the record is withdrawn."""
    return ChangeLine(
        cursor=str(changes.cursor_of(row)),
        at=moment(row.at),
        record_id=row.record_id,
        source=source,
        change=row.change if source else changes.WITHDRAWN,
        details=json_value(row.details) if source else None,
        record=None if current is None else public_record.to_public(current, FIELD_NAMES, now=now),
    )
