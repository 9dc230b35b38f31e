"""Values that are shown once, such as a new key, on the page that follows a form (post/redirect/get)."""

import secrets
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response

T = TypeVar("T")

COOKIE = "larder_once"

MAX_WAITING = 20
"""Values that wait; beyond that the oldest is dropped."""


@dataclass(slots=True)
class OneTimeValues(Generic[T]):
    """Values that are each shown once, on the page at `path`."""

    path: str
    _waiting: dict[str, T] = field(default_factory=dict)

    def keep(self, it: T, response: Response) -> Response:
        """Stores a value for the recipient of this response."""
        ticket = self.put(it)
        response.set_cookie(COOKIE, ticket, max_age=60, path=self.path, httponly=True, samesite="strict")
        return response

    def shown(self, request: Request) -> T | None:
        """The value stored for this browser."""
        return self.take(request.cookies.get(COOKIE, ""))

    def put(self, it: T) -> str:
        """Stores a value and returns its ticket."""
        while len(self._waiting) >= MAX_WAITING:
            self._waiting.pop(next(iter(self._waiting)))
        ticket = secrets.token_urlsafe(16)
        self._waiting[ticket] = it
        return ticket

    def take(self, ticket: str) -> T | None:
        """Removes and returns a value."""
        return self._waiting.pop(ticket, None)
