"""Rows for tests, made by the store's own functions, with the least that each needs."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select, text

from larder.core.model.item import Staged
from larder.core.model.job import PageRequest, Purpose
from larder.core.model.run import RunKind, Trigger
from larder.core.model.source import Kind
from larder.core.policy.scheduling.gates import GateReason, closed_gates
from larder.core.policy.scheduling.priority import claim_order, lane_rank
from larder.engine.scheduling.backpressure import QueueState
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.scheduling.gate_facts import gate_facts
from larder.runs import FOLDS
from larder.stages.persist import PageItems, Persisted, persist
from larder.store.database import Database
from larder.store.dataset import changes
from larder.store.dataset.changes import Change, Cursor
from larder.store.queue import jobs, lanes, runs, schedules, sources
from larder.store.tables import metadata

NOW = datetime(2026, 1, 5, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
PATIENCE = 200
"""Seconds that a test waits for what is sure to come."""


def unit_of_work(story: Callable[..., None]) -> Callable[..., Awaitable[None]]:
    """A test whose body is one unit of work, on each database."""

    async def test(database: Database, **given: Any) -> None:
        await database.run(lambda conn: story(conn, **given))

    asked = list(inspect.signature(story).parameters.values())[1:]
    given = inspect.Parameter("database", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Database)
    vars(test).update(vars(story))
    test.__name__, test.__doc__ = story.__name__, story.__doc__
    test.__signature__ = inspect.Signature([given, *asked])  # type: ignore[attr-defined]
    return test


def site(conn: Connection, domain: str = "homes.test", **values: Any) -> int:
    return sources.ensure_site(conn, domain, values, now=NOW)


def begin_empty(conn: Connection) -> None:
    """For tests that judge plans: on PostgreSQL the room counts that deleted rows still take up in files."""
    if conn.dialect.name == "postgresql":
        conn.exec_driver_sql(f"TRUNCATE {', '.join(metadata.tables)} CASCADE")


def source(conn: Connection, slug: str = "homes", *, domain: str = "homes.test", **values: Any) -> int:
    """A source that was adopted, with no schedule yet."""
    row = {"kind": "listing", "url": f"http://{domain}/listings", "adapter": "listing", "currency": "EUR"}
    added = sources.add(conn, {"slug": slug, **row, **values}, now=NOW)
    sources.adopt(conn, added, site(conn, domain), {}, now=NOW)
    return added


def run(conn: Connection, source_id: int, kind: RunKind = RunKind.DISCOVERY, *, now: datetime = NOW) -> int:
    return runs.open_run(
        conn,
        source_id=source_id,
        kind=kind,
        trigger=Trigger.SCHEDULED,
        adapter="listing",
        adapter_version="1",
        now=now,
    )


def enqueue(
    conn: Connection,
    run_id: int,
    urls: Sequence[str],
    *,
    source_id: int = 1,
    site_id: int = 1,
    kind: RunKind = RunKind.DISCOVERY,
    trigger: Trigger = Trigger.SCHEDULED,
    now: datetime = NOW,
    not_before: datetime | None = None,
) -> None:
    rank = lane_rank(FOLDS[kind].rank, trigger)
    asked = [
        jobs.NewJob(
            run_id=run_id,
            source_id=source_id,
            site_id=site_id,
            adapter="listing",
            request=PageRequest(url=url, purpose=Purpose.DETAIL),
            priority=rank,
            claim_order=claim_order(rank, now),
            not_before=not_before or now,
        )
        for url in urls
    ]
    jobs.enqueue(conn, asked, now=now)
    lanes.wake(conn, {site_id: not_before or now})


def staged(number: int, *, kind: Kind = Kind.LISTING, key: str | None = None, **fields: Any) -> Staged:
    """A valid listing; more fields by name."""
    url = fields.pop("url", f"https://homes.test/listing/{number}")
    fingerprint = fields.pop("fingerprint", None)
    said = {"platform_id": str(number), "title": f"Home {number}", "url": url, **fields}
    return Staged(
        kind=kind,
        identity_key=key or f"PID:{number}",
        url=url,
        canonical_url=url,
        fields={name: value for name, value in said.items() if value is not None},
        strategies={},
        fingerprint=fingerprint,
    )


class Pages:
    """Pages of one source on their way into the dataset, each with ids of its own."""

    def __init__(self, conn: Connection, source_id: int) -> None:
        self.conn = conn
        self.source = sources.load(conn, [source_id])[source_id]
        self._number = 0

    def page(
        self,
        *items: Staged,
        at: datetime = NOW,
        purpose: Purpose = Purpose.INDEX,
        run_id: int = 1,
        expects: str | None = None,
        discovers: bool | None = None,
    ) -> PageItems:
        self._number += 1
        return PageItems(
            job_id=self._number,
            run_id=run_id,
            page_id=self._number,
            source=self.source,
            purpose=purpose,
            adapter_version="1.0.0",
            fetched_at=at,
            staged=items,
            number=self._number,
            discovers=purpose is Purpose.INDEX if discovers is None else discovers,
            expects=expects,
        )

    def keep(self, *pages: PageItems, now: datetime | None = None) -> list[Persisted]:
        """Persist them as one batch."""
        found = persist(self.conn, pages, now=now or max(page.fetched_at for page in pages))
        return [found[page.job_id] for page in pages]


async def fed(database: Database, cursor: Cursor, many: int) -> list[Change]:
    """What the feed tells after a cursor, once it tells so much.

    On PostgreSQL it waits for every transaction that began before, in whatever database of the server: other
    tests have theirs.
    """
    async with asyncio.timeout(PATIENCE):
        while len(told := await database.run(changes.list_since, cursor)) < many:
            pass
    return told


def rows(conn: Connection, /, sql: str, **args: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in conn.execute(text(sql), args)]


def one(conn: Connection, /, sql: str, **args: Any) -> Any:
    """The one value a query gives."""
    ((value,),) = rows(conn, sql, **args)
    return value


def dump(conn: Connection, /, *, leave_out: Mapping[str, set[str]] | None = None) -> dict[str, list[Any]]:
    """Every row of every table, comparable; some tables (an empty set) or columns left out."""
    left_out = leave_out or {}
    tables = [t for t in metadata.sorted_tables if left_out.get(t.name) != set()]
    dumped = {}
    for table in tables:
        columns = [c for c in table.c if c.name not in left_out.get(table.name, set())]
        dumped[table.name] = sorted((tuple(row) for row in conn.execute(select(*columns))), key=repr)
    return dumped


def held_back_reasons(
    conn: Connection, source_id: int, settings: DispatchSettings, *, now: datetime
) -> dict[str, list[GateReason]]:
    """For each run kind of a source: every reason that it would not start now."""
    queue = QueueState.read(conn, settings)
    return {
        row.run_kind: list(closed_gates(gate_facts(row, settings, queue, now), now))
        for row in schedules.list_by_source(conn, source_id)
    }
