"""Counts for the overview: how fresh the dataset is, and what is wrong now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from larder.store.reads import counts as record_counts
from larder.store.reads.counts import SourceCounts
from larder.store.reads.operators.runs import RunView, latest_closed_runs
from larder.store.tables import alerts, candidates, dead_letters, jobs, pages, quarantine, runs, sources

DAY = timedelta(days=1)
HOUR_US = 3_600_000_000
MAX_COUNT = 1_000
"""Counting stops here: a person only needs to know that it is a lot."""
MAX_LOSSY = 20
ANSWERED = ("ok", "not_modified", "not_found", "gone")
"""What a site that works answers; every other outcome is a request that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LossCounts:
    """What the latest run of each source and kind showed, and the outcome."""

    rows_advertised: int
    rows_seen: int
    items_read: int
    stored: int
    left_out: int
    pages_not_read: int
    products_of_unknown_stock: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LossyRun:
    """A run that lost rows, items or pages."""

    source: str
    kind: str
    run: int
    status: str
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The whole deployment at a glance."""

    sources: int
    sources_off: int
    sources_to_review: int
    records: int
    public: int
    """Above the line, of public sources; events that are over are not."""
    badges: SourceCounts
    runs_open: int
    runs_paused: int
    """Of those that are open; the others are at work."""
    jobs_pending: int
    fetched_24h: int
    failed_24h: int
    alerts: int
    """Those that are open."""
    dead_letters: int
    quarantined: int
    latest_runs: LossCounts
    lossy_runs: Sequence[LossyRun]
    """Of these runs, those that lost something; the newest first."""


def overview(conn: Connection, *, now: datetime) -> Overview:
    """As it is now; of the records themselves only events that have begun are looked at."""
    recent = pages.c.fetched_at > now - DAY
    under_way = runs.c.status.in_(("running", "paused")) & runs.c.source_id.is_not(None)
    bad = pages.c.outcome.not_in(ANSWERED)
    counts = {
        "sources": sources.c.id > 0,
        "sources_off": sources.c.enabled == 0,
        "sources_to_review": sources.c.needs_review == 1,
        "runs_open": under_way,
        "runs_paused": under_way & (runs.c.status == "paused"),
        "jobs_pending": jobs.c.status == "pending",
        "fetched_24h": recent,
        "failed_24h": recent & bad,
        "alerts": alerts.c.resolved_at.is_(None),
        "dead_letters": dead_letters.c.status == "pending",
        "quarantined": quarantine.c.status == "pending",
    }
    queries = [
        select(func.count()).where(where).scalar_subquery().label(name) for name, where in counts.items()
    ]
    badges, latest = badges_by_source(conn, now=now), latest_closed_runs(conn)
    return Overview(
        **conn.execute(select(*queries)).one()._asdict(),
        records=badges[None].active,
        public=_public(conn, badges, now),
        badges=badges[None],
        latest_runs=_loss_counts(latest),
        lossy_runs=_lossy_runs(latest),
    )


def _lossy_runs(latest: Sequence[RunView]) -> list[LossyRun]:
    lossy = [run for run in latest if run.lossy][:MAX_LOSSY]
    return [
        LossyRun(source=run.source or "", kind=run.kind, run=run.id, status=run.status, error=run.error)
        for run in lossy
    ]


def _loss_counts(latest: Sequence[RunView]) -> LossCounts:
    return LossCounts(
        rows_advertised=sum(run.advertised or 0 for run in latest),
        rows_seen=sum(run.rows_shown for run in latest),
        items_read=sum(run.extracted for run in latest),
        stored=sum(run.stored for run in latest),
        left_out=sum(run.items_left_out for run in latest),
        pages_not_read=sum(run.pages_not_read for run in latest),
        products_of_unknown_stock=sum(run.unknown_stock for run in latest),
    )


def count_public(conn: Connection, *, now: datetime) -> int:
    """How many records the public is shown."""
    return _public(conn, badges_by_source(conn, now=now), now)


def _public(conn: Connection, badges: Mapping[int | None, SourceCounts], now: datetime) -> int:
    over = record_counts.count_past_events(conn, now=now)
    return sum(badges[source_id].shown - count for source_id, count in over.items() if source_id in badges)


def badges_by_source(conn: Connection, *, now: datetime) -> Mapping[int | None, SourceCounts]:
    """Active records by badge, by source id; under None those of all sources together."""
    found: dict[int | None, SourceCounts] = dict(record_counts.by_source(conn, now=now).items())
    names = SourceCounts.__dataclass_fields__
    found[None] = SourceCounts(
        **{name: sum(getattr(counts, name) for counts in found.values()) for name in names}
    )
    return found


def source_badges(conn: Connection, source_id: int, *, now: datetime) -> SourceCounts:
    """The active records of one source by badge."""
    return record_counts.by_source(conn, now=now, source_id=source_id).get(source_id, SourceCounts())


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCounts:
    """What waits for a person, and what is at work."""

    runs: int
    alerts: int
    quarantined: int
    dead: int
    candidates: int


def pending_counts(conn: Connection) -> PendingCounts:
    """In one query, each count bounded and by an index."""
    queries = {
        "runs": select(runs.c.id).where(runs.c.status == "running"),
        "alerts": select(alerts.c.id).where(alerts.c.resolved_at.is_(None)),
        "quarantined": select(quarantine.c.id).where(quarantine.c.status == "pending"),
        "dead": select(dead_letters.c.id).where(dead_letters.c.status == "pending"),
        "candidates": select(candidates.c.id).where(candidates.c.status == "new"),
    }
    counts = [
        select(func.count()).select_from(query.limit(MAX_COUNT).subquery()).scalar_subquery().label(name)
        for name, query in queries.items()
    ]
    row = conn.execute(select(*counts)).one()
    return PendingCounts(**row._asdict())


def requests_by_hour(conn: Connection, *, now: datetime) -> list[tuple[datetime, int]]:
    """Requests in each of the last 24 hours, oldest first."""
    first = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=23)
    hour = func.floor((pages.c.fetched_at - first) / HOUR_US)
    query = select(hour.label("hour"), func.count().label("many")).where(pages.c.fetched_at >= first)
    counted = {int(row.hour): row.many for row in conn.execute(query.group_by(hour))}
    return [(first + timedelta(hours=n), counted.get(n, 0)) for n in range(24)]
