"""Authentication for the API and the pages, and the context of one request.

A program sends a key (`Authorization: Bearer …`), a browser its session cookie. Browsers send cookies with
requests that other sites trigger, so a change that is authorized by a cookie also needs the CSRF token of the
session; a key needs none. Invalid credentials are refused, never treated as none. Checking them only reads:
anonymous callers must not occupy the single writer of SQLite.
"""

import hmac
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Concatenate, ParamSpec, TypedDict, TypeVar

from starlette.requests import HTTPConnection
from starlette.responses import Response

from larder.actions.access import keys as key_actions
from larder.actions.access.keys import NewSession
from larder.app import App
from larder.core.errors import NotAllowed, NotSignedIn, Unusable
from larder.core.model.caller import ANYONE, Caller, Scope
from larder.core.model.hint import Hint
from larder.core.policy.request_limits import Limiter
from larder.store.database import Connection
from larder.store.operations.access import keys, sessions
from larder.store.operations.access.secrets import SecretCipher

log = logging.getLogger("larder.auth")

P = ParamSpec("P")
T = TypeVar("T")

COOKIE = "larder_session"
CSRF_FIELD = "csrf"
CSRF_HEADER = "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Identifies callers by key or session, and enforces the rate limit of each."""

    app: App
    limiter: Limiter
    _marking: set[int] = field(default_factory=set)
    """Keys whose last use is being written."""

    async def authenticate(self, request: HTTPConnection) -> Caller:
        """The caller, within the rate limit; requests with an invalid key count for their client address."""
        address = request.client.host if request.client else "unknown"
        try:
            caller = await self.identify(request)
        except NotAllowed:
            self.limiter.take(address)
            raise
        self.limiter.take(caller.key or caller.name if caller.known else address)
        return caller

    async def identify(self, request: HTTPConnection) -> Caller:
        """The caller; `ANYONE` without credentials."""
        header = request.headers.get("authorization")
        if header is not None:
            return await self._by_key(_bearer(header))
        token = request.cookies.get(COOKIE)
        if token:
            return await self._by_session(token) or ANYONE
        return ANYONE

    async def is_admin(self, request: HTTPConnection) -> bool:
        """Whether the caller is an administrator; false for invalid credentials."""
        try:
            return (await self.identify(request)).may(Scope.ADMIN)
        except NotAllowed:
            return False

    async def sign_in(self, key: str) -> NewSession:
        """A session for an admin key."""
        now = self.app.wall.now()
        await self.app.read(key_actions.admin_key_caller, key, now=now)
        return await self.app.run(key_actions.sign_in, key, now=now)

    async def sign_in_with_ticket(self, ticket: str) -> NewSession:
        """A session for a one-time link's ticket."""
        now = self.app.wall.now()
        await self.app.read(key_actions.ticket_caller, ticket, now=now)
        return await self.app.run(key_actions.redeem_ticket, ticket, now=now)

    async def sign_out(self, request: HTTPConnection, response: Response) -> None:
        """Ends the session and deletes its cookie."""
        token = request.cookies.get(COOKIE)
        if token:
            await self.app.run(sessions.revoke, token)
        response.delete_cookie(COOKIE, path="/")

    def set_session_cookie(self, entered: NewSession, request: HTTPConnection, response: Response) -> None:
        """Sets the cookie: not readable by scripts, not sent with requests from other sites."""
        response.set_cookie(
            COOKIE,
            entered.token,
            max_age=int((entered.expires_at - self.app.wall.now()).total_seconds()),
            path="/",
            secure=request.url.scheme == "https" or self.app.settings.address.startswith("https:"),
            httponly=True,
            samesite="lax",
        )

    async def _by_key(self, text: str) -> Caller:
        now = self.app.wall.now()
        row = await self.app.read(keys.find, text, now=now)
        if row is None:
            raise NotSignedIn(
                "invalid or revoked API key", hint=Hint(text="list the keys", action="key.list")
            )
        if keys.is_stale(row, now) and row.id not in self._marking:
            self._marking.add(row.id)
            self.app.start_in_background(self._mark_used(row.id, now))
        return keys.caller_from_row(row)

    async def _mark_used(self, key_id: int, now: datetime) -> None:
        """Write the last use of a key in the background: the request does not wait for it."""
        try:
            await self.app.run(keys.mark_used, key_id, now=now)
        except Unusable as error:
            log.warning("the last use of a key was not written (%s)", error)
        finally:
            self._marking.discard(key_id)

    async def _by_session(self, token: str) -> Caller | None:
        return await self.app.read(sessions.find, token, now=self.app.wall.now())


class Actor(TypedDict):
    """The arguments of every action that is audited."""

    who: str
    now: datetime


@dataclass(slots=True, kw_only=True)
class RequestContext:
    """One request: its caller, its time, and access to the actions."""

    app: App
    caller: Caller
    now: datetime

    async def read(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Runs an action that only reads."""
        return await self.app.read(work, *args, **kwargs)

    async def run(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Runs an action that changes something, in one transaction."""
        return await self.app.run(work, *args, **kwargs)

    @property
    def actor(self) -> Actor:
        """The caller's name in the audit log."""
        return Actor(who=self.caller.name, now=self.now)

    @property
    def is_admin(self) -> bool:
        """Whether the caller may see and change everything."""
        return self.caller.may(Scope.ADMIN)

    @property
    def secrets_cipher(self) -> SecretCipher:
        """Encrypts with the key of this deployment."""
        return SecretCipher(self.app.settings.secret_key.get_secret_value())


def require_admin(caller: Caller) -> None:
    """Raises unless the caller is an administrator."""
    if not caller.known:
        raise NotSignedIn("an API key is required", hint="send Authorization: Bearer KEY, or sign in")
    if not caller.may(Scope.ADMIN):
        raise NotAllowed(
            f"the key {caller.name} lacks the scope admin", hint="use a key with the scope admin"
        )


def csrf_token(request: HTTPConnection) -> str:
    """The CSRF token of the session; empty without a session."""
    session = request.cookies.get(COOKIE)
    return hmac.new(session.encode(), b"csrf", sha256).hexdigest() if session else ""


def check_csrf(request: HTTPConnection, value: str | None) -> None:
    """Raises if the request is authorized by a cookie and lacks the session's CSRF token."""
    if "authorization" in request.headers:
        return
    expected = csrf_token(request)
    if not (expected and hmac.compare_digest(expected.encode(), (value or "").encode())):
        raise NotAllowed(
            "the CSRF token is missing or invalid", hint="reload the page, then submit the form again"
        )


def _bearer(header: str) -> str:
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer":
        raise NotSignedIn(
            "the Authorization header has no bearer token", hint="send Authorization: Bearer KEY"
        )
    return text.strip()
