"""Errors as `application/problem+json` (RFC 9457), with a hint for the next step."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from larder.core.errors import (
    BadInput,
    Conflict,
    LarderError,
    NotAllowed,
    NotFound,
    NotQueued,
    NotSignedIn,
    Unusable,
    UsageError,
)
from larder.core.model.hint import Hint, NextStep, as_hint
from larder.core.policy.request_limits import TooMany
from larder.core.policy.scheduling.backpressure import Rejection
from larder.core.validation_messages import validation_message
from larder.rendering.hints import sentence
from larder.request_validation import DatabaseUnavailable, public_error

MEDIA_TYPE = "application/problem+json"

STATUSES: Mapping[type[LarderError], int] = {
    NotSignedIn: 401,
    NotAllowed: 403,
    NotFound: 404,
    NotQueued: 429,
    Conflict: 409,
    TooMany: 429,
    BadInput: 422,
    DatabaseUnavailable: 503,
    Unusable: 409,
}
"""The first match counts; subclasses precede their base."""

_log = logging.getLogger("larder.api")


class FieldError(BaseModel):
    """One invalid value."""

    where: str = Field(description="The field, such as `query.limit`.", examples=["query.limit"])
    says: str = Field(description="What is wrong.", examples=["must be at most 200"])


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str = Field(default="about:blank", examples=["about:blank"])
    title: str = Field(description="Name of the HTTP status.", examples=["Not Found"])
    status: int = Field(description="HTTP status.", examples=[404])
    detail: str = Field(description="What is wrong.", examples=["there is no source hmoes"])
    hint: str | None = Field(default=None, description="The next step.", examples=["did you mean homes?"])
    next_step: NextStep | None = Field(default=None, description="The same for programs.")
    reason: str | None = Field(
        default=None,
        description="Why work was not queued: `queue_full`, `adapter_disabled` or `rate_limited`; the header "
        "Retry-After says when to try again.",
        examples=["queue_full"],
    )
    wrong: list[FieldError] | None = Field(default=None, description="Every invalid value.")


def problem(
    status: int,
    detail: str,
    *,
    hint: Hint | str = "",
    reason: str | None = None,
    wrong: list[FieldError] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The error response."""
    advice = as_hint(hint)
    answer = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        hint=sentence(advice) or None,
        next_step=advice.next_step,
        reason=reason,
        wrong=wrong,
    )
    body = orjson.dumps(answer.model_dump(exclude_none=True))
    return Response(body, status, {"cache-control": "no-store", **(headers or {})}, media_type=MEDIA_TYPE)


def problem_from(error: LarderError) -> Response:
    """The response to an error of Larder."""
    error = public_error(error)
    status = next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 500)
    headers = {}
    if status == 401:
        headers["www-authenticate"] = 'Bearer realm="larder"'
    if isinstance(error, TooMany | NotQueued):
        headers["retry-after"] = str(error.retry_after)
    if isinstance(error, NotQueued) and error.reason == Rejection.ADAPTER_DISABLED:
        status = 409
    hint = error.hint if isinstance(error, UsageError) else ""
    reason = error.reason if isinstance(error, NotQueued) else None
    return problem(status, _one_line(str(error)), hint=hint, reason=reason, headers=headers)


def install(api: FastAPI) -> None:
    """Installs the error handlers."""

    async def ours(_: Request, error: Exception) -> Response:
        return problem_from(error) if isinstance(error, LarderError) else _internal_error(error)

    async def http(_: Request, error: Exception) -> Response:
        code = error.status_code if isinstance(error, HTTPException) else 500
        detail = str(getattr(error, "detail", "")) or HTTPStatus(code).phrase
        return problem(code, detail, headers=getattr(error, "headers", None))

    async def invalid(_: Request, error: Exception) -> Response:
        return _invalid(error.errors() if isinstance(error, RequestValidationError) else ())

    api.add_exception_handler(LarderError, ours)
    api.add_exception_handler(HTTPException, http)
    api.add_exception_handler(RequestValidationError, invalid)
    api.add_exception_handler(Exception, ours)


def _invalid(errors: Any) -> Response:
    """Names fields and errors, never values, which may be secrets."""
    wrong = [
        FieldError(where=".".join(map(str, error["loc"])), says=validation_message(error["msg"]))
        for error in errors
    ]
    first = f"{wrong[0].where}: {wrong[0].says}" if wrong else "the request is invalid"
    return problem(422, first, wrong=wrong)


def _internal_error(error: Exception) -> Response:
    _log.error("a request failed: %s", type(error).__name__)
    return problem(500, "internal error", hint="see the log; if it persists, report it")


def _one_line(text: str) -> str:
    return " ".join(text.split())
