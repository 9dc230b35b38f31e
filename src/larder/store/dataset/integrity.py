"""Counts rows that violate an invariant, and the rates of recent runs.

Constraints forbid most violations; rows written by hand, by restores or by migrations are checked once a
day. A count stops at `MAX_COUNTED`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from larder.store.database.statement import Statement
from larder.store.tables import runs
from larder.store.tables.columns import micros

MAX_COUNTED = 1_000

_NEVER = {
    "records without a source": """
        records WHERE NOT EXISTS (SELECT 1 FROM sources WHERE sources.id = records.source_id)""",
    "records without a title": "records WHERE active = 1 AND title = ''",
    "records with a confidence beyond 0 … 100": "records WHERE base < 0 OR base > 100",
    "products with a price and no currency": """
        records WHERE active = 1 AND kind = 'product' AND price_minor IS NOT NULL AND currency IS NULL""",
    "records of an entity that does not exist": """
        records WHERE entity_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM entities WHERE entities.id = records.entity_id)""",
    "observations without a record": """
        observations WHERE NOT EXISTS (SELECT 1 FROM records WHERE records.id = observations.record_id)""",
    "versions without a record": """
        versions WHERE NOT EXISTS (SELECT 1 FROM records WHERE records.id = versions.record_id)""",
    "sources that run without a site": """
        sources WHERE adopted_at IS NOT NULL AND needs_review = 0 AND site_id IS NULL""",
    "runs whose jobs are all done but that never ended": """
        runs WHERE status = 'running' AND settled = 1 AND open_jobs <= 0 AND heartbeat_at < :since""",
}
_COUNTS = {
    name: Statement(
        f"SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT {MAX_COUNTED}) AS wrong",
        scalar=int,
        args={"since": "int"} if ":since" in rows else None,
    )
    for name, rows in _NEVER.items()
}


def count_violations(conn: Connection, name: str, *, since: datetime) -> int:
    """How many rows violate this invariant; at most `MAX_COUNTED` are counted."""
    values: dict[str, Any] = {"since": micros(since)} if ":since" in _NEVER[name] else {}
    return _COUNTS[name](conn, **values)[0]


def violation_kinds() -> tuple[str, ...]:
    """The invariants, as text."""
    return tuple(_NEVER)


def run_rates(conn: Connection, *, since: datetime) -> dict[str, Any]:
    """The shares, in the runs that ended since, of failed pages among attempted ones, and of dropped and
    quarantined items among extracted ones.
    """
    names = ("attempted", "failed", "extracted", "dropped", "quarantined")
    sums = [func.coalesce(func.sum(runs.c[name]), 0).label(name) for name in names]
    row = conn.execute(select(*sums).where(runs.c.finished_at > since)).one()
    return {
        "failure_rate": _share(row.failed, row.attempted),
        "drop_rate": _share(row.dropped, row.extracted),
        "quarantine_rate": _share(row.quarantined, row.extracted),
    }


def _share(part: int, total: int) -> float | None:
    return round(int(part) / int(total), 4) if total else None
