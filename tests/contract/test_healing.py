"""A look at stored pages, from an ended run to the repair that is laid over, on both databases."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NoReturn

import pytest
from sqlalchemy import Connection, update

from larder import adapters
from larder.actions.sources import repairs as actions
from larder.core.model.job import PageRequest, Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunStatus
from larder.core.policy.scheduling.priority import claim_order
from larder.core.policy.trust.healing import HealingAction
from larder.engine.clock import VirtualClock
from larder.engine.healing.healer import Healer
from larder.engine.parse_workers.in_process import InProcess
from larder.store.database import Database
from larder.store.pages import pages
from larder.store.pages.blobs import Blobs, content_hash
from larder.store.pages.page_rows import NewPage, PageReading
from larder.store.queue import jobs, runs, sources
from larder.store.tables import jobs as job_rows
from tests.contract.world import DAY, HOUR, NOW, one, rows, run, source
from tests.integration.engine.harness import MemoryBlobs

HOMES = [(1, "Loft", "€ 1,250"), (2, "Barge", "€ 990"), (3, "Attic", "€ 700"), (4, "Mill", "€ 2,100")]
OLD = '<article class="card"><h2><a href="/home/{}">{}</a></h2><b class="price">{}</b></article>'
NEW = '<li class="tile"><a class="to" href="/home/{}">{}</a><i class="rate">{}</i></li>'
DECLARED = {
    "selectors": {
        "index": {"row": "article.card", "fields": {"title": "h2 a", "url": "h2 a@href", "price": ".price"}}
    }
}
URL = "http://homes.test/listings"


def drawn(row: str) -> bytes:
    rows_ = "".join(row.format(*home) for home in HOMES)
    return f"<html><body><main>{rows_}</main></body></html>".encode()


async def ended(
    database: Database, blobs: MemoryBlobs | Blobs, body: bytes, *, read: int, at: datetime
) -> int:
    """A run that brought one index page, and read so many rows in it."""
    stored = await blobs.put([body])

    def write(conn: Connection) -> int:
        run_id = run(conn, 1, now=at)
        request = PageRequest(url=URL, purpose=Purpose.INDEX, number=1)
        asked = jobs.NewJob(
            run_id=run_id,
            source_id=1,
            site_id=1,
            adapter="listing",
            request=request,
            priority=0,
            claim_order=claim_order(0, at),
            not_before=at,
        )
        jobs.enqueue(conn, [asked], now=at)
        job_id = one(conn, "SELECT max(id) FROM jobs")
        got = Fetched(
            outcome=FetchOutcome.OK,
            url=URL,
            final_url=URL,
            fetched_at=at,
            status=200,
            body=body,
            content_hash=content_hash(body),
        )
        pages.set_locations(conn, stored, now=at)
        page_id = pages.store(conn, [NewPage(job_id, 1, got)])[job_id]
        conn.execute(update(job_rows).where(job_rows.c.id == job_id).values(status="done", page_id=page_id))
        if read:
            pages.set_yields(conn, [PageReading(page_id=page_id, adapter_version="1.0.0", items=read)])
        runs.close(conn, run_id, RunStatus.COMPLETED, now=at)
        return run_id

    return await database.run(write)


async def healed(database: Database, bodies: Sequence[tuple[bytes, int]]) -> tuple[Healer, MemoryBlobs]:
    """A source that lived through these pages, a day apart, and a healer that saw none of them."""
    blobs, clock = MemoryBlobs(), VirtualClock(NOW)
    known = {adapter.id: adapter for adapter in adapters.known()}
    healer = Healer(database=database, blobs=blobs, clock=clock, adapters=known, runner=InProcess())
    await database.run(lambda conn: source(conn, params=DECLARED))
    assert await healer.round() == []
    for number, (body, read) in enumerate(bodies, start=1):
        await ended(database, blobs, body, read=read, at=NOW + number * DAY)
    clock.advance(NOW + len(bodies) * DAY + HOUR)
    return healer, blobs


async def test_a_new_layout_is_proven_by_stored_pages_and_applied(database: Database) -> None:
    healer, _ = await healed(database, [(drawn(OLD), 4), (drawn(NEW), 0)])
    (done,) = await healer.round()
    assert done.step is HealingAction.APPLY
    assert set(done.stopped) == {
        "index.row", "index.fields.title", "index.fields.url", "index.fields.price"
    }  # fmt: skip
    params = await database.run(lambda conn: sources.load(conn, [1])[1].params)
    assert params["selectors"]["index"]["row"] == ".tile"
    told = await database.run(lambda conn: rows(conn, "SELECT name, subject FROM alerts"))
    assert told == [("repair_applied", "homes")]
    assert await healer.round() == []


async def test_a_beat_looks_beside_the_driver_and_is_waited_for_at_the_end(database: Database) -> None:
    healer, _ = await healed(database, [(drawn(OLD), 4), (drawn(NEW), 0)])
    await healer.on_tick()
    await healer.end()
    assert (
        await database.run(lambda conn: one(conn, "SELECT count(*) FROM repairs WHERE status = 'applied'"))
        == 4
    )


async def test_a_look_that_fails_is_told_and_costs_nothing_else(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    healer, blobs = await healed(database, [(drawn(OLD), 4), (drawn(NEW), 0)])

    class Broken(InProcess):
        async def run(self, *_: object, **__: object) -> NoReturn:
            raise ValueError("a page that nobody can read")

    apart = replace(healer, runner=Broken())
    await apart.on_tick()
    await apart.end()
    assert "Healer failed" in caplog.text
    await ended(database, blobs, drawn(NEW), read=0, at=NOW + 3 * DAY)
    (done,) = await healer.round()
    assert done.step is HealingAction.APPLY


async def test_a_look_by_hand_applies_nothing(database: Database) -> None:
    healer, blobs = await healed(database, [(drawn(OLD), 4), (drawn(NEW), 0)])
    view = await actions.examine(database, blobs, healer.clock, healer.adapters, "homes", runner=InProcess())
    assert (view.proven, view.run) == (True, 2)
    proposed = {each.field: each for each in view.suggested}
    assert {name: each.after for name, each in proposed.items()} == {
        "index.row": ".tile",
        "index.fields.title": ".to",
        "index.fields.url": ".to@href",
        "index.fields.price": {"css": ".rate", "only": True},
    }
    assert proposed["index.fields.price"].examples[0] == ["€ 1,250", "€ 1,250"]
    assert await database.run(lambda conn: one(conn, "SELECT repaired FROM sources")) is None
    again = await actions.examine(database, blobs, healer.clock, healer.adapters, "homes", runner=InProcess())
    assert len(again.suggested) == len(view.suggested)


async def test_a_look_needs_pages_that_were_read_before(database: Database) -> None:
    healer, blobs = await healed(database, [(drawn(OLD), 4)])
    first = await actions.examine(database, blobs, healer.clock, healer.adapters, "homes", runner=InProcess())
    second = await ended(database, blobs, drawn(OLD) + b" ", read=4, at=NOW + 2 * DAY)
    later = await actions.examine(database, blobs, healer.clock, healer.adapters, "homes", runner=InProcess())
    assert (first.run, later.run, later.suggested) == (None, second, [])


async def test_what_broke_some_runs_ago_is_measured_by_what_was_read_before(database: Database) -> None:
    """Heuristics may have read the new layout meanwhile; that is no measure."""
    rival = drawn(NEW.replace("</i>", "</i> <em>€ 1,111</em>"))
    healer, blobs = await healed(database, [(drawn(OLD), 4), (rival, 4), (rival + b" ", 4)])
    first, second = await healer.round()
    assert (first.step, second.step) == (HealingAction.SUGGEST, HealingAction.SUGGEST)
    assert second.doubts == ("price: another amount is shown beside it (€ 1,111)",)
    await ended(database, blobs, drawn(NEW), read=4, at=NOW + 4 * DAY)
    (third,) = await healer.round()
    assert third.step is HealingAction.APPLY
