"""Secrets at rest: named, encrypted with the deployment's own key, never shown.

AES-GCM with a fresh nonce for each value and the name as associated data: a value copied under another name
does not decrypt. A `Secret` prints as dots in logs, reprs and errors; only `reveal` returns its value.
Without a key, storing a secret is refused with the next step; it is never stored unencrypted.
"""

import base64
import binascii
import os
from dataclasses import dataclass
from datetime import datetime
from typing import NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, delete, insert, select

from larder.core.errors import Unusable
from larder.core.quoting import quoted
from larder.store.tables import secrets

KEY_BYTES = 32
NONCE_BYTES = 12
_VERSION = "v1."
_MAKE_ONE = 'make one with: python -c "import secrets; print(secrets.token_urlsafe(32))"'


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A value that is not printed or logged."""

    _value: str

    def reveal(self) -> str:
        """The value; do not log or print it."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Secret(•••)"

    def __str__(self) -> str:
        return "•••"

    def __format__(self, spec: str) -> str:
        return "•••"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not to be pickled")


class SecretCipher:
    """Encrypts and decrypts values with the deployment's key."""

    def __init__(self, key: str) -> None:
        self._cipher = AESGCM(_key(key)) if key else None

    def close(self, name: str, value: Secret) -> str:
        """Encrypt a value."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._open_cipher().encrypt(nonce, value.reveal().encode(), name.encode())
        return _VERSION + base64.urlsafe_b64encode(nonce + sealed).decode()

    def open(self, name: str, stored: str) -> Secret:
        """Decrypt the value of this name."""
        cipher = self._open_cipher()
        try:
            raw = base64.urlsafe_b64decode(stored.removeprefix(_VERSION))
            return Secret(cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], name.encode()).decode())
        except (InvalidTag, ValueError):
            raise Unusable(
                f"the secret {quoted(name)} cannot be opened with this LARDER_SECRET_KEY",
                hint="set the key it was stored with, or store the secret again",
            ) from None

    def opens(self, name: str, stored: str) -> bool:
        """Whether the value of this name can be decrypted."""
        try:
            return self.open(name, stored) is not None
        except Unusable:
            return False

    def _open_cipher(self) -> AESGCM:
        if self._cipher is None:
            raise Unusable("secrets need a key: LARDER_SECRET_KEY is not set", hint=_MAKE_ONE)
        return self._cipher


def _key(text: str) -> bytes:
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise Unusable(f"LARDER_SECRET_KEY is not {KEY_BYTES} bytes in base64", hint=_MAKE_ONE)
    return key


def put(conn: Connection, name: str, value: Secret, box: SecretCipher, *, now: datetime) -> None:
    """Store a secret under a name, replacing an earlier one."""
    closed = box.close(name, value)
    conn.execute(delete(secrets).where(secrets.c.name == name))
    conn.execute(insert(secrets).values(name=name, ciphertext=closed, updated_at=now))


def get(conn: Connection, name: str, box: SecretCipher) -> Secret | None:
    """A secret by its name."""
    stored = conn.scalar(select(secrets.c.ciphertext).where(secrets.c.name == name))
    return None if stored is None else box.open(name, stored)


def remove(conn: Connection, name: str) -> bool:
    """Delete a secret; False if there was none."""
    return bool(conn.execute(delete(secrets).where(secrets.c.name == name)).rowcount)


def list_names(conn: Connection) -> list[str]:
    """The names of all secrets."""
    return list(conn.scalars(select(secrets.c.name).order_by(secrets.c.name)))


def list_unreadable(conn: Connection, box: SecretCipher) -> list[str]:
    """The names of secrets that this key cannot decrypt."""
    stored = conn.execute(select(secrets.c.name, secrets.c.ciphertext).order_by(secrets.c.name))
    return [row.name for row in stored if not box.opens(row.name, row.ciphertext)]
