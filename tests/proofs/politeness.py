"""Politeness: however many drivers there are, and however long one of them was away, a site sees one visitor.

Two drivers share a PostgreSQL database and the sites in it. Whoever holds the lanes is frozen (SIGSTOP) until
its leases have run out and the other one drives, and is then woken (SIGCONT) to find that the world went on
without it. The site's own log tells whether its limit held, and how often somebody spoke out of turn.
"""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, text

from larder.sim.request_log import LoggedRequest, RequestLog
from larder.store.database import open_database
from tests.proofs.books import Books
from tests.proofs.processes import MadeUpWeb, Process, driver, driver_of
from tests.proofs.proof import Part, Stage, proof

T = TypeVar("T")

CLAIM = (
    "Two processes on one PostgreSQL keep a site's limit of 5 requests a second in every window (10 % "
    "tolerance on arrival times), also when one of them is frozen past its lease and woken; at most one "
    "late request for each freeze, no lane starves, every record is right and none is doubled"
)
SITES = ("homes.test", "flats.test", "rooms.test")
SPACING_MS = 200
AT_ONCE = 2
TOLERANCE = 0.1
WINDOWS = (1, 2, 5, 10)
NAMES = ("ann", "ben")
STEP = 0.05
"""Seconds between two looks at the site's log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """One driver was away; when it was woken, the other one drove these sites."""

    name: str
    woken: float
    over: float
    """When the other one was frozen in its turn."""
    lost: frozenset[str]


def drive_together(
    folder: Path,
    *,
    database: str,
    freezes: int,
    listings: int,
    sites: Sequence[str],
    lease: float,
    windows: Sequence[int] = WINDOWS,
) -> Part:
    """Let two drivers share the sites; freeze whoever leads, again and again."""
    with MadeUpWeb(folder=folder, sites=sites, listings=listings) as web:
        drivers = {name: _start(web, database, lease, name) for name in NAMES}
        try:
            away = _freeze_the_leader(web, database, drivers, freezes, lease=lease)
            _until_done(web, database)
        finally:
            codes = {name: process.end() for name, process in drivers.items()}
        request_log = web.request_log()
        books = Books.read(database)
        wrong = books.wrong({site: web.truth(site) for site in sites}, bodies=folder / "larder" / "pages")
    lanes = {site: request_log.for_host(site) for site in sites}
    late = [late_requests(freeze, request_log) for freeze in away]
    broken = [
        *wrong,
        *(f"{name} ended with {code}" for name, code in codes.items() if code),
        *(found for site, lane in lanes.items() for found in too_fast(site, lane, windows)),
        *(found for site in lanes for found in starved(site, lanes, lease)),
        *(f"{len(visits)} late requests after one freeze" for visits in late if len(visits) > 1),
        *(f"{name} did nothing" for name in NAMES if not _by(request_log, name)),
    ]
    return Part(figures=_figures(lanes, request_log, away, late), broken=broken)


def _start(web: MadeUpWeb, database: str, lease: float, name: str) -> Process:
    process = driver(
        web,
        database=database,
        spacing_ms=SPACING_MS,
        at_once=AT_ONCE,
        lease=lease,
        name=name,
        forever=True,
    )
    if not process.ready():
        raise RuntimeError(f"{name} did not start: see {name}.err")
    return process


# -- freezing ----------------------------------------------------------------------------------------------


def _freeze_the_leader(
    web: MadeUpWeb, database: str, drivers: Mapping[str, Process], freezes: int, *, lease: float
) -> list[Freeze]:
    """Freeze whoever drives until the other one does, wake it, give it time to do harm, and so on."""
    leader = _wait_for_visit(web, since=0.0)
    away: list[Freeze] = []
    for _ in range(freezes):
        other = next(name for name in NAMES if name != leader)
        frozen = time.monotonic()
        drivers[leader].send(signal.SIGSTOP)
        _wait_for_visit(web, since=frozen, by=other)
        drivers[other].ends_within(lease)
        lost = asyncio.run(_ask(database, partial(_driven_by, pid=drivers[other].pid)))
        woken = time.monotonic()
        drivers[leader].send(signal.SIGCONT)
        drivers[other].ends_within(lease)
        away.append(Freeze(name=leader, woken=woken, over=time.monotonic(), lost=frozenset(lost)))
        leader = other
    return away


def _driven_by(conn: Connection, pid: int) -> list[str]:
    """The sites whose lanes a process holds."""
    held = "SELECT domain FROM lanes JOIN sites ON id = site_id WHERE lease_owner LIKE :owner"
    return list(conn.scalars(text(held), {"owner": f"%:{pid}:%"}))


def _wait_for_visit(web: MadeUpWeb, *, since: float, by: str = "", max_wait: float = 60) -> str:
    """Until somebody (or that one) asked for a page; who it was."""
    gives_up = time.monotonic() + max_wait
    while time.monotonic() < gives_up:
        came = [v for v in web.request_log().requests if v.arrived > since and "/listing" in v.path]
        names = [name for name in map(driver_of, came) if by in ("", name)]
        if names:
            return names[0]
        time.sleep(STEP)
    raise RuntimeError(f"nobody came to the site for {max_wait} s")


def _until_done(web: MadeUpWeb, database: str, max_wait: float = 900) -> None:
    """Until no run is open and every site was read."""
    gives_up = time.monotonic() + max_wait
    while asyncio.run(_ask(database, _open_runs)):
        if time.monotonic() > gives_up:
            raise RuntimeError(f"{len(web.sites)} sites were not read within {max_wait} s")
        time.sleep(10 * STEP)


def _open_runs(conn: Connection) -> int:
    counted: int = conn.execute(text("SELECT count(*) FROM runs WHERE status = 'running'")).scalar_one()
    return counted


async def _ask(url: str, question: Callable[[Connection], T]) -> T:
    database = open_database(url)
    try:
        return await database.run(question)
    finally:
        await database.close()


# -- what the sites saw ------------------------------------------------------------------------------------


def too_fast(site: str, lane: RequestLog, windows: Sequence[int]) -> list[str]:
    """Windows with more visits than the limit, each window a tenth shorter than its name."""
    per_second = 1000 // SPACING_MS
    found = {seconds: lane.max_in_window(timedelta(seconds=seconds * (1 - TOLERANCE))) for seconds in windows}
    return [
        f"{site}: {seen} requests within {seconds} s, the limit is {seconds * per_second}"
        for seconds, seen in found.items()
        if seen > seconds * per_second
    ]


def starved(site: str, lanes: Mapping[str, RequestLog], lease: float) -> list[str]:
    """A lane that was not served while another one was, for longer than it takes to notice a lost driver."""
    max_wait = round(3 * lease * 1000 / SPACING_MS)
    waits = list(pairwise(_arrivals(lanes[site])))
    passed = {
        other: max(sum(a < at < b for at in _arrivals(lane)) for a, b in waits)
        for other, lane in lanes.items()
        if other != site
    }
    return [f"{site} waited for {n} requests to {other}" for other, n in passed.items() if n > max_wait]


def _arrivals(lane: RequestLog) -> list[float]:
    return sorted(visit.arrived for visit in lane.requests)


def late_requests(freeze: Freeze, request_log: RequestLog) -> list[LoggedRequest]:
    """Visits by a driver that was frozen to sites that were no longer its own."""
    came = [v for v in _by(request_log, freeze.name) if freeze.woken <= v.arrived < freeze.over]
    return [visit for visit in came if visit.host in freeze.lost]


def _by(request_log: RequestLog, name: str) -> list[LoggedRequest]:
    return [visit for visit in request_log.requests if driver_of(visit) == name]


def _figures(
    lanes: Mapping[str, RequestLog],
    request_log: RequestLog,
    away: Sequence[Freeze],
    late: Sequence[Sequence[LoggedRequest]],
) -> dict[str, Any]:
    return {
        "freezes": len(away),
        "lanes_lost_to_the_other": sum(len(freeze.lost) for freeze in away),
        "late_requests": sum(map(len, late)),
        "late_requests_after_a_freeze_most": max(map(len, late), default=0),
        "requests_by_driver": dict(sorted(Counter(map(driver_of, request_log.requests)).items())),
        "sites": {site: _lane_figures(lane) for site, lane in lanes.items()},
    }


def _lane_figures(lane: RequestLog) -> dict[str, Any]:
    arrivals = _arrivals(lane)
    gaps = sorted(after - before for before, after in pairwise(arrivals))
    return {
        "requests": len(arrivals),
        "pages_asked_for_again": sum(n - 1 for n in lane.fetched_twice(containing="/listing").values()),
        "gap_least_ms": round(gaps[0] * 1000),
        "gap_median_ms": round(gaps[len(gaps) // 2] * 1000),
        "gap_most_ms": round(gaps[-1] * 1000),
        "most_in_window": {f"{s} s": lane.max_in_window(timedelta(seconds=s)) for s in WINDOWS},
        "at_once_most": lane.max_concurrent(),
    }


@proof("politeness", CLAIM, seed=7)
def politeness(stage: Stage) -> Part:
    return drive_together(
        stage.folder, database=stage.postgres(), freezes=8, listings=300, sites=SITES, lease=3
    )
