"""What a deployment's database says after a proof, and whether it is true, whole and nowhere doubled.

Every check returns sentences about what is wrong; none means that all is well.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text

from larder.sim.classifieds.state import Listing
from larder.store.database import open_database
from larder.store.pages.blobs import PackedBlobs

Rows = Sequence[Any]

_QUESTIONS = {
    "records": """SELECT r.id, s.slug, r.platform_id, r.title, r.price_minor, r.last_scraped_at
                  FROM records r JOIN sources s ON s.id = r.source_id""",
    "jobs": "SELECT id, run_id, url, status, stage, interruptions FROM jobs",
    "pages": """SELECT p.job_id, p.url, p.outcome, p.fetched_at, p.content_hash, b.location
                FROM pages p LEFT JOIN blobs b ON b.content_hash = p.content_hash""",
    "runs": "SELECT id, kind, status, attempted, failed, inserted, pages, open_jobs FROM runs",
    "versions": "SELECT record_id, page_id, CAST(content AS TEXT) AS content FROM versions ORDER BY id",
    "observations": "SELECT record_id, field, amount, word, superseded_at FROM observations ORDER BY id",
    "sightings": "SELECT run_id, page_id FROM sightings",
    "changes": "SELECT record_id, change FROM changes",
    "dead_letters": "SELECT type, message FROM dead_letters",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """Every row that a proof looks at."""

    records: Rows
    jobs: Rows
    pages: Rows
    runs: Rows
    versions: Rows
    observations: Rows
    sightings: Rows
    changes: Rows
    dead_letters: Rows

    @classmethod
    def read(cls, url: str) -> "Books":
        """As they are now."""
        return asyncio.run(_read(url))

    def wrong(self, truths: Mapping[str, Mapping[str, Listing]], *, bodies: Path) -> list[str]:
        """Everything that is not as it should be after one discovery of a site that stood still."""
        return [
            *(wrong for site, truth in truths.items() for wrong in self.untrue(site, truth)),
            *self.doubled(),
            *self.unfinished(),
            *self.unreadable(bodies),
        ]

    def untrue(self, site: str, truth: Mapping[str, Listing]) -> list[str]:
        """Records that differ from the truth of their site."""
        kept = Counter((r.platform_id, r.title, r.price_minor) for r in self.records if r.slug == site)
        real = Counter((i, listing.home.title, listing.price) for i, listing in truth.items())
        poor = sum(r.last_scraped_at is None for r in self.records if r.slug == site)
        return [
            *_told(f"{site}: listings missing or different", real - kept),
            *_told(f"{site}: records that are not there", kept - real),
            *([f"{site}: {poor} records without their own page"] if poor else []),
        ]

    def doubled(self) -> list[str]:
        """Anything that is there twice."""
        same = {
            "records of one listing": ((r.slug, r.platform_id) for r in self.records),
            "versions of one page": ((v.record_id, v.page_id) for v in self.versions),
            "versions that say the same": ((v.record_id, v.content) for v in self.versions),
            "observations of one fact": ((o.record_id, o.field) for o in self.observations),
            "sightings by one page": ((s.run_id, s.page_id) for s in self.sightings),
            "news of one record": ((c.record_id, c.change) for c in self.changes if c.change == "new"),
            "jobs for one page": ((j.run_id, j.url) for j in self.jobs),
            "stored pages of one job": (p.job_id for p in self.pages if p.outcome == "ok"),
        }
        return [wrong for what, keys in same.items() for wrong in _told(f"doubled {what}", _twice(keys))]

    def unfinished(self) -> list[str]:
        """Jobs that did not end well, and runs whose counts are not those of their jobs."""
        odd = Counter(j.status for j in self.jobs if j.status != "done")
        dead = Counter(f"{letter.type}: {letter.message}" for letter in self.dead_letters)
        return [
            *_told("jobs that are not done", odd),
            *_told("dead letters", dead),
            *(wrong for run in self.runs for wrong in self._miscounted(run)),
        ]

    def _miscounted(self, run: Any) -> list[str]:
        jobs = sum(job.run_id == run.id for job in self.jobs)
        counted = (run.status, run.attempted, run.pages, run.failed, run.open_jobs)
        right = counted == ("completed", jobs, jobs, 0, 0)
        return [] if right else [f"run {run.id} with {jobs} jobs counted {counted}"]

    def unreadable(self, folder: Path) -> list[str]:
        """Stored pages whose body is lost or damaged."""
        blobs = PackedBlobs(folder)
        ok = [page for page in self.pages if page.outcome == "ok"]
        lost = [p.url for p in ok if not p.location or blobs.read(p.location, p.content_hash) is None]
        return _told("bodies that cannot be read", Counter(lost))


async def _read(url: str) -> Books:
    database = open_database(url)
    try:
        return await database.run(_answers)
    finally:
        await database.close()


def _answers(conn: Connection) -> Books:
    return Books(**{name: conn.execute(text(sql)).all() for name, sql in _QUESTIONS.items()})


def _twice(keys: Iterable[Any]) -> Counter[Any]:
    return Counter({key: times for key, times in Counter(keys).items() if times > 1})


def _told(what: str, found: Counter[Any]) -> list[str]:
    """One sentence with the number and an example, or none."""
    example = next(iter(found), None)
    return [f"{what}: {found.total()}, such as {example!r}"] if found else []
