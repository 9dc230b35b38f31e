"""The API: a thin face over `actions`, by noun. Everything an operator can do by command can be done here."""

import time
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from larder import __version__
from larder.api import admin, changes, health, problems, records
from larder.api.call import Desk
from larder.api.document import document, query_parameters
from larder.api.limits import Limiter
from larder.app import App
from larder.door import Door

ROUTERS = (records.router, changes.router, health.router, admin.router)


def api(app: App, door: Door) -> FastAPI:
    """The API of one deployment, to be mounted at `/api`."""
    face = FastAPI(title="Larder", version=__version__, docs_url=None, redoc_url=None)
    for router in ROUTERS:
        face.include_router(router)
    problems.install(face)
    described = document(face)
    face.state.desk = Desk(
        app=app,
        door=door,
        limiter=Limiter(app.settings.requests_a_minute, time.monotonic),
        parameters=query_parameters(described),
    )
    _publish(face, described)
    if app.settings.cors_origins:
        _open_to(face, app.settings.cors_origins)
    return face


def _publish(face: FastAPI, described: dict[str, Any]) -> None:
    """`/api/openapi.json` is our document, made once."""

    def ready() -> dict[str, Any]:
        return described

    vars(face)["openapi"] = ready


def _open_to(face: FastAPI, origins: list[str]) -> None:
    """Scripts of other sites may call, with a key; cookies stay at home."""
    face.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["*"],
        allow_headers=["Authorization", "Content-Type", "If-None-Match"],
        expose_headers=["ETag", "Retry-After"],
    )
