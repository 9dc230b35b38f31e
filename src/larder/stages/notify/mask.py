"""Masks addresses of channels, which are secrets: anyone who knows one can send to it.

Only a useless part is shown, and every part of an address is removed from a service's responses before these
are stored or shown.
"""

import re
from urllib.parse import quote, unquote, urlsplit

HIDDEN = "***"
MIN_SECRET_LENGTH = 6
"""Shorter parts of an address are words, not secrets."""


def masked_address(url: str) -> str:
    """The visible form of an address: the host of a web address, of others only the service."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        return f"{parts.scheme}:"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}/{HIDDEN}"


def without_secrets(url: str, text: str) -> str:
    """The text without any usable part of the address."""
    for secret in sorted(_secrets(url), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def _secrets(url: str) -> set[str]:
    parts = urlsplit(url)
    host = parts.hostname if parts.scheme in ("http", "https") else None
    pieces = {piece for piece in re.split(r"[/?&=#@:;,]+", url.removeprefix(f"{parts.scheme}:")) if piece}
    pieces = {piece for piece in pieces if len(piece) >= MIN_SECRET_LENGTH and piece.lower() != host}
    spellings = {spelled for piece in pieces for spelled in (piece, unquote(piece), quote(piece, safe=""))}
    secrets = {url, parts.path} if len(parts.path) >= MIN_SECRET_LENGTH else {url}
    return {secret for secret in secrets | spellings if secret}
