"""Is my data true, and what is wrong now? The few numbers that answer it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, case, func, select

from larder.core.policy.freshness import FADING, LISTED, RECENT
from larder.store import public
from larder.store.freshness import confidence
from larder.store.tables import dead_letters, jobs, pages, quarantine, records, runs, sources

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Badges:
    """How many active records wear which badge."""

    green: int = 0
    yellow: int = 0
    orange: int = 0
    faded: int = 0
    """Below the line: known, not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The whole deployment at a glance."""

    sources: int
    sources_off: int
    sources_to_review: int
    records: int
    inactive: int
    public: int
    badges: Badges
    runs_open: int
    jobs_pending: int
    fetched_24h: int
    failed_24h: int
    dead_letters: int
    quarantined: int


def overview(conn: Connection, *, now: datetime) -> Overview:
    """As it is now; two queries."""
    recent = pages.c.fetched_at > now - DAY
    bad = pages.c.outcome.not_in(("ok", "not_modified", "not_found", "gone"))
    counts = {
        "sources": sources.c.id > 0,
        "sources_off": sources.c.enabled == 0,
        "sources_to_review": sources.c.needs_review == 1,
        "records": records.c.active == 1,
        "inactive": records.c.active == 0,
        "runs_open": runs.c.status.in_(("running", "paused")),
        "jobs_pending": jobs.c.status == "pending",
        "fetched_24h": recent,
        "failed_24h": recent & bad,
        "dead_letters": dead_letters.c.status == "pending",
        "quarantined": quarantine.c.status == "pending",
    }
    asked = [
        select(func.count()).where(where).scalar_subquery().label(name) for name, where in counts.items()
    ]
    shown = select(func.count()).select_from(public.shown(now).subquery()).scalar_subquery().label("public")
    found = conn.execute(select(*asked, shown)).one()._asdict()
    return Overview(**found, badges=badges(conn, now=now).get(None, Badges()))


def badges(conn: Connection, *, now: datetime) -> Mapping[int | None, Badges]:
    """Badges of active records by source id; under None those of all together."""
    sure = confidence(now)
    colour = case(
        (sure >= RECENT, "green"), (sure >= LISTED, "yellow"), (sure >= FADING, "orange"), else_="faded"
    ).label("colour")
    query = select(records.c.source_id, colour, func.count().label("many")).where(records.c.active == 1)
    found: dict[int | None, dict[str, int]] = {}
    for row in conn.execute(query.group_by(records.c.source_id, colour)):
        for key in (row.source_id, None):
            of = found.setdefault(key, {})
            of[row.colour] = of.get(row.colour, 0) + row.many
    return {key: Badges(**of) for key, of in found.items()}


def badges_of(conn: Connection, source_id: int, *, now: datetime) -> Badges:
    """The badges of one source's active records."""
    sure = confidence(now)
    counts = {
        "green": sure >= RECENT,
        "yellow": (sure >= LISTED) & (sure < RECENT),
        "orange": (sure >= FADING) & (sure < LISTED),
        "faded": sure < FADING,
    }
    summed = [
        func.coalesce(func.sum(case((each, 1), else_=0)), 0).label(name) for name, each in counts.items()
    ]
    mine = (records.c.source_id == source_id) & (records.c.active == 1)
    return Badges(
        **{
            name: int(many)
            for name, many in conn.execute(select(*summed).where(mine)).one()._asdict().items()
        }
    )
