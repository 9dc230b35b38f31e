"""Secrets by name: set, list, remove. Values are never shown."""

import re
from datetime import datetime

from larder.core.errors import BadInput, NotFound
from larder.core.model.hint import Hint
from larder.core.quoting import quoted
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.operations.access import secrets
from larder.store.operations.access.secrets import Secret, SecretCipher

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def list_names(conn: Connection) -> list[str]:
    """The names, never the values."""
    return secrets.list_names(conn)


def put(
    conn: Connection, name: str, value: Secret, box: SecretCipher, *, who: str, now: datetime
) -> list[str]:
    """Store a secret under a name; it replaces the one before."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"invalid secret name {quoted(name)}", hint="use letters, digits, - _ and . only")
    if not value:
        raise BadInput(
            "the secret is empty", hint=Hint(text="to delete it", action="secret.remove", target=name)
        )
    secrets.put(conn, name, value, box, now=now)
    audit.record(conn, "secret set", name, who=who, now=now)
    return list_names(conn)


def remove(conn: Connection, name: str, *, who: str, now: datetime) -> list[str]:
    """Delete a secret."""
    if not secrets.remove(conn, name):
        raise NotFound(f"there is no secret {quoted(name)}", hint=Hint(action="secret.list"))
    audit.record(conn, "secret removed", name, who=who, now=now)
    return list_names(conn)
