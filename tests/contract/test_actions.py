"""Every operator's button does the same on both databases."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert

from larder import adapters
from larder.actions.dataset import records
from larder.actions.operations import runs
from larder.actions.sources import adapters as adapter_actions
from larder.actions.sources import catalogue, gate_reasons, sites, sources
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.engine.scheduling.dispatch import tick
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store import search
from larder.store.database import Database
from larder.store.reads.operators import overview
from larder.store.reads.query import Query
from larder.store.tables import records as records_table

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
BY: dict[str, Any] = {"who": "ada", "now": NOW}


@pytest.fixture
def how() -> DispatchSettings:
    return DispatchSettings(
        adapters={each.id: each for each in adapters.known()}, chance=Random(1), stagger=timedelta(0)
    )


@pytest.fixture
async def homes(database: Database, how: DispatchSettings) -> Database:
    """A source that is ready to run."""
    said = {"url": "https://homes.example/", "kind": "listing", "visibility": "public"}
    spec = SourceSpec.model_validate(said)
    site = SiteSpec(terms_reviewed_by="ada", spacing=0.5)
    await database.run(sources.add, spec, how, site=site, who="ada", now=NOW)
    return database


async def test_a_source_from_its_first_word_to_its_last_run(homes: Database, how: DispatchSettings) -> None:
    assert len((await homes.run(tick, how, now=NOW)).opened) >= 1
    (line,) = await homes.run(sources.list_sources, how, now=NOW)
    assert (line.slug, line.state, line.records, line.shown) == ("homes", "running", 0, 0)
    assert (await homes.run(runs.pause, 1, **BY)).status == "paused"
    assert (await homes.run(runs.resume, 1, **BY)).status == "running"
    assert (await homes.run(sites.block, "homes.example", "asked to", **BY)).blocked
    assert {run.status for run in await homes.run(runs.list_runs)} == {"stopped"}
    assert [r.gate for r in (await homes.run(gate_reasons.why, "homes", how, now=NOW)).blocked_by] == [
        "terms"
    ]
    await homes.run(sites.unblock, "homes.example", **BY)
    await homes.run(adapter_actions.disable, "listing", **BY)
    assert not (await homes.run(adapter_actions.show, "listing")).enabled
    await homes.run(adapter_actions.enable, "listing", **BY)
    again = await homes.run(runs.start, "homes", None, how, **BY)
    assert (again.trigger, again.status) == ("manual", "running")


async def test_a_catalogue(database: Database, how: DispatchSettings) -> None:
    shipped = catalogue.read("apartments-east-coast")
    for change in ("added", "unchanged"):
        done = await database.run(catalogue.import_all, shipped, how, **BY)
        assert done.count(change) == len(shipped.sources)


async def test_records_and_numbers(homes: Database, how: DispatchSettings) -> None:
    soon, late = NOW + timedelta(hours=30), NOW + timedelta(hours=50)
    row = {
        "source_id": 1, "kind": "listing", "identity_key": "PID:1", "title": "A Flat",
        "content": {"title": "A Flat"}, "content_hash": "", "base": 100, "rate": 2, "anchored_at": NOW,
        "shown_until": soon, "dead_at": late, "first_seen_at": NOW, "last_seen_at": NOW, "created_at": NOW,
        "updated_at": NOW,
    }  # fmt: skip
    await homes.run(lambda conn: conn.execute(insert(records_table), [row]))
    await homes.run(search.reindex)
    (found,) = await homes.run(records.list_records, Query(text="flat"), public_only=True, now=NOW)
    assert (found.title, found.confidence, found.badge) == ("A Flat", 100, "green")
    assert (await homes.run(records.show, found.id, now=NOW)).fields == {"title": "A Flat"}
    assert await homes.run(records.price_changes) == []
    seen = await homes.run(overview.overview, now=NOW + timedelta(hours=20))
    assert (seen.records, seen.public, seen.badges.yellow) == (1, 1, 1)
    await homes.run(sources.set_columns, "homes", {"tier": "hot"}, how, **BY)
    assert (await homes.run(sources.show, "homes", how, now=NOW + timedelta(hours=21))).shown == 0
