"""`larder run …`"""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from larder.actions.dataset import corrections
from larder.actions.operations import runs
from larder.actions.operations.runs import RunView
from larder.app import App
from larder.cli.common.groups import command_group
from larder.cli.common.interrupts import Interrupted
from larder.cli.common.output import JsonOption, print_result, print_text
from larder.cli.common.session import operator, run_action, run_query, with_app
from larder.cli.run.page_view import draw_items, draw_pages, draw_trace
from larder.cli.run.view import draw_line, draw_run, draw_runs
from larder.cli.up.commands import drive
from larder.core.errors import AlreadyDriven
from larder.core.model.run import RunKind, RunStatus
from larder.store.reads.operators import page_traces

if TYPE_CHECKING:
    from larder.engine.worker.driver import Driver

app = command_group("Start, list, pause, resume and stop runs.")

NumberArgument = Annotated[int, typer.Argument(help="The run's number.", metavar="RUN")]
POLL_SECONDS = 0.25
INTERRUPT_GRACE = timedelta(seconds=3)
"""How long an interrupted command waits for pages in flight; unfinished ones are requested again later."""


@app.command()
def start(
    source: Annotated[str, typer.Argument(help="The source's slug.", metavar="SOURCE")],
    kind: Annotated[
        RunKind | None, typer.Option(help="The run kind. Default: discovery, if the source has it.")
    ] = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until the run ends.")] = True,
    as_json: JsonOption = False,
) -> None:
    """Start a run of a source. If another process drives this Larder, that process does the work."""
    view = with_app(lambda app: _start(app, source, kind, wait=wait, as_json=as_json))
    print_result(view, as_json=as_json, draw=draw_line)
    if view.over and view.status not in (RunStatus.COMPLETED, RunStatus.PARTIAL):
        raise typer.Exit(1)


async def _start(app: App, source: str, kind: RunKind | None, *, wait: bool, as_json: bool) -> RunView:
    view = await app.run(runs.start, source, kind, app.dispatcher, who=operator(), now=app.clock.now())
    if not wait:
        return view
    async with AsyncExitStack() as stack:
        progress = stack.enter_context(_bar(quiet=as_json))
        try:
            driver = await stack.enter_async_context(app.without_due_runs().driver())
        except AlreadyDriven:
            progress.console.print(f"Run {view.id} was started; the running `larder up` does the work.")
            return await _watch(app, view, progress)
        watch, stop_sooner = partial(_watch_and_stop, app, view, progress), partial(_shorten_grace, driver)
        if number := await drive(driver, watch, on_stop=stop_sooner):
            raise Interrupted(number, note=f"run {view.id} has not ended; it continues with: larder up")
        await driver.on_idle(None)
    return await app.run(runs.get_run, view.id)


def _shorten_grace(driver: "Driver") -> None:
    driver.grace = INTERRUPT_GRACE


async def _watch_and_stop(app: App, view: RunView, progress: Progress, driver: "Driver") -> None:
    await _watch(app, view, progress)
    driver.stop()


async def _watch(app: App, view: RunView, progress: Progress) -> RunView:
    """Show the run's progress until it ends."""
    task = progress.add_task(f"{view.kind} of {view.source}", total=None, new=0)
    while not view.over:
        await asyncio.sleep(POLL_SECONDS)
        view = await app.run(runs.get_run, view.id)
        progress.update(
            task, completed=view.attempted, total=view.attempted + view.open_jobs, new=view.inserted
        )
    return view


def _bar(*, quiet: bool) -> Progress:
    """A progress bar on standard error: standard output is for the result."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} pages"),
        TextColumn("{task.fields[new]} new", style="green"),
        console=Console(stderr=True, quiet=quiet),
        transient=True,
        disable=quiet,
    )


@app.command("list")
def list_(
    source: Annotated[str | None, typer.Option(help="Only of this source.")] = None,
    kind: Annotated[RunKind | None, typer.Option(help="Only of this kind.")] = None,
    status: Annotated[RunStatus | None, typer.Option(help="Only with this status.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of rows.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the latest runs."""
    found = run_query(runs.list_runs, source=source, kind=kind, status=status, limit=limit)
    print_result(found, as_json=as_json, draw=draw_runs)


@app.command()
def show(run: NumberArgument, as_json: JsonOption = False) -> None:
    """One run: counters, checkpoint, pages, errors, and what a full pass proved."""
    print_result(run_query(runs.show, run), as_json=as_json, draw=draw_run)


@app.command()
def pages(
    run: NumberArgument,
    before: Annotated[int | None, typer.Option(help="Continue before this page number.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Maximum number of rows.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List the pages of a run, latest first."""
    print_result(
        run_query(page_traces.list_pages, run, before=before, limit=limit), as_json=as_json, draw=draw_pages
    )


@app.command()
def page(
    number: Annotated[int, typer.Argument(help="The page's number, from `run pages`.", metavar="PAGE")],
    as_json: JsonOption = False,
) -> None:
    """Show one page: each fetch attempt, and items on it that were not stored."""
    print_result(run_query(page_traces.show, number), as_json=as_json, draw=draw_trace)


@app.command()
def items(
    number: Annotated[int, typer.Argument(help="The page's number, from `run pages`.", metavar="PAGE")],
    as_json: JsonOption = False,
) -> None:
    """Show every item of a stored page: raw fields, strategy and outcome, read anew."""
    from larder.app.page_items import page_items  # noqa: PLC0415 - it loads the parser

    print_result(with_app(partial(page_items, job_id=number)), as_json=as_json, draw=draw_items)


@app.command()
def stop(run: NumberArgument, as_json: JsonOption = False) -> None:
    """Stop a run; what it stored stays."""
    _order(runs.stop, run, as_json=as_json)


@app.command()
def requeue(run: NumberArgument, as_json: JsonOption = False) -> None:
    """Queue pages of a run again that have been waiting for a day."""
    _order(runs.requeue, run, as_json=as_json)


@app.command()
def pause(run: NumberArgument, as_json: JsonOption = False) -> None:
    """Pause a run."""
    _order(runs.pause, run, as_json=as_json)


@app.command()
def resume(run: NumberArgument, as_json: JsonOption = False) -> None:
    """Resume a paused run."""
    _order(runs.resume, run, as_json=as_json)


@app.command()
def void(run: NumberArgument, as_json: JsonOption = False) -> None:
    """Void a run: its values no longer count. Nothing is deleted."""
    _correct(corrections.void, run, as_json=as_json)


@app.command()
def unvoid(run: NumberArgument, as_json: JsonOption = False) -> None:
    """Undo the voiding of a run: its values count again."""
    _correct(corrections.unvoid, run, as_json=as_json)


def _correct(action: Any, run: int, *, as_json: bool) -> None:
    print_result(run_action(action, run), as_json=as_json, draw=lambda done: print_text(done.says))


def _order(action: Any, run: int, *, as_json: bool) -> None:
    print_result(run_action(action, run), as_json=as_json, draw=draw_line)
