"""API keys, stored as a prefix for finding one, and a hash.

A key has 256 random bits, so one round of SHA-256 is enough. The prefix is not secret; it finds the row, and
the hashes are compared in constant time.
"""

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, or_, update

from larder.core.model.caller import Caller, Scope
from larder.store.database.statement import fetch_as, fetch_one_as, select_as
from larder.store.tables import keys

LAST_USED_INTERVAL = timedelta(minutes=1)
"""A key's last use is written at most this often."""

_SHAPE = re.compile(r"larder_(?P<prefix>[0-9a-f]{8})_(?P<secret>[A-Za-z0-9_-]{43})")
_NOBODY = sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True, repr=False)
class CreatedKey:
    """A new key; its text is not available later."""

    text: str
    prefix: str

    @classmethod
    def make(cls) -> "CreatedKey":
        """A random key."""
        prefix = secrets.token_hex(4)
        return cls(text=f"larder_{prefix}_{secrets.token_urlsafe(32)}", prefix=prefix)

    def __repr__(self) -> str:
        return f"NewKey({self.prefix}, •••)"


class KeyRow(NamedTuple):
    """A stored key."""

    id: int
    name: str
    prefix: str
    hash: str
    scopes: Any
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


def hash_key(text: str) -> str:
    """The hash of a key."""
    return sha256(text.encode()).hexdigest()


def add(
    conn: Connection,
    key: CreatedKey,
    name: str,
    scopes: Sequence[Scope],
    *,
    expires_at: datetime | None = None,
    now: datetime,
) -> None:
    """Store a key."""
    row = {"name": name, "prefix": key.prefix, "hash": hash_key(key.text), "scopes": list(scopes)}
    conn.execute(insert(keys).values({**row, "created_at": now, "expires_at": expires_at}))


def find(conn: Connection, text: str, *, now: datetime) -> KeyRow | None:
    """The row of a valid key.

    An unknown prefix costs the same comparison as a wrong secret, so that timing does not tell them apart.
    """
    shape = _SHAPE.fullmatch(text)
    row = None
    if shape is not None:
        row = fetch_one_as(conn, select_as(keys, KeyRow).where(keys.c.prefix == shape["prefix"]), KeyRow)
    same = hmac.compare_digest(hash_key(text), _NOBODY if row is None else row.hash)
    return row if row is not None and same and is_usable(row, now) else None


def is_usable(row: KeyRow, now: datetime) -> bool:
    """Whether the key is neither revoked nor expired."""
    return row.revoked_at is None and (row.expires_at is None or row.expires_at > now)


def caller_from_row(row: KeyRow) -> Caller:
    """The caller of a key."""
    return Caller(name=row.name, scopes=frozenset(map(Scope, row.scopes)), key=row.prefix)


def is_stale(row: KeyRow, now: datetime) -> bool:
    """Whether the last use is to be written again."""
    return row.last_used_at is None or row.last_used_at <= now - LAST_USED_INTERVAL


def mark_used(conn: Connection, key_id: int, *, now: datetime) -> None:
    """Write the last use, unless it was just written."""
    stale = or_(keys.c.last_used_at.is_(None), keys.c.last_used_at <= now - LAST_USED_INTERVAL)
    conn.execute(update(keys).where(keys.c.id == key_id, stale).values(last_used_at=now))


def list_keys(conn: Connection) -> list[KeyRow]:
    """All keys, the latest first."""
    return fetch_as(conn, select_as(keys, KeyRow).order_by(keys.c.id.desc()), KeyRow)


def by_name(conn: Connection, name: str) -> KeyRow | None:
    """The key of that name or prefix that is not revoked."""
    condition = or_(keys.c.name == name, keys.c.prefix == name)
    return fetch_one_as(
        conn, select_as(keys, KeyRow).where(condition, keys.c.revoked_at.is_(None)).limit(1), KeyRow
    )


def revoke(conn: Connection, key_id: int, *, now: datetime) -> None:
    """Revoke a key."""
    conn.execute(update(keys).where(keys.c.id == key_id).values(revoked_at=now))
