"""A virtual week: discovery over a living site in virtual time, by the code that runs in real time.

The first part is long: 18,000 listings that come, change and go for a week. The others show that virtual
time leaves nothing out: the same week of a small site, read as values and as HTML, gives the same rows.
"""

import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text

from larder.sim.classifieds import Classifieds
from larder.sim.layouts import Layout, selectors
from larder.sim.respond import Site
from larder.sim.truth import What
from larder.sim.virtual import MadeUpWeb, VirtualLarder
from tests.proofs.plans import listings_of, only_discovery
from tests.proofs.processes import START
from tests.proofs.proof import Part, Stage, proof

CLAIM = (
    "A virtual week of discovery over 18,000 listings runs in seconds and finds all that was to be found; a "
    "small site's week gives the same rows from values as from HTML"
)
SITE = "homes.test"
WEEK = timedelta(days=7)
TABLES = ("records", "versions", "observations", "sightings", "changes", "runs", "jobs")
UNLIKE = {"page_id", "strategies", "state"}
"""Columns that tell how a row was read, not what it says."""


def site(*, listings: int, seed: int, layout: Layout = Layout.JSONLD) -> Site:
    """A site of about so many listings, each of which lives for a month."""
    truth = Classifieds(seed=seed, start=START, stock=listings)
    return Site(name=SITE, classifieds=truth, layout=layout)


def live(shown: Site, *, until: timedelta, html: bool = False) -> VirtualLarder:
    """Let a Larder live beside a site for so long."""
    larder = VirtualLarder(MadeUpWeb.of([shown], html=html), start=START)
    declared = {} if shown.layout is Layout.JSONLD else {"selectors": dict(selectors(shown.layout))}
    larder.database.now(only_discovery, listings_of(SITE, params=declared), now=START)
    larder.run(START + until)
    return larder


def discover(*, listings: int, days: float, seed: int) -> Part:
    """Let a week pass, and hold the records against the truth."""
    shown, span = site(listings=listings, seed=seed), timedelta(days=days)
    began = time.perf_counter()
    larder = live(shown, until=span)
    seconds = time.perf_counter() - began
    now = larder.clock.now()
    kept = {row.platform_id for row in larder.database.now(_rows, "records")}
    there = set(shown.classifieds.live(now))
    missed = sorted(there - kept)
    fresh = [i for i in missed if now - shown.classifieds.live(now)[i].refreshed_at < timedelta(hours=1)]
    figures = {
        "days": days,
        "seconds": round(seconds, 1),
        "requests": larder.hands.requests,
        "microseconds_a_request": round(seconds / larder.hands.requests * 1e6),
        "live": len(there),
        "records": len(kept),
        "recall": round(1 - len(missed) / len(there), 5),
        "missed_and_older_than_an_hour": len(missed) - len(fresh),
        "median_minutes_to_discovery": _latency(shown, larder, now),
    }
    return Part(figures=figures, broken=_wrong(larder, shown, missed, fresh))


def _wrong(larder: VirtualLarder, shown: Site, missed: Sequence[str], fresh: Sequence[str]) -> list[str]:
    now = larder.clock.now()
    old = len(missed) - len(fresh)
    keys = Counter(row.platform_id for row in larder.database.now(_rows, "records"))
    invented = [i for i in keys if shown.classifieds.ever(i, now) is None]
    return [
        *([f"{old} listings older than an hour were not found"] if old else []),
        *([f"records that never were: {invented[:3]}"] if invented else []),
        *([f"doubled: {keys.most_common(1)}"] if max(keys.values()) > 1 else []),
    ]


def _latency(shown: Site, larder: VirtualLarder, now: datetime) -> float | None:
    """From an arrival on the site to its record, for those that came after the first discovery ended."""
    runs = larder.database.now(_rows, "runs")
    first_end = min(row.finished_at for row in runs if row.finished_at is not None)
    seen = {row.platform_id: row.first_seen_at for row in larder.database.now(_rows, "records")}
    arrived = [e for e in shown.classifieds.events(START, now) if e.what is What.ARRIVED]
    came = {e.listing.platform_id: e.at.timestamp() for e in arrived if e.at.timestamp() * 1e6 > first_end}
    waits = sorted(seen[i] / 1e6 - at for i, at in came.items() if i in seen)
    return round(waits[len(waits) // 2] / 60, 1) if waits else None


def compare(*, listings: int, days: float, seed: int, layout: Layout) -> Part:
    """The same site twice, as values and as HTML: every row alike."""
    span = timedelta(days=days)
    both = [
        live(site(listings=listings, seed=seed, layout=layout), until=span, html=html)
        for html in (False, True)
    ]
    values, html = ({table: _alike(larder, table) for table in TABLES} for larder in both)
    differ = [table for table in TABLES if values[table] != html[table]]
    figures = {"days": days, **{table: len(values[table]) for table in TABLES}}
    return Part(figures=figures, broken=[_difference(t, values[t], html[t]) for t in differ])


def _difference(table: str, values: Sequence[Any], html: Sequence[Any]) -> str:
    pairs = ((a, b) for a, b in zip(values, html, strict=False) if a != b)
    first = next(pairs, None)
    unlike = {k: (first[0][k], first[1][k]) for k in first[0] if first[0][k] != first[1][k]} if first else {}
    return f"{table} differ ({len(values)} and {len(html)} rows): {unlike}"


def _alike(larder: VirtualLarder, table: str) -> list[dict[str, Any]]:
    rows = larder.database.now(_rows, table)
    return [{k: v for k, v in row._mapping.items() if k not in UNLIKE} for row in rows]


def _rows(conn: Connection, table: str) -> Sequence[Any]:
    return conn.execute(text(f"SELECT * FROM {table} ORDER BY id")).all()


@proof("week", CLAIM, seed=1, part="18,000 listings")
def long_week(stage: Stage) -> Part:
    return discover(listings=18_000, days=7, seed=stage.seed)


@proof("week", CLAIM, seed=1, part="values and HTML")
def twins(stage: Stage) -> Part:
    return compare(listings=300, days=7, seed=stage.seed, layout=Layout.JSONLD)


@proof("week", CLAIM, seed=1, part="values and HTML, by selectors")
def worded_twins(stage: Stage) -> Part:
    return compare(listings=300, days=7, seed=stage.seed, layout=Layout.CARDS)
