"""A new version of an adapter must read stored pages like the last one; until then nothing it reads is
stored.

Dispatch holds back a source whose version is not the active one, and nominates it for a canary. Pages that a
run fetched before are stored and wait: `jobs_of_unproven_versions` alone decides what may be committed.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.item import RowShape
from larder.core.model.job import Purpose, Stage
from larder.core.model.source import Source
from larder.core.policy.alerting import AlertName
from larder.core.policy.trust.canary import PAGES, YOUNG, Comparison, objections
from larder.core.ports import ParseRunner
from larder.engine.processing.stored_page import load_stored_page
from larder.engine.progress.job_outcome import Retry
from larder.engine.quality.comparison import Reread, StoredReading, compare
from larder.engine.work_items import ProcessedPage
from larder.sdk.adapter import Adapters, SiteAdapter
from larder.sdk.revision import same_code, version_of
from larder.store.database import Connection, Database
from larder.store.operations import adapter_health, canaries
from larder.store.operations.notifications import alerts
from larder.store.pages import archive
from larder.store.pages.archive import PageVersion
from larder.store.pages.blobs import Blobs
from larder.store.queue import schedules, sources

RETRY_AFTER = timedelta(minutes=1)
MAX_PER_TICK = 1
"""Canaries in one tick: each reads up to some hundred pages while the lanes wait."""


# -- the fence ---------------------------------------------------------------------------------------------


def jobs_of_unproven_versions(
    conn: Connection, done: Sequence[ProcessedPage], adapters: Adapters
) -> frozenset[int]:
    """Jobs whose pages were read with a version that is not the active one of their source."""
    read_pages = [page for page in done if _was_read(page)]
    sources = {page.work.source.id: page.work.source for page in read_pages}
    active = canaries.active_versions(conn, list(sources))
    waiting = {i for i, version in active.items() if version != _version(sources[i], adapters)}
    return frozenset(page.work.job.id for page in read_pages if page.work.source.id in waiting)


def _was_read(page: ProcessedPage) -> bool:
    return page.fetched.outcome.has_page and page.work.job.request.purpose is not Purpose.CHECK


def _version(source: Source, adapters: Adapters) -> str:
    return version_of(adapters[source.adapter], source.params)


def retry_when_proven(page: ProcessedPage, now: datetime) -> Retry:
    """The page is stored, and read again when the version is proven."""
    return Retry(at=now + RETRY_AFTER, attempts=page.work.job.attempts, stage=Stage.PARSE)


# -- the canary --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryResult:
    """The result of reading a source's stored pages with a version."""

    version: str
    comparison: Comparison
    objections: tuple[str, ...]

    young: bool = False
    """Whether its source is still being set up and only its declaration changed; then nothing is refused."""

    @property
    def passed(self) -> bool:
        """Whether the candidate may become active."""
        return self.young or not self.objections


async def run_waiting_canaries(
    database: Database, blobs: Blobs | None, adapters: Adapters, runner: ParseRunner, *, now: datetime
) -> list[CanaryResult]:
    """Run the canaries that wait."""
    waiting = await database.run(canaries.list_waiting, limit=MAX_PER_TICK)
    return [await run_canary(database, blobs, adapters, runner, source_id, now=now) for source_id in waiting]


async def run_canary(
    database: Database,
    blobs: Blobs | None,
    adapters: Adapters,
    runner: ParseRunner,
    source_id: int,
    *,
    now: datetime,
) -> CanaryResult:
    """Read a source's stored pages with the installed version, and decide."""
    source, before = await database.run(_stored_pages, source_id)
    adapter = adapters[source.adapter]
    comparison = compare(await _reread(blobs, before, source, adapter, runner))
    version = version_of(adapter, source.params)
    created_at, active = await database.run(canaries.setup_of, source_id)
    young = created_at is not None and now - created_at < YOUNG
    result = CanaryResult(
        version=version,
        comparison=comparison,
        objections=objections(comparison),
        young=young and same_code(active, version),
    )
    await database.run(_decide, source, result, now=now)
    return result


def nominate(conn: Connection, source_id: int, adapters: Adapters) -> None:
    """Mark a source whose declaration was changed for its canary; the next tick runs it."""
    active = canaries.active_versions(conn, [source_id]).get(source_id)
    source = sources.load(conn, [source_id]).get(source_id)
    if active is None or source is None or source.adapter not in adapters:
        return
    if (version := _version(source, adapters)) != active:
        canaries.set_candidate(conn, source_id, version)


def accept_young(conn: Connection, source_id: int, version: str, *, who: str, now: datetime) -> bool:
    """Accept the version of a source that is still being set up: its canary would refuse nothing."""
    created_at, active = canaries.setup_of(conn, source_id)
    young = created_at is not None and now - created_at < YOUNG and same_code(active, version)
    if young:
        canaries.promote(conn, source_id, version, None, now=now, accepted_by=who)
    return young


def _stored_pages(conn: Connection, source_id: int) -> tuple[Source, list[StoredReading]]:
    """The latest pages of each purpose, each with what was read from it."""
    source = sources.load(conn, [source_id])[source_id]
    row = canaries.by_source(conn, source_id)
    active, accepted_at = (row.active, row.accepted_at) if row is not None else ("", None)
    purposes = (Purpose.INDEX, Purpose.DETAIL, Purpose.TARGET)
    found = [
        (page, purpose)
        for purpose in purposes
        for page in archive.list_source_pages(
            conn, source_id, active=active, accepted_at=accepted_at, purpose=purpose, limit=PAGES
        )
    ]
    ids = [found_page.page.id for found_page, _ in found]
    run_ids = sorted({found_page.run_id for found_page, _ in found})
    showed = archive.records_by_page(conn, ids)
    message: dict[int, list[PageVersion]] = {}
    for version in archive.list_page_versions(conn, run_ids, ids):
        message.setdefault(version.page_id, []).append(version)
    return source, [
        StoredReading(
            page=page, purpose=purpose, showed=showed.get(page.id, ()), versions=message.get(page.id, ())
        )
        for (page, _), purpose in found
    ]


async def _reread(
    blobs: Blobs | None,
    before: Sequence[StoredReading],
    source: Source,
    adapter: SiteAdapter,
    runner: ParseRunner,
) -> list[Reread]:
    from larder.engine.processing.process_page import read_page, shapes_after  # noqa: PLC0415 - loads all parsers

    rereads: list[Reread] = []
    shapes: Sequence[RowShape] = ()
    for stored in sorted(before, key=lambda each: each.page.id):
        fetched = await load_stored_page(blobs, stored.page) if blobs else None
        now = None
        if fetched is not None:
            now = await read_page(runner, fetched, source, adapter, stored.purpose, row_shapes=shapes)
        rereads.append(Reread(before=stored, now=now))
        shapes = shapes_after(now, shapes)
    return rereads


def _decide(conn: Connection, source: Source, result: CanaryResult, *, now: datetime) -> None:
    subject = f"{source.adapter} on {source.slug}"
    name = AlertName.CANARY_REFUSED
    if result.passed:
        canaries.promote(conn, source.id, result.version, comparison_json(result), now=now)
        if result.comparison.without_body and not result.comparison.pages:
            adapter_health.flag_next_run(conn, source.adapter, source.site_id)
        alerts.resolve(conn, name, subject, now=now)
        schedules.wake_gated(conn, source.id, now=now)
        return
    canaries.reject(conn, source.id, result.version, comparison_json(result), now=now)
    text = f"{subject}: {result.version} reads stored pages differently: {'; '.join(result.objections)}"
    message = f"{text}. Nothing of it is stored until it is accepted or corrected."
    details = {"source": source.slug, "version": result.version, "objections": list(result.objections)}
    alerts.raise_alert(conn, name, name.severity, subject, message, now=now, details=details)


def comparison_json(result: CanaryResult) -> dict[str, Any]:
    """The comparison as it is stored."""
    return {**asdict(result.comparison), "objections": list(result.objections)}
