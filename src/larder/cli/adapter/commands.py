"""`larder adapter …`"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from larder import adapters as registered
from larder.actions.sources import adapters, repairs, scaffold
from larder.actions.sources import canary as canaries
from larder.actions.sources.adapters import AdapterView
from larder.actions.sources.canary import CanaryView
from larder.actions.sources.repairs import SourceRepairs
from larder.actions.sources.scaffold import AdapterForm
from larder.adapters.loading import load_folder
from larder.app import App
from larder.app.selector_questions import ask_for_selectors
from larder.cli.adapter.repair_view import draw_healing
from larder.cli.adapter.view import draw_fixture_results, draw_scaffold
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, ago, print_result, print_table
from larder.cli.common.session import load_adapters, operator, run_action, run_query, with_app
from larder.cli.replay.diff_view import draw_canaries
from larder.core.errors import UsageError
from larder.core.model.source import Kind
from larder.core.policy.trust.canary import CanaryState
from larder.extraction.fixtures import check_fixtures
from larder.sdk import SiteAdapter

app = command_group("List, generate, test, enable and disable adapters.")

IdArgument = Annotated[str, typer.Argument(help="The adapter's id.", metavar="ADAPTER")]
SiteOption = Annotated[str | None, typer.Option(help="Only on this site. Default: all sites.")]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List all adapters with their state."""
    print_result(run_query(adapters.list_adapters), as_json=as_json, draw=_draw)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Its id: lowercase letters, digits and _.", metavar="NAME")],
    *,
    kind: Annotated[Kind, typer.Option(help="The kind of its records.")] = Kind.PRODUCT,
    domain: Annotated[str, typer.Option(help="The domain it reads.")] = "example.com",
    declarative: Annotated[
        bool, typer.Option("--declarative", help="One YAML file with selectors, and no code.")
    ] = False,
    package: Annotated[
        bool, typer.Option("--package", help="A project that pip installs, found by its entry point.")
    ] = False,
    folder: Annotated[Path, typer.Option(help="The folder to create it in.")] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Generate an adapter: a folder or package of code with a passing fixture test, or a declaration."""
    if declarative and package:
        raise UsageError("--declarative and --package exclude each other", hint="give one of them")
    form = AdapterForm.PACKAGE if package else AdapterForm.DECLARATION if declarative else AdapterForm.FOLDER
    files = scaffold.scaffold(name, kind=kind, domain=domain, form=form)
    paths = scaffold.write(files, folder)
    print_result([str(path) for path in paths], as_json=as_json, draw=draw_scaffold)


@app.command("test")
def check_all(
    adapter: Annotated[
        str | None, typer.Argument(help="An adapter's id or folder. Default: all adapters.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Read every fixture and compare the result with its expected values."""
    load_adapters()
    chosen = [_chosen(adapter)] if adapter else list(registered.known())
    checked = [result for one in chosen for result in check_fixtures(one)]
    print_result(checked, as_json=as_json, draw=draw_fixture_results)
    if not checked or not all(result.held for result in checked):
        raise typer.Exit(1)


def _chosen(name: str) -> SiteAdapter:
    return load_folder(Path(name)) if Path(name).is_dir() else registered.find(name)


@app.command()
def canary(
    adapter: IdArgument,
    site: SiteOption = None,
    accept: Annotated[bool, typer.Option("--accept", help="Accept the new version.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a new version reads from stored pages; it runs only after the canary has passed."""
    views = with_app(lambda app: _canary(app, adapter, site, accept=accept))
    print_result(views, as_json=as_json, draw=draw_canaries)
    if any(view.status == CanaryState.REFUSED for view in views):
        raise typer.Exit(1)


async def _canary(app: App, adapter: str, site: str | None, *, accept: bool) -> list[CanaryView]:
    known, now = app.dispatcher.adapters, app.clock.now()
    if accept:
        return await app.run(canaries.accept, adapter, site, known, who=operator(), now=now)
    blobs = app.blobs()
    try:
        return await canaries.try_versions(
            app.database, blobs, known, adapter, site, runner=app.parse_runner, now=now
        )
    finally:
        await blobs.close()


@app.command()
def heal(
    source: Annotated[str, typer.Argument(help="The source's slug.", metavar="SOURCE")],
    *,
    apply: Annotated[bool, typer.Option("--apply", help="Apply proven replacements.")] = False,
    take_back: Annotated[bool, typer.Option("--take-back", help="Return to the declared selectors.")] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask the language model for selectors that rules cannot find.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show declared selectors that stopped matching, and proposed replacements with their evidence."""
    given = [name for name, on in (("--apply", apply), ("--take-back", take_back), ("--ask", ask)) if on]
    if len(given) > 1:
        raise UsageError(
            f"{' and '.join(given)} exclude each other", hint=f"see first: larder adapter heal {source}"
        )
    if ask:
        questions = with_app(lambda app: ask_for_selectors(app, source))
        print_result(questions, as_json=as_json, draw=draw_healing)
        return
    order = repairs.apply if apply else repairs.revert if take_back else None
    print_result(with_app(lambda app: _heal(app, source, order)), as_json=as_json, draw=draw_healing)


async def _heal(app: App, source: str, order: Any) -> SourceRepairs:
    known, now = app.dispatcher.adapters, app.clock.now()
    if order is not None:
        ordered: SourceRepairs = await app.run(order, source, known, who=operator(), now=now)
        return ordered
    blobs = app.blobs()
    try:
        return await repairs.examine(app.database, blobs, app.clock, known, source, runner=app.parse_runner)
    finally:
        await blobs.close()


@app.command()
def enable(adapter: IdArgument, site: SiteOption = None, as_json: JsonOption = False) -> None:
    """Enable an adapter after checking what it reads."""
    _order(adapters.enable, adapter, site=site, as_json=as_json)


@app.command()
def disable(
    adapter: IdArgument,
    reason: Annotated[str, typer.Option(help="The reason, shown beside the state.")] = "",
    site: SiteOption = None,
    terms: Annotated[bool, typer.Option("--terms", help="The site's terms forbid it.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Disable an adapter: no new runs are started with it."""
    _order(adapters.disable, adapter, reason, site=site, terms=terms, as_json=as_json)


def _order(action: Any, *args: Any, as_json: bool, **options: Any) -> None:
    print_result(run_action(action, *args, **options), as_json=as_json, draw=lambda view: _draw([view]))


def _draw(views: list[AdapterView]) -> None:
    print_table(
        ("adapter", "version", "reads", "site", "sources", "from", "state"),
        (
            (Text(v.id, style="bold"), v.version, v.kind, v.domain or "any", v.sources, _origin(v), _state(v))
            for v in views
        ),
        empty="No adapters.",
    )


def _origin(view: AdapterView) -> str:
    """The origin without the folder's path, which may be long; `--json` has it."""
    return "folder" if view.origin.startswith("folder ") else view.origin


def _state(view: AdapterView) -> Text:
    if view.error:
        return Text(f"not loaded: {view.error}", style="red")
    if view.enabled:
        return Text("on", style="green")
    now = datetime.now(UTC)
    off = (
        f"off{f' on {o.site}' if o.site else ''} {ago(o.since, now)}: {o.says or o.why} ({o.by})"
        for o in view.off
    )
    return Text("; ".join(off), style="red")
