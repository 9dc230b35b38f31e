"""`larder adapter …`"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from larder import adapters as registered
from larder.actions import adapters, scaffold
from larder.actions.adapters import AdapterView
from larder.app import App
from larder.cli.adapter_view import draw_checked, draw_new
from larder.cli.session import ask, operator, with_app
from larder.cli.show import Json, ago, answer, table
from larder.core.model.source import Kind
from larder.extraction.fixtures import adapter_in, check
from larder.sdk import SiteAdapter

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help="The adapters that read pages.")

Id = Annotated[str, typer.Argument(help="The adapter's id.", metavar="ADAPTER")]


@app.command("list")
def list_(as_json: Json = False) -> None:
    """All adapters, and whether they are switched on."""
    answer(ask(adapters.every), as_json=as_json, draw=_draw)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Its id: small letters, digits and _.", metavar="NAME")],
    *,
    kind: Annotated[Kind, typer.Option(help="What its pages are about.")] = Kind.PRODUCT,
    domain: Annotated[str, typer.Option(help="The site it reads.")] = "example.com",
    declarative: Annotated[
        bool, typer.Option("--declarative", help="One YAML file with selectors, and no code.")
    ] = False,
    folder: Annotated[Path, typer.Option(help="Where it is put.")] = Path(),
    as_json: Json = False,
) -> None:
    """Make a new adapter: code with a fixture and a test that passes, or a declaration."""
    files = scaffold.scaffold(name, kind=kind, domain=domain, declarative=declarative)
    written = scaffold.write(files, folder)
    answer([str(path) for path in written], as_json=as_json, draw=draw_new)


@app.command("test")
def check_all(
    adapter: Annotated[
        str | None, typer.Argument(help="An adapter's id, or the folder of one; all if left out.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Read every fixture folder and compare it with what is expected."""
    chosen = [_chosen(adapter)] if adapter else list(registered.known())
    checked = [each for one in chosen for each in check(one)]
    answer(checked, as_json=as_json, draw=draw_checked)
    if not checked or not all(each.held for each in checked):
        raise typer.Exit(1)


def _chosen(name: str) -> SiteAdapter:
    return adapter_in(Path(name)) if Path(name).is_dir() else registered.find(name)


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
