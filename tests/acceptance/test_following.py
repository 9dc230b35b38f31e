"""A program that only polls the change feed holds the dataset, however often Larder is killed meanwhile."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.server import SimServer
from tests.acceptance.conftest import HOST, PATIENCE, START, Shell, Up
from tests.follower import Follower, told

STOCK = 60
PAUSE = 0.1
"""Seconds between polls that bring nothing: polling without a pause slows down what is waited for."""


@pytest.fixture
async def stocked() -> AsyncIterator[SimServer]:
    """A site that is large enough to be killed in the middle of."""
    truth = ClassifiedsTruth(seed=3, start=START, stock=STOCK)
    async with SimServer([ClassifiedsSite(name=HOST, classifieds=truth, per_page=10)], start=START) as server:
        yield server


class Client:
    """Asks a Larder that may be gone, at whatever address it comes back."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.address = ""

    async def get(self, path: str, **asked: Any) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.key}"}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.get(f"{self.address}/api{path}", params=asked) as answered,
        ):
            assert answered.status == 200, await answered.text()
            said: dict[str, Any] = await answered.json()
            return said

    async def changes(self, cursor: str | None) -> dict[str, Any]:
        return await self.get("/changes", limit=20, **({"since": cursor} if cursor else {}))

    async def dump(self) -> dict[int, tuple[Any, ...]]:
        found: dict[int, tuple[Any, ...]] = {}
        after: dict[str, Any] = {}
        while True:
            page = await self.get("/admin/records", limit=50, **after)
            found |= {each["id"]: told(each) for each in page["items"]}
            if page["next"] is None:
                return found
            after = {"after": page["next"]}


async def started(larder: Shell, client: Client) -> Up:
    up = Up(process=await larder.start("up", "--json"))
    client.address = (await up.until("up"))["address"]
    return up


async def follow(follower: Follower, enough: int) -> None:
    """Poll until it knows so many records; that they come is Larder's business."""
    async with asyncio.timeout(PATIENCE):
        while len(follower.kept) < enough:
            if not await follower.look():
                await asyncio.sleep(PAUSE)


async def over(client: Client) -> None:
    """Ask until no run is under way; one may have ended just before the last kill."""
    async with asyncio.timeout(PATIENCE):
        while True:
            runs = (await client.get("/admin/runs"))["items"]
            if all(run["status"] == "completed" for run in runs):
                return
            await asyncio.sleep(PAUSE)


async def test_through_kills_and_restarts(larder: Shell, stocked: SimServer) -> None:
    """It is killed when the program knows a quarter of the records, and again when it knows half of them."""
    larder.env["LARDER_REQUESTS_A_MINUTE"] = "0"
    key = json.loads(await larder("key", "add", "copy", "--scope", "admin", "--json"))["key"]
    await larder("site", "set", HOST, "--local", "--spacing", "5ms", "--at-once", "4")
    url = f"http://{HOST}:{stocked.port}/listings"
    await larder("source", "add", url, "--kind", "listing", "--terms-reviewed", "--public")
    client = Client(key)
    follower = Follower(client.changes)
    for share in (4, 2):
        up = await started(larder, client)
        await follow(follower, STOCK // share)
        up.process.send_signal(signal.SIGKILL)
        await up.process.communicate()
    up = await started(larder, client)
    await follow(follower, STOCK)
    await over(client)
    await follower.catch_up()
    assert follower.facts() == await client.dump()
    assert len(follower.kept) == STOCK
    assert await up.end() == 0
