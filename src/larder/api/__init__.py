"""The HTTP API: thin routes over `actions`, one module per noun; it covers every command."""

import asyncio
from functools import cache
from typing import Any

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.routing import BaseRoute

from larder import __version__
from larder.api import admin, changes, events, health, problems, records, status
from larder.api.context import ApiState, PublicContext
from larder.api.openapi import PROBLEMS, openapi_document
from larder.api.responses import etag_response
from larder.auth import Authenticator
from larder.rendering.response_cache import ResponseCache

ROUTERS = (
    records.lists,
    records.router,
    changes.router,
    events.router,
    health.router,
    status.router,
)


def api_routes() -> FastAPI:
    """All routes, without a deployment: enough to describe them."""
    face = FastAPI(title="Larder", version=__version__, openapi_url=None, responses=PROBLEMS)
    face.router.routes.extend(_shared_routes())
    return face


@cache
def _shared_routes() -> tuple[BaseRoute, ...]:
    """The routes of this process: they hold no deployment, and to prepare the admin ones takes a second."""
    face = FastAPI(openapi_url=None, responses=PROBLEMS)
    for router in ROUTERS:
        face.include_router(router)
    admin.include_in(face)
    return tuple(face.router.routes)


def api(auth: Authenticator) -> FastAPI:
    """The API of one deployment, to be mounted at `/api`."""
    face = api_routes()
    problems.install(face)
    responses = ResponseCache(auth.app.database, auth.app.background_tasks)
    face.state.api = ApiState(app=auth.app, auth=auth, response_cache=responses)
    _serve_openapi(face)
    if origins := auth.app.settings.cors_origins:
        _allow_origins(face, origins)
    return face


def _serve_openapi(face: FastAPI) -> None:
    """Serves `/api/openapi.json`; it is built once, in a thread."""

    @face.get("/openapi.json", include_in_schema=False)
    async def openapi(request: Request, _: PublicContext) -> Response:
        return etag_response(request, await asyncio.to_thread(_described), private=False)

    vars(face)["openapi"] = _described


@cache
def _described() -> dict[str, Any]:
    return openapi_document(api_routes())


def _allow_origins(face: FastAPI, origins: list[str]) -> None:
    """Allows cross-origin requests with a key, without cookies."""
    face.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["*"],
        allow_headers=["Authorization", "Content-Type", "If-None-Match"],
        expose_headers=["ETag", "Retry-After"],
    )
