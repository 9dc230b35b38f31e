"""Politeness: however many drivers there are, and however long one of them was away, a site sees one visitor.

Two drivers share a PostgreSQL database and the sites in it. Whoever holds the lanes is frozen (SIGSTOP) until
its leases have run out and the other one drives, and is then woken (SIGCONT) to find that the world went on
without it. The site's own log tells whether its limit held, and how often somebody spoke out of turn.
"""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text

from larder.sim.witness import Visit, Witness
from larder.store.database import open_database
from tests.proofs.books import Books
from tests.proofs.processes import MadeUpWeb, Process, driver
from tests.proofs.proof import Part, Stage, proof

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
    """One driver was away, from its last to its first sign of life."""

    name: str
    began: float
    ended: float
    over: float
    """When its turn could come again: the other one was frozen then."""


def drive_together(
    folder: Path, *, database: str, freezes: int, listings: int, sites: Sequence[str], lease: float
) -> Part:
    """Let two drivers share the sites; freeze whoever leads, again and again."""
    with MadeUpWeb(folder=folder, sites=sites, listings=listings) as web:
        drivers = {name: _start(web, database, lease, name) for name in NAMES}
        try:
            away = _freeze_the_leader(web, drivers, freezes, lease=lease)
            _until_done(web, database)
        finally:
            codes = {name: process.end() for name, process in drivers.items()}
        witness = web.witness()
        books = Books.read(database)
        wrong = books.wrong({site: web.truth(site) for site in sites}, bodies=folder / "larder" / "pages")
    lanes = {site: witness.of(site) for site in sites}
    late = [_late(freeze, witness) for freeze in away]
    broken = [
        *wrong,
        *(f"{name} ended with {code}" for name, code in codes.items() if code),
        *(found for site, lane in lanes.items() for found in _too_fast(site, lane)),
        *(f"{len(visits)} late requests after one freeze" for visits in late if len(visits) > 1),
        *(f"{name} did nothing" for name in NAMES if not _by(witness, name)),
    ]
    return Part(figures=_figures(lanes, witness, late), broken=broken)


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
    web: MadeUpWeb, drivers: Mapping[str, Process], freezes: int, *, lease: float
) -> list[Freeze]:
    leader, other = _wait_for_visit(web, since=0.0), ""
    began: list[tuple[str, float, float]] = []
    for _ in range(freezes):
        other = next(name for name in NAMES if name != leader)
        frozen_at = time.monotonic()
        drivers[leader].send(signal.SIGSTOP)
        _wait_for_visit(web, since=frozen_at, by=other)
        drivers[other].ends_within(lease / 2)
        woken_at = time.monotonic()
        drivers[leader].send(signal.SIGCONT)
        drivers[other].ends_within(lease)
        began.append((leader, frozen_at, woken_at))
        leader = other
    ends = [at for _, at, _ in began[1:]] + [time.monotonic()]
    return [
        Freeze(name=name, began=began_at, ended=ended_at, over=over)
        for (name, began_at, ended_at), over in zip(began, ends, strict=True)
    ]


def _wait_for_visit(web: MadeUpWeb, *, since: float, by: str = "", patience: float = 60) -> str:
    """Until somebody (or that one) asked for a page; who it was."""
    gives_up = time.monotonic() + patience
    while time.monotonic() < gives_up:
        came = [v for v in web.witness().visits if v.arrived > since and "/listing" in v.path]
        names = [name for name in map(_name, came) if by in ("", name)]
        if names:
            return names[0]
        time.sleep(STEP)
    raise RuntimeError(f"nobody came to the site for {patience} s")


def _until_done(web: MadeUpWeb, database: str, patience: float = 900) -> None:
    """Until no run is open and every site was read."""
    gives_up = time.monotonic() + patience
    while asyncio.run(_open_runs(database)):
        if time.monotonic() > gives_up:
            raise RuntimeError(f"{len(web.sites)} sites were not read within {patience} s")
        time.sleep(10 * STEP)


async def _open_runs(url: str) -> int:
    database = open_database(url)
    try:
        return await database.run(_count_open)
    finally:
        await database.close()


def _count_open(conn: Connection) -> int:
    counted: int = conn.execute(text("SELECT count(*) FROM runs WHERE status = 'running'")).scalar_one()
    return counted


# -- what the sites saw ------------------------------------------------------------------------------------


def _too_fast(site: str, lane: Witness) -> list[str]:
    """Windows with more visits than the limit, each window a tenth shorter than its name."""
    per_second = 1000 // SPACING_MS
    found = {seconds: lane.busiest(timedelta(seconds=seconds * (1 - TOLERANCE))) for seconds in WINDOWS}
    return [
        f"{site}: {seen} requests within {seconds} s, the limit is {seconds * per_second}"
        for seconds, seen in found.items()
        if seen > seconds * per_second
    ]


def _late(freeze: Freeze, witness: Witness) -> list[Visit]:
    """Visits by a driver that was frozen, before its turn came again."""
    return [v for v in _by(witness, freeze.name) if freeze.ended <= v.arrived < freeze.over]


def _by(witness: Witness, name: str) -> list[Visit]:
    return [visit for visit in witness.visits if _name(visit) == name]


def _name(visit: Visit) -> str:
    """The driver that a visit's user agent names."""
    return visit.agent.rstrip(")").rsplit("/", 1)[-1]


def _figures(
    lanes: Mapping[str, Witness], witness: Witness, late: Sequence[Sequence[Visit]]
) -> dict[str, Any]:
    return {
        "freezes": len(late),
        "late_requests": sum(map(len, late)),
        "late_requests_after_a_freeze_most": max(map(len, late), default=0),
        "requests_by_driver": dict(sorted(Counter(map(_name, witness.visits)).items())),
        "sites": {site: _lane_figures(lane) for site, lane in lanes.items()},
    }


def _lane_figures(lane: Witness) -> dict[str, Any]:
    arrivals = sorted(visit.arrived for visit in lane.visits)
    gaps = sorted(after - before for before, after in pairwise(arrivals))
    return {
        "requests": len(arrivals),
        "pages_asked_for_again": sum(n - 1 for n in lane.fetched_twice(containing="/listing").values()),
        "gap_least_ms": round(gaps[0] * 1000),
        "gap_median_ms": round(gaps[len(gaps) // 2] * 1000),
        "gap_most_ms": round(gaps[-1] * 1000),
        "most_in_window": {f"{s} s": lane.busiest(timedelta(seconds=s)) for s in WINDOWS},
        "at_once_most": lane.at_once(),
    }


@proof("politeness", CLAIM, seed=7)
def politeness(stage: Stage) -> Part:
    return drive_together(
        stage.folder, database=stage.postgres(), freezes=8, listings=300, sites=SITES, lease=3
    )
