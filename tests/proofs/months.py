"""Months in minutes: the real engine in virtual time, for ninety days, on sites that move and fall ill.

How the figures are meant:

The troubles are of every kind (down, errors, blocks, limits, empty pages, all details 404, another layout),
come at random every few days and last from minutes to half a day; details are lost for up to 40 hours.

- *Recall* is measured once a day, at an hour that differs from day to day, on every day, be the site well or
  not: the share of live listings that are shown. A listing counts once the site was well for one discovery
  cycle since it came (nobody can know of what arrives behind a wall); that our own circuit is still cooling
  down is no excuse.
- *Shown although gone* is measured at the same moments: the share of what is shown that is not there.
- A record is *wrongly gone* if, at the moment of any check that counted against it, it was there.
- A *price change* must be captured if it stayed for a sweep cycle (as many sweeps as a pass through the index
  takes) within a stretch in which the site was well, counted from the first run that succeeded in it.
- A *certificate* is right if the number of listings that were there during the whole pass, and that no run
  saw between its first and its last page, lies within its interval.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text

from larder.core.model.run import RunKind
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.faults import Fault, FaultKind
from larder.sim.layouts import Layout
from larder.sim.site import HeadSupport, RemovedItems
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.database import inline_database
from larder.store.tables.columns import micros
from tests.proofs.proof import Part, Stage, proof
from tests.proofs.reckoning import DAY, HOUR, START, Story, judged, sweeps_of
from tests.proofs.truthbook import Uptime

DISCOVERY_CYCLE = timedelta(minutes=45)
"""Half an hour, and the time until its pages had their turn."""
TICK = timedelta(minutes=5)
"""A tick that finds nothing due is all that happens in most minutes; fewer of them change no result."""
SWINGS = 1.2
"""How far a site's stock rises above what it began with."""
KINDS = frozenset({RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION})

CLAIM = (
    "Ninety days with outages, blocks, bumps and returns: at least 99 % of live records are shown, at most "
    "6 % of those shown are gone, none is called gone because of an outage, every gone has its evidence, "
    "every price change that stayed for a sweep cycle is captured, and certificates are right in 85 % of "
    "passes"
)

_LENGTHS = {
    FaultKind.CUT: (0.3, 12),
    FaultKind.ERROR: (0.3, 12),
    FaultKind.BLOCKED: (0.5, 10),
    FaultKind.LIMITED: (0.5, 6),
    FaultKind.EMPTY: (0.5, 12),
    FaultKind.LOST: (0.5, 40),
    FaultKind.REDRAWN: (6, 60),
}
"""Hours, from … to. A site that is away for longer than some 15 hours, or again before its circuit closed,
fades from view altogether: the next probe comes after all confidence has fallen below the threshold."""
APART = 1.5 * DAY
"""From the end of a trouble to the beginning of the next, at least."""


def troubles(seed: int, *, days: float, every_days: float = 2.5) -> list[Fault]:
    """Faults of every kind in turn, at random moments and for random times, one after the other."""
    luck = random.Random(f"faults {seed}")
    kinds: list[FaultKind] = []
    faults, at = [], START + APART
    while (at := at + DAY * luck.expovariate(1 / every_days)) < START + DAY * days:
        kinds = kinds or luck.sample(list(_LENGTHS), len(_LENGTHS))
        kind = kinds.pop()
        until = at + HOUR * luck.uniform(*_LENGTHS[kind])
        faults.append(
            Fault(kind=kind, since=at, until=until, delay=timedelta(minutes=20), layout=Layout.CARDS)
        )
        at = until + APART
    return faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One site and for how long it is watched."""

    stock: int
    seed: int
    days: float
    removed: RemovedItems = RemovedItems.NOT_FOUND
    head: HeadSupport = HeadSupport.HONEST
    per_page: int = 90
    every_days: float = 2.5

    def site(self) -> ClassifiedsSite:
        truth = ClassifiedsTruth(seed=self.seed, start=START, stock=self.stock)
        ill = troubles(self.seed, days=self.days, every_days=self.every_days)
        return ClassifiedsSite(
            name="homes.test",
            classifieds=truth,
            removed=self.removed,
            head=self.head,
            per_page=self.per_page,
            faults=ill,
        )


def live_through(scene: Scene, folder: Path) -> Story:
    """Let the days pass, looking once a day."""
    site = scene.site()
    ill = [fault for fault in site.faults if fault.kind is not FaultKind.REDRAWN]
    uptime = Uptime.of(ill, since=START, until=START + DAY * (scene.days + 1))
    larder = VirtualLarder(
        SimWeb.of([site]),
        start=START,
        seed=scene.seed,
        database=inline_database(f"sqlite:///{folder / 'months.db'}"),
        kinds=KINDS,
        tick_every=TICK,
    )
    larder.add_source(
        slug="homes", kind="listing", url="http://homes.test/listings", adapter="listing", currency="EUR"
    )
    sweeps = sweeps_of(round(scene.stock * SWINGS), scene.per_page)
    story = Story(site=site, until=START + DAY * scene.days, sweeps=sweeps)
    for at in _looks(scene):
        larder.run(at)
        _measure(story, larder, uptime)
    larder.run(story.until)
    story.requests = larder.fetch_tasks.requests
    story.until = larder.clock.now()
    story.books = larder.database.now(_books)
    return story


def _looks(scene: Scene) -> Iterator[datetime]:
    """Once a day, from the second on, at an hour that nobody foresees."""
    luck = random.Random(f"looks {scene.seed}")
    for day in range(1, int(scene.days)):
        yield START + DAY * (day + luck.random())


def _measure(story: Story, larder: VirtualLarder, uptime: Uptime) -> None:
    now = larder.clock.now()
    live = story.site.classifieds.live(now)
    known_of = {
        name for name, listing in live.items() if uptime.between(_came(listing), now) >= DISCOVERY_CYCLE
    }
    shown = {row.platform_id for row in larder.database.now(_shown, now)}
    story.recalls.append(len(shown & known_of) / len(known_of))
    story.shown_gone.append(len(shown - live.keys()) / max(1, len(shown)))


def _came(listing: Any) -> datetime:
    came: datetime = max(listing.refreshed_at, START)
    return came


def _shown(conn: Connection, now: datetime) -> Sequence[Any]:
    question = "SELECT platform_id FROM records WHERE active = 1 AND shown_until > :now"
    return conn.execute(text(question), {"now": micros(now)}).all()


_QUESTIONS = {
    "gone": """SELECT c.record_id, c.at, r.platform_id FROM changes c JOIN records r ON r.id = c.record_id
               WHERE c.change = 'gone' ORDER BY c.id""",
    "against": """SELECT record_id, at, outcome, status FROM verifications
                  WHERE outcome IN ('strike', 'gone') AND settled = 1 AND control = 0 ORDER BY at""",
    "prices": """SELECT r.platform_id, o.amount, o.observed_at, o.confirmed_at FROM observations o
                 JOIN records r ON r.id = o.record_id WHERE o.field = 'price'""",
    "sightings": "SELECT seen_at, records FROM sightings ORDER BY seen_at",
    "names": "SELECT id, platform_id FROM records",
    "certificates": "SELECT certificate FROM runs WHERE certificate IS NOT NULL ORDER BY id",
    "ended": "SELECT started_at, finished_at FROM runs WHERE status IN ('completed', 'partial') ORDER BY id",
    "runs": "SELECT kind, status, count(*) AS runs FROM runs GROUP BY 1, 2 ORDER BY 1, 2",
    "checks": "SELECT outcome, count(*) AS checks FROM verifications WHERE control = 0 GROUP BY 1 ORDER BY 1",
    "alerts": "SELECT name, sum(times) AS times FROM alerts GROUP BY 1 ORDER BY 1",
}


def _books(conn: Connection) -> Mapping[str, Sequence[Any]]:
    return {name: conn.execute(text(sql)).all() for name, sql in _QUESTIONS.items()}


def months(scene: Scene, folder: Path) -> Part:
    """The whole of it for one site."""
    return judged(live_through(scene, folder))


@proof("months", CLAIM, seed=90, part="removed pages answer 404")
def honest(stage: Stage) -> Part:
    return months(Scene(stock=200, seed=stage.seed, days=90), stage.folder)


@proof("months", CLAIM, seed=90, part="removed pages say so, HEAD lies")
def wordy(stage: Stage) -> Part:
    scene = Scene(stock=200, seed=stage.seed + 1, days=90, removed=RemovedItems.WORDS, head=HeadSupport.LYING)
    return months(scene, stage.folder)


@proof("months", CLAIM, seed=90, part="removed pages redirect, a pass takes two sweeps")
def long(stage: Stage) -> Part:
    """Some sixty index pages: sweeps go on where the one before stopped, and rows move meanwhile."""
    scene = Scene(
        stock=600,
        seed=stage.seed + 2,
        days=90,
        removed=RemovedItems.REDIRECT,
        head=HeadSupport.REFUSED,
        per_page=10,
    )
    return months(scene, stage.folder)
