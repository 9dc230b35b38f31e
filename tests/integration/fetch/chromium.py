"""The browser as it runs in production, pointed at a server that may do anything."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from larder.core.model.page import Fetched
from larder.stages.fetch.browser.fetcher import BrowserFetcher
from larder.stages.fetch.browser.guard_proxy import ProxyGuard
from larder.stages.fetch.browser.process import BrowserLimits, BrowserProcess
from larder.stages.fetch.request import FetchRequest
from tests.integration.fetch.hostile import PATIENCE, SITE, Stage, fetch_stage

AGENT = "Mozilla/5.0 (compatible; Larder/0; +https://larder.test)"


@dataclass
class BrowserStage:
    """A browser over the fetch stage of the tests."""

    stage: Stage
    process: BrowserProcess
    proxy: ProxyGuard
    fetcher: BrowserFetcher

    async def fetch(self, url: str, **request: Any) -> Fetched:
        asked: dict[str, Any] = {"timeout": 2 * PATIENCE, "local_site": SITE} | request
        return await self.fetcher.fetch(FetchRequest(url=url, **asked))


@asynccontextmanager
async def browser_stage(
    executable: Path, *, limits: BrowserLimits | None = None
) -> AsyncIterator[BrowserStage]:
    async with fetch_stage() as stage, ProxyGuard(stage.terms, resolver=stage.names) as proxy:
        process = BrowserProcess(executable, limits=limits)
        fetcher = BrowserFetcher(process, proxy, stage.gate, stage.clock, user_agent=AGENT)
        try:
            yield BrowserStage(stage, process, proxy, fetcher)
        finally:
            await process.close()


async def gone(pids: Iterable[int]) -> bool:
    """Wait until all these processes have ended."""
    for pid in pids:
        await _ended(pid)
    return True


async def _ended(pid: int) -> None:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(handle, ended.set)
    await ended.wait()
    loop.remove_reader(handle)
    os.close(handle)
