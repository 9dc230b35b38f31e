"""What is shown once and then forgotten: a new key, on the page behind the form that made it.

A page that answered the form itself would send it again when it is loaded again, and has an address that only
forms may be sent to.
"""

import secrets
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response

T = TypeVar("T")

COOKIE = "larder_once"

MAX_WAITING = 20
"""So many wait to be looked at; beyond that the oldest is forgotten."""


@dataclass(slots=True)
class OneTimeValues(Generic[T]):
    """Things that each wait for one look, on the page of this path."""

    path: str
    _waiting: dict[str, T] = field(default_factory=dict)

    def keep(self, it: T, response: Response) -> Response:
        """Whoever gets this answer, and nobody else, sees it on the page that comes next."""
        ticket = self.put(it)
        response.set_cookie(COOKIE, ticket, max_age=60, path=self.path, httponly=True, samesite="strict")
        return response

    def shown(self, request: Request) -> T | None:
        """What waits for whoever asks."""
        return self.take(request.cookies.get(COOKIE, ""))

    def put(self, it: T) -> str:
        """Keep it; what is given back is the only way to it."""
        while len(self._waiting) >= MAX_WAITING:
            self._waiting.pop(next(iter(self._waiting)))
        ticket = secrets.token_urlsafe(16)
        self._waiting[ticket] = it
        return ticket

    def take(self, ticket: str) -> T | None:
        """Look at it, for the first and last time."""
        return self._waiting.pop(ticket, None)
