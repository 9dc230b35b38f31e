"""Which face answers which address."""

import time
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from larder import web as pages
from larder.api import api
from larder.api.problems import problem
from larder.app import App
from larder.asgi.middleware import Bodiless, Bounded, Headed
from larder.auth import Door
from larder.core.errors import NotAllowed, Unusable
from larder.core.policy.request_limits import Limiter, TooMany
from larder.request_validation import outward

DOCUMENT = "/api/openapi.json"
NOT_KEPT = {"cache-control": "no-store"}


def application(app: App, *, web: bool = True) -> Starlette:
    """Everything that is served: the API and, unless told otherwise, the pages for people."""
    door = Door(app, Limiter(app.settings.requests_a_minute, time.monotonic))
    routes: list[BaseRoute] = [
        Route("/enter", _enter(door, then="/admin" if web else DOCUMENT)),
        Mount("/api", Bodiless(api(door))),
    ]
    if web:
        routes.append(Mount("/", Bodiless(pages.pages(door))))
    return Starlette(
        routes=routes,
        exception_handlers={HTTPException: _nowhere},
        middleware=[
            Middleware(Headed),
            Middleware(Bounded, most=app.settings.request_bytes, trusts=door.trusts),
        ],
    )


async def _nowhere(_: Request, error: Exception) -> Response:
    """An address that no face answers."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return problem(status, "there is nothing here", hint=f"the API is below /api, its document at {DOCUMENT}")


def _enter(door: Door, *, then: str) -> Callable[[Request], Awaitable[Response]]:
    """A one-time link: the ticket is spent, the browser gets its cookie and a clean address.

    Whoever only asks what is behind it (a preview, with HEAD) is told so, and spends nothing.
    """

    async def enter(request: Request) -> Response:
        try:
            await door.admit(request)
            if request.method == "HEAD":
                return Response(headers=NOT_KEPT)
            entered = await door.enter(request.query_params.get("ticket", ""))
        except NotAllowed as error:
            return PlainTextResponse(f"{error}\n{error.hint}\n", 403, NOT_KEPT)
        except TooMany as error:
            later = {**NOT_KEPT, "retry-after": str(error.retry_after)}
            return PlainTextResponse(f"{error}\n{error.hint}\n", 429, later)
        except Unusable as error:
            return PlainTextResponse(f"{outward(error)}\n", 503, NOT_KEPT)
        response = RedirectResponse(then, status_code=303, headers=NOT_KEPT)
        door.keep(entered, request, response)
        return response

    return enter
