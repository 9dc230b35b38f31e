"""Updates a source after a run: counts, reliability, a suggested fetcher, why a person must review it."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, select, update

from larder.store.database.statement import Statement, fetch_one_as, select_as
from larder.store.tables import runs, sources
from larder.store.tables.columns import micros


class SourceHealth(NamedTuple):
    """A source's health before a run ended."""

    slug: str
    fetch_days: Mapping[str, list[int]] | None
    consecutive_failures: int


class RunOwner(NamedTuple):
    """The source of a run; its adapter is None where the source was deleted."""

    source_id: int
    adapter: str | None


def read(conn: Connection, source_id: int) -> SourceHealth | None:
    """The health of a source; None where it was deleted."""
    return fetch_one_as(conn, _health(), SourceHealth, {"source_id": source_id})


@cache
def _health() -> Select[Any]:
    return select_as(sources, SourceHealth).where(sources.c.id == bindparam("source_id"))


_ENDED = Statement(
    """
    UPDATE sources SET last_run_at = :now, last_run_status = ended.status,
      consecutive_failures = ended.failures, items_seen = sources.items_seen + ended.inserted,
      fetch_days = ended.fetch_days, reliability = ended.reliability
    FROM {rows} AS ended WHERE sources.id = ended.id
    """,
    rows={
        "id": "int",
        "status": "text",
        "failures": "int",
        "inserted": "int",
        "fetch_days": "json",
        "reliability": "float",
    },
    args={"now": "int"},
)


def write(
    conn: Connection,
    source_id: int,
    *,
    status: str,
    failures: int,
    inserted: int,
    fetch_days: Mapping[str, list[int]],
    reliability: float,
    now: datetime,
) -> None:
    """Store the result of a run that ended now."""
    _ENDED(conn, [(source_id, status, failures, inserted, fetch_days, reliability)], now=micros(now))


def owner_of_run(conn: Connection, run_id: int) -> RunOwner:
    """The source that a run belongs to."""
    owner = select(runs.c.source_id, sources.c.adapter).outerjoin_from(
        runs, sources, sources.c.id == runs.c.source_id
    )
    return RunOwner(*conn.execute(owner.where(runs.c.id == run_id)).one())


def suggest_fetcher(conn: Connection, source_id: int, fetcher: str) -> None:
    """Suggest the fetcher that brought a page; writes only changes."""
    changes = (sources.c.id == source_id) & sources.c.suggested_fetcher.is_distinct_from(fetcher)
    conn.execute(update(sources).where(changes).values(suggested_fetcher=fetcher))


def set_broken_reason(conn: Connection, source_id: int, reason: str | None) -> None:
    """Store why the source is unreachable; None: it is reachable."""
    conn.execute(update(sources).where(sources.c.id == source_id).values(broken_reason=reason))


def request_review(conn: Connection, source_id: int, reason: str) -> None:
    """Mark the source for review by a person."""
    statement = update(sources).where(sources.c.id == source_id)
    conn.execute(statement.values(needs_review=1, review_reason=reason))
