"""The tasks: dispatch and verify open due runs, drive does their work in slices, maintain does the rest.

Each reads its state from the database, so that any of them may be lost, repeated or run twice at once.
"""

import asyncio
import logging
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from kombu.exceptions import OperationalError

from larder.app import App
from larder.celery.host import HOST
from larder.core.model.run import RunKind
from larder.engine.scheduling import dispatch as scheduling
from larder.engine.worker.driver import Driver
from larder.store.queue import lane_reads

log = logging.getLogger("larder.celery")

POLL_SECONDS = 0.2
MAX_MESSAGES = 1_000
"""Maximum messages of one dispatch."""


def dispatch() -> None:
    """Open due runs of every kind but verification, and send a message for each slice of waiting lanes."""
    HOST.run(lambda app: _open_due(app, app.dispatcher.kinds - {RunKind.VERIFICATION}))


def verify() -> None:
    """Open due verification runs."""
    HOST.run(lambda app: _open_due(app, frozenset({RunKind.VERIFICATION})))


def drive() -> None:
    """Drive some lanes for a slice of time; send a message if they still have work then."""
    if HOST.run(_drive):
        try:
            HOST.send("larder.drive")
        except OperationalError as error:
            log.warning("lanes wait for the next dispatch: the broker is unreachable (%s)", error)


def maintain() -> None:
    """One round of the background tasks; daily maintenance when it is due."""
    HOST.run(_maintain)


async def _open_due(app: App, kinds: frozenset[RunKind]) -> None:
    await app.sync_clock()
    settings = replace(app.dispatcher, opened_kinds=kinds)
    await app.run(scheduling.tick, settings, now=app.clock.now())
    waiting = await app.run(
        lane_reads.count_waiting,
        now=app.clock.now(),
        until=app.clock.now() + timedelta(seconds=app.settings.slice_seconds),
        limit=MAX_MESSAGES * app.settings.lanes_per_slice,
    )
    if waiting:
        slices = math.ceil(waiting / app.settings.lanes_per_slice)
        for _ in range(slices - HOST.count_waiting("larder.drive")):
            HOST.send("larder.drive")


async def _drive(app: App) -> bool:
    """Drive; True if the slice ended before its work."""
    async with app.slice_driver(max_lanes=app.settings.lanes_per_slice) as driver:
        until = app.clock.now() + timedelta(seconds=app.settings.slice_seconds)
        async with _stopped_by_shutdown(driver):
            await driver.run(until=until, idle_ends=True)
    return app.clock.now() >= until and not HOST.stopping.is_set()


@asynccontextmanager
async def _stopped_by_shutdown(driver: Driver) -> AsyncIterator[None]:
    async def watch() -> None:
        while not HOST.stopping.is_set():  # noqa: ASYNC110 - another process sets it
            await asyncio.sleep(POLL_SECONDS)
        driver.stop()

    watching = asyncio.ensure_future(watch())
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _maintain(app: App) -> None:
    """Run the background tasks; each claims its work in the database, so that two calls do nothing twice."""
    await app.sync_clock()
    async with app.background() as background:
        await background.on_tick()
        while background.busy and not HOST.stopping.is_set():  # noqa: ASYNC110 - another process sets it
            await asyncio.sleep(POLL_SECONDS)
