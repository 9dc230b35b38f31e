"""JSON responses with an ETag."""

from hashlib import blake2b
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

MEDIA_TYPE = "application/json"
_AS_WRITTEN = orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z


def json_bytes(value: Any) -> bytes:
    """JSON bytes."""
    return orjson.dumps(value, option=_AS_WRITTEN)


def etag_response(request: Request, value: Any, *, private: bool) -> Response:
    """A value with an ETag; 304 if the caller has it."""
    body = json_bytes(value)
    return conditional_response(request, body, etag_of(body), private=private)


def etag_of(body: bytes) -> str:
    """A weak ETag of the body."""
    return f'W/"{blake2b(body, digest_size=12).hexdigest()}"'


def conditional_response(request: Request, body: bytes, tag: str, *, private: bool) -> Response:
    """An encoded body with its ETag."""
    headers = {
        "etag": tag,
        "cache-control": f"{'private' if private else 'public'}, no-cache",
        "vary": "Authorization, Cookie",
    }
    if _matches_etag(request.headers.get("if-none-match"), tag):
        return Response(None, 304, headers)
    return Response(body, 200, headers, media_type=MEDIA_TYPE)


def _matches_etag(value: str | None, tag: str) -> bool:
    """Weak comparison, as RFC 9110 requires for GET."""
    opaque = tag.removeprefix("W/")
    known = (part.strip().removeprefix("W/") for part in (value or "").split(","))
    return value is not None and any(each in (opaque, "*") for each in known)
