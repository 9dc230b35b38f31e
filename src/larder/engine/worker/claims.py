"""Claims jobs: leases the lanes that are due, reserves their slots, claims their next jobs."""

import math
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from larder.core.model.job import Job, Slot, Stage
from larder.core.model.page import LastPage
from larder.core.model.source import Kind, Source
from larder.engine.commit import finish_runs
from larder.engine.work_items import Work, Worker
from larder.sdk.adapter import SiteAdapter
from larder.sdk.revision import version_of
from larder.store.database import Connection
from larder.store.pages import pages
from larder.store.pages.page_rows import JobUrl
from larder.store.queue import jobs, lane_reads, lanes, ready_jobs, sources
from larder.store.queue.jobs import ClaimedJob, LaneToken
from larder.store.queue.lanes import Lane, LaneTimes
from larder.store.queue.ready_jobs import NextJobs
from larder.store.queue.site_limits import HORIZON

LANES_AT_ONCE = 64
MAX_SHARED = 1_024
"""A driver that shares the lanes with others takes at most so many as its part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Claimed work, and when to claim again if nothing else happens."""

    work: Sequence[Work]
    look_at: datetime | None

    @property
    def has_events(self) -> bool:
        """Whether some of its pages are of a source of events."""
        return any(work.source.kind is Kind.EVENT for work in self.work)


class TakenJob(NamedTuple):
    """A job of a leased lane, and its slot if it sends a request."""

    job: Job
    lane: Lane
    slot: Slot | None


def claim(
    conn: Connection,
    worker: Worker,
    *,
    under_way: Mapping[int, int],
    max_jobs: int,
    now: datetime,
    adapters: Mapping[str, SiteAdapter] | None = None,
) -> Claim:
    """Claim what is due, at most `max_jobs` jobs; `under_way` maps jobs in flight to their lanes."""
    lanes_left = _lanes_left(conn, worker, now=now)
    taken = _take_lanes(conn, worker, under_way, max_jobs=max_jobs, lanes_left=lanes_left, now=now)
    claimed = jobs.claim(conn, [ClaimedJob(job, lane.token, slot) for job, lane, slot in taken], now=now)
    known = sources.load(conn, list({job.source_id for job in claimed})) if claimed else {}
    before = pages.last_pages(conn, [JobUrl(job.id, job.source_id, job.request.url) for job in claimed])
    unusable = {job.run_id for job in claimed if not _workable(known.get(job.source_id), adapters)}
    for run_id in sorted(unusable):
        finish_runs.fail_run(conn, run_id, now=now)
    work = [
        Work(
            job=job,
            source=known[job.source_id],
            lane=lane,
            last=_same_version(before.get(job.id), known[job.source_id], adapters),
        )
        for job, lane in zip(claimed, (each.lane for each in taken), strict=True)
        if job.run_id not in unusable
    ]
    look_at = lane_reads.next_look_at(conn, owner=worker.owner, now=now, own_only=lanes_left == 0)
    return Claim(work=work, look_at=look_at)


def _same_version(
    last: LastPage | None, source: Source, adapters: Mapping[str, SiteAdapter] | None
) -> LastPage | None:
    """Drop what another version of the adapter read: it says nothing about this version."""
    if last is None or adapters is None:
        return last
    return last if last.adapter_version == version_of(adapters[source.adapter], source.params) else None


def _take_lanes(
    conn: Connection,
    worker: Worker,
    under_way: Mapping[int, int],
    *,
    max_jobs: int,
    lanes_left: int | None,
    now: datetime,
) -> list[TakenJob]:
    """Lease due lanes and pick their next jobs; each lane gets the time at which it is due again."""
    taken: list[TakenJob] = []
    times: list[LaneTimes] = []
    leased = _lease(conn, worker, limit=min(LANES_AT_ONCE, max_jobs), lanes_left=lanes_left, now=now)
    jobs.release_unknown(conn, [LaneToken(lane.site_id, lane.token) for lane in leased], under_way)
    busy = Counter(under_way.values())
    ready = _next_jobs(conn, leased, busy, max_jobs=max_jobs, now=now)
    for lane in leased:
        left = max_jobs - len(taken)
        if left <= 0:  # the worker is full: this lane is first next time
            times.append(LaneTimes(lane.site_id, lane.open_at, now))
            continue
        free = min(lane.politeness.at_once - busy[lane.site_id], left)
        in_flight = busy[lane.site_id] > 0
        picked, lane_times = _pick_jobs(conn, lane, ready, free=free, busy=in_flight, worker=worker, now=now)
        taken += picked
        times.append(lane_times)
    lanes.schedule_next(conn, times)
    return taken


def _next_jobs(
    conn: Connection, leased: Sequence[Lane], busy: Mapping[int, int], *, max_jobs: int, now: datetime
) -> NextJobs:
    """The next jobs of lanes that may send now, plus one that shows whether others wait."""
    free = {lane.site_id: min(lane.politeness.at_once - busy[lane.site_id], max_jobs) for lane in leased}
    most = {
        lane.site_id: free[lane.site_id] + 1
        for lane in leased
        if free[lane.site_id] > 0 and lane.open_at <= now + HORIZON
    }
    return ready_jobs.next_jobs(conn, most, now=now)


def _lease(
    conn: Connection, worker: Worker, *, limit: int, lanes_left: int | None, now: datetime
) -> list[Lane]:
    """Lease due lanes; a worker that holds its share of lanes takes no others."""
    limit = min(limit, lanes_left or limit)
    return lanes.lease(
        conn, owner=worker.owner, now=now, ttl=worker.lease, limit=limit, own_only=lanes_left == 0
    )


def _lanes_left(conn: Connection, worker: Worker, *, now: datetime) -> int | None:
    """How many more lanes a worker may take that shares them with others; None: any number."""
    if worker.drivers > 1:
        return _equal_share(conn, worker, now=now)
    if worker.max_lanes is None:
        return None
    return max(worker.max_lanes - lane_reads.count_held(conn, owner=worker.owner, now=now), 0)


def _equal_share(conn: Connection, worker: Worker, *, now: datetime) -> int:
    """The rest of an equal part of the lanes that are due within a lease."""
    until, limit = now + worker.lease, worker.drivers * MAX_SHARED
    lane_counts = lane_reads.count(conn, owner=worker.owner, now=now, until=until, limit=limit)
    return max(max(math.ceil(lane_counts.due / worker.drivers), 1) - lane_counts.held, 0)


def _workable(source: Source | None, adapters: Container[str] | None) -> bool:
    """Whether the source and its adapter exist: rows can be edited and deleted by hand."""
    return source is not None and (adapters is None or source.adapter in adapters)


def _pick_jobs(
    conn: Connection,
    lane: Lane,
    next_jobs: NextJobs,
    *,
    free: int,
    busy: bool,
    worker: Worker,
    now: datetime,
) -> tuple[list[TakenJob], LaneTimes]:
    """One lane's next jobs with their slots, and when the lane is due again.

    A lane with work in flight is due when its lease ends: if this worker dies, another finds the work.
    """
    if free <= 0:
        return [], LaneTimes(lane.site_id, lane.open_at, now + worker.lease)
    slots, opens = lanes.upcoming_slots(lane, now=now, limit=free, rng=worker.chance)
    if not slots:
        return _pick_by_actor(conn, lane, free=free, worker=worker, now=now)
    ready = next_jobs(lane.site_id, len(slots) + 1)
    picked = _with_slots(ready[: len(slots)], slots, lane)
    used = sum(each.slot is not None for each in picked)
    opens = opens if used == len(slots) else slots[used].opens_at
    if len(ready) <= len(slots):
        waiting = ready_jobs.next_ready_at(conn, lane.site_id, now=now)
        if picked or busy:
            waiting = min(waiting or now + worker.lease, now + worker.lease)
        return picked, LaneTimes(lane.site_id, opens, waiting)
    full = len(picked) >= free
    return picked, LaneTimes(lane.site_id, opens, now + worker.lease if full else opens - HORIZON)


def _pick_by_actor(
    conn: Connection, lane: Lane, *, free: int, worker: Worker, now: datetime
) -> tuple[list[TakenJob], LaneTimes]:
    """Jobs of an actor, which a pause of the site does not stop.

    An actor sends the site nothing from here.
    """
    again = lane.open_at - HORIZON
    if not lane.cooling:
        return [], LaneTimes(lane.site_id, lane.open_at, again)
    ready = ready_jobs.list_ready_by_actor(conn, lane.site_id, now=now, limit=free)
    waiting = ready_jobs.next_ready_at(conn, lane.site_id, now=now) or again
    check = min(again, waiting, now + worker.lease) if ready else min(again, waiting)
    return [TakenJob(job, lane, None) for job in ready], LaneTimes(lane.site_id, lane.open_at, check)


def _with_slots(ready: Sequence[Job], slots: Sequence[Slot], lane: Lane) -> list[TakenJob]:
    """Jobs with slots; one whose page is already stored needs none."""
    left = iter(slots)
    return [TakenJob(job, lane, next(left) if job.stage is Stage.FETCH else None) for job in ready]
