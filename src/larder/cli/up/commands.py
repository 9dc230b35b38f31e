"""`larder up` and `larder tick`: run a driver until stopped, or within a time budget."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from larder.actions.operations import runs
from larder.app import App
from larder.app.data_folder import only_driver
from larder.cli.common.durations import duration
from larder.cli.common.interrupts import ask_on_signal, ended_by_signal
from larder.cli.common.output import JsonOption, print_result, print_text
from larder.cli.common.session import with_app
from larder.cli.up import drivers
from larder.cli.up.drivers import Drivers, cores
from larder.cli.up.free_space import wait_for_space
from larder.cli.up.reports import RunReporter, open_reporter
from larder.cli.up.serving import Port, Serve, ServeOptions, Web
from larder.core.errors import AlreadyDriven, BadInput, Unusable
from larder.core.plurals import plural
from larder.settings import load

if TYPE_CHECKING:
    from larder.engine.worker.commit_pages import DriverTotals
    from larder.engine.worker.driver import Driver

ProgressView = Callable[["Driver"], Awaitable[None]]
POLL_SECONDS = 1.0
_COUNTS = ("pages", "jobs", "inserted", "runs")
SHUTDOWN_GRACE = timedelta(seconds=5)
"""The time that a tick gives to pages in flight when its budget is spent."""


def up(
    *,
    port: Port = None,
    serve: Serve = True,
    web: Web = None,
    work: Annotated[
        bool, typer.Option("--drive/--no-drive", help="Whether to do due work; without it, workers do it.")
    ] = True,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_024,
            help="Processes that do the work: drivers on PostgreSQL, parsers of pages on SQLite; "
            "default: one for each core.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Log JSON lines.")] = False,
) -> None:
    """Run all due work until stopped; serve the API and the web pages at LARDER_LISTEN.

    Ctrl-C or SIGTERM stops it after open pages are stored. Sources added meanwhile are picked up.
    """
    offer = ServeOptions(port=port, serve=serve, web=web)
    if not (work or serve):
        raise BadInput("--no-serve and --no-drive leave nothing to do", hint="leave one of them out")
    if workers and not work:
        raise BadInput("--workers with --no-drive: there is no work to share", hint="leave one of them out")
    with ended_by_signal():
        wait_for_space(load(), as_json=as_json)
        if not work:
            with_app(lambda app: _serve(app, offer, as_json=as_json))
        else:
            _up_with(workers, offer, as_json=as_json)


def _up_with(workers: int | None, offer: ServeOptions, *, as_json: bool) -> None:
    """Choose the processes: on SQLite one process drives and others parse; on PostgreSQL each drives."""
    settings = load()
    parsers = cores() if settings.parse_workers is None else settings.parse_workers
    if settings.embedded:
        parsers = workers or parsers
        if offer.serve:
            with_app(lambda app: _up_beside(app, offer, parsers, as_json=as_json), settings)
            return
        settings = settings.replaced(parse_workers=parsers)
    elif (count := workers or cores()) > 1 or offer.serve:
        env = drivers.environment_of_many() if count > 1 else drivers.environment_of_one(parsers)
        with_app(lambda app: _up_many(app, offer, count, env=env, as_json=as_json), settings)
        return
    with_app(lambda app: _up(app, offer, as_json=as_json), settings)


def tick(
    budget: Annotated[str, typer.Option(help="Maximum time to work: 25s, 2m …")] = "25s",
    as_json: JsonOption = False,
) -> None:
    """Run due work for a limited time, for cron and serverless hosts.

    It ends early if nothing is due. The next tick continues with what is left.
    """
    tally = with_app(lambda app: _tick(app, duration(budget, "--budget")))
    print_result(tally, as_json=as_json, draw=_draw_tally)


async def _up(app: App, offer: ServeOptions, *, as_json: bool) -> None:
    with open_reporter(as_json=as_json, level=app.settings.log_level) as report:
        newest = await app.run(runs.latest_closed)
        async with app.driver() as driver, offer.at(app) as served:
            database = _database_name(app)

            async def watch(driver: "Driver") -> None:
                report.say("up", pid=os.getpid(), database=database, **served)  # signals are handled by now
                await report_runs(app, report, newest, totals=driver.totals)

            await drive(driver, watch, on_stop=lambda: report.say("ending"))
        report.say("down", **asdict(driver.totals))


async def _up_beside(app: App, offer: ServeOptions, parsers: int, *, as_json: bool) -> None:
    """Serve and report while another process drives, so that driving does not slow down responses."""
    with only_driver(app.settings.data) as lock:
        env = drivers.environment_of_one(parsers)
        await _up_many(app, offer, 1, env=env, lock=lock, as_json=as_json)


async def _up_many(
    app: App,
    offer: ServeOptions,
    count: int,
    *,
    env: Mapping[str, str],
    lock: int | None = None,
    as_json: bool,
) -> None:
    """Serve and report; `count` other processes drive."""
    with open_reporter(as_json=as_json, level=app.settings.log_level) as report:
        newest = await app.run(runs.latest_closed)
        running = Drivers(
            count=count, say=report.say, as_json=as_json, lines=report.lines, env=env, lock=lock
        )

        def stop() -> None:
            report.say("ending")
            running.stop()

        with ask_on_signal(stop):
            async with offer.at(app) as served:
                report.say("up", pid=os.getpid(), database=_database_name(app), drivers=count, **served)
                watching = asyncio.ensure_future(report_runs(app, report, newest))
                try:
                    await running.run()
                finally:
                    await _stop_watcher(watching)
        report.say("down")


async def _serve(app: App, offer: ServeOptions, *, as_json: bool) -> None:
    """Serve until stopped, and report runs; other processes do the work."""
    stopped = asyncio.Event()
    with open_reporter(as_json=as_json, level=app.settings.log_level) as report:
        newest = await app.run(runs.latest_closed)
        with ask_on_signal(stopped.set):
            async with offer.at(app) as served:
                report.say("up", pid=os.getpid(), database=_database_name(app), **served)
                watching = asyncio.ensure_future(report_runs(app, report, newest))
                try:
                    await stopped.wait()
                finally:
                    await _stop_watcher(watching)
        report.say("down")


def _database_name(app: App) -> str:
    return app.settings.database_url.rsplit("@", 1)[-1]


async def _tick(app: App, budget: timedelta) -> dict[str, Any]:
    """The work done; zeros if another process drives this data folder."""
    try:
        async with app.driver() as driver:
            driver.grace = SHUTDOWN_GRACE
            await drive(driver, until_in=budget, idle_ends=True)
    except AlreadyDriven as error:
        return {**dict.fromkeys(_COUNTS, 0), "left_to": str(error)}
    return asdict(driver.totals)


async def drive(
    driver: "Driver",
    watch: ProgressView | None = None,
    *,
    until_in: timedelta | None = None,
    idle_ends: bool = False,
    on_stop: Callable[[], Any] = lambda: None,
) -> int | None:
    """Drive and report; returns the signal that ended it, if any."""
    until = None if until_in is None else driver.clock.now() + until_in
    watching = asyncio.ensure_future(watch(driver)) if watch else None

    def stop() -> None:
        on_stop()
        driver.stop()

    with ask_on_signal(stop) as received:
        try:
            await (
                driver.run(until=until, idle_ends=idle_ends) if until or idle_ends else driver.run_forever()
            )
        finally:
            await _stop_watcher(watching)
    return received[-1] if received else None


async def _stop_watcher(watching: "asyncio.Future[None] | None") -> None:
    """Cancel the watcher if it still runs; raise its error if it failed."""
    if watching is None:
        return
    watching.cancel()
    try:
        await watching
    except asyncio.CancelledError:
        return


async def report_runs(
    app: App, report: RunReporter, newest: int, *, totals: "DriverTotals | None" = None
) -> None:
    """Report each opened and ended run after `newest`; without `totals`, ended runs are summed."""
    from larder.engine.worker.commit_pages import DriverTotals  # noqa: PLC0415 - what only reads does not load it

    seen: dict[int, str] = {}
    summed = DriverTotals()
    while True:
        for view in reversed(await _new_runs(app, newest, list(seen))):
            if seen.get(view.id) != view.status:
                report.run(view)
            seen[view.id] = view.status
            newest = max(newest, view.id)
            if view.over:
                del seen[view.id]
                summed.pages, summed.inserted = summed.pages + view.pages, summed.inserted + view.inserted
        report.beat(totals or summed, len(seen))
        await asyncio.sleep(POLL_SECONDS)


async def _new_runs(app: App, newest: int, open_runs: list[int]) -> Sequence[runs.RunView]:
    """The runs opened since; none while the database is unavailable, which the driver reports."""
    try:
        return await app.read(runs.runs_since, newest, open_runs)
    except Unusable:
        return ()


def _draw_tally(reported: dict[str, Any]) -> None:
    if "left_to" in reported:
        print_text(Text(f"Nothing was done: {reported['left_to']}.", style="italic"))
        return
    if not reported["pages"] and not reported["runs"]:
        print_text(Text("Nothing was due.", style="italic"))
        return
    print_text(
        f"{plural(reported['pages'], 'page')} fetched, {plural(reported['inserted'], 'new record')}, "
        f"{plural(reported['runs'], 'run')} ended."
    )
