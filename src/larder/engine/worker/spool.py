"""Pages that came while the database was away: dead letters in files, until it is back.

What was fetched is not thrown away because nobody could write it down. A file is whole before it has its
name, and goes only after what it holds was committed; whether that is still wanted is asked of its job. So
nothing is lost, and nothing is doubled, whenever the process ends.
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
from sqlalchemy import Connection

from larder.core.errors import Category
from larder.core.model.job import Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.engine.work_items import FetchedWork
from larder.store.database.statement import AnyRow
from larder.store.pages import pages
from larder.store.pages.blobs import Stored
from larder.store.queue import failures, lanes, spooled_jobs

log = logging.getLogger("larder.spool")

AT_ONCE = 20
"""Letters taken in together."""
UNREADABLE = ".unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpooledPage:
    """A page, the job it was fetched for, and why it could not be written."""

    job_id: int
    token: int
    """Of the lease under which it was fetched."""
    run_id: int
    source_id: int
    site_id: int
    purpose: str
    why: str
    fetched: Fetched

    @property
    def name(self) -> str:
        """Of its file."""
        return f"{self.job_id}-{self.token}.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unspooled:
    """What became of spooled letters, by job."""

    in_line: tuple[int, ...] = ()
    buried: tuple[int, ...] = ()
    """Their run was over: dead letters that are retried from the stored page."""
    needless: tuple[int, ...] = ()
    """Their job was done meanwhile, or is being done."""


class Spool:
    """A folder of letters."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, fetched_work: Sequence[FetchedWork], error: BaseException) -> int:
        """Write down every page among these that the database does not have; how many."""
        why = f"{type(error).__name__}: {error}".split("\n", 1)[0][:500]
        letters = [_spooled_page(each, why) for each in fetched_work if _worth_keeping(each)]
        for letter in letters:
            self._write(letter)
        if letters:
            log.error("the database is away: %d pages wait in %s", len(letters), self._folder)
        return len(letters)

    def letters(self) -> list[SpooledPage]:
        """The next ones, in the order of their names; what cannot be read is put aside under another."""
        found: list[SpooledPage] = []
        for path in sorted(self._folder.glob("*.json"))[:AT_ONCE]:
            try:
                found.append(_from_json(orjson.loads(path.read_bytes())))
            except (ValueError, KeyError, TypeError):
                log.exception("%s cannot be read and is put aside", path)
                path.rename(path.with_suffix(UNREADABLE))
        return found

    def drop(self, letters: Sequence[SpooledPage]) -> None:
        """These are in the database now."""
        for letter in letters:
            (self._folder / letter.name).unlink(missing_ok=True)

    def _write(self, letter: SpooledPage) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._folder / f".{letter.name}"
        with draft.open("wb") as file:
            file.write(orjson.dumps(_to_json(letter)))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / letter.name)


def _worth_keeping(each: FetchedWork) -> bool:
    """A page that came over the network just now. Items without a page are not kept: they come again."""
    fetched = each.fetched
    fresh = each.page_id is None and not fetched.waiting and fetched.payload is None
    return fresh and fetched.outcome.brought_a_page


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


def _to_json(letter: SpooledPage) -> dict[str, Any]:
    fetched = letter.fetched
    page = {name: getattr(fetched, name) for name in _FETCHED} | {
        "outcome": str(fetched.outcome),
        "fetched_at": fetched.fetched_at.isoformat(),
        "headers": dict(fetched.headers),
        "body": base64.b64encode(fetched.body).decode(),
    }
    names = ("job_id", "token", "run_id", "source_id", "site_id", "purpose", "why")
    return {name: getattr(letter, name) for name in names} | {"fetched": page}


def _from_json(told: Mapping[str, Any]) -> SpooledPage:
    page = told["fetched"]
    fetched = Fetched(
        **{name: page[name] for name in _FETCHED},
        outcome=FetchOutcome(page["outcome"]),
        fetched_at=datetime.fromisoformat(page["fetched_at"]),
        headers=page["headers"],
        body=base64.b64decode(page["body"]),
    )
    return SpooledPage(**{**told, "fetched": fetched})


def unspool(
    conn: Connection, letters: Sequence[SpooledPage], stored: Sequence[Stored], *, now: datetime
) -> Unspooled:
    """Store the pages that are still wanted; their jobs go on from there, as if nothing had happened."""
    lanes.lock(conn, [letter.site_id for letter in letters])
    jobs = spooled_jobs.load_jobs(conn, [letter.job_id for letter in letters])
    go_on = [letter for letter in letters if _still_wanted(jobs.get(letter.job_id), letter.token)]
    over = [letter for letter in letters if _given_up(jobs.get(letter.job_id))]
    ids = _store(conn, [*go_on, *over], stored, now=now)
    spooled_jobs.resume(conn, [(letter.job_id, ids[letter.job_id]) for letter in go_on], now=now)
    spooled_jobs.abandon(conn, [(letter.job_id, ids[letter.job_id]) for letter in over], now=now)
    failures.add_dead_letters(
        conn, [_dead_letter(each, ids[each.job_id]) for each in over], now=now, retry_at=now
    )
    lanes.wake(conn, {letter.site_id: now for letter in go_on})
    return Unspooled(
        in_line=tuple(letter.job_id for letter in go_on),
        buried=tuple(letter.job_id for letter in over),
        needless=tuple(letter.job_id for letter in letters if letter.job_id not in ids),
    )


def _still_wanted(job: AnyRow | None, token: int) -> bool:
    """Nobody has its page, and nobody else is at it."""
    if job is None or job.page_id is not None:
        return False
    return bool(job.status == "pending" or (job.status == "running" and job.token == token))


def _given_up(job: AnyRow | None) -> bool:
    return job is not None and job.page_id is None and job.status == "stale"


def _store(
    conn: Connection, letters: Sequence[SpooledPage], stored: Sequence[Stored], *, now: datetime
) -> dict[int, int]:
    wanted = {letter.fetched.content_hash for letter in letters}
    pages.set_locations(conn, [each for each in stored if each.content_hash in wanted], now=now)
    return pages.store(conn, [(letter.job_id, letter.source_id, letter.fetched) for letter in letters])


def _dead_letter(letter: SpooledPage, page_id: int) -> dict[str, Any]:
    return {
        "job_id": letter.job_id,
        "run_id": letter.run_id,
        "source_id": letter.source_id,
        "stage": Stage.PERSIST,
        "category": Category.DB,
        "type": "connection",
        "message": letter.why,
        "trace": None,
        "payload": {"url": letter.fetched.url, "purpose": letter.purpose, "page_id": page_id},
    }
