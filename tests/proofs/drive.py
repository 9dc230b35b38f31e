"""A driver as a process of its own, for proofs that kill drivers, freeze them and count what they cost.

It declares the made-up sites it is told, says `driving` on its standard output when it begins, and ends when
there is nothing left to do, or (`--forever`) when it is told to.
"""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection

from larder.app import App, open_app
from larder.engine.worker.driver import Driver
from larder.settings import Settings
from larder.sim.hostnames import SimResolver
from larder.store.queue import sources
from tests.proofs.plans import listings_of, only_discovery


def declare(conn: Connection, site: str, *, spacing_ms: int, at_once: int, now: datetime) -> None:
    """The made-up site with these manners, and its one source, of whose plan only discovery is due."""
    manners = {"local": 1, "spacing_ms": spacing_ms, "at_once": at_once}
    sources.ensure_site(conn, site, manners, now=now)
    if sources.by_slug(conn, site) is None:
        only_discovery(conn, listings_of(site), now=now)


async def drive(args: argparse.Namespace) -> None:
    async with open_app(_settings(args), resolver=SimResolver({"*.test": args.port}), upgrade=True) as app:
        for site in args.site:
            await app.run(
                declare, site, spacing_ms=args.spacing_ms, at_once=args.at_once, now=app.clock.now()
            )
        await _drive(app, forever=args.forever)


async def _drive(app: App, *, forever: bool) -> None:
    async with app.driver() as driver:
        _obey(driver)
        sys.stdout.write("driving\n")
        sys.stdout.flush()
        await driver.run(idle_ends=not forever)


def _obey(driver: Driver) -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, driver.stop)


def _settings(args: argparse.Namespace) -> Settings:
    return Settings(
        data=args.data,
        database=args.database,
        strict=False,
        stagger_seconds=0,
        tick_seconds=1,
        lease_seconds=args.lease,
        contact=f"https://larder.example/{args.name}",
    )


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Drive made-up sites until nothing is left to do.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--database", default="")
    parser.add_argument("--port", type=int, required=True, help="the made-up web's")
    parser.add_argument("--site", action="append", required=True)
    parser.add_argument("--spacing-ms", type=int, default=0)
    parser.add_argument("--at-once", type=int, default=32)
    parser.add_argument("--lease", type=float, default=30)
    parser.add_argument("--name", default="driver", help="how the site's log knows this driver")
    parser.add_argument("--forever", action="store_true")
    return parser.parse_args(argv)


if __name__ == "__main__":
    asyncio.run(drive(_arguments(None)))
