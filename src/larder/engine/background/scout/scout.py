"""Drives scouts: claims a run, searches its places, fetches and judges what was found, stores candidates.

A place's candidates, its status and the run's checkpoint commit together. One page or place that fails never
stops the others; a provider that asks to wait parks the run.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from larder.core.errors import Category, ParseAborted
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.place import Place, PlaceStatus, read_region
from larder.core.plurals import plural
from larder.core.policy.alerting import AlertName
from larder.core.policy.scout import SEARCH_AGAIN_AFTER
from larder.core.ports import Clock
from larder.engine.background.notifications import Notifier
from larder.engine.background.scout.candidate_file import write_candidates
from larder.engine.background.scout.judge import AgendaVerdict, Judge
from larder.engine.background.scout.load_places import ensure_places
from larder.engine.background.scout.search_place import (
    PlaceResults,
    search_place,
    without_known,
    worth_fetching,
)
from larder.runs.scout import ScoutState
from larder.sdk.urls import registrable_domain
from larder.stages.fetch.request import Fetcher, FetchRequest
from larder.stages.search import SearchHit, SearchProvider
from larder.store.database import Connection, Database, DriverError
from larder.store.operations import candidates
from larder.store.operations.candidates import NewCandidate
from larder.store.operations.notifications import alerts
from larder.store.operations.scout import places
from larder.store.operations.scout import runs as scout_runs
from larder.store.operations.scout.runs import ScoutRun
from larder.store.queue import failures, runs
from larder.store.reads.operators.sites import is_local

log = logging.getLogger("larder.scout")

PAGES_AT_ONCE = 4
MAX_SLOT_WAITS = 5
"""How often a page may wait for its site's slot."""
SILENT_AFTER = timedelta(minutes=5)
"""After so long without a heartbeat, no process drives a run any more."""


@dataclass(slots=True)
class _Found:
    """The candidates found for one place."""

    candidates: list[NewCandidate] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    judge_failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scout:
    """The services and settings of a scout."""

    database: Database
    clock: Clock
    provider: SearchProvider
    fetcher: Fetcher
    judge: Judge
    post: Notifier
    folder: Path
    """Where candidates are kept while the database is unavailable."""

    async def drive(self, run_id: int) -> datetime | None:
        """Continue a run until it ends, is stopped or must wait; returns until when it waits."""
        now = self.clock.now()
        run = await self.database.run(scout_runs.claim, run_id, silent_since=now - SILENT_AFTER, now=now)
        if run is None:
            return None
        try:
            return await self._places(run)
        except BaseException:
            with suppress(DriverError, OSError):
                await self.database.run(scout_runs.release, run_id, parked_until=None)
            raise

    async def _places(self, run: ScoutRun) -> datetime | None:
        region, state = read_region(run.region), ScoutState.of(run.state)
        await ensure_places(self.database, region.country)
        while not state.done:
            place = await self.database.run(_next_place, run, state, now=self.clock.now())
            if place is None:
                break
            state = state.begin(place.id)
            results = await search_place(self.database, self.provider, self.clock, place, state)
            if results.wait_until is not None:
                await self.database.run(_park, run.id, results)
                return results.wait_until
            state, continues = await self._guarded(run, place, results)
            if not continues:
                return None
        await self.database.run(_close, run, state, now=self.clock.now())
        return None

    async def _guarded(self, run: ScoutRun, place: Place, results: PlaceResults) -> tuple[ScoutState, bool]:
        """Search one place; any error but one of the database fails only this place."""
        try:
            return await self._place(run, place, results)
        except (DriverError, OSError):
            raise
        except Exception as error:
            log.exception("scouting the place %s failed", place.name, extra={"run": run.id})
            state = results.state.fail()
            continues = await self.database.run(_fail_place, run, place, state, error, now=self.clock.now())
            return state, continues

    async def _place(self, run: ScoutRun, place: Place, results: PlaceResults) -> tuple[ScoutState, bool]:
        """Fetch and judge the results of a search; True if the run continues."""
        if not results.answered:
            found, state = _Found(), results.state.leave()
        else:
            found = await self._judged(run, place, results.hits)
            state = results.state.complete(judge_failures=found.judge_failures)
        found.errors += [_error(run, "search", Category.NETWORK, message) for message in results.problems]
        try:
            continues = await self.database.run(
                _store_place, run, results, found, state, now=self.clock.now()
            )
        except (DriverError, OSError) as error:
            await self._save_to_file(found.candidates, error)
            raise
        return state, continues

    async def _judged(self, run: ScoutRun, place: Place, hits: Sequence[SearchHit]) -> _Found:
        search_hits = await self.database.run(without_known, worth_fetching(hits))
        found, gate = _Found(), asyncio.Semaphore(PAGES_AT_ONCE)

        async def judge_hit(hit: SearchHit) -> None:
            async with gate:
                await self._judge_hit(run, place, hit, found)

        tasks = [asyncio.create_task(judge_hit(hit)) for hit in search_hits]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        found.candidates.sort(key=lambda candidate: -candidate.confidence)
        return found

    async def _judge_hit(self, run: ScoutRun, place: Place, hit: SearchHit, found: _Found) -> None:
        """Fetch and judge one page; unreachable and unreadable pages are skipped and logged."""
        fetched = await self._fetched(hit.url)
        await self.database.run(scout_runs.heartbeat, run.id, now=self.clock.now())
        found.counts.update(attempted=1)
        if fetched.outcome is not FetchOutcome.OK or not fetched.body:
            found.counts.update(failed=1)
            text = f"{hit.url}: {fetched.outcome}{f' ({fetched.error})' if fetched.error else ''}"
            found.errors.append(_error(run, "fetch", Category.NETWORK, text))
            return
        found.counts.update(pages=1)
        try:
            verdict = await self.judge.judge(fetched)
        except ParseAborted as aborted:
            found.counts.update(failed=1)
            found.errors.append(_error(run, "parse", Category.PARSE, f"{hit.url}: {aborted}"))
            return
        found.judge_failures += "judge_down" in verdict.evidence
        if not verdict.is_agenda:
            found.counts.update(dropped=1)
            return
        found.counts.update(extracted=1)
        found.candidates.append(_candidate(run, place, hit, fetched, verdict))

    async def _fetched(self, url: str) -> Fetched:
        """The page, fetched once its site's slot has come."""
        site = registrable_domain(url) or ""
        local = site if await self.database.run(is_local, site) else None
        fetched = await self.fetcher.fetch(FetchRequest(url=url, local_site=local))
        for _ in range(MAX_SLOT_WAITS):
            if not fetched.waiting or fetched.retry_at is None:
                break
            await self.clock.sleep_until(fetched.retry_at)
            fetched = await self.fetcher.fetch(FetchRequest(url=url, local_site=local))
        return fetched

    async def _save_to_file(self, found: Sequence[NewCandidate], error: Exception) -> None:
        """Keep candidates in a file while the database is unavailable, and log it."""
        if not found:
            return
        path = write_candidates(self.folder, found, now=self.clock.now())
        log.error("database unavailable (%s): %d candidates in %s", type(error).__name__, len(found), path)
        message = f"{len(found)} candidates are in {path}: import them when the database is available"
        await self.post.send_now(AlertName.SCOUT_SPOOLED, "scout", message)


def _next_place(conn: Connection, run: ScoutRun, state: ScoutState, *, now: datetime) -> Place | None:
    """The current place, else the next one."""
    if state.place is not None:
        return places.by_id(conn, state.place)
    place = places.claim_next(
        conn, read_region(run.region), searched_before=now - SEARCH_AGAIN_AFTER, without=state.left
    )
    if place is not None:
        scout_runs.save(conn, run.id, state.begin(place.id).to_json(), {}, now=now)
    return place


def _park(conn: Connection, run_id: int, results: PlaceResults) -> None:
    wait_until = results.wait_until
    if wait_until is not None:
        scout_runs.save(conn, run_id, results.state.to_json(), {}, now=wait_until)
        scout_runs.release(conn, run_id, parked_until=wait_until)


def _store_place(
    conn: Connection,
    run: ScoutRun,
    results: PlaceResults,
    found: _Found,
    state: ScoutState,
    *,
    now: datetime,
) -> bool:
    """Store a place's candidates, its status and the checkpoint; False if somebody stopped the run."""
    new = candidates.add_candidates(conn, found.candidates, now=now)
    place = results.state.place or 0
    if results.answered:
        places.set_status(conn, place, PlaceStatus.COMPLETED, searched_at=now)
    else:
        places.set_status(conn, place, PlaceStatus.PENDING)
    if found.errors:
        failures.add_errors(conn, found.errors, now=now)
    if results.quota_spent:
        name, message = AlertName.QUOTA_SPENT, "the credits of the search provider are spent"
        alerts.raise_alert(conn, name, name.severity, "search", message, now=now)
    elif results.state.asked and not results.problems:
        alerts.resolve(conn, AlertName.QUOTA_SPENT, "search", now=now)
    found.counts.update(inserted=len(new), unchanged=len(found.candidates) - len(new))
    return scout_runs.save(conn, run.id, state.to_json(), found.counts, now=now)


def _fail_place(
    conn: Connection, run: ScoutRun, place: Place, state: ScoutState, error: Exception, *, now: datetime
) -> bool:
    """Mark a place as failed; it is due again at the next scout."""
    places.set_status(conn, place.id, PlaceStatus.FAILED, searched_at=now)
    message = f"{place.name}: {type(error).__name__}: {error}"
    failures.add_errors(conn, [_error(run, "place", Category.PARSE, message)], now=now)
    return scout_runs.save(conn, run.id, state.to_json(), {}, now=now)


def _close(conn: Connection, run: ScoutRun, state: ScoutState, *, now: datetime) -> None:
    status = state.status()
    left = f"{plural(len(state.left), 'place')} left for the next scout" if state.left else ""
    why = "; ".join(filter(None, (state.provider_off, left)))
    code = "search_provider" if why else None
    runs.close(conn, run.id, status, now=now, error_code=code, error=why or None)


def _candidate(
    run: ScoutRun, place: Place, hit: SearchHit, fetched: Fetched, verdict: AgendaVerdict
) -> NewCandidate:
    evidence: Mapping[str, Any] = {**verdict.evidence, "needs_review": True, "snippet": hit.snippet[:300]}
    return NewCandidate(
        url=fetched.final_url.partition("#")[0],
        region=run.region,
        place=place.name,
        title=verdict.title or hit.title,
        confidence=verdict.confidence,
        judged_by=verdict.judged_by,
        evidence=evidence,
    )


def _error(run: ScoutRun, stage: str, category: Category, message: str) -> dict[str, Any]:
    return {
        "run_id": run.id,
        "stage": stage,
        "category": category,
        "type": f"scout_{stage}",
        "message": message[:2_000],
    }
