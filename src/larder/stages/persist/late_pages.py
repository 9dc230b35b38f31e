"""Orders late pages by observation time: an older page must not overwrite a newer one.

Persist takes pages in the order in which they come. After a page that waited (a retried dead letter, an item
released from quarantine) the history of its records is sorted by time of observation again.
"""

from collections.abc import Sequence
from datetime import datetime

from larder.stages.persist.batch import Persisted, persist
from larder.stages.persist.record_fold import PageItems
from larder.stages.persist.refold import refold
from larder.store.database import Connection
from larder.store.dataset import voids


def persist_late_pages(
    conn: Connection, batch: Sequence[PageItems], *, now: datetime
) -> dict[int, Persisted]:
    """Persist pages that may be older than what is known."""
    found = persist(conn, batch, now=now)
    reorder_facts(conn, [record_id for persisted in found.values() for record_id in persisted.ids], now=now)
    return found


def reorder_facts(conn: Connection, record_ids: Sequence[int], *, now: datetime) -> None:
    """Make the latest fact of these records the current one, and fold their content in order of time."""
    touched = sorted(set(record_ids))
    voids.rebuild_chains(conn, touched)
    refold(conn, touched, now=now)
