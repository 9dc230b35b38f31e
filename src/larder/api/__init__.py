"""The API: a thin face over `actions`, by noun. Everything an operator can do by command can be done here."""

import asyncio
from functools import cache
from typing import Any

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from starlette.responses import Response

from larder import __version__
from larder.api import admin, changes, events, health, problems, records
from larder.api.context import Anyone, Desk
from larder.api.openapi import document
from larder.api.response_cache import Kept
from larder.api.responses import tagged
from larder.auth import Door

ROUTERS = (records.router, changes.router, events.router, health.router, admin.router)


def routed() -> FastAPI:
    """All routes, for no deployment yet: enough to describe them."""
    face = FastAPI(title="Larder", version=__version__, openapi_url=None)
    for router in ROUTERS:
        face.include_router(router)
    return face


def api(door: Door) -> FastAPI:
    """The API of one deployment, to be mounted at `/api`."""
    face = routed()
    problems.install(face)
    face.state.desk = Desk(app=door.app, door=door, kept=Kept(door.app.database))
    _publish(face)
    if origins := door.app.settings.cors_origins:
        _open_to(face, origins)
    return face


def _publish(face: FastAPI) -> None:
    """`/api/openapi.json` is our document; a thread makes it, so that nobody waits who did not ask."""

    @cache
    def described() -> dict[str, Any]:
        return document(face)

    @face.get("/openapi.json", include_in_schema=False)
    async def openapi(request: Request, _: Anyone) -> Response:
        return tagged(request, await asyncio.to_thread(described), private=False)

    vars(face)["openapi"] = described


def _open_to(face: FastAPI, origins: list[str]) -> None:
    """Scripts of other sites may call, with a key; cookies stay at home."""
    face.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["*"],
        allow_headers=["Authorization", "Content-Type", "If-None-Match"],
        expose_headers=["ETag", "Retry-After"],
    )
