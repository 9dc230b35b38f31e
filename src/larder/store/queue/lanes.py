"""Lanes, one per site: which worker holds the lease, and when the next request may be sent.

Each new lease has a higher token. Work done under an older token is refused when it is written (`renew`), so
that a worker whose lease expired changes nothing. `open_at` is when the next slot opens, `next_at` when a
worker should look at the lane again.

Locks are taken in one order everywhere: lanes (by id), runs (by id), jobs, then the rest. Code that writes to
a lane's work locks the lane first (`lock`), so that two units of work never deadlock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, and_, case, select, update

from larder.core.model.job import SUSPECT_AFTER, Slot
from larder.core.model.site import Politeness
from larder.core.ports import Chance
from larder.store.database.statement import Statement, fetch_as
from larder.store.queue import site_limits
from larder.store.queue.site_limits import SiteLimits, SlotRow, politeness_of
from larder.store.tables import jobs, lanes, runs, sites, sources
from larder.store.tables.columns import micros, micros_or_none, moment

FARTHEST = timedelta(minutes=10)
"""A later `open_at` was written by a clock that has since been set back; it is ignored."""


class LaneTimes(NamedTuple):
    """When the next slot of a lane opens, and when the lane is due again (None: with its next job)."""

    site_id: int
    opens_at: datetime
    due_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A lane that a worker holds."""

    site_id: int
    domain: str
    local: bool
    token: int
    open_at: datetime
    politeness: Politeness
    cooling: bool = False
    """Whether its site asked for a pause."""
    proxies: int = 0
    """The number of proxies that serve the site; each keeps the site's limits on a lane of its own."""


_TAKE = Statement(
    """
    WITH free AS (
      SELECT site_id FROM lanes
      WHERE next_at <= :now
        AND (lease_owner = :owner OR (:others = 1 AND (lease_until IS NULL OR lease_until <= :now)))
      ORDER BY next_at LIMIT :limit {skip_locked}
    )
    UPDATE lanes SET
      lease_token = lease_token + CASE WHEN lease_owner = :owner AND lease_until > :now THEN 0 ELSE 1 END,
      lease_owner = :owner, lease_until = :until
    WHERE site_id IN (SELECT site_id FROM free)
    RETURNING site_id
    """,
    scalar=int,
    args={"owner": "text", "now": "int", "until": "int", "limit": "int", "others": "int"},
)


class _LeasedLane(NamedTuple):
    site_id: int
    lease_token: int
    open_at: int
    cooling_until: int | None
    domain: str
    local: int
    preset: str
    spacing_ms: int | None
    spacing_max_ms: int | None
    at_once: int | None
    crawl_delay_ms: int | None
    proxies: int


_LOAD = Statement(
    """
    SELECT lanes.site_id, lanes.lease_token, lanes.open_at, lanes.cooling_until, sites.domain, sites.local,
           sites.preset, sites.spacing_ms, sites.spacing_max_ms, sites.at_once, sites.crawl_delay_ms,
           (SELECT count(*) FROM proxy_lanes JOIN proxies ON proxies.id = proxy_lanes.proxy_id
            WHERE proxy_lanes.site_id = sites.id AND proxies.enabled = 1
              AND proxies.failures_in_a_row <= 10) AS proxies
    FROM {rows} AS taken
    JOIN lanes ON lanes.site_id = taken.site_id JOIN sites ON sites.id = taken.site_id
    """,
    row=_LeasedLane,
    rows={"site_id": "int"},
)

_FREE_ABANDONED = Statement(
    f"""
    UPDATE jobs SET status = 'pending', token = NULL,
      interruptions = interruptions + CASE WHEN interruptions < {SUSPECT_AFTER} THEN 1 ELSE 0 END
    FROM {{rows}} AS held
    WHERE jobs.site_id = held.site_id AND jobs.status = 'running' AND jobs.token < held.token
    """,
    rows={"site_id": "int", "token": "int"},
)

_LOCK = Statement(
    """
    SELECT lanes.site_id FROM {rows} AS asked JOIN lanes ON lanes.site_id = asked.site_id
    ORDER BY lanes.site_id FOR UPDATE OF lanes
    """,
    scalar=int,
    rows={"site_id": "int"},
)

_ENSURE = Statement(
    "INSERT INTO lanes (site_id) SELECT site_id FROM {rows} AS sited WHERE true ON CONFLICT DO NOTHING",
    rows={"site_id": "int"},
)

_STILL_HELD = Statement(
    """
    UPDATE lanes SET lease_until = :until, next_at = coalesce(:due, lanes.next_at)
    FROM {rows} AS held
    WHERE lanes.site_id = held.site_id AND lanes.lease_token = held.token AND lanes.lease_owner = :owner
    RETURNING lanes.site_id
    """,
    scalar=int,
    rows={"site_id": "int", "token": "int"},
    args={"owner": "text", "due": "int", "until": "int"},
)

_LEAVE = Statement(
    """
    UPDATE lanes SET open_at = gone.open_at, next_at = gone.next_at
    FROM {rows} AS gone WHERE lanes.site_id = gone.site_id
    """,
    rows={"site_id": "int", "open_at": "int", "next_at": "int"},
)

_WAKE = Statement(
    """
    UPDATE lanes SET next_at = CASE WHEN next_at IS NULL OR next_at > woken.at THEN woken.at ELSE next_at END
    FROM {rows} AS woken WHERE lanes.site_id = woken.site_id
    """,
    rows={"site_id": "int", "at": "int"},
)


def lease(
    conn: Connection, *, owner: str, now: datetime, ttl: timedelta, limit: int, own_only: bool = False
) -> list[Lane]:
    """Lease lanes that are due: our own, and unless `own_only` free ones and those whose lease expired."""
    site_ids = _TAKE(
        conn, owner=owner, now=micros(now), until=micros(now + ttl), limit=limit, others=int(not own_only)
    )
    if not site_ids:
        return []
    leased = [_lane(row, now) for row in _LOAD(conn, [(site_id,) for site_id in site_ids])]
    _FREE_ABANDONED(conn, [(lane.site_id, lane.token) for lane in leased])
    return leased


def lock(conn: Connection, site_ids: Iterable[int]) -> None:
    """Lock these lanes until the unit of work ends. (On SQLite it holds the write lock.)"""
    if conn.dialect.name == "postgresql":
        _LOCK(conn, [(site_id,) for site_id in set(site_ids)])


def hold_sources(conn: Connection, source_ids: Iterable[int]) -> None:
    """Lock every lane that has work of these sources, before an operator's change."""
    wanted = set(source_ids)
    query = select(sources.c.site_id).where(sources.c.id.in_(wanted), sources.c.site_id.is_not(None))
    under_way = (
        select(jobs.c.site_id)
        .join(runs, runs.c.id == jobs.c.run_id)
        .where(runs.c.source_id.in_(wanted), runs.c.status.in_(("running", "paused")))
        .where(jobs.c.status.in_(("pending", "running")))
    )
    lock(conn, conn.scalars(query.union(under_way)))


def renew(
    conn: Connection, tokens: dict[int, int], *, owner: str, now: datetime, ttl: timedelta, due: bool = True
) -> set[int]:
    """Renew these leases and return the lanes still held: the fence before every write. `due`: look now."""
    lock(conn, tokens)
    due_at = micros(now) if due else None
    return set(_STILL_HELD(conn, list(tokens.items()), owner=owner, due=due_at, until=micros(now + ttl)))


def schedule_next(conn: Connection, times: list[LaneTimes]) -> None:
    """Store when each lane's next slot opens and when it is due again."""
    _LEAVE(conn, [(lane.site_id, micros(lane.opens_at), micros_or_none(lane.due_at)) for lane in times])


def wake(conn: Connection, moments: dict[int, datetime]) -> None:
    """Look at these lanes at the given times, or earlier."""
    lock(conn, moments)
    _WAKE(conn, [(site, micros(at)) for site, at in moments.items()])


def release(conn: Connection, owner: str, *, now: datetime, clean: bool = True) -> None:
    """Release every lease of a worker; its claimed jobs are pending again. Lanes that wait longer are first.

    After an unclean end each job counts an interruption, because one of them may be the cause.
    """
    site_ids = list(conn.scalars(select(lanes.c.site_id).where(lanes.c.lease_owner == owner)))
    lock(conn, site_ids)
    still = and_(lanes.c.site_id.in_(site_ids), lanes.c.lease_owner == owner)
    free = update(lanes).where(still).values({**_NOBODY, "next_at": now}).returning(lanes.c.site_id)
    freed = list(conn.scalars(free))
    conn.execute(
        update(jobs)
        .where(jobs.c.status == "running", jobs.c.site_id.in_(freed))
        .values(
            status="pending", token=None, interruptions=jobs.c.interruptions + (0 if clean else _ONCE_MORE)
        )
    )


def release_all(conn: Connection) -> None:
    """Release the leases of killed processes; the caller holds the data folder's lock, so no worker runs."""
    conn.execute(update(lanes).where(lanes.c.lease_owner.is_not(None)).values(_NOBODY))


def set_cooldown(conn: Connection, site_id: int, *, until: datetime, reason: str) -> None:
    """Send nothing to the site until then."""
    longer = (lanes.c.cooling_until.is_(None)) | (lanes.c.cooling_until < until)
    conn.execute(
        update(lanes)
        .where(lanes.c.site_id == site_id, longer)
        .values(cooling_until=until, cooling_reason=reason)
    )


def reserve(conn: Connection, site_id: int, *, now: datetime, rng: Chance) -> Slot:
    """Reserve one slot outside a claim, for a redirect's next hop or robots.txt."""
    query = select(lanes.c.open_at, lanes.c.cooling_until, *site_limits.SITE_LIMIT_COLUMNS).join(sites)
    (row,) = fetch_as(conn, query.where(lanes.c.site_id == site_id).with_for_update(of=lanes), SlotRow)
    politeness = politeness_of(row.limits)
    opens = max(_opens(row.open_at, now), now, row.cooling_until or now)
    conn.execute(
        update(lanes)
        .where(lanes.c.site_id == site_id)
        .values(open_at=opens + site_limits.spacing(politeness, rng))
    )
    return site_limits.slot(opens, politeness)


def ensure_lanes(conn: Connection, site_id: int) -> None:
    """Create the site's lane if it has none."""
    _ENSURE(conn, [(site_id,)])


def upcoming_slots(lane: Lane, *, now: datetime, limit: int, rng: Chance) -> tuple[list[Slot], datetime]:
    """The slots that open within the horizon, up to the limit, and when the one after them opens."""
    opens = max(lane.open_at, now)
    slots: list[Slot] = []
    while len(slots) < limit and opens <= now + site_limits.HORIZON:
        slots.append(site_limits.slot(opens, lane.politeness))
        opens += site_limits.spacing(lane.politeness, rng)
    return slots, opens


_ONCE_MORE = case((jobs.c.interruptions < SUSPECT_AFTER, 1), else_=0)
_NOBODY = {"lease_owner": None, "lease_until": None, "next_at": moment(0)}


def _lane(row: _LeasedLane, now: datetime) -> Lane:
    opens = _opens(moment(row.open_at), now)
    limits = SiteLimits(row.preset, row.spacing_ms, row.spacing_max_ms, row.at_once, row.crawl_delay_ms)
    return Lane(
        site_id=row.site_id,
        domain=row.domain,
        local=bool(row.local),
        token=row.lease_token,
        open_at=max(opens, moment(row.cooling_until or 0)),
        cooling=moment(row.cooling_until or 0) > now,
        politeness=politeness_of(limits).shared_by(max(row.proxies, 1)),
        proxies=row.proxies,
    )


def _opens(stored: datetime, now: datetime) -> datetime:
    return now if stored > now + FARTHEST else stored
