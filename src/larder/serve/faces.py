"""Which face answers which address."""

from collections.abc import Awaitable, Callable
from importlib import import_module

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from larder.api import api
from larder.api.problems import problem
from larder.app import App
from larder.core.errors import NotAllowed
from larder.door import Door
from larder.serve.guards import Bounded, Headed


def faces(app: App, *, web: bool = True) -> Starlette:
    """Everything that is served: the API and, unless told otherwise, the pages for people."""
    door = Door(app)
    pages = _pages(app, door) if web else None
    routes: list[BaseRoute] = [
        Route("/enter", _enter(door, then="/admin" if pages else "/api/docs")),
        Mount("/api", api(app, door)),
    ]
    if pages:
        routes.append(Mount("/", pages))
    return Starlette(
        routes=routes,
        exception_handlers={HTTPException: _nowhere},
        middleware=[Middleware(Headed), Middleware(Bounded, most=app.settings.request_bytes)],
    )


async def _nowhere(_: Request, error: Exception) -> Response:
    """An address that no face answers."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return problem(
        status, "there is nothing here", hint="the API is below /api, its document at /api/openapi.json"
    )


def _pages(app: App, door: Door) -> ASGIApp | None:
    try:
        pages: Callable[[App, Door], ASGIApp] = import_module("larder.web").pages
    except (ImportError, AttributeError):
        return None
    return pages(app, door)


def _enter(door: Door, *, then: str) -> Callable[[Request], Awaitable[Response]]:
    """A one-time link: the ticket is spent, the browser gets its cookie and a clean address."""

    async def enter(request: Request) -> Response:
        try:
            entered = await door.enter(request.query_params.get("ticket", ""))
        except NotAllowed as error:
            return PlainTextResponse(f"{error}\n{error.hint}\n", status_code=403)
        response = RedirectResponse(then, status_code=303, headers={"cache-control": "no-store"})
        door.keep(entered, request, response)
        return response

    return enter
