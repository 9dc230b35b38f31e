"""The web application: its routes, its content security policy, and its error pages.

The policy allows scripts and styles from our own files only, so that scraped text that escapes a template
cannot run.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from larder.actions.access.keys import IssuedKey
from larder.actions.sources.sources import Counts
from larder.actions.sources.targets.csv_import import BadRow
from larder.app.cost_cache import CostCache
from larder.auth import Authenticator
from larder.core.errors import Conflict, LarderError, NotAllowed, NotFound, UsageError
from larder.core.policy.request_limits import TooMany
from larder.rendering.response_cache import ResponseCache
from larder.request_validation import DatabaseUnavailable, public_error
from larder.web import admin, browse, images, record, sign_in, status, subscriptions
from larder.web.admin.overview import DatasetCounts
from larder.web.error_pages import anonymous_context, error_page
from larder.web.flash import OneTimeValues
from larder.web.render import STATIC
from larder.web.why import SnippetCache

_log = logging.getLogger("larder.web")

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
INTERNAL_ERROR = "The error was logged. Try again in a minute."
_STATUS: tuple[tuple[type[LarderError], int], ...] = ((NotFound, 404), (Conflict, 409), (UsageError, 400))


def pages(auth: Authenticator) -> FastAPI:
    """All pages of a deployment."""
    web = FastAPI(title="Larder", docs_url=None, redoc_url=None, openapi_url=None)
    web.state.auth = auth
    web.state.figures = CostCache[DatasetCounts]()
    web.state.issued = OneTimeValues[IssuedKey]("/admin/keys")
    web.state.untaken = OneTimeValues[Sequence[BadRow]]("/admin/targets")
    web.state.shown = CostCache[int]()
    web.state.public_pages = ResponseCache(auth.app.database, auth.app.background_tasks)
    web.state.source_counts = CostCache[Counts]()
    web.state.passages = SnippetCache()
    web.mount("/static", _StaticAssets(directory=STATIC), name="static")
    for each in (sign_in, browse, subscriptions, status, record, images):
        web.include_router(each.router)
    for router in admin.routers():
        web.include_router(router, prefix="/admin")
    web.middleware("http")(_with_headers)
    web.exception_handler(LarderError)(_larder_error)
    web.exception_handler(HTTPException)(_http_error)
    web.exception_handler(RequestValidationError)(_bad_request)
    return web


class _StaticAssets(StaticFiles):
    """Serves static files with a cache lifetime of one year; their URLs change with their content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            return PlainTextResponse("File not found.\n", error.status_code)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


async def _with_headers(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    try:
        response = await answer(request)
    except Exception:  # noqa: BLE001 - logged; the visitor gets an error page without details
        _log.exception("request failed: %s %s", request.method, request.url.path)
        response = await error_page(request, 500, title="Internal error", message=INTERNAL_ERROR)
    response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


async def _larder_error(request: Request, error: Exception) -> Response:
    """Shows the error; a rejected form redirects to the page it was sent from."""
    error = public_error(error) if isinstance(error, LarderError) else error
    ctx, hint = anonymous_context(request), getattr(error, "hint", "")
    if isinstance(error, DatabaseUnavailable):
        content = {"title": "Database unavailable", "message": str(error), "hint": hint}
        return ctx.page("error.html", status=503, **content, waiting=None)  # without a database query
    if isinstance(error, NotAllowed):
        if request.method == "GET":
            return ctx.page("public/enter.html", status=401, to=ctx.path, error=None)
        return await error_page(request, 403, title="Not allowed", message=str(error), hint=hint)
    if isinstance(error, TooMany):
        slow = await error_page(request, 429, title="Too many requests", message=str(error), hint=hint)
        slow.headers["Retry-After"] = str(error.retry_after)
        return slow
    if request.method == "POST" and isinstance(error, UsageError):
        return ctx.redirect(ctx.path, _first_line(error), tone="bad", hint=hint)
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), 503)
    title = "Page not found" if status == 404 else "Request failed"
    return await error_page(request, status, title=title, message=_first_line(error), hint=hint)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    title = "Page not found" if status == 404 else "Request failed"
    hint = "check the address" if status == 404 else ""
    message = str(getattr(error, "detail", "")) if status == 400 else ""
    return await error_page(request, status, title=title, message=message, hint=hint)


async def _bad_request(request: Request, error: Exception) -> Response:
    content = error.errors() if isinstance(error, RequestValidationError) else []
    where = ", ".join(str(each["loc"][-1]) for each in content)
    message = f"invalid value: {where}" if where else "the request is invalid"
    return await error_page(request, 400, message=message)


def _first_line(error: Exception) -> str:
    """The first line of the error, without the hint."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__
