"""`larder key …`: API keys, and sign-in links for browsers."""

from typing import Annotated

import typer
from rich.text import Text

from larder.actions.access import keys
from larder.actions.access.keys import IssuedKey, KeyView
from larder.app import App
from larder.cli.common.durations import duration
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, print_result, print_table, print_text
from larder.cli.common.session import operator, run_action, run_query, with_app
from larder.core.model.caller import Scope

app = command_group("Create, list and revoke API keys; create sign-in links.")

NameArgument = Annotated[str, typer.Argument(help="The key's name, or its prefix.", metavar="NAME")]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List all keys, also revoked ones, without the keys themselves."""
    print_result(run_query(keys.list_keys), as_json=as_json, draw=_draw)


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Its name in the audit log.", metavar="NAME")],
    scope: Annotated[Scope, typer.Option(help="Its scope: read, metrics or admin.")] = Scope.READ,
    lasts: Annotated[str | None, typer.Option(help="Time until it expires: 90d … Default: never.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Create a key. It is shown once; only its hash is stored."""
    length = None if lasts is None else duration(lasts, "--lasts")
    print_result(run_action(keys.add, name, scope, lasts=length), as_json=as_json, draw=_draw_issued)


@app.command()
def revoke(name: NameArgument, as_json: JsonOption = False) -> None:
    """Revoke a key."""
    print_result(run_action(keys.revoke, name), as_json=as_json, draw=lambda view: _draw([view]))


@app.command()
def link(as_json: JsonOption = False) -> None:
    """Create a sign-in link to the admin pages, valid once and for ten minutes."""

    async def work(app: App) -> dict[str, str]:
        token = await app.run(keys.create_ticket, who=operator(), now=app.wall.now())
        served = None if app.settings.public_url else await app.run(keys.served_address)
        return {"link": f"{served or app.settings.address}/enter?ticket={token}"}

    print_result(with_app(work), as_json=as_json, draw=lambda made: print_text(Text(made["link"])))


def _draw(listed: list[KeyView]) -> None:
    rows = ((key.name, key.prefix, list(key.scopes), _day(key.last_used_at), _until(key)) for key in listed)
    empty = "No keys. Create one: larder key add NAME"
    print_table(("name", "prefix", "scopes", "last used", "expires"), rows, empty=empty)


def _draw_issued(issued: IssuedKey) -> None:
    print_text(Text(issued.key, style="bold"), "The key is shown once. Send it as: Authorization: Bearer …")


def _until(key: KeyView) -> str | None:
    return "revoked" if key.revoked_at else _day(key.expires_at)


def _day(moment: object) -> str | None:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else None
