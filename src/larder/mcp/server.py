"""Serves the tools: over standard input and output for one person, over HTTP with the API's keys for many."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from larder import __version__
from larder.api.problems import problem, problem_from
from larder.app import App
from larder.asgi import serving
from larder.asgi.allowed_hosts import AllowedHostsMiddleware
from larder.auth import Authenticator
from larder.core.errors import LarderError, not_installed
from larder.core.model.caller import Scope as KeyScope
from larder.mcp.tools import INSTRUCTIONS, Tools

PATH = "/mcp"


def build_server(app: App, *, hidden: bool) -> Any:
    """An MCP server with all tools, each annotated as read-only."""
    try:
        from mcp.types import ToolAnnotations  # noqa: PLC0415 - an extra

        from larder.mcp.strict_server import StrictServer  # noqa: PLC0415
    except ImportError as error:
        raise not_installed("larder mcp", "mcp") from error
    server = StrictServer("larder", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    tools = Tools(app=app, hidden=hidden)
    read_only = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
    for tool in (tools.search, tools.record, tools.why, tools.changes, tools.status):
        server.add_tool(tool, annotations=read_only)
    return server


async def serve_stdio(app: App, *, hidden: bool) -> None:
    """Serve one client, until it closes standard input."""
    await build_server(app, hidden=hidden).run_stdio_async()


@asynccontextmanager
async def serving_http(app: App, auth: Authenticator, *, host: str, port: int) -> AsyncIterator[str]:
    """Serve many clients while the block runs; yields the address."""
    async with AsyncExitStack() as stack:
        faces = {}
        for hidden in (False, True):
            server = build_server(app, hidden=hidden)
            faces[hidden] = _http_app(server)
            await stack.enter_async_context(server.session_manager.run())
        guarded = AllowedHostsMiddleware(_ByKey(auth, faces), settings=app.settings)
        yield await stack.enter_async_context(serving(guarded, host=host, port=port)) + PATH


def _http_app(server: Any) -> ASGIApp:
    """A stateless HTTP app: any process can answer any request. Our own middleware checks hosts."""
    from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415 - an extra

    app: ASGIApp = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return app


class _ByKey:
    """Admins see hidden sources, as in the API; others see what is public. Cookies are ignored."""

    def __init__(self, auth: Authenticator, faces: dict[bool, ASGIApp]) -> None:
        self._auth, self._faces = auth, faces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] != PATH:
            await problem(404, "not found", hint=f"assistants connect to {PATH}")(scope, receive, send)
            return
        without_cookies = {**scope, "headers": [(n, v) for n, v in scope["headers"] if n != b"cookie"]}
        try:
            caller = await self._auth.authenticate(HTTPConnection(without_cookies))
        except LarderError as error:
            await problem_from(error)(scope, receive, send)
            return
        await self._faces[caller.may(KeyScope.ADMIN)](without_cookies, receive, send)
