"""Browser sessions and one-time tickets: random tokens of which only the hash is stored.

Sessions and tickets of a key end with the key. A ticket is redeemed by deleting its row, so that it works
once.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection, delete, insert, or_, select

from larder.core.model.caller import Caller, Scope
from larder.store.operations.access.keys import hash_key
from larder.store.tables import keys, sessions


class TokenKind(StrEnum):
    """The kind of a token."""

    SESSION = "session"
    TICKET = "ticket"


def create(
    conn: Connection,
    kind: TokenKind,
    *,
    who: str,
    scopes: Iterable[Scope],
    key: str | None = None,
    expires_at: datetime,
    now: datetime,
) -> str:
    """Create a token for `who`; expired ones are deleted."""
    token = secrets.token_urlsafe(32)
    key_id = None if key is None else conn.scalar(select(keys.c.id).where(keys.c.prefix == key))
    row = {"hash": hash_key(token), "kind": kind, "who": who, "scopes": sorted(scopes), "key_id": key_id}
    conn.execute(delete(sessions).where(sessions.c.expires_at <= now))
    conn.execute(insert(sessions).values({**row, "created_at": now, "expires_at": expires_at}))
    return token


def find(
    conn: Connection, token: str, kind: TokenKind = TokenKind.SESSION, *, now: datetime
) -> Caller | None:
    """The caller of a valid token."""
    query = (
        select(sessions.c.who, sessions.c.scopes, keys.c.prefix)
        .outerjoin(keys, keys.c.id == sessions.c.key_id)
        .where(sessions.c.hash == hash_key(token), sessions.c.kind == kind, sessions.c.expires_at > now)
        .where(keys.c.revoked_at.is_(None), or_(keys.c.expires_at.is_(None), keys.c.expires_at > now))
    )
    row = conn.execute(query).one_or_none()
    return row and Caller(name=row.who, scopes=frozenset(map(Scope, row.scopes)), key=row.prefix)


def redeem_ticket(conn: Connection, token: str, *, now: datetime) -> Caller | None:
    """The caller of a ticket; it is valid once."""
    caller = find(conn, token, TokenKind.TICKET, now=now)
    if caller is None:
        return None
    taken = delete(sessions).where(sessions.c.hash == hash_key(token)).returning(sessions.c.hash)
    return caller if conn.execute(taken).one_or_none() else None


def revoke(conn: Connection, token: str) -> None:
    """Sign out."""
    conn.execute(delete(sessions).where(sessions.c.hash == hash_key(token)))


def revoke_by_key(conn: Connection, key_id: int) -> None:
    """Delete the sessions of a key."""
    conn.execute(delete(sessions).where(sessions.c.key_id == key_id))
