"""Makes values storable in both databases.

Pages contain anything: a NUL, half a surrogate pair or a number of thirty digits in one field would make a
database or its driver refuse the whole batch. Such a value is replaced here, in the same way for both.
"""

from typing import Any

import orjson

_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
_LARGEST = 2**63
_NUL = b"\\u0000"


def dumps(value: Any) -> bytes:
    """A value as JSON; equal values give equal bytes.

    Integers above 53 bits take a slower path: orjson writes up to 2**64 - 1, SQLite reads up to 2**63 - 1.
    """
    try:
        packed = orjson.dumps(value, _plain, _OPTIONS | orjson.OPT_STRICT_INTEGER)
    except TypeError:
        return orjson.dumps(make_safe(value), option=_OPTIONS)
    return orjson.dumps(make_safe(value), option=_OPTIONS) if _NUL in packed else packed


def _plain(value: Any) -> Any:
    """A `NamedTuple` as a list; orjson itself supports only plain tuples."""
    if isinstance(value, tuple):
        return tuple(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def safe_text(value: str) -> str:
    """Text without NUL and without lone surrogates."""
    text = value.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def make_safe(value: Any) -> Any:
    """A copy without anything that a database refuses."""
    match value:
        case str():
            return safe_text(value)
        case int() if not -_LARGEST <= value < _LARGEST:
            return str(value)
        case dict():
            return {make_safe(key): make_safe(each) for key, each in value.items()}
        case list() | tuple():
            return [make_safe(each) for each in value]
        case _:
            return value
