"""The API: a thin face over `actions`, by noun. Everything an operator can do by command can be done here."""

import time
from collections.abc import Mapping

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from larder import __version__
from larder.api import health, problems
from larder.api.call import Desk
from larder.api.limits import Limiter
from larder.api.problems import Problem
from larder.app import App
from larder.door import Door

ROUTERS = (health.router,)
ERRORS = {
    401: "Nobody knows who asks.",
    403: "This key does not open this.",
    404: "It is not there.",
    409: "As things stand, this cannot be done.",
    422: "A value cannot be used.",
    429: "Too many requests; `Retry-After` says when to come back.",
    503: "The database cannot be used.",
}
ABOUT = """\
Records, what happened to them, and everything an operator does.

Public routes need no key. Those below `/admin` need one with the scope `admin`, sent as
`Authorization: Bearer KEY`. Every error is `application/problem+json`, with a `hint` where there is one.
"""


def api(app: App, door: Door) -> FastAPI:
    """The API of one deployment, to be mounted at `/api`."""
    face = FastAPI(
        title="Larder",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        servers=[{"url": "/api"}],
        root_path_in_servers=False,
        responses={code: _documented(says) for code, says in ERRORS.items()},
    )
    for router in ROUTERS:
        face.include_router(router)
    problems.install(face)
    face.state.desk = Desk(
        app=app,
        door=door,
        limiter=Limiter(app.settings.requests_a_minute, time.monotonic),
        parameters=_query_parameters(face.openapi()),
    )
    if app.settings.cors_origins:
        face.add_middleware(
            CORSMiddleware,
            allow_origins=app.settings.cors_origins,
            allow_methods=["*"],
            allow_headers=["Authorization", "Content-Type", "If-None-Match"],
            expose_headers=["ETag", "Link", "Retry-After"],
        )
    return face


def _documented(says: str) -> dict[str, object]:
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    return {"description": says, "content": {problems.MEDIA_TYPE: {"schema": schema}}}


def _query_parameters(document: Mapping[str, object]) -> dict[tuple[str, str], frozenset[str]]:
    """From the document itself, so that what is allowed is what is documented."""
    paths: Mapping[str, Mapping[str, Mapping[str, list[Mapping[str, str]]]]] = document["paths"]  # type: ignore[assignment]
    return {
        (method, path): frozenset(
            each["name"] for each in operation.get("parameters", []) if each["in"] == "query"
        )
        for path, operations in paths.items()
        for method, operation in operations.items()
    }
