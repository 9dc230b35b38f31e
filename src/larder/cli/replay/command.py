"""`larder replay`"""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from larder.actions.operations.replay import ReplayFilter, ReplayView
from larder.actions.operations.replay import replay as go_through
from larder.app import App
from larder.cli.common.durations import duration
from larder.cli.common.output import JsonOption, print_fields, print_result, print_text
from larder.cli.common.session import operator, with_app
from larder.cli.replay.diff_view import draw_fields, draw_samples
from larder.core.plurals import plural


def replay(
    *,
    source: Annotated[str | None, typer.Option(help="Only pages of this source.")] = None,
    run: Annotated[int | None, typer.Option(help="Only pages of this run.")] = None,
    adapter: Annotated[str | None, typer.Option(help="Only pages that this adapter reads.")] = None,
    since: Annotated[
        str | None, typer.Option(help="Only pages fetched since then: 2026-03-01, or 7d for the last week.")
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Correct the history. Without it nothing is changed.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Read stored pages with today's adapters and show what differs; --apply corrects the history."""
    since_at = None if since is None else moment(since, datetime.now(UTC))
    filters = ReplayFilter(source=source, run=run, adapter=adapter, since=since_at)
    view = with_app(lambda app: _replay(app, filters, apply=apply, quiet=as_json))
    print_result(view, as_json=as_json, draw=_draw)


async def _replay(app: App, filters: ReplayFilter, *, apply: bool, quiet: bool) -> ReplayView:
    blobs, known = app.blobs(), dict(app.dispatcher.adapters)
    who, now = operator(), app.clock.now()
    try:
        steps = go_through(
            app.database, blobs, known, filters, runner=app.parse_runner, apply=apply, who=who, now=now
        )
        view = await anext(steps)
        with _bar(quiet=quiet) as progress:
            task = progress.add_task("replay" if apply else "looking", total=view.expected, differ=0)
            async for view in steps:
                total = max(view.expected, view.pages)
                progress.update(task, completed=view.pages, total=total, differ=view.differing)
    finally:
        await blobs.close()
    return view


def moment(text: str, now: datetime) -> datetime:
    """Parse a date, a time, or how long ago."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return now - duration(text, "--since")
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def _bar(*, quiet: bool) -> Progress:
    """A progress bar on standard error: standard output is for the result."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} of {task.total} pages"),
        TextColumn("{task.fields[differ]} records differ", style="yellow"),
        TimeRemainingColumn(),
        console=Console(stderr=True, quiet=quiet),
        transient=True,
        disable=quiet,
    )


def _draw(view: ReplayView) -> None:
    print_fields(
        [
            ("pages read again", view.pages),
            ("of runs", view.runs),
            ("no longer stored", view.without_body or None),
            ("not readable", view.unreadable or None),
            ("runs that are void", view.runs_void or None),
            ("runs left out", f"{view.runs_unproven}: {_UNPROVEN}" if view.runs_unproven else None),
            ("items", view.items),
            ("new records", view.new or None),
            ("records that differ", view.differing),
            ("values no longer read", view.vanished or None),
        ]
    )
    draw_fields(view.fields)
    draw_samples(view.samples)
    print_text(
        Text(_ending(view), style="green" if view.applied or not (view.differing or view.new) else "yellow")
    )


_UNPROVEN = "the adapter's version is not proven (larder adapter canary)"


def _ending(view: ReplayView) -> str:
    if view.applied:
        return (
            f"Done: {plural(view.versions, 'version')} and {plural(view.facts, 'observation')} written, "
            f"{view.overlaid} superseded; "
            "nothing was deleted."
        )
    if view.differing or view.new or view.vanished:
        return "Nothing changed. Correct the history: the same command with --apply."
    return "Today's adapters read the same values from these pages."
