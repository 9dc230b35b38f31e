"""API keys for programs; one-time links and sessions for browsers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from larder.core.errors import BadInput, Conflict, NotFound, NotSignedIn
from larder.core.model.caller import Caller, Scope
from larder.core.model.hint import Hint
from larder.core.quoting import quoted
from larder.store.database import Connection
from larder.store.operations import audit, key_values
from larder.store.operations.access import keys, sessions
from larder.store.operations.access.keys import CreatedKey, KeyRow
from larder.store.operations.access.sessions import TokenKind
from larder.store.reads.rows import view_of

MAX_LIFETIME = timedelta(days=3_650)
"""The longest lifetime; for a longer one, a key without expiry is created."""
SESSION_LIFETIME = timedelta(hours=12)
TICKET_LIFETIME = timedelta(minutes=10)
"""One-time links are meant for immediate use."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyView:
    """A key without its secret part."""

    name: str
    prefix: str
    scopes: Sequence[str]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A new key; its text is shown only now."""

    key: str
    view: KeyView


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A browser session; its token is stored in a cookie only."""

    token: str
    caller: Caller
    expires_at: datetime


def list_keys(conn: Connection) -> list[KeyView]:
    """All keys, revoked ones too, newest first."""
    return [_view(row) for row in keys.list_keys(conn)]


def add(
    conn: Connection,
    name: str,
    scope: Scope = Scope.READ,
    *,
    lasts: timedelta | None = None,
    who: str,
    now: datetime,
) -> IssuedKey:
    """Create a key. Its text cannot be shown again."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"invalid key name {quoted(name)}", hint="use letters, digits, - _ . and @ only")
    if keys.by_name(conn, name) is not None:
        raise Conflict(
            f"there is a key {quoted(name)} already",
            hint=Hint(text="revoke it first", action="key.revoke", target=name),
        )
    new = CreatedKey.make()
    keys.add(conn, new, name, [scope], expires_at=_until(lasts, now), now=now)
    audit.record(conn, "key added", name, {"prefix": new.prefix, "scope": scope}, who=who, now=now)
    return IssuedKey(key=new.text, view=_view(_must_be(conn, name)))


def revoke(conn: Connection, name: str, *, who: str, now: datetime) -> KeyView:
    """Revoke a key, and close the sessions that it or its links opened."""
    row = _must_be(conn, name)
    keys.revoke(conn, row.id, now=now)
    sessions.revoke_by_key(conn, row.id)
    audit.record(conn, "key revoked", row.name, {"prefix": row.prefix}, who=who, now=now)
    return next(view for view in list_keys(conn) if view.prefix == row.prefix)


def create_ticket(conn: Connection, *, key: str | None = None, who: str, now: datetime) -> str:
    """A ticket for one sign-in by browser; `key`: the prefix of the key whose revocation ends it."""
    audit.record(conn, "link made", who, {"key": key}, who=who, now=now)
    until = now + TICKET_LIFETIME
    return sessions.create(
        conn, TokenKind.TICKET, who=who, scopes=[Scope.ADMIN], key=key, expires_at=until, now=now
    )


def ticket_caller(conn: Connection, token: str, *, now: datetime) -> Caller:
    """The caller of a ticket; the ticket stays valid."""
    caller = sessions.find(conn, token, TokenKind.TICKET, now=now)
    if caller is None:
        raise _invalid_link()
    return caller


def redeem_ticket(conn: Connection, token: str, *, now: datetime) -> NewSession:
    """Exchange a ticket for a session; a ticket is valid once."""
    caller = sessions.redeem_ticket(conn, token, now=now)
    if caller is None:
        raise _invalid_link()
    return _new_session(conn, caller, now=now)


def admin_key_caller(conn: Connection, key: str, *, now: datetime) -> Caller:
    """The caller of an admin key."""
    row = keys.find(conn, key.strip(), now=now)
    caller = None if row is None else keys.caller_from_row(row)
    if caller is None or not caller.may(Scope.ADMIN):
        raise NotSignedIn(
            "invalid admin key",
            hint=Hint(text="create one", action="key.add", options=(("scope", "admin"),)),
        )
    return caller


def sign_in(conn: Connection, key: str, *, now: datetime) -> NewSession:
    """Exchange an admin key for a session."""
    return _new_session(conn, admin_key_caller(conn, key, now=now), now=now)


def _new_session(conn: Connection, caller: Caller, *, now: datetime) -> NewSession:
    until = now + SESSION_LIFETIME
    token = sessions.create(
        conn,
        TokenKind.SESSION,
        who=caller.name,
        scopes=caller.scopes,
        key=caller.key,
        expires_at=until,
        now=now,
    )
    audit.record(conn, "signed in", caller.name, {"key": caller.key}, who=caller.name, now=now)
    return NewSession(token=token, caller=caller, expires_at=until)


def _invalid_link() -> NotSignedIn:
    return NotSignedIn(
        "this link was used already, or is too old", hint=Hint(text="create a new one", action="key.link")
    )


def _until(lasts: timedelta | None, now: datetime) -> datetime | None:
    if lasts is not None and lasts <= timedelta(0):
        raise BadInput(
            f"the lifetime of a key must be more than 0 seconds, not {lasts.total_seconds():.0f}",
            hint="omit it for a key that does not expire",
        )
    if lasts is not None and lasts > MAX_LIFETIME:
        raise BadInput(
            f"the lifetime of a key must be at most {MAX_LIFETIME.days} days, not {lasts.days}",
            hint="omit it for a key that does not expire",
        )
    return None if lasts is None else now + lasts


def _must_be(conn: Connection, name: str) -> KeyRow:
    row = keys.by_name(conn, name)
    if row is None:
        raise NotFound(f"there is no active key {quoted(name)}", hint=Hint(action="key.list"))
    return row


def _view(row: KeyRow) -> KeyView:
    return view_of(KeyView, row)


SERVED = "served_address"


def set_served_address(conn: Connection, address: str, *, now: datetime) -> None:
    """Store where the pages are served, for the links that other commands write."""
    if key_values.read(conn, SERVED) != address:
        key_values.write(conn, SERVED, address, now=now)


def served_address(conn: Connection) -> str | None:
    """Where the pages were served last; None: never."""
    found: str | None = key_values.read(conn, SERVED)
    return found
