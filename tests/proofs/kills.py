"""Kill it anywhere: a discovery whose driver is killed at random moments ends as if nothing had happened.

The driver is a process of its own and gets SIGKILL, mostly while it drives, sometimes while it starts; in
some of its lives the site's manners let it run in bursts. What the site saw is the evidence: a page is asked
for again only if its first answer was not committed when its driver died, and at most as many such pages
are lost with a driver as it may have under way.
"""

import random
import signal
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from larder.sim.request_log import LoggedRequest
from tests.proofs.books import Books
from tests.proofs.processes import MadeUpWeb, Process, driver, driver_of
from tests.proofs.proof import Part, Stage, proof

CLAIM = (
    "Killed at 50 random moments of a discovery over 2,000 listings, the records equal the truth, nothing is "
    "doubled, no page is fetched again once its fetch was committed, and a kill costs no more than the pages "
    "that were under way"
)
SITE = "homes.test"
LEASE = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How fast a driver may go."""

    spacing_ms: int
    at_once: int


STEADY = Manners(spacing_ms=10, at_once=16)
BURST = Manners(spacing_ms=0, at_once=64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One driver, from its start to its kill, in the clock that all processes of a machine share."""

    name: str
    born: float
    died: float
    at_once: int
    driving: bool

    def covers(self, moment: float) -> bool:
        return self.born <= moment <= self.died


def kill_it_anywhere(folder: Path, *, database: str, kills: int, listings: int, seed: int) -> Part:
    """Discover the site, killing the driver so often, and look at everything afterwards."""
    luck = random.Random(seed)
    with MadeUpWeb(folder=folder, sites=[SITE], listings=listings) as web:
        lifetime = _lifetime(listings, kills)
        killed = [_live(web, database, luck, f"life-{n}", lifetime=lifetime) for n in range(kills)]
        last, ended_well = _let_live(web, database, "life-last")
        visits = [visit for visit in web.request_log().requests if "/listing" in visit.path]
        books = Books.read(database or f"sqlite:///{folder / 'larder' / 'larder.db'}")
        wrong = books.wrong({SITE: web.truth(SITE)}, bodies=folder / "larder" / "pages")
    story = Story.of([*killed, last], visits, books)
    broken = [*wrong, *ended_well, *story.fetched_again(), *story.lost_too_much()]
    return Part(figures=_figures(story, visits, books), broken=broken)


def _lifetime(listings: int, kills: int) -> float:
    """Seconds that a driver lives at most, so that the kills spread over the whole discovery."""
    return 2 * listings * STEADY.spacing_ms / 1000 / kills


def _live(web: MadeUpWeb, database: str, luck: random.Random, name: str, *, lifetime: float) -> Life:
    """Start a driver and kill it."""
    manners = luck.choice((STEADY, STEADY, BURST))
    born = time.monotonic()
    process = _driver(web, database, manners, name)
    driving = luck.random() < 0.85 and process.ready() != ""
    process.ends_within(luck.uniform(0, lifetime if driving else 1.5))
    process.end(signal.SIGKILL)
    return Life(name=name, born=born, died=time.monotonic(), at_once=manners.at_once, driving=driving)


def _driver(web: MadeUpWeb, database: str, manners: Manners, name: str) -> Process:
    spacing, at_once = manners.spacing_ms, manners.at_once
    return driver(web, database=database, spacing_ms=spacing, at_once=at_once, lease=LEASE, name=name)


def _let_live(web: MadeUpWeb, database: str, name: str) -> tuple[Life, list[str]]:
    """The last driver may finish; drivers end by themselves when nothing is left to do."""
    born = time.monotonic()
    process = _driver(web, database, STEADY, name)
    process.ends_within(300)
    code = process.end()
    life = Life(name=name, born=born, died=time.monotonic(), at_once=STEADY.at_once, driving=True)
    return life, [f"the last driver ended with {code}"] if code else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Which life asked for which page, and which life's answer was committed."""

    lives: Sequence[Life]
    asked: Sequence[Counter[str]]
    """For each life: how often it asked for each page."""
    committed: Mapping[str, int]
    """For each page: the life that committed it."""

    @classmethod
    def of(cls, lives: Sequence[Life], visits: Sequence[LoggedRequest], books: Books) -> "Story":
        asked = [Counter(_url(visit) for visit in visits if driver_of(visit) == life.name) for life in lives]
        shift = time.time() - time.monotonic()
        ok = [page for page in books.pages if page.outcome == "ok"]
        committed = {page.url: _life_at(page.fetched_at / 1e6 - shift, lives) for page in ok}
        return cls(lives=lives, asked=asked, committed=committed)

    def fetched_again(self) -> list[str]:
        """Pages that were asked for after their fetch was committed, or twice in one life."""
        by_life = list(enumerate(self.asked))
        late = [url for n, urls in by_life for url in urls if self.committed.get(url, n) < n]
        twice = [url for urls in self.asked for url, times in urls.items() if times > 1]
        return [
            *(f"{url} was fetched again after its fetch was committed" for url in late[:3]),
            *(f"{url} was fetched twice by one driver" for url in twice[:3]),
        ]

    def lost(self) -> list[int]:
        """For each life: answers it got and did not commit."""
        return [sum(self.committed.get(url) != n for url in urls) for n, urls in enumerate(self.asked)]

    def lost_too_much(self) -> list[str]:
        """A driver has no more under way than the site allows at once."""
        pairs = zip(self.lives, self.lost(), strict=True)
        return [
            f"a kill cost {n} pages, {life.at_once} were allowed" for life, n in pairs if n > life.at_once
        ]


def _life_at(moment: float, lives: Sequence[Life]) -> int:
    return next((n for n, life in enumerate(lives) if life.covers(moment)), -1)


def _url(visit: LoggedRequest) -> str:
    return f"http://{visit.host}{visit.path}"


def _figures(story: Story, visits: Sequence[LoggedRequest], books: Books) -> dict[str, Any]:
    lost = story.lost()[:-1]
    return {
        "kills": len(lost),
        "kills_while_driving": sum(life.driving for life in story.lives[:-1]),
        "kills_with_pages_under_way": sum(n > 0 for n in lost),
        "records": len(books.records),
        "jobs": len(books.jobs),
        "versions": len(books.versions),
        "observations": len(books.observations),
        "pages_committed": len(story.committed),
        "pages_asked_for": len(visits),
        "lost_at_a_kill_most": max(lost),
        "lost_at_a_kill_mean": round(sum(lost) / len(lost), 1),
        "interruptions_of_a_job_most": max((job.interruptions for job in books.jobs), default=0),
    }


@proof("kills", CLAIM, seed=50, part="sqlite")
def on_sqlite(stage: Stage) -> Part:
    return kill_it_anywhere(stage.folder, database="", kills=50, listings=2000, seed=stage.seed)


@proof("kills", CLAIM, seed=50, part="postgresql")
def on_postgresql(stage: Stage) -> Part:
    url = stage.postgres()
    return kill_it_anywhere(stage.folder, database=url, kills=50, listings=2000, seed=stage.seed)
