"""`larder mcp`: serves the dataset to assistants, read-only, over the Model Context Protocol."""

import asyncio
import time
from typing import Annotated

import typer

from larder.app import App
from larder.auth import Authenticator
from larder.cli.common.session import with_app
from larder.core.errors import BadInput
from larder.core.policy.request_limits import Limiter
from larder.core.quoting import quoted
from larder.mcp.server import serve_stdio, serving_http


def mcp(
    http: Annotated[
        str, typer.Option("--http", metavar="HOST:PORT", help="Serve over HTTP; default: stdin and stdout.")
    ] = "",
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Include hidden sources; over HTTP admin keys decide that.")
    ] = False,
) -> None:
    """Serve the dataset to assistants by the Model Context Protocol; nothing can be changed.

    Tools: search, record, why, changes and status. Over HTTP the keys and limits of the API apply.
    """
    if not http:
        with_app(lambda app: serve_stdio(app, hidden=hidden))
        return
    if hidden:
        raise BadInput("--hidden is for standard input and output", hint="over HTTP, use an admin key")
    host, _, port = http.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise BadInput(f"--http must be HOST:PORT, not {quoted(http)}", hint="such as 127.0.0.1:8322")
    with_app(lambda app: _serve(app, host.strip("[]"), int(port)))


async def _serve(app: App, host: str, port: int) -> None:
    auth = Authenticator(app, Limiter(app.settings.requests_a_minute, time.monotonic))
    async with serving_http(app, auth, host=host, port=port) as address:
        typer.echo(f"Assistants connect to {address}; stop with Ctrl-C.", err=True)
        await asyncio.Event().wait()
