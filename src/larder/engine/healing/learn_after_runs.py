"""Which ended run a site profile is learned from, and what is stored of it.

Each function is a unit of work.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.site_profile import MIN_PAGES, ReadingChoice, SiteProfile, may_be_learned
from larder.core.model.source import Source
from larder.engine.healing.healer import reads_itself
from larder.engine.healing.save_profile import save_profile, without_needless_samples
from larder.engine.healing.stored_samples import MAX_PAGES_OF_RUN
from larder.runs import EXTRACTING
from larder.sdk.adapter import Adapters
from larder.sdk.revision import adapter_revision
from larder.store.database import Connection
from larder.store.operations import ended_runs, profile_learning, selector_questions
from larder.store.operations.profile_learning import LearningAttempt
from larder.store.operations.repairs import last_run
from larder.store.pages.run_pages import FetchedPage, list_fetched
from larder.store.queue import sources

LEARNER = "learning"
"""Recorded as the author of profiles that were learned after a run."""
READER = "profiles_learned_to"
MAX_ENDED_RUNS = 200
"""Ended runs that are looked through for one to learn from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningRun:
    """A run that left pages to learn its source's profile from."""

    run_id: int
    source: Source
    declared: Mapping[str, Any]
    """The source's params when the run was chosen."""
    fetched: Sequence[FetchedPage]
    version: str
    proposed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Selectors that a language model named, by path."""

    def attempt(self, result: str) -> LearningAttempt:
        """The stored form of an attempt."""
        return LearningAttempt(version=self.version, details=_details(self.fetched), result=result)


def next_run(conn: Connection, adapters: Adapters, *, now: datetime) -> LearningRun | None:
    """The next ended run to learn from; runs before it are skipped for good."""
    ended = ended_runs.list_ended(conn, READER, limit=MAX_ENDED_RUNS, now=now)
    extracting = [run for run in ended if run.kind in EXTRACTING and run.source_id is not None]
    ids = sorted({run.source_id for run in extracting if run.source_id is not None})
    loaded = sources.load(conn, ids) if ids else {}
    attempts = profile_learning.load_attempts(conn, ids) if ids else {}
    for run in extracting:
        source = loaded.get(run.source_id or 0)
        found = source and _learning_run(conn, run.id, source, attempts.get(source.id), adapters)
        if found:
            ended_runs.move_to(conn, READER, run, now=now)
            return found
    if ended:
        ended_runs.move_to(conn, READER, ended[-1], now=now)
    return None


def _learning_run(
    conn: Connection, run_id: int, source: Source, last: LearningAttempt | None, adapters: Adapters
) -> LearningRun | None:
    adapter = adapters.get(source.adapter)
    if adapter is None or reads_itself(adapter) or not may_be_learned(source.params):
        return None
    fetched = list_fetched(conn, run_id, limit=MAX_PAGES_OF_RUN)
    version = adapter_revision(adapter)
    if not _is_due(_details(fetched), version, last):
        return None
    declared = sources.declared_params(conn, source.id)
    return LearningRun(
        run_id=run_id,
        source=source,
        declared=declared,
        fetched=fetched,
        version=version,
        proposed=selector_questions.load_candidates(conn, source.id),
    )


def asked_run(conn: Connection, source_id: int, adapters: Adapters) -> LearningRun | None:
    """The last run of a source, if its profile may still be learned automatically."""
    run_id = last_run(conn, source_id, EXTRACTING)
    source = sources.load(conn, [source_id]).get(source_id)
    return _learning_run(conn, run_id, source, None, adapters) if run_id and source else None


def _details(fetched: Sequence[FetchedPage]) -> int:
    return sum(page.purpose == Purpose.DETAIL for page in fetched)


def _is_due(details: int, version: str, last: LearningAttempt | None) -> bool:
    """Whether there are enough pages, and twice as many as at the last attempt of this version."""
    due = last is None or last.version != version or details >= 2 * last.details
    return details >= MIN_PAGES and due


def store_learned(
    conn: Connection,
    run: LearningRun,
    profile: SiteProfile | None,
    adapters: Adapters,
    *,
    now: datetime,
) -> bool:
    """Store what was learned; True if the run's pages are to be read again with it.

    A profile that reads no field better than the general reading changes nothing and is not stored. A
    person's changes in the meantime stay.
    """
    if sources.declared_params(conn, run.source.id) != run.declared:
        return False
    better = profile if profile is not None and _improves(profile) else None
    result = better.reading.value if better else "nothing better"
    profile_learning.save_attempt(conn, run.source.id, run.attempt(result), now=now)
    if better is None:
        return False
    stored = without_needless_samples(better)
    save_profile(conn, run.source.slug, stored, adapters, who=LEARNER, now=now)
    applied = better.reading is ReadingChoice.PROFILE
    if applied:
        profile_learning.add_replay(conn, run.run_id, now=now)
    return applied


def _improves(profile: SiteProfile) -> bool:
    """Whether some field is read better.

    A title alone does not count if the general reading finds nothing.
    """
    better = {name for name, proof in profile.fields.items() if proof.better}
    titled = any(reading.general for reading in profile.samples if reading.field == "title")
    return bool(better - {"title"}) or ("title" in better and titled)


def store_failed(conn: Connection, run: LearningRun, error: str, *, now: datetime) -> None:
    """Store that learning failed, so that the same pages are not tried again."""
    profile_learning.save_attempt(conn, run.source.id, run.attempt(f"failed: {error}"), now=now)
