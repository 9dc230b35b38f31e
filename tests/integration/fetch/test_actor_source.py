"""A source whose items come from an actor, end to end; and a process killed while it waits."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from larder.app import App
from larder.store.operations.notifications import alerts
from tests.integration.fetch.actor_driver import add_source, collecting
from tests.integration.fetch.apify_server import ApifyServer, apify_server
from tests.services import ROOT

GOOD = [
    {
        "id": f"abc{n}",
        "propertyName": f"The Elm {n}",
        "url": f"https://www.apartments.com/elm/abc123{n}/",
        "rent": {"min": 1000 + n},
        "location": {"fullAddress": f"{n} Elm Street", "city": "Boston", "state": "MA"},
    }
    for n in range(3)
]
ODD = [{"demo": True, "id": "x", "propertyName": "Upgrade your plan"}, {"surprise": 1}, "no item at all"]


@pytest.fixture
async def apify() -> AsyncIterator[ApifyServer]:
    async with apify_server() as server:
        yield server


async def rows(app: App, sql: str) -> list[tuple[Any, ...]]:
    return await app.run(lambda conn: [tuple(row) for row in conn.execute(text(sql))])


@asynccontextmanager
async def driving(data: Path, url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.integration.fetch.actor_driver", str(data), url, cwd=ROOT
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_market_is_collected_from_its_actor(apify: ApifyServer, tmp_path: Path) -> None:
    apify.finish_at_once = [*GOOD, *ODD]
    async with collecting(tmp_path, apify.url) as app, app.driver() as driver:
        await add_source(app)
        await driver.run(idle_ends=True)
        assert await rows(app, "SELECT identity_key, price_minor FROM records ORDER BY id") == [
            ("PID:abc0", 100000),
            ("PID:abc1", 100100),
            ("PID:abc2", 100200),
        ]
        assert await rows(
            app, "SELECT status, inserted, quarantined, external_id FROM runs WHERE kind = 'collect'"
        ) == [("partial", 3, 3, "run1")]
        assert (
            await rows(app, "SELECT reason, status FROM quarantine") == [("validation_failed", "pending")] * 3
        )
        assert await rows(app, "SELECT provider, used FROM quotas") == [("apify", 0.25)]
    assert len(apify.runs) == 1


async def test_over_budget_the_run_ends_with_the_reason(apify: ApifyServer, tmp_path: Path) -> None:
    apify.spent = apify.budget
    async with collecting(tmp_path, apify.url) as app, app.driver() as driver:
        await add_source(app)
        await driver.run(idle_ends=True)
        ((category, kind, message),) = await rows(app, "SELECT category, type, message FROM dead_letters")
        assert (category, kind) == ("quota", "quota")
        assert "monthly budget is spent" in message
        assert await rows(app, "SELECT state FROM circuits WHERE failures > 0 OR state <> 'closed'") == []
        assert await rows(app, "SELECT name, subject FROM alerts") == [("quota_spent", "apify")]
    assert apify.runs == []


async def test_a_call_that_was_paid_for_takes_the_alert_back(apify: ApifyServer, tmp_path: Path) -> None:
    apify.finish_at_once = [*GOOD]
    async with collecting(tmp_path, apify.url) as app, app.driver() as driver:
        await add_source(app)
        await app.run(alerts.raise_alert, "quota_spent", "P2", "apify", "no more", now=app.clock.now())
        await driver.run(idle_ends=True)
        assert await rows(app, "SELECT count(*) FROM alerts WHERE resolved_at IS NOT NULL") == [(1,)]


@pytest.mark.parametrize("moment", ["while it waits", "before the id is stored"])
async def test_killed_and_started_again_the_same_run_is_read(
    moment: str, apify: ApifyServer, tmp_path: Path
) -> None:
    """SIGKILL, with the run under way; or with its start made and its answer not yet there."""
    apify.hold = asyncio.Event() if moment == "before the id is stored" else None
    async with collecting(tmp_path, apify.url) as app:
        await add_source(app)
        async with driving(tmp_path, apify.url) as first:
            await (apify.started if apify.hold else apify.looked).wait()
            first.send_signal(signal.SIGKILL)
            await first.wait()
        assert await rows(app, "SELECT count(*) FROM records") == [(0,)]
        apify.runs[0].finish(*GOOD)
        if apify.hold:
            apify.hold.set()
        async with driving(tmp_path, apify.url) as second:
            assert await second.wait() == 0
        assert await rows(app, "SELECT count(*) FROM records") == [(3,)]
        assert await rows(app, "SELECT status, inserted, external_id FROM runs WHERE kind = 'collect'") == [
            ("completed", 3, "run1")
        ]
        assert await rows(app, "SELECT used FROM quotas") == [(0.25,)]
    assert [call for call in apify.calls if call == "start"] == ["start"]
    assert len(apify.runs) == 1
