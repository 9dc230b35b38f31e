"""Serves the API and the pages within `larder up`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from larder.actions.access import keys
from larder.app import App
from larder.cli.common.garbage import loading

Port = Annotated[
    int | None, typer.Option("--port", min=0, max=65_535, help="Port to serve on; 0: any free port.")
]
Serve = Annotated[
    bool, typer.Option("--serve/--no-serve", help="Whether to serve the API and the web pages.")
]
Web = Annotated[bool | None, typer.Option("--web/--no-web", help="Whether to serve the web pages.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """The options given; those that are not given keep their settings."""

    port: int | None = None
    serve: bool = True
    web: bool | None = None

    @asynccontextmanager
    async def at(self, app: App) -> AsyncIterator[dict[str, str]]:
        """Serve while the block runs; yields the facts to report."""
        if not self.serve:
            yield {}
            return
        with loading():  # `tick` does not load the web framework
            from larder.asgi import application, serving  # noqa: PLC0415

        settings = app.settings
        asgi_app = application(app, web=settings.web if self.web is None else self.web)
        port = settings.port if self.port is None else self.port
        proxies = [str(proxy) for proxy in settings.trusted_proxies]
        async with serving(asgi_app, host=settings.host, port=port, proxies=proxies) as address:
            await app.run(keys.set_served_address, address, now=app.wall.now())
            yield {"address": address}
