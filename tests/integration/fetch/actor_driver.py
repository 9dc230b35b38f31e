"""A driver in a process of its own, to be killed; left alone it ends when there is nothing left to do."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from larder.app import App, open_app
from larder.core.model.run import RunKind
from larder.settings import Settings
from larder.store.queue import sources
from tests.integration.fetch.apify_server import TOKEN

SLUG = "boston"


def settings(data: Path, url: str) -> Settings:
    return Settings(
        data=data,
        strict=False,
        stagger_seconds=0,
        tick_seconds=0.2,
        apify_token=SecretStr(TOKEN),
        apify_url=url,
        actors={"apartments": "someone/apartments"},
        actor_poll_seconds=0.1,
    )


async def add_source(app: App) -> None:
    row = {
        "slug": SLUG,
        "kind": "listing",
        "url": "https://www.apartments.com/boston-ma/",
        "adapter": "apartments",
        "plan": "market",
        "fetcher": "actor",
    }
    now = app.clock.now()
    await app.run(sources.ensure_site, "apartments.com", {"spacing_ms": 50}, now=now)
    await app.run(sources.add, row, now=now)


@asynccontextmanager
async def collecting(data: Path, url: str) -> AsyncIterator[App]:
    """A Larder that collects, and does nothing else."""
    async with open_app(settings(data, url), upgrade=True) as app:
        app.scheduling = replace(app.dispatcher, kinds=frozenset({RunKind.COLLECT}))
        yield app


async def drive(data: Path, url: str) -> None:
    async with collecting(data, url) as app, app.driver() as driver:
        await driver.run(idle_ends=True)


if __name__ == "__main__":
    asyncio.run(drive(Path(sys.argv[1]), sys.argv[2]))
