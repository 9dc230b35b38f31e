"""Recomputes records from their versions, after a void, a replay or a pin.

Void versions do not count; pinned fields win.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from larder.core.model.job import Purpose
from larder.stages.persist.merge import merge
from larder.stages.persist.rows import content_columns
from larder.store.content_digest import digest
from larder.store.database import Connection
from larder.store.dataset import changes, history, pins, records
from larder.store.dataset.changes import NewChange
from larder.store.dataset.history import VersionRow
from larder.store.dataset.record_rows import ChangedRecord, StoredIdentity


def refold(conn: Connection, record_ids: Sequence[int], *, now: datetime) -> list[int]:
    """Fold these records again; which of them changed. Idempotent."""
    pinned: dict[int, dict[str, Any]] = {}
    for row in pins.by_record(conn, record_ids):
        pinned.setdefault(row.record_id, {})[row.field] = row.value
    folded = {
        record_id: content | pinned.get(record_id, {})
        for record_id, content in _folds(history.list_versions(conn, record_ids)).items()
    }
    before = {row.id: row for row in records.load_identities(conn, list(folded))}
    moved = [i for i, content in folded.items() if digest(content) != before[i].content_hash]
    records.update_contents(conn, [_row(before[i], folded[i]) for i in moved], now=now)
    changes.add(conn, [NewChange(i, before[i].source_id, "changed", None) for i in moved], now=now)
    return moved


def _folds(versions: Sequence[VersionRow]) -> dict[int, dict[str, Any]]:
    """Content by record, from versions in the order in which they were observed."""
    folded: dict[int, dict[str, Any]] = {}
    detailed: set[int] = set()
    for version in versions:
        purpose = Purpose(version.purpose)
        folded[version.record_id] = merge(
            folded.get(version.record_id, {}),
            version.content,
            purpose=purpose,
            detailed=version.record_id in detailed,
        )
        if purpose is not Purpose.INDEX:
            detailed.add(version.record_id)
    return folded


def _row(before: StoredIdentity, content: dict[str, Any]) -> ChangedRecord:
    columns = content_columns(
        content, url=before.url, canonical_url=before.canonical_url, content_hash=digest(content)
    )
    return ChangedRecord(before.id, columns)
