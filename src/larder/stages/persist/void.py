"""Voids what a run stored, or restores it; records are recomputed from the versions that count."""

from collections.abc import Sequence
from datetime import datetime

from larder.stages.persist.refold import refold
from larder.store.database import Connection
from larder.store.database.statement import in_batches
from larder.store.dataset import changes, records, voids


def void(conn: Connection, run_id: int, *, by: str, now: datetime) -> int:
    """Void a run's values; returns the number of records it had values for."""
    touched = voids.records_touched_by(conn, run_id)
    voids.void_run(conn, run_id, by=by, now=now)
    refold_touched(conn, touched, now=now)
    return len(touched)


def unvoid(conn: Connection, run_id: int, *, now: datetime) -> int:
    """Count a voided run's values again."""
    touched = voids.records_touched_by(conn, run_id)
    voids.restore_run(conn, run_id)
    refold_touched(conn, touched, now=now)
    return len(touched)


def refold_touched(conn: Connection, touched: Sequence[int], *, now: datetime) -> None:
    """Recompute these records from what counts; those without a version left are hidden."""
    for batch in in_batches(touched):
        voids.rebuild_chains(conn, batch)
        refold(conn, batch, now=now)
        bare = voids.without_versions(conn, batch)
        voids.clear_records(conn, bare, now=now)
        sources = {row.id: row.source_id for row in records.load_identities(conn, bare)}
        changes.add(conn, [changes.NewChange(i, sources[i], "void", None) for i in bare], now=now)
