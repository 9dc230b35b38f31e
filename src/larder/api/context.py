"""One call to the API: who is calling, when, and the way to the actions.

Every route asks for one of these: `Anyone` lets everybody in, who then sees what is public; `Operator` lets
in admin keys and sessions only. So the lock is in the signature, and a route cannot forget it.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Concatenate, ParamSpec, TypedDict, TypeVar

from fastapi import Depends, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.security import APIKeyCookie, HTTPBearer
from pydantic import BaseModel

from larder.api.response_cache import ResponseCache
from larder.app import App
from larder.auth import COOKIE, CSRF_HEADER, SAFE_METHODS, Authenticator, check_csrf, require_admin
from larder.core.errors import BadInput
from larder.core.model.caller import Caller, Scope
from larder.engine.scheduling.dispatch import DispatchSettings
from larder.request_validation import check_url
from larder.store.database import Connection
from larder.store.operations.secrets import SecretCipher

P = ParamSpec("P")
T = TypeVar("T")

BEARER_KEY = HTTPBearer(auto_error=False, scheme_name="key", description="A key from `larder key add`.")
SESSION_COOKIE = APIKeyCookie(
    name=COOKIE,
    auto_error=False,
    scheme_name="session",
    description=f"A browser's session; what changes something also sends {CSRF_HEADER}.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiState:
    """What every call needs, made once."""

    app: App
    auth: Authenticator
    kept: ResponseCache


class Actor(TypedDict):
    """Whose hand it is, and when: what every action that changes something wants to know."""

    who: str
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiContext:
    """One request of one caller, at one moment."""

    app: App
    caller: Caller
    now: datetime

    async def look(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Ask something."""
        return await self.app.look(work, *args, **kwargs)

    async def do(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Change something."""
        return await self.app.do(work, *args, **kwargs)

    @property
    def dispatcher(self) -> DispatchSettings:
        """How runs are started here."""
        return self.app.dispatcher

    @property
    def strongbox(self) -> SecretCipher:
        """The box that this deployment's key opens."""
        return SecretCipher(self.app.settings.secret_key.get_secret_value())

    @property
    def actor(self) -> Actor:
        """For the audit."""
        return Actor(who=self.caller.name, now=self.now)

    @property
    def admin(self) -> bool:
        """Sees what is hidden, too."""
        return self.caller.may(Scope.ADMIN)


async def public_context(request: Request, response: Response) -> ApiContext:
    """Everybody, within the limit; a key or session that is shown must be good."""
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
    """Those with the scope admin; a browser also shows that the form is ours."""
    require_admin(ctx.caller)
    if request.method not in SAFE_METHODS:
        check_csrf(request, request.headers.get(CSRF_HEADER))
    return ctx


PublicContext = Annotated[ApiContext, Depends(public_context)]
AdminContext = Annotated[ApiContext, Depends(admin_context)]


def _only_known_parameters(request: Request) -> None:
    """A misspelt filter must not quietly answer with everything."""
    if not request.query_params:
        return
    allowed = set(_query_names(request.scope["route"].dependant))
    unknown = sorted(set(request.query_params) - allowed)
    if unknown:
        listed = ", ".join(sorted(allowed)) or "none"
        raise BadInput(f"there is no parameter {unknown[0]!r}", hint=f"allowed here: {listed}")


def _query_names(dependant: Dependant) -> Iterator[str]:
    """What a route and all that it asks for take from the query; a model stands for its fields."""
    for field in dependant.query_params:
        annotation = field.field_info.annotation
        if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
            yield from annotation.model_fields
        else:
            yield field.alias
    for each in dependant.dependencies:
        yield from _query_names(each)
