"""Applies and reverts repairs of declared selectors.

The source's pages have another reading version from then on. It is accepted without a canary: a repair reads
pages of the old layout differently by design. Pages that could not be read are read again, and the source
runs at once.
"""

from collections.abc import Sequence
from datetime import datetime

from larder.core.model.job import Stage
from larder.engine.scheduling import dead_letter_retries
from larder.sdk.adapter import Adapters
from larder.sdk.revision import version_of
from larder.store.database import Connection
from larder.store.operations import canaries, repairs
from larder.store.queue import dead_letters as letter_rows
from larder.store.queue import schedules, sources
from larder.store.queue.dead_letters import DeadLetterSelection, DeadLetterStatus

AGAIN = 500
"""Unreadable pages that are read again at once; the others wait for their retry."""


def apply_repairs(
    conn: Connection, source_id: int, ids: Sequence[int], adapters: Adapters, *, by: str, now: datetime
) -> list[int]:
    """Apply repairs; returns their ids."""
    applied = repairs.apply(conn, source_id, ids, now=now)
    if applied:
        _reads_otherwise(conn, source_id, adapters, by=by, now=now)
        _read_again(conn, source_id, now=now)
    return applied


def revert_repairs(
    conn: Connection, source_id: int, ids: Sequence[int], adapters: Adapters, *, by: str, now: datetime
) -> list[int]:
    """Revert repairs; returns their ids."""
    reverted = repairs.revert(conn, source_id, ids, now=now)
    if reverted:
        _reads_otherwise(conn, source_id, adapters, by=by, now=now)
    return reverted


def _reads_otherwise(conn: Connection, source_id: int, adapters: Adapters, *, by: str, now: datetime) -> None:
    promote_reading(conn, source_id, adapters, by=by, now=now)
    schedules.run_now(conn, source_id, now=now)


def promote_reading(conn: Connection, source_id: int, adapters: Adapters, *, by: str, now: datetime) -> None:
    """Accept the version that reads the source's pages from now on."""
    source = sources.load(conn, [source_id])[source_id]
    version = version_of(adapters[source.adapter], source.params)
    canaries.promote(conn, source_id, version, None, now=now, accepted_by=by)


def _read_again(conn: Connection, source_id: int, *, now: datetime) -> None:
    unread = DeadLetterSelection(source_id=source_id, status=DeadLetterStatus.PENDING, stage=Stage.PARSE)
    dead_letter_retries.retry(
        conn, letter_rows.list_retriable(conn, unread, limit=AGAIN), counted=False, now=now
    )
