"""One driver process of `larder up`: `python -m larder.cli.up.driver_process`, ended with SIGTERM.

It has its own entry point so that a signal ends it silently from its first instruction on: the process that
started it informs the operator.
"""

import argparse
import asyncio
import os
import sys
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from larder.app import App
from larder.cli import exit_code_of
from larder.cli.common.garbage import collect_seldom
from larder.cli.common.interrupts import Interrupted, handle_signals
from larder.cli.common.session import with_app
from larder.cli.up import drivers
from larder.cli.up.commands import POLL_SECONDS, drive
from larder.cli.up.reports import LogReporter

if TYPE_CHECKING:
    from larder.engine.worker.driver import Driver


def main() -> None:
    """Drive until a signal, or until the parent process ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--drivers", type=int, required=True, help="number of drivers that share the database"
    )
    parser.add_argument("--lock", type=int, help="descriptor of the data folder's lock")
    parser.add_argument("--json", action="store_true", help="log JSON lines")
    parser.add_argument(
        "--parent", type=int, default=os.getppid(), help="process that this one ends with"
    )  # passed by the parent, which may have ended before this line
    options = parser.parse_args()
    with suppress(Interrupted):
        signals = handle_signals()
        collect_seldom()
        code = exit_code_of(lambda: _drive(options))
        signals.ended = True
        sys.exit(code)


def _drive(options: argparse.Namespace) -> None:
    with suppress(Interrupted):
        with_app(
            lambda app: _drive_beside(
                app, options.drivers, lock=options.lock, parent=options.parent, as_json=options.json
            )
        )


async def _drive_beside(app: App, count: int, *, lock: int | None, parent: int, as_json: bool) -> None:
    """Drive as one of `count` processes, until the parent process ends."""
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


if __name__ == "__main__":
    main()
