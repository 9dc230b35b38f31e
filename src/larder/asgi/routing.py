"""Routes requests to the API, the pages and the sign-in link."""

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
from larder.asgi.allowed_hosts import AllowedHostsMiddleware
from larder.asgi.metrics import metrics_route
from larder.asgi.middleware import BodyLimitMiddleware, HeadRequestMiddleware, SecurityHeadersMiddleware
from larder.auth import Authenticator
from larder.core.errors import NotAllowed, Unusable
from larder.core.policy.request_limits import Limiter, TooMany
from larder.rendering.hints import sentence
from larder.request_validation import public_error

OPENAPI_PATH = "/api/openapi.json"
NO_STORE = {"cache-control": "no-store"}


def application(app: App, *, web: bool = True) -> Starlette:
    """The API and, unless `web` is false, the pages."""
    auth = Authenticator(app, Limiter(app.settings.requests_a_minute, time.monotonic))
    routes: list[BaseRoute] = [
        Route("/enter", _one_time_link(auth, then="/admin" if web else OPENAPI_PATH)),
        Route("/metrics", metrics_route(auth)),
        Mount("/api", HeadRequestMiddleware(api(auth))),
    ]
    if web:
        routes.append(Mount("/", HeadRequestMiddleware(pages.pages(auth))))
    return Starlette(
        routes=routes,
        exception_handlers={HTTPException: _not_found},
        middleware=[
            Middleware(SecurityHeadersMiddleware),
            Middleware(AllowedHostsMiddleware, settings=app.settings),
            Middleware(BodyLimitMiddleware, most=app.settings.request_bytes, trusts=auth.is_admin),
        ],
    )


async def _not_found(_: Request, error: Exception) -> Response:
    """404 for any other path."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return problem(status, "not found", hint=f"the API is at /api, its OpenAPI document at {OPENAPI_PATH}")


def _one_time_link(auth: Authenticator, *, then: str) -> Callable[[Request], Awaitable[Response]]:
    """A one-time link: redeems the ticket, sets the session cookie and redirects.

    HEAD requests (link previews) do not redeem the ticket.
    """

    async def enter(request: Request) -> Response:
        try:
            await auth.authenticate(request)
            if request.method == "HEAD":
                return Response(headers=NO_STORE)
            entered = await auth.sign_in_with_ticket(request.query_params.get("ticket", ""))
        except NotAllowed as error:
            return PlainTextResponse(f"{error}\n{sentence(error.hint)}\n", 403, NO_STORE)
        except TooMany as error:
            later = {**NO_STORE, "retry-after": str(error.retry_after)}
            return PlainTextResponse(f"{error}\n{sentence(error.hint)}\n", 429, later)
        except Unusable as error:
            return PlainTextResponse(f"{public_error(error)}\n", 503, NO_STORE)
        response = RedirectResponse(then, status_code=303, headers=NO_STORE)
        auth.set_session_cookie(entered, request, response)
        return response

    return enter
