"""The lock on the auth, shared by the API and the pages: who is calling, and may they?

A program shows a key (`Authorization: Bearer …`), a browser the cookie of its session. A browser sends its
cookie wherever a page tells it to, so whatever changes something on the strength of a cookie must also show
the token that only our own pages know (`csrf`). A key needs none: no browser adds it by itself.

What is shown and is not good is refused, never taken for nothing. It is only looked at: strangers must not
take turns of the one writer that SQLite has.
"""

import hmac
from dataclasses import dataclass
from hashlib import sha256

from starlette.requests import HTTPConnection
from starlette.responses import Response

from larder.actions.access import keys as key_actions
from larder.actions.access.keys import NewSession
from larder.app import App
from larder.core.errors import NotAllowed, NotSignedIn
from larder.core.model.caller import ANYONE, Caller, Scope
from larder.core.model.hint import Hint
from larder.core.policy.request_limits import Limiter
from larder.store.database import Connection
from larder.store.operations import keys, sessions

COOKIE = "larder_session"
CSRF_FIELD = "csrf"
CSRF_HEADER = "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Knows everybody whom this deployment let in, and counts how often they come, for all faces."""

    app: App
    limiter: Limiter

    async def authenticate(self, request: HTTPConnection) -> Caller:
        """Whoever is calling, within the limit; a key that is no good counts for the address it came from."""
        address = request.client.host if request.client else "nobody"
        try:
            caller = await self.identify(request)
        except NotAllowed:
            self.limiter.take(address)
            raise
        self.limiter.take(caller.key or caller.name if caller.known else address)
        return caller

    async def identify(self, request: HTTPConnection) -> Caller:
        """Whoever is calling; `ANYONE` where nothing was shown."""
        shown = request.headers.get("authorization")
        if shown is not None:
            return await self._by_key(_bearer(shown))
        token = request.cookies.get(COOKIE)
        if token:
            return await self._by_session(token) or ANYONE
        return ANYONE

    async def is_admin(self, request: HTTPConnection) -> bool:
        """May they change something? Whoever shows what is no good may not."""
        try:
            return (await self.identify(request)).may(Scope.ADMIN)
        except NotAllowed:
            return False

    async def sign_in(self, key: str) -> NewSession:
        """A session for an admin key."""
        now = self.app.wall.now()
        await self.app.look(key_actions.admin_key_caller, key, now=now)
        return await self.app.do(key_actions.sign_in, key, now=now)

    async def sign_in_with_ticket(self, ticket: str) -> NewSession:
        """A session for a one-time link's ticket."""
        now = self.app.wall.now()
        await self.app.look(key_actions.ticket_caller, ticket, now=now)
        return await self.app.do(key_actions.redeem_ticket, ticket, now=now)

    async def sign_out(self, request: HTTPConnection, response: Response) -> None:
        """End the session, here and in the browser."""
        token = request.cookies.get(COOKIE)
        if token:
            await self.app.do(sessions.revoke, token)
        response.delete_cookie(COOKIE, path="/")

    def set_session_cookie(self, entered: NewSession, request: HTTPConnection, response: Response) -> None:
        """Give the browser its cookie: out of scripts' reach, not sent along by other sites."""
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
        row = await self.app.look(keys.find, text, now=now)
        if row is None:
            raise NotSignedIn(
                "invalid or revoked API key", hint=Hint(text="list the keys", action="key.list")
            )
        if keys.is_stale(row, now):
            await self.app.do(keys.mark_used, row.id, now=now)
        return keys.caller_from_row(row)

    async def _by_session(self, token: str) -> Caller | None:
        def found(conn: Connection) -> Caller | None:
            return sessions.find(conn, token, now=self.app.wall.now())

        return await self.app.look(found)


def require_admin(caller: Caller) -> None:
    """Refuse everybody else, with the reason."""
    if not caller.known:
        raise NotSignedIn("this needs a key", hint="send Authorization: Bearer KEY, or sign in")
    if not caller.may(Scope.ADMIN):
        raise NotAllowed(f"the key {caller.name!r} does not open this", hint="it needs the scope admin")


def csrf_token(request: HTTPConnection) -> str:
    """The token that this session's forms carry; empty without a session."""
    session = request.cookies.get(COOKIE)
    return hmac.new(session.encode(), b"csrf", sha256).hexdigest() if session else ""


def check_csrf(request: HTTPConnection, given: str | None) -> None:
    """Refuse what came on the strength of a cookie alone."""
    if "authorization" in request.headers:
        return
    wanted = csrf_token(request)
    if not (wanted and hmac.compare_digest(wanted.encode(), (given or "").encode())):
        raise NotAllowed("this form is not from one of our pages", hint="load the page again, then send it")


def _bearer(header: str) -> str:
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer":
        raise NotSignedIn("this is no key", hint="send Authorization: Bearer KEY")
    return text.strip()
