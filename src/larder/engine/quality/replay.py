"""Replays stored pages through the active adapters, and rewrites history if requested.

Run by run and a few pages at a time, each batch in its own unit of work: a replay that is killed continues
after the last batch. A version that is not the active one may be previewed, but not applied.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from larder.core.model.item import Extracted, Failed, RowShape
from larder.core.model.job import Purpose
from larder.core.model.source import Source
from larder.core.policy.trust.canary import (
    SAMPLES,
    DifferenceSample,
    FieldDiff,
    field_diffs,
)
from larder.core.ports import ParseRunner
from larder.engine.processing.process_page import NormalizedPage, read_page, shapes_after
from larder.engine.processing.stored_page import load_stored_page
from larder.engine.quality.comparison import shortened_sample
from larder.sdk.adapter import Adapters, SiteAdapter
from larder.sdk.revision import version_of
from larder.stages.persist import PageItems
from larder.stages.persist.rebuild import Rebuilt, rebuild
from larder.stages.persist.timeline import Difference
from larder.store.database import Connection, Database
from larder.store.database.statement import in_batches
from larder.store.operations import canaries
from larder.store.operations import key_values as facts
from larder.store.pages import archive, pages
from larder.store.pages.archive import ArchivedRun, PageScope, RunPage
from larder.store.pages.blobs import Blobs
from larder.store.pages.page_rows import PageReading, PageRow
from larder.store.queue import dead_letters, failures, lanes, sources

BATCH = 20
"""Pages of one unit of work."""


@dataclass(slots=True, kw_only=True)
class ReplayResult:
    """The findings of a replay and, if applied, its changes; added up batch by batch."""

    applied: bool
    expected: int = 0
    """The approximate number of pages."""
    runs: int = 0
    runs_void: int = 0
    """Void runs, which are left out."""
    runs_unproven: int = 0
    """Runs left out of an applied replay: the installed version is not the active one."""
    pages: int = 0
    without_body: int = 0
    unreadable: int = 0
    """Pages that the active adapters cannot read; their records keep their history."""
    items: int = 0
    new: int = 0
    versions: int = 0
    facts: int = 0
    """Facts written, like versions; a dry run writes none."""
    overlaid: int = 0
    """Versions and facts that were replaced."""
    vanished: int = 0
    """Statements about a record that its page no longer makes."""
    fields: dict[str, FieldDiff] = field(default_factory=dict)
    """By field: records whose history differs in it."""
    samples: list[DifferenceSample] = field(default_factory=list)
    ended: bool = False
    """Whether all pages were replayed."""
    _counted: set[tuple[int, str]] = field(default_factory=set)

    @property
    def differing(self) -> int:
        """The number of records whose history differs anywhere."""
        return len({record_id for record_id, _ in self._counted})

    def add(self, rebuilt: Rebuilt, urls: Mapping[int, str]) -> None:
        """Add one more batch."""
        self.new += rebuilt.new
        if self.applied:
            self.versions += rebuilt.versions
            self.facts += rebuilt.facts
            self.overlaid += rebuilt.overlaid
        self.vanished += sum(each.now is None for each in rebuilt.differences)
        for difference in rebuilt.differences:
            self._differ(difference, urls.get(difference.page_id, ""))

    def _differ(self, difference: Difference, url: str) -> None:
        """Count a field of a record once, however many pages differ in it."""
        then, now = difference.then or {}, difference.now or {}
        for diff in field_diffs([(then, now)]):
            place = (difference.record_id, diff.field)
            if not diff.differs or place in self._counted:
                continue
            self._counted.add(place)
            self.fields[diff.field] = _sum(self.fields.get(diff.field), diff)
            if len(self.samples) < SAMPLES:
                was, is_now = (shortened_sample(values.get(diff.field)) for values in (then, now))
                item, page = f"record {difference.record_id}", difference.page_id
                self.samples.append(
                    DifferenceSample(page=page, url=url, item=item, field=diff.field, was=was, now=is_now)
                )


def _sum(one: FieldDiff | None, other: FieldDiff) -> FieldDiff:
    if one is None:
        return other
    counts = {
        name: getattr(one, name) + getattr(other, name) for name in ("had", "changed", "lost", "gained")
    }
    return replace(one, **counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPosition:
    """The position of a replay: in this run, after this page."""

    run: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Which pages are replayed, with which adapters, and whether the result is written."""

    database: Database
    blobs: Blobs
    adapters: Adapters
    runner: ParseRunner
    scope: PageScope
    apply: bool
    now: datetime

    async def walk(self) -> AsyncIterator[ReplayResult]:
        """Replay the scope; yields the totals after each batch, and at the end."""
        expected = await self.database.run(archive.estimate_pages, self.scope)
        seen = ReplayResult(applied=self.apply, expected=expected)
        place = await self.database.run(_saved_position, self.scope) if self.apply else ReplayPosition()
        yield seen
        while runs := await self.database.run(archive.list_runs, self.scope, after=place.run - 1, limit=1):
            run = runs[0]
            seen.runs += 1
            async for _ in self._run(run, place.page if run.id == place.run else 0, seen):
                yield seen
            place = ReplayPosition(run=run.id + 1)
        if self.apply:
            await self.database.run(_forget_position, self.scope, now=self.now)
        seen.ended = True
        yield seen

    async def _run(self, run: ArchivedRun, after: int, seen: ReplayResult) -> AsyncIterator[None]:
        """Replay one run, batch by batch."""
        source, proven = await self.database.run(_source, run.source_id, self.adapters)
        if run.voided_at is not None or source is None or (self.apply and not proven):
            seen.runs_void += run.voided_at is not None
            seen.runs_unproven += run.voided_at is None
            return
        adapter = self.adapters[source.adapter]
        listed = await self.database.run(archive.list_run_pages, run.id, after=after, since=self.scope.since)
        shapes: Sequence[RowShape] = ()
        for some in in_batches(listed, BATCH):
            stored = await self.database.run(pages.load, [each.page_id for each in some])
            there = [(each, stored[each.page_id]) for each in some if each.page_id in stored]
            results: list[_Read] = []
            for each, page in there:
                results.append(await self._read(each, page, source, adapter, shapes))
                shapes = shapes_after(results[-1].found, shapes)
            batch = _Batch(run_id=run.id, source=source, adapter=adapter, read=results)
            place = ReplayPosition(run=run.id, page=some[-1].page_id)
            rebuilt = await self.database.run(
                _apply, batch, self.scope, place, write=self.apply, now=self.now
            )
            _count(seen, results)
            seen.add(rebuilt, {each.page.id: each.page.url for each in results})
            yield

    async def _read(
        self,
        listed: RunPage,
        page: PageRow,
        source: Source,
        adapter: SiteAdapter,
        shapes: Sequence[RowShape],
    ) -> "_Read":
        fetched = await load_stored_page(self.blobs, page)
        if fetched is None:
            return _Read(listed=listed, page=page, found=None)
        purpose = Purpose(listed.purpose)
        found = await read_page(self.runner, fetched, source, adapter, purpose, row_shapes=shapes)
        return _Read(listed=listed, page=page, found=found)


def _source(conn: Connection, source_id: int, adapters: Adapters) -> tuple[Source | None, bool]:
    """The source and adapter of a run, and whether the installed version is the active one."""
    source = sources.load(conn, [source_id]).get(source_id)
    if source is None or source.adapter not in adapters:
        return None, False
    active = canaries.active_versions(conn, [source_id]).get(source_id)
    return source, active in (None, version_of(adapters[source.adapter], source.params))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    listed: RunPage
    page: PageRow
    found: NormalizedPage | None


def _count(seen: ReplayResult, read: Sequence[_Read]) -> None:
    seen.pages += len(read)
    seen.without_body += sum(each.found is None for each in read)
    seen.unreadable += sum(each.found is not None and isinstance(each.found.reading, Failed) for each in read)
    seen.items += sum(len(each.found.staged) for each in read if each.found is not None)


class _Readable(NamedTuple):
    read: _Read
    page: NormalizedPage
    reading: Extracted


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    run_id: int
    source: Source
    adapter: SiteAdapter
    read: Sequence[_Read]

    @property
    def version(self) -> str:
        return version_of(self.adapter, self.source.params)

    def readable(self) -> list[_Readable]:
        return [
            _Readable(each, each.found, each.found.reading)
            for each in self.read
            if each.found is not None and isinstance(each.found.reading, Extracted)
        ]


def _apply(
    conn: Connection, batch: _Batch, scope: PageScope, place: ReplayPosition, *, write: bool, now: datetime
) -> Rebuilt:
    """Apply a batch to the history; if it is written, the position is, too."""
    readable = batch.readable()
    if write:
        lanes.hold_sources(conn, [batch.source.id])  # concurrent readers write the same records
    rebuilt = rebuild(conn, [_items(batch, each.read, each.page) for each in readable], now=now, write=write)
    if write:
        pages.set_yields(conn, [_yield(batch, *each) for each in readable])
        job_ids = [each.read.page.job_id for each in readable]
        dead_letters.resolve_read_again(conn, batch.source.id, job_ids, now=now)
        clean = [each.read.page.id for each in readable if not each.page.quarantined]
        failures.clear_quarantine(conn, clean, who=dead_letters.AUTOMATIC, now=now)
        facts.write(conn, _name(scope), {"run": place.run, "page": place.page}, now=now)
    return rebuilt


def _yield(batch: _Batch, each: _Read, page: NormalizedPage, reading: Extracted) -> PageReading:
    return PageReading(
        page_id=each.page.id,
        adapter_version=batch.version,
        items=len(page.staged),
        last=reading.last,
        next_page=reading.next_page,
        advertised=reading.advertised,
    )


def _items(batch: _Batch, each: _Read, page: NormalizedPage) -> PageItems:
    return PageItems(
        job_id=each.page.id,
        run_id=batch.run_id,
        page_id=each.page.id,
        source=batch.source,
        purpose=Purpose(each.listed.purpose),
        adapter_version=batch.version,
        fetched_at=each.page.fetched_at,
        staged=page.staged,
        number=each.listed.number,
        expects=each.listed.key,
    )


def _name(scope: PageScope) -> str:
    return f"replay {scope!r}"


def _saved_position(conn: Connection, scope: PageScope) -> ReplayPosition:
    stored: Any = facts.read(conn, _name(scope)) or {}
    return ReplayPosition(run=stored.get("run", 0), page=stored.get("page", 0))


def _forget_position(conn: Connection, scope: PageScope, *, now: datetime) -> None:
    facts.write(conn, _name(scope), None, now=now)
