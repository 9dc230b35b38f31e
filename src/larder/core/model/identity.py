"""The identity key of a record: the same key each time the thing is seen.

The site's own id beats its SKU, which beats the address. A value that cannot be a key (empty, with a
colon, too long) is skipped, never altered: two things must never share one key.
"""

import re
from hashlib import sha256

MAX_VALUE = 255
URL_DIGITS = 16
_NUMBER = re.compile(r"\d+")


def identity_key(
    *, platform_id: str | None = None, sku: str | None = None, canonical_url: str | None = None
) -> str | None:
    """`PID:…` > `SKU:…` > `URL:` + 16 hex digits; None where nothing identifies the thing."""
    if is_key_value(platform_id):
        return f"PID:{platform_id}"
    if is_key_value(sku):
        return f"SKU:{sku}"
    return url_key(canonical_url) if canonical_url else None


def url_key(canonical_url: str) -> str:
    """The key of a thing that only its address identifies."""
    return f"URL:{_hex(canonical_url)[:URL_DIGITS]}"


def performance_key(canonical_url: str, day: str) -> str:
    """The key of one performance of a production: they share its address, not their day."""
    return url_key(f"{canonical_url}#{day}")


def show_key(key: str, clock: str) -> str:
    """The key of one of several shows a day that share a key: they differ in their time alone."""
    return url_key(f"{key}#{clock}")


def show_fingerprint(day_fingerprint: str, clock: str) -> str:
    """The fingerprint of one of several shows a day."""
    return _hex("\x1f".join((day_fingerprint, clock)))


def are_siblings(one: str | None, other: str | None) -> bool:
    """Whether two addresses differ in their numbers alone; their site then counts them as two things."""
    if not one or not other or one == other:
        return False
    return _NUMBER.sub("0", one) == _NUMBER.sub("0", other)


def is_key_value(value: str | None) -> bool:
    """Non-empty, no colon, at most 255 characters."""
    return value is not None and 0 < len(value) <= MAX_VALUE and ":" not in value


def event_fingerprint(*, title: str, date: str, source: str) -> str:
    """The same event of the same source, whatever its address is now."""
    return _hex("\x1f".join((title.casefold(), date[:10], source)))


def _hex(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
