"""`larder proxy …`"""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from larder.actions.operations import proxies
from larder.actions.operations.proxies import ProxyView
from larder.app import App
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, ago, print_result, print_table, print_text
from larder.cli.common.session import operator, run_action, run_query, with_app
from larder.cli.secret import cipher, secret_from_stdin
from larder.core.plurals import plural

app = command_group("Manage the proxy pool and show its health.")

IdArgument = Annotated[int, typer.Argument(help="The proxy's number.", metavar="PROXY")]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List proxies, without passwords."""
    print_result(run_query(proxies.list_proxies), as_json=as_json, draw=_draw)


@app.command()
def add(
    url: Annotated[
        str | None,
        typer.Argument(
            help="scheme://user:password@host:port. Default: asked for, or read from standard input.",
            metavar="URL",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Add a proxy, or change the password of one."""
    value = url or secret_from_stdin("The proxy's URL").reveal()

    async def work(app: App) -> ProxyView:
        return await app.run(proxies.add, value, cipher(app), who=operator(), now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=lambda view: _draw([view]))


@app.command()
def enable(proxy: IdArgument, as_json: JsonOption = False) -> None:
    """Enable a proxy and clear its failure count."""
    _order(proxies.enable, proxy, as_json=as_json, draw=lambda view: _draw([view]))


@app.command()
def disable(proxy: IdArgument, as_json: JsonOption = False) -> None:
    """Disable a proxy."""
    _order(proxies.disable, proxy, as_json=as_json, draw=lambda view: _draw([view]))


@app.command()
def remove(proxy: IdArgument, as_json: JsonOption = False) -> None:
    """Remove a proxy."""
    _order(proxies.remove, proxy, as_json=as_json, draw=lambda view: print_text(f"{view.address} removed"))


def _order(action: Any, proxy_id: int, *, as_json: bool, draw: Any) -> None:
    print_result(run_action(action, proxy_id), as_json=as_json, draw=draw)


def _draw(views: list[ProxyView]) -> None:
    now = datetime.now(UTC)
    print_table(
        (
            "proxy",
            "address",
            "user",
            "answered",
            "failed",
            "average",
            "used",
            "success",
            "failure",
            "state",
        ),
        (
            (
                v.id,
                v.address,
                v.username,
                v.successes,
                v.failures,
                None if v.average_ms is None else f"{v.average_ms:.0f} ms",
                ago(v.last_used_at, now),
                ago(v.last_success_at, now),
                ago(v.last_failure_at, now),
                _state(v),
            )
            for v in views
        ),
        empty="No proxies. Add one: larder proxy add http://host:port",
    )


def _state(view: ProxyView) -> Text:
    if not view.enabled:
        return Text("off", style="bright_black")
    if view.out:
        return Text(f"not used: {plural(view.failures_in_a_row, 'failure')} in a row", style="red")
    return Text("on", style="green")
