"""A virtual week: discovery over a living site in virtual time, by the code that runs in real time.

The first part is long: 18,000 listings that come, change and go for a week. The others show that virtual
time leaves nothing out: the same week of a small site, read as values and as HTML, gives the same rows.
"""

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.state import Listing, ListingChange, ListingEvent
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.layouts import Layout, selectors
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.tables.columns import moment
from tests.proofs.plans import listings_of, only_discovery
from tests.proofs.processes import START
from tests.proofs.proof import Part, Stage, proof

CLAIM = (
    "A virtual week of discovery over 18,000 listings runs in seconds and finds all that was to be found; a "
    "small site's week gives the same rows from values as from HTML"
)
SITE = "homes.test"
MAX_SLIPPED = 0.01
"""Of all listings: while the first reading goes on, removals move rows to pages that were read already."""
TABLES = ("records", "versions", "observations", "sightings", "changes", "runs", "jobs")
UNLIKE = {"page_id", "strategies", "state"}
"""Columns that tell how a row was read, not what it says."""


def site(*, listings: int, seed: int, layout: Layout = Layout.JSONLD) -> ClassifiedsSite:
    """A site of about so many listings, each of which lives for a month."""
    truth = ClassifiedsTruth(seed=seed, start=START, stock=listings)
    return ClassifiedsSite(name=SITE, classifieds=truth, layout=layout)


def live(shown: ClassifiedsSite, *, until: timedelta, html: bool = False) -> VirtualLarder:
    """Let a Larder live beside a site for so long."""
    larder = VirtualLarder(SimWeb.of([shown], html=html), start=START)
    declared = {} if shown.layout is Layout.JSONLD else {"selectors": dict(selectors(shown.layout))}
    larder.database.now(only_discovery, listings_of(SITE, params=declared), now=START)
    larder.run(START + until)
    return larder


def discover(*, listings: int, days: float, seed: int) -> Part:
    """Let a week pass, and hold the records against the truth."""
    shown = site(listings=listings, seed=seed)
    began, cpu = time.perf_counter(), time.process_time()
    larder = live(shown, until=timedelta(days=days))
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    outlook = Outlook.of(shown, larder)
    figures = {
        "days": days,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(used, 1),
        "requests": larder.fetch_tasks.requests,
        "cpu_ms_a_request": round(used / larder.fetch_tasks.requests * 1000, 2),
        **outlook.figures(),
    }
    return Part(figures=figures, broken=outlook.wrong())


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What is on the site at the end, and what is on record."""

    now: datetime
    read_once: datetime
    """When the first discovery had read the index to its end."""
    there: Mapping[str, Listing]
    kept: Counter[str]
    invented: int
    waits: Sequence[float]
    """Seconds from each later arrival to its record, in order of length."""

    @classmethod
    def of(cls, shown: ClassifiedsSite, larder: VirtualLarder) -> "Outlook":
        now, truth = larder.clock.now(), shown.classifieds
        records = larder.database.now(_rows, "records")
        ends = [row.finished_at for row in larder.database.now(_rows, "runs") if row.finished_at is not None]
        read_once = moment(min(ends)) if ends else now
        return cls(
            now=now,
            read_once=read_once,
            there=truth.live(now),
            kept=Counter(row.platform_id for row in records),
            invented=sum(truth.last_known(row.platform_id, now) is None for row in records),
            waits=_waits(truth.events(read_once, now), records),
        )

    def missed(self) -> list[Listing]:
        return [listing for i, listing in self.there.items() if i not in self.kept]

    def overlooked(self) -> list[Listing]:
        """Came on top of the index after the first reading, and was there for an hour."""
        hour = timedelta(hours=1)
        return [each for each in self.missed() if self.read_once < each.refreshed_at < self.now - hour]

    def slipped(self) -> list[Listing]:
        """Moved to a page that was read already while the first reading went on: what sweeps are for."""
        return [each for each in self.missed() if each.refreshed_at <= self.read_once]

    def figures(self) -> dict[str, Any]:
        return {
            "live": len(self.there),
            "records": len(self.kept),
            "recall": round(1 - len(self.missed()) / len(self.there), 5),
            "overlooked": len(self.overlooked()),
            "slipped_through_the_first_reading": len(self.slipped()),
            "minutes_to_discovery_median": round(_at(self.waits, 0.5) / 60, 1),
            "minutes_to_discovery_p95": round(_at(self.waits, 0.95) / 60, 1),
        }

    def wrong(self) -> list[str]:
        found = {
            "arrivals not found within an hour": len(self.overlooked()),
            "records that never were": self.invented,
            "doubled listings": sum(times > 1 for times in self.kept.values()),
        }
        share = len(self.slipped()) / len(self.there)
        return [
            *(f"{what}: {number}" for what, number in found.items() if number),
            *([f"{share:.2%} slipped through the first reading"] if share > MAX_SLIPPED else []),
        ]


def _waits(events: Sequence[ListingEvent], records: Sequence[Any]) -> list[float]:
    seen = {row.platform_id: moment(row.first_seen_at) for row in records}
    came = {e.listing.platform_id: e.at for e in events if e.what is ListingChange.ARRIVED}
    return sorted((seen[i] - at).total_seconds() for i, at in came.items() if i in seen)


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[int(share * (len(ordered) - 1))] if ordered else 0.0


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
    return [{k: _comparable(k, v) for k, v in row._mapping.items() if k not in UNLIKE} for row in rows]


def _comparable(column: str, value: Any) -> Any:
    """Only HTML has row shapes, which jobs for later index pages carry."""
    if column != "context" or value is None:
        return value
    known = {name: each for name, each in json.loads(value).items() if name != "row_shapes"}
    return json.dumps(known) if known else None


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
