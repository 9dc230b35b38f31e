"""Resolves entities along the change feed, a batch at a time, in one process at a time.

A batch's links and the cursor commit together, so a crash repeats a batch and duplicates nothing.
"""

from datetime import datetime

from larder.stages.persist.resolve.linking import Resolved, link_records
from larder.store.database import Connection, Database
from larder.store.dataset import changes, records
from larder.store.dataset.changes import Cursor
from larder.store.dataset.entities import RESOLVER
from larder.store.operations import key_values
from larder.store.operations.notifications import outbox

CURSOR = "resolver_cursor"
BATCH = 200
MAX_BATCHES = 5
"""Batches in one call at most."""
TELLING = frozenset({"new", "changed", "back", "void"})
"""Changes after which a record may belong to another entity."""


async def resolve_changes(database: Database, *, now: datetime) -> Resolved:
    """Resolve a few batches, or up to the end of the feed."""
    done = Resolved()
    for _ in range(MAX_BATCHES):
        step = await database.run(resolve_batch, now=now)
        if step is None:
            break
        done += step
    return done


def resolve_batch(conn: Connection, *, now: datetime) -> Resolved | None:
    """Resolve one batch; None if there is nothing to do or another process does it."""
    if not outbox.try_lock(conn, RESOLVER):
        return None
    reached = key_values.read(conn, CURSOR)
    place = Cursor.parse(reached["after"]) if reached else Cursor()
    happened = changes.list_since(conn, place, limit=BATCH)
    if not happened:
        return None
    done = link_records(conn, {row.record_id for row in happened if row.change in TELLING}, now=now)
    key_values.write(conn, CURSOR, {"after": str(changes.cursor_of(happened[-1]))}, now=now)
    return done


def resolve_all_batch(conn: Connection, after: int, *, now: datetime) -> tuple[int | None, Resolved]:
    """Resolve one batch of all records by id; returns where to continue (None: at the end)."""
    ids = records.list_ids(conn, after=after, limit=BATCH)
    return (ids[-1] if ids else None), link_records(conn, ids, now=now)
