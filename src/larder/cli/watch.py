"""`larder watch …`: be told of what is new, and of prices that fall."""

from collections.abc import Callable
from typing import Annotated, Unpack

import typer

from larder.actions.dataset import watches
from larder.actions.dataset.watches import WatchLine
from larder.app import App
from larder.cli.common.output import Json, print_result, print_table
from larder.cli.common.query_options import QueryOptions, build_query, with_query_options
from larder.cli.common.session import operator, read, run_action, with_app

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Saved searches and price rules that send messages.",
)

Number = Annotated[int, typer.Argument(help="The watch's number.", metavar="WATCH")]


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List all watches."""
    print_result(read(watches.list_watches), as_json=as_json, draw=_draw)


@app.command()
@with_query_options
def add(
    name: Annotated[str, typer.Argument(help="Its name in messages.", metavar="NAME")],
    *,
    record: Annotated[int | None, typer.Option(help="Only this record.")] = None,
    falls: Annotated[
        float | None, typer.Option(help="Send a message when a price drops by this percentage.")
    ] = None,
    channel: Annotated[
        str | None, typer.Option(help="The channel to send to. Default: all channels.")
    ] = None,
    hidden: Annotated[bool, typer.Option("--hidden", help="Include hidden sources.")] = False,
    as_json: Json = False,
    **asked: Unpack[QueryOptions],
) -> None:
    """Add a watch: it sends a message for each new match, or for each price drop."""
    wanted = build_query(asked)

    async def work(app: App) -> WatchLine:
        return await app.do(
            watches.add,
            name,
            wanted,
            record=record,
            falls_percent=falls,
            channel=channel,
            hidden=hidden,
            channels=[each.name for each in app.settings.channels],
            who=operator(),
            now=app.clock.now(),
        )

    print_result(with_app(work), as_json=as_json, draw=lambda line: _draw([line]))


@app.command()
def pause(watch: Number, as_json: Json = False) -> None:
    """Pause a watch; matches in the meantime are not sent later."""
    _run(watches.pause, watch, as_json=as_json)


@app.command()
def resume(watch: Number, as_json: Json = False) -> None:
    """Resume a watch."""
    _run(watches.resume, watch, as_json=as_json)


@app.command()
def remove(watch: Number, as_json: Json = False) -> None:
    """Remove a watch."""
    _run(watches.remove, watch, as_json=as_json)


def _run(action: Callable[..., WatchLine], watch: int, *, as_json: bool) -> None:
    print_result(run_action(action, watch), as_json=as_json, draw=lambda line: _draw([line]))


def _draw(lines: list[WatchLine]) -> None:
    print_table(
        ("id", "name", "matches", "tells", "on"),
        (
            (line.id, line.name, _conditions(line), line.channel or "everywhere", line.enabled)
            for line in lines
        ),
        empty="No watches. Add one: larder watch add NAME --text …",
    )


def _conditions(line: WatchLine) -> str:
    asks = [f"{name}={value}" for name, value in line.asks.items()]
    record = [f"record {line.record}"] if line.record is not None else []
    falls = [f"price −{line.falls_percent:g} %"] if line.falls_percent is not None else []
    return ", ".join((*record, *asks, *falls))
