"""`larder secret …`: a value is typed or piped in, never an argument, never shown."""

import sys
from typing import Annotated

import typer

from larder.actions.access import secrets
from larder.app import App
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, print_result, print_table
from larder.cli.common.session import operator, run_action, run_query, with_app
from larder.store.operations.access.secrets import Secret, SecretCipher

app = command_group("Manage encrypted tokens and headers that sources send.")

NameArgument = Annotated[str, typer.Argument(help="The secret's name.", metavar="NAME")]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List the names of secrets, never their values."""
    print_result(run_query(secrets.list_names), as_json=as_json, draw=_draw)


@app.command("set")
def set_(name: NameArgument, as_json: JsonOption = False) -> None:
    """Store a secret; its value is asked for, or read from standard input."""
    value = secret_from_stdin("The secret")

    async def work(app: App) -> list[str]:
        now = app.clock.now()
        return await app.run(secrets.put, name, value, cipher(app), who=operator(), now=now)

    print_result(with_app(work), as_json=as_json, draw=_draw)


@app.command()
def remove(name: NameArgument, as_json: JsonOption = False) -> None:
    """Remove a secret."""
    print_result(run_action(secrets.remove, name), as_json=as_json, draw=_draw)


def secret_from_stdin(label: str) -> Secret:
    """Read a secret typed without echo, or piped in."""
    if sys.stdin.isatty():
        return Secret(typer.prompt(label, hide_input=True, err=True))
    return Secret(sys.stdin.read().strip())


def cipher(app: App) -> SecretCipher:
    """The cipher with this deployment's key."""
    return SecretCipher(app.settings.secret_key.get_secret_value())


def _draw(names: list[str]) -> None:
    print_table(("secret",), ((name,) for name in names), empty="No secrets.")
