"""Updates a source after a run: counts, reliability, a suggested fetcher, why a person must review it."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from larder.store.database.statement import fetch_one_as, select_as
from larder.store.tables import runs, sources


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
    return fetch_one_as(conn, select_as(sources, SourceHealth).where(sources.c.id == source_id), SourceHealth)


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
    """Store what a run that ended now came to."""
    conn.execute(
        update(sources)
        .where(sources.c.id == source_id)
        .values(
            last_run_at=now,
            last_run_status=status,
            consecutive_failures=failures,
            items_seen=sources.c.items_seen + inserted,
            fetch_days=fetch_days,
            reliability=reliability,
        )
    )


def owner_of_run(conn: Connection, run_id: int) -> RunOwner:
    """Which source a run belongs to."""
    owner = select(runs.c.source_id, sources.c.adapter).outerjoin_from(
        runs, sources, sources.c.id == runs.c.source_id
    )
    return RunOwner(*conn.execute(owner.where(runs.c.id == run_id)).one())


def suggest_fetcher(conn: Connection, source_id: int, fetcher: str) -> None:
    """Suggest the fetcher that brought a page; writes only a change."""
    changes = (sources.c.id == source_id) & sources.c.suggested_fetcher.is_distinct_from(fetcher)
    conn.execute(update(sources).where(changes).values(suggested_fetcher=fetcher))


def set_broken_reason(conn: Connection, source_id: int, reason: str | None) -> None:
    """Why the source cannot be reached; None: it can."""
    conn.execute(update(sources).where(sources.c.id == source_id).values(broken_reason=reason))


def request_review(conn: Connection, source_id: int, reason: str) -> None:
    """Mark the source for a person's review."""
    statement = update(sources).where(sources.c.id == source_id)
    conn.execute(statement.values(needs_review=1, review_reason=reason))
