"""`/metrics` for Prometheus, with a key of the scope metrics, or for everyone if the settings allow it."""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from larder.api.problems import problem_from
from larder.auth import Authenticator
from larder.core.errors import LarderError, NotAllowed, NotSignedIn
from larder.core.model.caller import Scope
from larder.core.model.hint import Hint

if TYPE_CHECKING:
    from larder.app.metrics.collector import Metrics

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
HINT = Hint(
    text="send Authorization: Bearer KEY; create one", action="key.add", options=(("scope", "metrics"),)
)


def metrics_route(auth: Authenticator) -> Callable[[Request], Awaitable[Response]]:
    """The metrics of the whole deployment in Prometheus' text format."""

    @cache
    def figures() -> "Metrics":
        from larder.app.metrics.collector import Metrics  # noqa: PLC0415 - loaded when it is asked for

        return Metrics(auth.app)

    async def metrics(request: Request) -> Response:
        try:
            await _admit(auth, request)
            text = await figures().text()
        except LarderError as error:
            return problem_from(error)
        return Response(text, headers={"content-type": CONTENT_TYPE, "cache-control": "no-store"})

    return metrics


async def _admit(auth: Authenticator, request: Request) -> None:
    caller = await auth.authenticate(request)
    if auth.app.settings.metrics_public or caller.may(Scope.METRICS):
        return
    if not caller.known:
        raise NotSignedIn("an API key is required", hint=HINT)
    raise NotAllowed(f"the key {caller.name} lacks the scope metrics", hint=HINT)
