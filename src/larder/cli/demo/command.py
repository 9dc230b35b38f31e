"""`larder demo`: simulated sites, the real pipeline, and a view of how correct the dataset is."""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.console import Console
from rich.live import Live

from larder.actions.access import keys
from larder.actions.sources import sources, targets
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.actions.sources.targets import TargetSpec
from larder.app import App, open_app
from larder.asgi import application, serving
from larder.cli.common.durations import duration
from larder.cli.common.interrupts import ended_by_signal
from larder.cli.common.output import print_json
from larder.cli.common.session import run_async
from larder.cli.demo.snapshot import Snapshot, take_snapshot
from larder.cli.demo.view import closing_message, plain_line, render
from larder.cli.up.commands import drive
from larder.core.errors import Unusable
from larder.core.ports import Clock
from larder.engine.clock import SkippingClock
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.worker.driver import Driver
from larder.settings import Settings
from larder.sim.demo import MARKETS, demo_server, idle_time, target_urls
from larder.sim.server import SimServer
from larder.store.database import Connection

Beat = Callable[[], Awaitable[object]]

HERE = "127.0.0.1"
BEAT = 0.5
"""Seconds between two snapshots."""
PAUSE = 0.3
"""Seconds before hours are skipped, so that one can follow."""


def demo(
    for_: Annotated[str | None, typer.Option("--for", help="Stop after this time: 30s, 5m …")] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port of the simulated sites; 0: any free port.")
    ] = 0,
    listen: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port of Larder itself; 0: any free port.")
    ] = 0,
    data: Annotated[
        Path | None, typer.Option(help="Keep the dataset in this folder, which must not exist.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines; the last one sums up.")] = False,
) -> None:
    """See it work: simulated sites, the real pipeline, and a live view of how correct the dataset is.

    Nothing leaves this machine. The sites can be opened in a browser meanwhile, and so can Larder's own
    pages: the link that is printed lets one browser in, once.
    """
    length = None if for_ is None else duration(for_, "--for")
    with ended_by_signal(), _folder(data) as folder:
        run_async(_demo(folder, length, port=port, listen=listen, as_json=as_json))


@contextmanager
def _folder(path: Path | None) -> Iterator[Path]:
    """The requested folder, which must be new, or a temporary one."""
    if path is None:
        with tempfile.TemporaryDirectory(prefix="larder-demo-") as name:
            yield Path(name)
        return
    if (path / "larder.db").exists():
        raise Unusable(f"--data {path}: there is a Larder in it", hint="choose a folder that does not exist")
    yield path


async def _demo(folder: Path, length: timedelta | None, *, port: int, listen: int, as_json: bool) -> None:
    settings = Settings.without_environment(data=folder, tick_seconds=BEAT, stagger_seconds=0, channels=())
    clock = SkippingClock()
    async with (
        _served(clock, port) as web,
        open_app(settings, resolver=web.resolver(), clock=clock, upgrade=True) as app,
    ):
        await app.run(_add_sources, web, app.dispatcher, clock.now())
        app.truth = lambda: _truth(app, web)
        async with serving(application(app), host=HERE, port=listen) as address:
            with _shown(as_json=as_json) as view:
                ticket = await app.run(keys.create_ticket, who="demo", now=app.wall.now())
                view.begin(address, f"{address}/enter?ticket={ticket}")
                async with app.driver() as driver:
                    driver.on_tick = _passing_time(app, clock, driver)
                    await drive(driver, lambda _: _watch(app, web, driver, view, length))
                last = await take_snapshot(app, web)
                view.show(last)
        view.end(last)


async def _truth(app: App, web: SimServer) -> list[dict[str, Any]]:
    """The true state of the sites beside the dataset, for the pages."""
    seen = await take_snapshot(app, web)
    return [
        {
            "site": each.market.slug,
            "address": each.address,
            "trouble": each.trouble,
            "live": each.score.live,
            "known": each.score.known,
            "recall": each.score.recall,
            "prices_right": each.score.priced / each.score.known if each.score.known else None,
            "gone": each.score.gone,
            "requests": each.score.requests,
        }
        for each in seen.markets
    ]


@asynccontextmanager
async def _served(clock: Clock, port: int) -> AsyncIterator[SimServer]:
    web = demo_server(clock.now, port=port)
    try:
        await web.__aenter__()
    except OSError as error:
        raise Unusable(
            f"port {port} cannot be used ({error.strerror})",
            hint="choose another with --port, or leave it out",
        ) from error
    try:
        yield web
    finally:
        await web.__aexit__(None, None, None)


def _add_sources(conn: Connection, web: SimServer, settings: DispatchSettings, now: datetime) -> None:
    for market in MARKETS:
        spec = SourceSpec.model_validate(market.source(web.addresses()[market.site]))
        site = SiteSpec.model_validate(market.site_limits)
        sources.add(conn, spec, settings, site=site, who="demo", now=now)
        for url in target_urls(web, market):
            targets.add(conn, market.slug, TargetSpec(url=url), who="demo", now=now)


class DemoView(Protocol):
    """How the demo is displayed: screen, lines or JSON."""

    beats: int
    """Intervals between two snapshots."""

    def begin(self, address: str, link: str) -> None:
        """Where Larder is served, and the link that opens its admin pages once."""
        ...

    def show(self, seen: Snapshot) -> None:
        """Show a new snapshot."""
        ...

    def end(self, seen: Snapshot) -> None:
        """Show the closing message."""
        ...


async def _watch(app: App, web: SimServer, driver: Driver, view: DemoView, length: timedelta | None) -> None:
    """Show snapshots until the demo's time is over."""
    began = app.wall.now()
    for beat in count():
        if beat % view.beats == 0:
            view.show(await take_snapshot(app, web))
        if length is not None and app.wall.now() - began >= length:
            driver.stop()
        await asyncio.sleep(BEAT)


def _passing_time(app: App, clock: SkippingClock, driver: Driver) -> Beat:
    """Skip idle time in the driver's tick, so that no run opens between the read and the skip."""
    beat = driver.on_tick

    async def beat_and_skip() -> None:
        await beat()
        idle = timedelta(0) if driver.busy else await app.read(idle_time, now=clock.now())
        if idle:
            await asyncio.sleep(PAUSE)
            clock.skip(idle)

    return beat_and_skip


class _Screen:
    """A full-screen display, redrawn in place."""

    beats = 1

    def __init__(self, live: Live) -> None:
        self._live = live

    def begin(self, address: str, link: str) -> None:
        self._live.console.print(_welcome(address, link), soft_wrap=True)

    def show(self, seen: Snapshot) -> None:
        self._live.update(render(seen, self._live.console.size), refresh=True)

    def end(self, seen: Snapshot) -> None:
        closing_message(seen, self._live.console)


class _Lines:
    """Plain lines, for a log or a pipe."""

    beats = 4

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._announced = False

    def begin(self, address: str, link: str) -> None:
        self._console.print(_welcome(address, link))

    def show(self, seen: Snapshot) -> None:
        if not self._announced:
            self._announced = True
            for each in seen.markets:
                self._console.print(f"{each.market.site} is at {each.address}")
        self._console.print(plain_line(seen))

    def end(self, seen: Snapshot) -> None:
        closing_message(seen, self._console)


class _Json:
    """One line of JSON per snapshot."""

    beats = 4

    def begin(self, address: str, link: str) -> None:
        print_json({"event": "serving", "address": address, "link": link}, line=True)

    def show(self, seen: Snapshot) -> None:
        print_json({"event": "progress", **seen.summary()}, line=True)

    def end(self, seen: Snapshot) -> None:
        print_json({"event": "done", **seen.summary()}, line=True)


def _welcome(address: str, link: str) -> str:
    return f"Larder is at {address} ; sign in once with: {link}"


@contextmanager
def _shown(*, as_json: bool) -> Iterator[DemoView]:
    if as_json:
        yield _Json()
    elif not sys.stdout.isatty():
        yield _Lines()
    else:
        with Live(console=Console(highlight=False), auto_refresh=False, transient=False) as live:
            yield _Screen(live)
