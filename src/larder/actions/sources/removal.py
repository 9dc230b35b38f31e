"""Removes a source; its records are kept, hidden or erased.

The row of the source stays, out of every list and schedule, because records, runs and the audit name it.
Adding a source with its slug again continues it.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from larder.actions.operations.runs import end_runs
from larder.core.model.source import Visibility
from larder.store.database import Connection
from larder.store.dataset import changes, erasure
from larder.store.operations import audit
from larder.store.queue import runs, sources
from larder.store.reads.lookup import source_row


class RecordsFate(StrEnum):
    """What becomes of the records of a removed source."""

    KEPT = "kept"
    HIDDEN = "hidden"
    ERASED = "erased"


FATES = {
    RecordsFate.KEPT: "records stay; the public sees them until their confidence has fallen",
    RecordsFate.HIDDEN: "records stay for operators; the public sees them no longer",
    RecordsFate.ERASED: "records, prices and stored pages are deleted",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedSource:
    """A source that was removed."""

    slug: str
    records: RecordsFate
    erased: int
    """Records that were deleted."""


def remove(
    conn: Connection, slug: str, records: RecordsFate = RecordsFate.KEPT, *, who: str, now: datetime
) -> RemovedSource:
    """Remove a source: its runs end, its targets are deleted, and none of its pages is fetched any more."""
    row = source_row(conn, slug)
    end_runs(conn, runs.open_of_source(conn, row.id), why=f"its source was removed by {who}", now=now)
    sources.remove(conn, row.id, now=now)
    if records is not RecordsFate.KEPT and row.visibility == Visibility.PUBLIC:
        changes.add_for_source(conn, row.id, changes.WITHDRAWN, now=now)
    if records is not RecordsFate.KEPT:
        sources.update_source(conn, row.id, {"visibility": Visibility.HIDDEN}, now=now)
    erased = erasure.erase_source(conn, row.id, now=now) if records is RecordsFate.ERASED else 0
    audit.record(conn, "source removed", slug, {"records": records, "erased": erased}, who=who, now=now)
    return RemovedSource(slug=slug, records=records, erased=erased)
