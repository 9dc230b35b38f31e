"""Stores fetched pages before they are parsed, so that none is fetched twice for its job.

Pages of a lane whose lease was lost are dropped, because another worker fetches them now.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from larder.core.model.job import Purpose
from larder.core.model.source import Plan
from larder.engine.work_items import FetchedWork, ProcessedPage, Worker
from larder.store.database import Connection
from larder.store.pages import pages
from larder.store.pages.blobs import BodyLocation
from larder.store.pages.page_rows import NewPage
from larder.store.queue import jobs, lanes, request_hours
from larder.store.queue.jobs import JobPage


def store_pages(
    conn: Connection,
    worker: Worker,
    fetched_work: Sequence[FetchedWork],
    stored: Sequence[BodyLocation],
    *,
    now: datetime,
) -> dict[int, int]:
    """Store fetched pages and count their requests. From here on none is fetched again for its job."""
    held_lanes = held_lanes_of(conn, worker, fetched_work, now)
    work = [c for c in fetched_work if c.work.lane.site_id in held_lanes]
    _store_bodies(conn, work, stored, now=now)
    _count_requests(conn, work, now=now)
    ids = pages.store(conn, [NewPage(c.work.job.id, c.work.source.id, c.fetched) for c in work])
    arrived = [c.work.job.id for c in work if c.fetched.outcome.has_page]
    jobs.mark_fetched(conn, [JobPage(job_id, ids[job_id]) for job_id in arrived], now=now)
    return ids


def _count_requests(conn: Connection, work: Sequence[FetchedWork], *, now: datetime) -> None:
    """Count the requests of sources with the plan `adaptive` against their budgets."""
    made: Counter[tuple[int, Purpose]] = Counter()
    for each in work:
        if each.work.source.plan is Plan.ADAPTIVE:
            made[each.work.source.id, each.work.job.request.purpose] += each.requests
    if made:
        request_hours.add(conn, made, now=now)


def _store_bodies(
    conn: Connection, work: Sequence[FetchedWork], stored: Sequence[BodyLocation], *, now: datetime
) -> None:
    """Store the locations of new bodies; extend the retention of bodies that were stored before."""
    hashes = {c.fetched.content_hash for c in work if c.fetched.content_hash}
    new_bodies = [s for s in stored if s.content_hash in hashes]
    pages.set_locations(conn, new_bodies, now=now)
    stored_before = hashes - {s.content_hash for s in new_bodies}
    if stored_before:
        pages.touch_bodies(conn, stored_before, now=now)


def held_lanes_of(
    conn: Connection, worker: Worker, done: Sequence[FetchedWork] | Sequence[ProcessedPage], now: datetime
) -> set[int]:
    """The lanes among these that this worker still holds."""
    tokens: dict[int, int] = {}
    for lane in (each.work.lane for each in done):
        tokens[lane.site_id] = max(lane.token, tokens.get(lane.site_id, 0))
    return lanes.renew(conn, tokens, owner=worker.owner, now=now, ttl=worker.lease)
