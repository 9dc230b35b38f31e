"""`larder target …`"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from larder.actions.sources import targets
from larder.actions.sources.targets import DueTargets, TargetSpec, TargetView, csv_import
from larder.actions.sources.targets.csv_import import ImportedTargets
from larder.app import App
from larder.cli.common.durations import duration
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, ago, money, print_result, print_table, print_text
from larder.cli.common.session import operator, run_action, run_query, with_app
from larder.core.errors import BadInput
from larder.core.plurals import plural
from larder.core.policy.scheduling.targets import TargetStatus

app = command_group("Pages that are checked on a schedule of their own.")

SourceArgument = Annotated[str, typer.Argument(help="The source's slug.", metavar="SOURCE")]
IdArgument = Annotated[int, typer.Argument(help="The target's number.", metavar="TARGET")]
EveryOption = Annotated[
    timedelta | None, typer.Option("--every", parser=duration, help="Check interval: 6h, 1d.")
]
CronOption = Annotated[str | None, typer.Option(help="A cron expression instead of an interval.")]
PriorityOption = Annotated[int | None, typer.Option(help="Higher goes first. Default: 0.")]
NotesOption = Annotated[str | None, typer.Option(help="A note.")]


@app.command()
def add(
    source: Annotated[str, typer.Argument(help="The source, or the page if one source has its site.")],
    url: Annotated[str | None, typer.Argument(help="The page to check.", metavar="URL")] = None,
    *,
    every: EveryOption = None,
    cron: CronOption = None,
    priority: PriorityOption = None,
    notes: NotesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a target; it is checked at once."""
    slug = run_query(targets.monitor_of, source) if url is None else source
    spec = TargetSpec(url=url or source, interval=every, cron=cron, priority=priority, notes=notes)
    _order(targets.add, slug, spec, as_json=as_json)


@app.command("list")
def list_(
    *,
    source: Annotated[str | None, typer.Option(help="Only of this source.")] = None,
    status: Annotated[TargetStatus | None, typer.Option(help="Only with this status.")] = None,
    after: Annotated[int | None, typer.Option(help="Continue after this target number.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of rows.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List targets and when each is checked next."""

    async def work(app: App) -> list[TargetView]:
        return await app.run(targets.list_targets, slug=source, status=status, after=after, limit=limit)

    print_result(with_app(work), as_json=as_json, draw=_draw)


@app.command()
def edit(
    target: IdArgument,
    *,
    every: EveryOption = None,
    cron: CronOption = None,
    priority: PriorityOption = None,
    notes: NotesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a target."""
    values = {"interval": every, "cron": cron, "priority": priority, "notes": notes}
    _order(targets.edit, target, values, as_json=as_json)


@app.command()
def pause(target: IdArgument, as_json: JsonOption = False) -> None:
    """Pause a target."""
    _order(targets.pause, target, as_json=as_json)


@app.command()
def block(target: IdArgument, as_json: JsonOption = False) -> None:
    """Block a target: its page is not fetched, whoever imports its address again."""
    _order(targets.block, target, as_json=as_json)


@app.command()
def unblock(target: IdArgument, as_json: JsonOption = False) -> None:
    """Unblock a target."""
    _order(targets.unblock, target, as_json=as_json)


@app.command()
def resume(target: IdArgument, as_json: JsonOption = False) -> None:
    """Resume a target and clear its failure count."""
    _order(targets.resume, target, as_json=as_json)


@app.command("run")
def run_now(target: IdArgument, as_json: JsonOption = False) -> None:
    """Check a target as soon as possible."""
    _order(targets.run_now, target, as_json=as_json)


@app.command("run-all")
def run_all(
    source: Annotated[str | None, typer.Option(help="Only those of this source. Default: all.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Check all targets as soon as possible; paused ones stay paused."""
    print_result(run_action(targets.run_all, source), as_json=as_json, draw=_draw_due)


def _draw_due(due: DueTargets) -> None:
    print_text(Text(f"due now: {plural(due.targets, 'target')} of {plural(due.sources, 'source')}"))


@app.command()
def remove(target: IdArgument, as_json: JsonOption = False) -> None:
    """Remove a target; its record and history stay."""
    _order(targets.remove, target, as_json=as_json)


@app.command("import")
def import_(
    source: SourceArgument,
    file: Annotated[
        Path, typer.Argument(help="CSV with a column url; also interval, cron, priority, notes.")
    ],
    *,
    ten_scale: Annotated[
        bool, typer.Option("--ten-scale", help="Priorities are 1 to 10, and 1 is the highest.")
    ] = False,
    add_sources: Annotated[
        bool, typer.Option("--add-sources", help="Add sources for other sites in the file without asking.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Import targets from a CSV file; lines with errors are reported, further columns become notes."""
    text = _read(file)
    unknown = run_query(csv_import.unknown_sites, source, text)
    if unknown and not add_sources and sys.stdin.isatty() and not as_json:
        add_sources = typer.confirm(f"Add sources for {', '.join(unknown)}?", err=True)

    async def work(app: App) -> ImportedTargets:
        actor: dict[str, Any] = {"who": operator(), "now": app.clock.now()}
        settings = app.dispatcher if add_sources else None
        return await app.run(
            csv_import.import_csv, source, text, ten_scale=ten_scale, add_sources=settings, **actor
        )

    done = with_app(work)
    print_result(done, as_json=as_json, draw=_draw_import)
    if unknown and not add_sources:
        typer.echo(f"To add sources for {', '.join(unknown)}: repeat it with --add-sources", err=True)
    if done.bad:
        raise typer.Exit(1)


def _read(file: Path) -> str:
    try:
        return csv_import.decode_csv(file.read_bytes())
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error}", hint="give a CSV file") from error


def _order(action: Any, *args: Any, as_json: bool) -> None:
    print_result(run_action(action, *args), as_json=as_json, draw=lambda view: _draw([view]))


COLOURS = {
    "active": "green",
    "paused": "yellow",
    "left_feed": "yellow",
    "broken": "red",
    "blocked": "red",
    "stale": "dark_orange",
}


def _draw(views: list[TargetView]) -> None:
    now = datetime.now(UTC)
    print_table(
        ("id", "source", "title", "price", "status", "priority", "every", "next check", "last check"),
        (
            (
                view.id,
                view.source,
                view.title or view.url,
                money(view.price_minor, view.currency),
                Text(view.state.replace("_", " "), style=COLOURS.get(view.state, "")),
                view.priority,
                view.cron or _every(view.interval),
                _when(view.next_due_at, now) if view.watched else None,
                f"{view.last_status} {ago(view.last_at, now)}" if view.last_at else "never",
            )
            for view in views
        ),
        empty="No targets. Add one: larder target add SOURCE URL",
    )


def _every(interval: timedelta) -> str:
    seconds = int(interval.total_seconds())
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def _when(due: datetime, now: datetime) -> str:
    return "now" if due <= now else f"{due:%d %b %H:%M}"


def _draw_import(done: ImportedTargets) -> None:
    counts = f"{done.added} added, {done.changed} changed, {done.unchanged} unchanged"
    print_text(f"{counts}, {len(done.bad)} rejected")
    if done.bad:
        rows = [(bad.line, bad.says) for bad in done.bad[:100]]
        print_table(("line", "message"), rows, empty="")
