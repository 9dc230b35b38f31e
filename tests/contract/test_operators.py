"""What the operators' pages say is so: causes in words, counts of what they count, and ways that lead on."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from larder.core.policy.drift import AdapterHealth, judge
from larder.core.policy.yields import Batch
from larder.store import adapter_states
from larder.store.tables import runs
from tests.contract.faces import Faces, opened, stocked
from tests.contract.world import NOW, site, source


@pytest.fixture
async def shown(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path, requests_a_minute=0) as found:
        await found.app.do(stocked)
        yield found


async def page(shown: Faces, path: str, **asked: Any) -> str:
    """The words of a page, on one line."""
    answered = await shown.admin.get(path, params=asked)
    assert answered.status_code == 200, answered.text
    return " ".join(answered.text.split())


def _reads_nothing(conn: Connection) -> None:
    """`product` reads two shops; on one of them two runs in a row read not one item."""
    corner, _ = (source(conn, slug, domain=f"{slug}.test", adapter="product") for slug in ("corner", "other"))
    health = AdapterHealth()
    for extracted in (40, 0, 0):
        batch = Batch(attempted=2, extracted=extracted, valid=extracted)
        health = judge(health, batch, NOW, reads_index=True).health
        ran = {"source_id": corner, "kind": "sweep", "status": "completed", "trigger": "scheduled"}
        counted = {"drift": {"attempted": 2, "extracted": extracted}, "yield_rate": extracted / 2}
        conn.execute(insert(runs).values(**ran, **counted, started_at=NOW, heartbeat_at=NOW))
    adapter_states.write(conn, "product", site(conn, "corner.test"), health)


async def test_an_adapter_that_is_off_says_why_and_shows_what_it_was_judged_by(shown: Faces) -> None:
    await shown.app.do(_reads_nothing)
    told = await page(shown, "/admin/adapters/product")
    assert "Off on corner.test: not one item was read in 2 runs in a row" in told
    assert "drift detected" not in told
    assert "What was read on corner.test" in told
    assert ": 40 items on 2 pages" in told
    assert told.count(": 0 items on 2 pages") == 2


async def test_an_adapter_that_runs_elsewhere_is_not_called_off(shown: Faces) -> None:
    await shown.app.do(_reads_nothing)
    assert "off on 1 of 2 sites" in await page(shown, "/admin/adapters")
