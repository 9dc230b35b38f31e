"""Archives records that have been inactive for long.

An archived record keeps its row (identity keys, address, content) and its price history, so that it is
recognized; of its versions the last index row and the last detail page are kept. It is not checked any more.
If it is seen again, it is a record like any other.
"""

from datetime import datetime

from sqlalchemy import Connection, delete, func, select, update

from larder.store.operations.cleanup import BATCH, BatchResult
from larder.store.tables import records, versions


def archive_records(conn: Connection, *, before: datetime, after: int = 0, limit: int = BATCH) -> BatchResult:
    """Archive records that became inactive before then; archived ones are not found again."""
    waiting = (records.c.active == 0) & records.c.archived_at.is_(None) & (records.c.deactivated_at < before)
    query = select(records.c.id).where(waiting).order_by(records.c.deactivated_at).limit(limit)
    ids = list(conn.scalars(query))
    if not ids:
        return BatchResult()
    latest = select(func.max(versions.c.id)).where(
        versions.c.record_id.in_(ids), versions.c.voided_at.is_(None)
    )
    latest_ids = latest.group_by(versions.c.record_id, versions.c.purpose)
    conn.execute(delete(versions).where(versions.c.record_id.in_(ids), versions.c.id.not_in(latest_ids)))
    conn.execute(update(records).where(records.c.id.in_(ids)).values(archived_at=before))
    return BatchResult(deleted=len(ids), looked_to=max(after, *ids))
