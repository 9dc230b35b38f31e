"""A host that is exempt from its site's shared limit has a lane of its own, at the site's limits."""

from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, select

from larder.actions.sources import sites
from larder.actions.sources.spec import SiteSpec
from larder.core.errors import BadInput
from larder.core.model.job import Slot
from larder.engine.clock import VirtualClock
from larder.engine.scheduling import dispatch
from larder.engine.worker.rate_limits import LaneSlots, StoredRobots
from larder.stages.fetch.robots.response import RobotsEntry, RobotsState
from larder.store.database import Database
from larder.store.queue import lanes
from larder.store.queue import sources as source_store
from larder.store.queue.exempt_hosts import lane_of
from larder.store.tables import jobs
from larder.store.tables import sites as site_rows
from tests.contract.faces import opened
from tests.contract.test_dispatch import HOW, planted
from tests.contract.world import MINUTE, NOW, SECOND, source, unit_of_work

HOST, SITE = "images.homes.test", "homes.test"


def exempt(conn: Connection, *hosts: str, now: datetime = NOW) -> int:
    """The lane of the first host."""
    spec = SiteSpec(exempt_hosts=list(hosts))
    assert sites.change(conn, SITE, spec, who="ada", now=now).exempt_hosts == sorted(hosts)
    return int(conn.scalars(select(site_rows.c.id).where(site_rows.c.domain == HOST)).one())


@unit_of_work
def test_l10_13_pages_of_an_exempt_host_wait_in_its_own_lane(conn: Connection) -> None:
    source_id = source(conn)
    own = exempt(conn, HOST)
    found = source_store.load(conn, [source_id])[source_id]
    assert lane_of(found, f"https://{HOST}/a") == own
    assert lane_of(found, f"https://{SITE}/a") == lane_of(found, "https://www.homes.test/") == found.site_id
    assert [view.domain for view in sites.list_sites(conn)] == [SITE]


@unit_of_work
def test_l10_13_a_run_on_an_exempt_host_begins_in_its_lane(conn: Connection) -> None:
    planted(conn, url=f"http://{HOST}/listings")
    own = exempt(conn, HOST)
    dispatch.tick(conn, HOW, now=NOW)
    opened_at = dispatch.tick(conn, HOW, now=NOW + MINUTE)
    assert opened_at is not None
    assert set(conn.scalars(select(jobs.c.site_id))) == {own}
    held = lanes.lease(conn, owner="one", now=NOW + 2 * MINUTE, ttl=MINUTE, limit=9)
    assert own in [lane.site_id for lane in held]


async def test_l10_13_its_slots_do_not_wait_for_the_site_s(database: Database) -> None:
    await database.run(exempt, HOST)
    slots = LaneSlots(database, VirtualClock(NOW), Random(0))
    asked = [SITE, SITE, SITE, HOST, HOST]
    given = [await slots.reserve(f"https://{host}/{n}") for n, host in enumerate(asked)]
    waits = [slot.opens_at - NOW for slot in given if isinstance(slot, Slot)]
    assert waits == [0 * SECOND, 2 * SECOND, 4 * SECOND, 0 * SECOND, 2 * SECOND]


async def test_l10_13_a_larger_crawl_delay_of_the_host_slows_the_host_alone(database: Database) -> None:
    own = await database.run(exempt, HOST)
    entry = RobotsEntry(
        state=RobotsState.RULES,
        status=200,
        body="User-agent: *\nCrawl-delay: 9",
        tries=1,
        fetched_at=NOW,
        expires_at=NOW + MINUTE,
        crawl_delay=9 * SECOND,
    )
    await StoredRobots(database, agent="larder").put(f"https://{HOST}", entry)
    query = select(site_rows.c.id).where(site_rows.c.crawl_delay_ms == 9_000)
    assert await database.run(lambda conn: list(conn.scalars(query))) == [own]


@unit_of_work
def test_l10_13_it_has_the_limits_of_its_site(conn: Connection) -> None:
    own = exempt(conn, HOST)
    sites.change(conn, SITE, SiteSpec(spacing=7), who="ada", now=NOW)
    row = select(site_rows.c.spacing_ms).where(site_rows.c.id == own)
    assert conn.scalar(row) == 7_000
    assert exempt(conn, "cdn.homes.test") == own
    view = sites.change(conn, SITE, SiteSpec(exempt_hosts=None), who="ada", now=NOW)
    assert view.exempt_hosts == []


@pytest.mark.parametrize("host", ["homes.test", "other.test", "x.homes.test/y", ""])
@unit_of_work
def test_l10_13_only_hosts_of_the_site_can_be_exempt(conn: Connection, host: str) -> None:
    with pytest.raises((BadInput, ValueError), match="exempt_hosts"):
        sites.change(conn, SITE, SiteSpec(exempt_hosts=[host]), who="ada", now=NOW)


async def test_l10_13_api_and_page_exempt_a_host(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as shown:
        path = f"/api/admin/sites/{SITE}"
        answered = await shown.admin.patch(path, json={"exempt_hosts": [HOST]})
        assert answered.json()["exempt_hosts"] == [HOST]
        page = await shown.admin.get(f"/admin/sites/{SITE}")
        assert f'value="{HOST}"' in page.text
        form = {"exempt_hosts": f"{HOST}, cdn.homes.test"}
        await shown.admin.post(f"/admin/sites/{SITE}/change", data=form)
        assert (await shown.get(path, shown.admin))["exempt_hosts"] == ["cdn.homes.test", HOST]
        put = await shown.admin.put(path, json={"spacing": 3})
        assert put.json()["exempt_hosts"] == []
        refused = await shown.admin.patch(path, json={"exempt_hosts": ["other.test"]})
        assert refused.status_code == 422
        assert "other.test" in refused.json()["detail"]
