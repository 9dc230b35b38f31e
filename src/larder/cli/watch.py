"""`larder watch …`: messages about new records, prices, stock and records that are gone."""

from collections.abc import Callable
from typing import Annotated, Any, Unpack, cast

import typer

from larder.actions.dataset import watches
from larder.actions.dataset.price_range import parse_decimal_price
from larder.actions.dataset.watches import WatchLine
from larder.app import App
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, print_result, print_table, print_text
from larder.cli.common.query_options import QueryOptions, build_query, with_options
from larder.cli.common.session import operator, run_action, run_query, with_app
from larder.core.model.money import format_amount
from larder.core.policy.watches import WatchOn
from larder.core.quoting import quoted
from larder.store.reads.query import Query

app = command_group("Saved searches and price rules that send messages.")

NumberArgument = Annotated[int, typer.Argument(help="The watch's number.", metavar="WATCH")]


class WatchOptions(QueryOptions):
    """The options that define a watch; None: not given."""

    record: Annotated[int | None, typer.Option(help="Only this record.")]
    on: Annotated[WatchOn | None, typer.Option(help="What to wait for. Default: new matches.")]
    falls: Annotated[float | None, typer.Option(help="Wait for a price drop by this percentage.")]
    falls_by: Annotated[str | None, typer.Option(help="Wait for a price drop by this amount.")]
    target: Annotated[str | None, typer.Option(help="Wait for a price of at most this amount.")]
    channel: Annotated[str | None, typer.Option(help="The channel to send to. Default: all channels.")]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List all watches."""
    print_result(run_query(watches.list_watches), as_json=as_json, draw=_draw)


@app.command()
@with_options(WatchOptions)
def add(
    name: Annotated[str, typer.Argument(help="Its name in messages.", metavar="NAME")],
    *,
    hidden: Annotated[bool, typer.Option("--hidden", help="Include hidden sources.")] = False,
    as_json: JsonOption = False,
    **options: Unpack[WatchOptions],
) -> None:
    """Add a watch: it sends a message for each new match, price drop, target price, restock or removal."""
    query, fields = _parts(options)
    _run(watches.add, name, query, **fields, hidden=hidden, as_json=as_json)


@app.command("set")
@with_options(WatchOptions)
def set_(
    watch: NumberArgument,
    *,
    name: Annotated[str | None, typer.Option(help="A new name.")] = None,
    hidden: Annotated[bool | None, typer.Option(help="Include hidden sources.")] = None,
    as_json: JsonOption = False,
    **options: Unpack[WatchOptions],
) -> None:
    """Change a watch; a new search or condition replaces the old one as a whole."""
    query, fields = _parts(options)
    changes = {**fields, "name": name, "hidden": hidden, "query": None if query == Query() else query}
    values = {field: value for field, value in changes.items() if value is not None}
    _run(watches.change, watch, values, as_json=as_json)


@app.command("test")
def send_test(watch: NumberArgument, as_json: JsonOption = False) -> None:
    """Send a test message to the channels of a watch."""
    line = run_action(watches.send_test, watch)
    channels = line.channel or "all channels"
    text = f"A test message of {quoted(line.name)} is sent to {channels} by larder up or tick."
    print_result(line, as_json=as_json, draw=lambda _line: print_text(text))


@app.command()
def feed(
    watch: NumberArgument,
    *,
    remove: Annotated[bool, typer.Option("--remove", help="End the address instead.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a private feed of a watch, with a new address; whoever has the address can read it."""
    action = watches.remove_feed if remove else watches.make_feed

    async def work(app: App) -> dict[str, str]:
        line = await app.run(action, watch, who=operator(), now=app.clock.now())
        return {form: f"{app.settings.address}{line.feed}.{form}" for form in FEED_FORMS if line.feed}

    print_result(with_app(work), as_json=as_json, draw=_draw_feed)


FEED_FORMS = ("atom", "rss", "ics")


def _draw_feed(addresses: dict[str, str]) -> None:
    print_text("\n".join(addresses.values()) or "The watch has no feed now: its address no longer works.")


def _parts(options_given: WatchOptions) -> tuple[Query, dict[str, Any]]:
    options: dict[str, Any] = dict(options_given)
    fields = {name: options.pop(name) for name in ("record", "on", "channel")}
    fields["falls_percent"] = options.pop("falls")
    fields |= {name: parse_decimal_price(options.pop(option)) for name, option in _AMOUNTS.items()}
    return build_query(cast(QueryOptions, options)), fields


_AMOUNTS = {"falls_by": "falls_by", "target_price": "target"}


@app.command()
def pause(watch: NumberArgument, as_json: JsonOption = False) -> None:
    """Pause a watch; matches in the meantime are not sent later."""
    _act(watches.pause, watch, as_json=as_json)


@app.command()
def resume(watch: NumberArgument, as_json: JsonOption = False) -> None:
    """Resume a watch."""
    _act(watches.resume, watch, as_json=as_json)


@app.command()
def remove(watch: NumberArgument, as_json: JsonOption = False) -> None:
    """Remove a watch."""
    _act(watches.remove, watch, as_json=as_json)


def _act(action: Callable[..., WatchLine], watch: int, *, as_json: bool) -> None:
    print_result(run_action(action, watch), as_json=as_json, draw=lambda line: _draw([line]))


def _run(action: Callable[..., WatchLine], *args: Any, as_json: bool, **fields: Any) -> None:
    async def work(app: App) -> WatchLine:
        channels = app.settings.channel_names
        actor = {"who": operator(), "now": app.clock.now()}
        return await app.run(action, *args, **fields, channels=channels, **actor)

    print_result(with_app(work), as_json=as_json, draw=lambda line: _draw([line]))


def _draw(lines: list[WatchLine]) -> None:
    print_table(
        ("id", "name", "matches", "channel", "enabled"),
        ((line.id, line.name, _conditions(line), line.channel or "all", line.enabled) for line in lines),
        empty="No watches. Add one: larder watch add NAME --text …",
    )


def _conditions(line: WatchLine) -> str:
    conditions = [f"{name}={_display(name, value, line)}" for name, value in line.asks.items()]
    record = [f"record {line.record}"] if line.record is not None else []
    return ", ".join((*record, *conditions, *filter(None, [watches.describe_rule(line)])))


def _display(name: str, value: Any, line: WatchLine) -> Any:
    if name in ("price_min", "price_max"):
        return format_amount(value, line.asks.get("currency"))
    return value
