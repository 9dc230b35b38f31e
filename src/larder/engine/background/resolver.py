"""The resolver at work: it follows the change feed, a batch at a time, and remembers how far it came.

A batch's links and the new place in the feed commit together: cut off anywhere, the next look does it again
and nothing twice. Of several processes one does it at a time; the others pass.
"""

from datetime import datetime

from sqlalchemy import Connection, select

from larder.stages.persist.resolve.linking import Resolved, resolve
from larder.store.database import Database
from larder.store.dataset import changes
from larder.store.dataset.changes import Cursor
from larder.store.dataset.entities import RESOLVER
from larder.store.operations import key_values, outbox
from larder.store.tables import records

CURSOR = "resolver_cursor"
BATCH = 200
AT_ONCE = 5
"""Batches at one look: what is left waits for the next."""
TELLING = frozenset({"new", "changed", "back", "void"})
"""What may make a record another thing than it seemed, or show it again."""


async def resolve_changes(database: Database, *, now: datetime, at_once: int = AT_ONCE) -> Resolved:
    """Follow the feed for a few batches, or to its end."""
    done = Resolved()
    for _ in range(at_once):
        step = await database.run(resolve_batch, now=now)
        if step is None:
            break
        done += step
    return done


def resolve_batch(conn: Connection, *, now: datetime, most: int = BATCH) -> Resolved | None:
    """One batch; None where there is nothing to do or somebody else is at it."""
    if not outbox.try_lock(conn, RESOLVER):
        return None
    reached = key_values.read(conn, CURSOR)
    place = Cursor.parse(reached["after"]) if reached else Cursor()
    happened = changes.list_since(conn, place, most=most)
    if not happened:
        return None
    done = resolve(conn, {row.record_id for row in happened if row.change in TELLING}, now=now)
    key_values.write(conn, CURSOR, {"after": str(changes.cursor_of(happened[-1]))}, now=now)
    return done


def resolve_all_batch(
    conn: Connection, after: int, *, now: datetime, most: int = BATCH
) -> tuple[int | None, Resolved]:
    """The same for records by number, whatever the feed says: where to go on (None: at the end)."""
    following = select(records.c.id).where(records.c.id > after).order_by(records.c.id).limit(most)
    ids = list(conn.scalars(following))
    return (ids[-1] if ids else None), resolve(conn, ids, now=now)
