"""Sources of which only discovery runs: its proofs want no other run's requests in their books."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert

from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.runs import run_kinds
from larder.store.queue import sources
from larder.store.tables import schedules

NOT_NOW = timedelta(days=1000)


def only_discovery(conn: Connection, row: Mapping[str, Any], *, now: datetime) -> int:
    """Add a source whose other run kinds are not due for years."""
    source_id = sources.add(conn, row, now=now)
    later = [kind for kind in run_kinds(Plan.INDEX) if kind is not RunKind.DISCOVERY]
    held = [{"source_id": source_id, "kind": kind, "next_at": now + NOT_NOW} for kind in later]
    conn.execute(insert(schedules), held)
    return source_id


def listings_of(site: str, **more: Any) -> dict[str, Any]:
    """The source of a made-up classifieds site."""
    address = f"http://{site}/listings"
    return {"slug": site, "kind": "listing", "url": address, "adapter": "listing", "currency": "EUR", **more}
