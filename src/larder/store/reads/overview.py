"""Is my data true, and what is wrong now? The few numbers that answer it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from larder.store.reads import counts as figures
from larder.store.reads.counts import SourceCounts
from larder.store.tables import dead_letters, jobs, pages, quarantine, runs, sources

DAY = timedelta(days=1)
ANSWERED = ("ok", "not_modified", "not_found", "gone")
"""What a site that works answers; every other outcome is a request that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Badges:
    """How many active records wear which badge."""

    green: int = 0
    yellow: int = 0
    orange: int = 0
    faded: int = 0
    """Below the line: known, not shown."""

    @property
    def shown(self) -> int:
        """Above the line."""
        return self.green + self.yellow + self.orange

    @property
    def active(self) -> int:
        """All of them."""
        return self.shown + self.faded


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The whole deployment at a glance."""

    sources: int
    sources_off: int
    sources_to_review: int
    records: int
    inactive: int
    public: int
    """Above the line, of public sources; events that are over are not."""
    badges: Badges
    runs_open: int
    runs_paused: int
    """Of those that are open; the others are at work."""
    jobs_pending: int
    fetched_24h: int
    failed_24h: int
    dead_letters: int
    quarantined: int


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
        "dead_letters": dead_letters.c.status == "pending",
        "quarantined": quarantine.c.status == "pending",
    }
    asked = [
        select(func.count()).where(where).scalar_subquery().label(name) for name, where in counts.items()
    ]
    told = badges_by_source(conn, now=now)
    return Overview(
        **conn.execute(select(*asked, figures.count_inactive().label("inactive"))).one()._asdict(),
        records=told[None].active,
        public=_public(conn, told, now),
        badges=told[None],
    )


def count_public(conn: Connection, *, now: datetime) -> int:
    """How many records the public is shown."""
    return _public(conn, badges_by_source(conn, now=now), now)


def _public(conn: Connection, told: Mapping[int | None, Badges], now: datetime) -> int:
    over = figures.count_past_events(conn, now=now)
    return sum(told[source_id].shown - many for source_id, many in over.items() if source_id in told)


def badges_by_source(conn: Connection, *, now: datetime) -> Mapping[int | None, Badges]:
    """Badges of active records by source id; under None those of all together."""
    told: dict[int | None, Badges] = {
        source_id: _badges(counted) for source_id, counted in figures.by_source(conn, now=now).items()
    }
    names = Badges.__dataclass_fields__
    told[None] = Badges(**{name: sum(getattr(each, name) for each in told.values()) for name in names})
    return told


def source_badges(conn: Connection, source_id: int, *, now: datetime) -> Badges:
    """The badges of one source's active records."""
    return _badges(figures.by_source(conn, now=now, source_id=source_id).get(source_id, SourceCounts()))


def _badges(counted: SourceCounts) -> Badges:
    return Badges(green=counted.green, yellow=counted.yellow, orange=counted.orange, faded=counted.faded)
