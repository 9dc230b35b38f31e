"""`larder adapter …`"""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from larder.actions import adapters
from larder.actions.adapters import AdapterView
from larder.app import App
from larder.cli.session import ask, operator, with_app
from larder.cli.show import Json, ago, answer, table

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help="The adapters that read pages.")

Id = Annotated[str, typer.Argument(help="The adapter's id.", metavar="ADAPTER")]


@app.command("list")
def list_(as_json: Json = False) -> None:
    """All adapters, and whether they are switched on."""
    answer(ask(adapters.every), as_json=as_json, draw=_draw)


@app.command()
def enable(adapter: Id, as_json: Json = False) -> None:
    """You have checked what an adapter reads: let it run again."""
    _order(adapters.enable, adapter, as_json=as_json)


@app.command()
def disable(
    adapter: Id,
    reason: Annotated[str, typer.Option(help="Why, for whoever finds it switched off.")] = "",
    as_json: Json = False,
) -> None:
    """Start no more runs with an adapter."""
    _order(adapters.disable, adapter, reason, as_json=as_json)


def _order(action: Any, *args: Any, as_json: bool) -> None:
    async def work(app: App) -> AdapterView:
        view: AdapterView = await app.do(action, *args, who=operator(), now=app.clock.now())
        return view

    answer(with_app(work), as_json=as_json, draw=lambda view: _draw([view]))


def _draw(views: list[AdapterView]) -> None:
    table(
        ("adapter", "version", "reads", "site", "sources", "state"),
        (
            (Text(v.id, style="bold"), v.version, v.kind, v.domain or "any", v.sources, _state(v))
            for v in views
        ),
        empty="No adapters are registered.",
    )


def _state(view: AdapterView) -> Text:
    if view.enabled:
        return Text("on", style="green")
    now = datetime.now(UTC)
    off = (f"off{f' on {o.site}' if o.site else ''} {ago(o.since, now)}: {o.why} ({o.by})" for o in view.off)
    return Text("; ".join(off), style="red")
