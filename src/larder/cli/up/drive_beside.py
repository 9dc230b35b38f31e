"""Drives as one of several processes that share a database, beside the one that serves."""

import asyncio
import os
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from larder.app import App
from larder.cli.common.interrupts import Interrupted
from larder.cli.common.session import with_app
from larder.cli.up import drivers
from larder.cli.up.commands import POLL_SECONDS, drive
from larder.cli.up.reports import LogReporter

if TYPE_CHECKING:
    from larder.engine.worker.driver import Driver


def drive_beside(count: int, *, lock: int | None, parent: int, as_json: bool) -> None:
    """Drive as one of `count` processes until a signal, or until the parent process ends."""
    with suppress(Interrupted):
        with_app(lambda app: _drive(app, count, lock=lock, parent=parent, as_json=as_json))


async def _drive(app: App, count: int, *, lock: int | None, parent: int, as_json: bool) -> None:
    report = LogReporter(as_json=as_json, level=app.settings.log_level)
    drivers.lower_priority()
    if lock is not None:
        drivers.die_with_parent()

    async def watch(driver: "Driver") -> None:
        report.say("driver up", pid=os.getpid())
        while os.getppid() == parent:  # noqa: ASYNC110 - no event tells of it
            await asyncio.sleep(POLL_SECONDS)
        driver.stop()

    async with app.driver(lock=lock) as driver:
        driver.worker = replace(driver.worker, drivers=count)
        await drive(driver, watch)
    report.say("driver down", pid=os.getpid(), **asdict(driver.totals))
