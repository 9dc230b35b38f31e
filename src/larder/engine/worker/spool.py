"""Keeps pages in files while the database is unavailable.

A file gets its name when it is complete, and is deleted after its page is committed. Its job tells whether a
page is still wanted. So nothing is lost or duplicated, whenever the process ends.
"""

import base64
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from larder.core.errors import Category
from larder.core.model.job import Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.engine.work_items import FetchedWork
from larder.store.database import Connection
from larder.store.pages import pages
from larder.store.pages.blobs import BodyLocation
from larder.store.pages.page_rows import NewPage
from larder.store.queue import failures, lanes, spooled_jobs
from larder.store.queue.jobs import JobPage
from larder.store.queue.spooled_jobs import SpooledJob

log = logging.getLogger("larder.spool")

BATCH = 20
"""Pages stored together."""
UNREADABLE = ".unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpooledPage:
    """A page, the job it was fetched for, and the database error."""

    job_id: int
    token: int
    """The token of the lease under which it was fetched."""
    run_id: int
    source_id: int
    site_id: int
    purpose: str
    why: str
    fetched: Fetched

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.job_id}-{self.token}.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unspooled:
    """The outcome of spooled pages, by job."""

    requeued: tuple[int, ...] = ()
    dead_letters: tuple[int, ...] = ()
    """Dead letters of runs that were over: they are retried from the stored page."""


class Spool:
    """A folder of spooled pages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, fetched_work: Sequence[FetchedWork], error: BaseException) -> int:
        """Write every page among these that the database does not have; return how many."""
        why = f"{type(error).__name__}: {error}".split("\n", 1)[0][:500]
        spooled = [_spooled_page(work, why) for work in fetched_work if _worth_keeping(work)]
        for each in spooled:
            self._write(each)
        if spooled:
            log.error("database unavailable: %d pages spooled in %s", len(spooled), self._folder)
        return len(spooled)

    def read_batch(self) -> list[SpooledPage]:
        """The next pages, in the order of their names; an unreadable file is renamed and logged."""
        spooled: list[SpooledPage] = []
        for path in sorted(self._folder.glob("*.json"))[:BATCH]:
            try:
                spooled.append(_from_json(orjson.loads(path.read_bytes())))
            except (ValueError, KeyError, TypeError):
                log.exception("spool file %s is unreadable: renamed to %s", path, UNREADABLE)
                path.rename(path.with_suffix(UNREADABLE))
        return spooled

    def drop(self, spooled: Sequence[SpooledPage]) -> None:
        """Delete files whose pages are stored."""
        for each in spooled:
            (self._folder / each.name).unlink(missing_ok=True)

    def _write(self, spooled: SpooledPage) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._folder / f".{spooled.name}"
        with draft.open("wb") as file:
            file.write(orjson.dumps(_to_json(spooled)))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / spooled.name)


def _worth_keeping(work: FetchedWork) -> bool:
    """Whether a page came over the network. Items without a page are not spooled: they come again."""
    fetched = work.fetched
    unstored = work.page_id is None and not fetched.waiting and fetched.payload is None
    return unstored and fetched.outcome.has_page


def _spooled_page(each: FetchedWork, why: str) -> SpooledPage:
    job = each.work.job
    return SpooledPage(
        job_id=job.id,
        token=each.work.lane.token,
        run_id=job.run_id,
        source_id=job.source_id,
        site_id=job.site_id,
        purpose=job.request.purpose,
        why=why,
        fetched=each.fetched,
    )


_FETCHED = ("url", "final_url", "status", "content_hash", "fetcher", "error")


def _to_json(spooled: SpooledPage) -> dict[str, Any]:
    fetched = spooled.fetched
    page = {name: getattr(fetched, name) for name in _FETCHED} | {
        "outcome": str(fetched.outcome),
        "fetched_at": fetched.fetched_at.isoformat(),
        "headers": dict(fetched.headers),
        "body": base64.b64encode(fetched.body).decode(),
    }
    names = ("job_id", "token", "run_id", "source_id", "site_id", "purpose", "why")
    return {name: getattr(spooled, name) for name in names} | {"fetched": page}


def _from_json(entry: Mapping[str, Any]) -> SpooledPage:
    page = entry["fetched"]
    fetched = Fetched(
        **{name: page[name] for name in _FETCHED},
        outcome=FetchOutcome(page["outcome"]),
        fetched_at=datetime.fromisoformat(page["fetched_at"]),
        headers=page["headers"],
        body=base64.b64decode(page["body"]),
    )
    return SpooledPage(**{**entry, "fetched": fetched})


def unspool(
    conn: Connection, spooled: Sequence[SpooledPage], stored: Sequence[BodyLocation], *, now: datetime
) -> Unspooled:
    """Store the pages that are still wanted; their jobs continue from there."""
    lanes.lock(conn, [each.site_id for each in spooled])
    jobs = spooled_jobs.load_jobs(conn, [each.job_id for each in spooled])
    wanted_jobs = [each for each in spooled if _still_wanted(jobs.get(each.job_id), each.token)]
    over = [each for each in spooled if _given_up(jobs.get(each.job_id))]
    ids = _store(conn, [*wanted_jobs, *over], stored, now=now)
    spooled_jobs.resume(conn, [JobPage(each.job_id, ids[each.job_id]) for each in wanted_jobs], now=now)
    spooled_jobs.abandon(conn, [JobPage(each.job_id, ids[each.job_id]) for each in over], now=now)
    failures.add_dead_letters(
        conn, [_dead_letter(each, ids[each.job_id]) for each in over], now=now, retry_at=now
    )
    lanes.wake(conn, {each.site_id: now for each in wanted_jobs})
    return Unspooled(
        requeued=tuple(each.job_id for each in wanted_jobs),
        dead_letters=tuple(each.job_id for each in over),
    )


def _still_wanted(job: SpooledJob | None, token: int) -> bool:
    """Whether its page is not stored, and no other worker has claimed it."""
    if job is None or job.page_id is not None:
        return False
    return bool(job.status == "pending" or (job.status == "running" and job.token == token))


def _given_up(job: SpooledJob | None) -> bool:
    return job is not None and job.page_id is None and job.status == "stale"


def _store(
    conn: Connection, spooled: Sequence[SpooledPage], stored: Sequence[BodyLocation], *, now: datetime
) -> dict[int, int]:
    hashes = {each.fetched.content_hash for each in spooled}
    pages.set_locations(conn, [each for each in stored if each.content_hash in hashes], now=now)
    return pages.store(conn, [NewPage(each.job_id, each.source_id, each.fetched) for each in spooled])


def _dead_letter(spooled: SpooledPage, page_id: int) -> dict[str, Any]:
    return {
        "job_id": spooled.job_id,
        "run_id": spooled.run_id,
        "source_id": spooled.source_id,
        "stage": Stage.PERSIST,
        "category": Category.DB,
        "type": "connection",
        "message": spooled.why,
        "trace": None,
        "payload": {"url": spooled.fetched.url, "purpose": spooled.purpose, "page_id": page_id},
    }
