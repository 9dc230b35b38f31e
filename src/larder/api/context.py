"""The context of an API request.

Every route depends on one of two: `PublicContext` admits everyone to public data, `AdminContext` only admin
keys and sessions. So access control is part of the signature, and a route cannot omit it.
"""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ParamSpec, TypeVar

from fastapi import Depends, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.security import APIKeyCookie, HTTPBearer
from pydantic import BaseModel

from larder.app import App
from larder.auth import (
    COOKIE,
    CSRF_HEADER,
    SAFE_METHODS,
    Authenticator,
    RequestContext,
    check_csrf,
    require_admin,
)
from larder.core.errors import BadInput
from larder.core.quoting import quoted
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.rendering.response_cache import ResponseCache
from larder.request_validation import check_url

P = ParamSpec("P")
T = TypeVar("T")

BEARER_KEY = HTTPBearer(auto_error=False, scheme_name="key", description="A key from `larder key add`.")
SESSION_COOKIE = APIKeyCookie(
    name=COOKIE,
    auto_error=False,
    scheme_name="session",
    description=f"Session cookie; requests that change something also send {CSRF_HEADER}.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiState:
    """State that all requests share."""

    app: App
    auth: Authenticator
    response_cache: ResponseCache


@dataclass(slots=True, kw_only=True)
class ApiContext(RequestContext):
    """The context of one API request."""

    @property
    def dispatcher(self) -> DispatchSettings:
        """The settings with which runs are started."""
        return self.app.dispatcher


async def public_context(request: Request, response: Response) -> ApiContext:
    """Everyone, within the rate limit; credentials must be valid if sent."""
    state: ApiState = request.app.state.api
    check_url(request)
    response.headers["cache-control"] = "no-store"
    caller = await state.auth.authenticate(request)
    _only_known_parameters(request)
    return ApiContext(app=state.app, caller=caller, now=state.app.clock.now())


async def admin_context(
    request: Request,
    ctx: Annotated[ApiContext, Depends(public_context)],
    _key: Annotated[object, Depends(BEARER_KEY)],
    _session: Annotated[object, Depends(SESSION_COOKIE)],
) -> ApiContext:
    """Callers with the scope admin; with a session cookie, the CSRF token is checked."""
    require_admin(ctx.caller)
    if request.method not in SAFE_METHODS:
        check_csrf(request, request.headers.get(CSRF_HEADER))
    return ctx


PublicContext = Annotated[ApiContext, Depends(public_context)]
AdminContext = Annotated[ApiContext, Depends(admin_context)]


def _only_known_parameters(request: Request) -> None:
    """Refuses unknown query parameters: a misspelt filter must not return everything."""
    if not request.query_params:
        return
    allowed = set(_query_names(request.scope["route"].dependant))
    unknown = sorted(set(request.query_params) - allowed)
    if unknown:
        listed = ", ".join(sorted(allowed)) or "none"
        raise BadInput(f"unknown parameter {quoted(unknown[0])}", hint=f"allowed: {listed}")


def _query_names(dependant: Dependant) -> Iterator[str]:
    """The query parameters of a route and its dependencies."""
    for field in dependant.query_params:
        annotation = field.field_info.annotation
        if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
            yield from annotation.model_fields
        else:
            yield field.alias
    for dependency in dependant.dependencies:
        yield from _query_names(dependency)
