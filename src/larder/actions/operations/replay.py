"""Replay: reads stored pages with the installed adapters, as a preview or to correct history."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from larder import adapters
from larder.core.policy.trust.canary import DifferenceSample, FieldDiff
from larder.core.ports import ParseRunner
from larder.engine.quality.replay import Replay, ReplayResult
from larder.sdk.adapter import SiteAdapter
from larder.store.database import Connection, Database
from larder.store.operations import audit
from larder.store.pages.archive import PageScope
from larder.store.pages.blobs import Blobs
from larder.store.reads.lookup import run_row, source_ids_of_adapter, source_row
from larder.store.reads.rows import view_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayFilter:
    """Selects the pages to replay; filters are combined with AND."""

    source: str | None = None
    run: int | None = None
    adapter: str | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayView:
    """The results of a replay so far."""

    applied: bool
    expected: int
    """The approximate number of pages."""
    runs: int
    runs_void: int
    runs_unproven: int
    pages: int
    without_body: int
    unreadable: int
    items: int
    new: int
    differing: int
    """The number of records whose history differs anywhere."""
    vanished: int
    versions: int
    facts: int
    overlaid: int
    fields: Sequence[FieldDiff]
    samples: Sequence[DifferenceSample]


def replay_scope(conn: Connection, filters: ReplayFilter) -> PageScope:
    """The scope with ids; named sources and runs must exist."""
    ids: set[int] | None = None
    if filters.adapter is not None:
        ids = set(source_ids_of_adapter(conn, adapters.find(filters.adapter).id))
    if filters.source is not None:
        one = {source_row(conn, filters.source).id}
        ids = one if ids is None else ids & one
    run_id = None if filters.run is None else run_row(conn, filters.run).id
    return PageScope(
        source_ids=None if ids is None else tuple(sorted(ids)), run_id=run_id, since=filters.since
    )


async def replay(
    database: Database,
    blobs: Blobs,
    known: dict[str, SiteAdapter],
    filters: ReplayFilter,
    *,
    runner: ParseRunner,
    apply: bool,
    who: str,
    now: datetime,
) -> AsyncIterator[ReplayView]:
    """Run the replay; yields the progress after each batch, and the totals at the end."""
    scope = await database.run(replay_scope, filters)
    if apply:
        await database.run(_note, filters, "replay began", who=who, now=now)
    replay_settings = Replay(
        database=database, blobs=blobs, adapters=known, runner=runner, scope=scope, apply=apply, now=now
    )
    async for seen in replay_settings.walk():
        yield to_view(seen)
    if apply:
        await database.run(_note, filters, "replay ended", who=who, now=now)


def _note(conn: Connection, filters: ReplayFilter, action: str, *, who: str, now: datetime) -> None:
    scope = {"source": filters.source, "run": filters.run, "adapter": filters.adapter}
    details = {name: value for name, value in scope.items() if value is not None}
    since = {"since": filters.since.isoformat()} if filters.since else {}
    subject = filters.source or filters.adapter or (f"run {filters.run}" if filters.run else "everything")
    audit.record(conn, action, subject, {**details, **since}, who=who, now=now)


def to_view(seen: ReplayResult) -> ReplayView:
    """Convert a replay's totals into a view."""
    fields = tuple(seen.fields[name] for name in sorted(seen.fields))
    return view_of(ReplayView, seen, fields=fields, samples=tuple(seen.samples))
