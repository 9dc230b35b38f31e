"""A source behind proxies, driven as in production, while one of them dies: everything comes all the same."""

from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text

from larder.app import App, open_app
from larder.settings import Settings
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.server import SimServer
from larder.store.operations import proxies
from larder.store.operations.access.secrets import SecretCipher
from larder.store.queue import sources
from tests.integration.fetch.proxy_servers import proxy_server
from tests.proofs.plans import listings_of, only_discovery

SITE = "homes.test"
START = datetime(2026, 1, 5, tzinfo=UTC)


async def rows(app: App, sql: str) -> list[tuple[Any, ...]]:
    return await app.run(lambda conn: [tuple(row) for row in conn.execute(text(sql))])


async def test_a_dying_proxy_leaves_the_pool_and_no_job_is_lost(tmp_path: Path) -> None:
    homes = ClassifiedsTruth(seed=7, start=START, stock=60)
    settings = Settings(data=tmp_path, strict=False, stagger_seconds=0, tick_seconds=1)
    async with AsyncExitStack() as stack:
        web = await stack.enter_async_context(
            SimServer([ClassifiedsSite(name=SITE, classifieds=homes)], start=START, speed=0)
        )
        kinds = ("http", "socks5", "socks5")
        pool = [await stack.enter_async_context(proxy_server(kind)) for kind in kinds]
        for proxy in pool:
            proxy.leads_to = web.port
        pool[2].hangs_up = True
        app = await stack.enter_async_context(open_app(settings, resolver=web.resolver(), upgrade=True))
        now = app.clock.now()
        await app.run(sources.ensure_site, SITE, {"local": 1, "spacing_ms": 5, "at_once": 4}, now=now)
        await app.run(only_discovery, listings_of(SITE, params={"proxies": True}), now=now)
        for proxy in pool:
            await app.run(proxies.add, proxies.parse(proxy.url()), SecretCipher(""))
        async with app.driver() as driver:
            await driver.run(idle_ends=True)
        assert await rows(app, "SELECT DISTINCT status FROM jobs") == [("done",)]
        assert await rows(app, "SELECT count(*) FROM records") == [(60,)]
        assert await rows(app, "SELECT status FROM runs") == [("completed",)]
        told = await rows(app, "SELECT successes > 0, failures_in_a_row > 10 FROM proxies ORDER BY id")
        assert told == [(1, 0), (1, 0), (0, 1)]
        assert await rows(app, "SELECT sum(successes) FROM proxies") == [(len(web.request_log.requests),)]
        assert await rows(app, "SELECT failures FROM circuits WHERE failures > 0") == []
