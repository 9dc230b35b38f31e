"""A clock that jumps ahead and back: everything is visited again within its cadence, and ends at now."""

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, text, update

from larder.core.model.run import RunKind, RunStatus
from larder.core.policy.trust.circuit import Circuit, CircuitState
from larder.engine.scheduling import dispatch
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.dataset.freshness import confidence
from larder.store.operations import circuits, clock_jumps
from larder.store.operations.circuits import CircuitKey
from larder.store.queue import lanes as lane_rows
from larder.store.queue import runs
from larder.store.tables import jobs, lanes, records
from larder.store.tables import runs as run_rows
from larder.store.tables import sources as source_rows
from larder.store.tables.columns import Moment, metadata, micros
from tests.contract.faces import Faces
from tests.contract.test_dispatch import HOW, planted
from tests.contract.world import DAY, HOUR, MINUTE, NOW, Pages, source, staged, unit_of_work

AHEAD = 30 * DAY
CADENCES = (0.5, 1, 6, 24, 72)


def every(settings: DispatchSettings = HOW) -> DispatchSettings:
    return replace(settings, strict=False, kinds=frozenset(RunKind))


def tick(conn: Connection, at: datetime) -> None:
    """Open what is due, and end it."""
    for run_id in dispatch.tick(conn, every(), now=at).opened:
        runs.close(conn, run_id, RunStatus.COMPLETED, now=at)


def visits(conn: Connection, since: datetime) -> dict[str, datetime]:
    """When each source was first visited since then."""
    found = (
        select(source_rows.c.slug, run_rows.c.started_at)
        .join(run_rows, run_rows.c.source_id == source_rows.c.id)
        .where(run_rows.c.kind == RunKind.COLLECT, run_rows.c.started_at >= since)
        .order_by(run_rows.c.started_at.desc())
    )
    return {row.slug: row.started_at for row in conn.execute(found)}


@pytest.mark.parametrize("seed", range(3))
@unit_of_work
def test_l10_24_all_sources_are_visited_again_within_their_cadence(conn: Connection, seed: int) -> None:
    chance = Random(seed)
    for hours in CADENCES:
        planted(conn, f"s{int(hours * 10)}", plan="market", cadence_hours=hours)
    tick(conn, NOW)
    for _ in range(3):
        tick(conn, NOW + AHEAD + chance.randint(0, 5) * HOUR)
    conn.execute(
        update(lanes).values(cooling_until=NOW + AHEAD + DAY, next_at=NOW + AHEAD, open_at=NOW + AHEAD)
    )
    blocked = Circuit(state=CircuitState.OPEN, failures=5, trips=1, until=NOW + AHEAD + HOUR)
    circuits.write(conn, {CircuitKey(1): blocked})
    back = NOW + chance.randint(1, 20) * MINUTE
    for minutes in range(0, 73 * 60, 10):
        tick(conn, back + minutes * MINUTE)
    seen = visits(conn, back)
    late = {
        slug: at - back for slug, at in seen.items() if at - back > float(slug[1:]) / 10 * HOUR + 10 * MINUTE
    }
    assert (len(seen), late) == (len(CADENCES), {})
    assert conn.scalar(select(lanes.c.cooling_until).limit(1)) == back


@unit_of_work
def test_l10_24_the_work_of_an_open_run_is_taken_up_at_once(conn: Connection) -> None:
    planted(conn, plan="market")
    tick(conn, NOW)
    dispatch.tick(conn, every(), now=NOW + AHEAD)
    lane_rows.lease(conn, owner="before", now=NOW + AHEAD, ttl=MINUTE, limit=9)
    back = NOW + 5 * MINUTE
    assert lane_rows.lease(conn, owner="after", now=back, ttl=MINUTE, limit=9) == []
    dispatch.tick(conn, every(), now=back)
    assert len(lane_rows.lease(conn, owner="after", now=back, ttl=MINUTE, limit=9)) == 1
    assert conn.scalar(select(func.max(run_rows.c.heartbeat_at))) <= back
    assert conn.scalar(select(func.max(jobs.c.not_before))) <= back + HOUR


@unit_of_work
def test_l10_24_confidence_falls_from_now(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(1), at=NOW + AHEAD))
    clock_jumps.end_at_now(conn, now=NOW)
    left = select(
        confidence(NOW + 10 * HOUR), records.c.last_seen_at, records.c.shown_until, records.c.dead_at
    )
    (found,) = conn.execute(left)
    assert tuple(found) == (80, NOW, NOW + 30 * HOUR + 30 * MINUTE, NOW + 50 * HOUR)


@unit_of_work
def test_l10_24_a_target_waits_no_longer_than_its_interval(conn: Connection) -> None:
    shop = source(conn)
    rows = [("soon", 3600, NOW + HOUR), ("late", 3600, NOW + 2 * HOUR), ("weekly", 7 * 86400, NOW + 6 * DAY)]
    for name, interval, due in rows:
        conn.execute(
            text(
                "INSERT INTO targets (source_id, url, canonical_url, interval_s, next_due_at) "
                "VALUES (:source, :name, :name, :interval, :due)"
            ),
            {"source": shop, "name": name, "interval": interval, "due": micros(due)},
        )
    clock_jumps.end_at_now(conn, now=NOW)
    found = {row.url: row.next_due_at for row in conn.execute(text("SELECT url, next_due_at FROM targets"))}
    assert found == {"soon": micros(NOW + HOUR), "late": micros(NOW), "weekly": micros(NOW + 6 * DAY)}


@unit_of_work
def test_l10_24_nothing_is_touched_while_time_goes_on(conn: Connection) -> None:
    for hours in (0, 1, 30 * 24):
        assert not clock_jumps.went_back(conn, now=NOW + hours * HOUR)
    assert not clock_jumps.went_back(conn, now=NOW + 30 * DAY - MINUTE), "workers' clocks differ a little"
    assert clock_jumps.went_back(conn, now=NOW + DAY)
    assert not clock_jumps.went_back(conn, now=NOW + DAY)


def test_l10_24_every_wait_is_known_or_bounded() -> None:
    """A column of times in the future that is new must be given a rule."""
    ahead = (
        "_until",
        "until",
        "next_at",
        "_due_at",
        "expires_at",
        "retry_at",
        "probe_at",
        "not_before",
        "opens_at",
    )
    named = {
        c
        for t in metadata.sorted_tables
        for c in t.columns
        if isinstance(c.type, Moment) and c.name.endswith(ahead)
    }
    assert named <= {*clock_jumps.WAITS, *clock_jumps._OTHERS}


PUBLIC = (
    "/",
    "/records",
    "/records/1",
    "/map",
    "/feed",
    "/events",
    "/api/records",
    "/api/records/1",
    "/api/changes",
)
ADMIN = (
    "/admin",
    "/admin/sources",
    "/admin/sources/homes",
    "/admin/runs",
    "/admin/records",
    "/admin/targets",
)


@pytest.mark.parametrize("back", [AHEAD, 5 * 365 * DAY], ids=["a month", "years"])
async def test_l10_24_no_page_breaks_on_times_ahead(shown: Faces, back: timedelta) -> None:
    """Everything that is stored lies ahead of now, as after a jump back before the first tick."""
    shown.clock._now = NOW - back
    asked: dict[str, Any] = {path: await shown.anyone.get(path) for path in PUBLIC}
    asked |= {path: await shown.admin.get(path) for path in ADMIN}
    assert {path: told.status_code for path, told in asked.items() if told.status_code >= 500} == {}
    assert asked["/records/1"].status_code == 200
