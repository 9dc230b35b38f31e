"""Cursors of record lists: the sort key and id of the last row of a page, encoded as text.

A cursor belongs to its query: with another one, or altered, it is refused. It holds a key and an id, so it
stays valid while records are added and removed.
"""

import binascii
import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

import orjson

from larder.core.errors import BadInput
from larder.store.reads.query import Query

MAX_CURSOR = 200
"""No cursor of ours is longer."""


@dataclass(frozen=True, slots=True)
class CursorKey:
    """The sort key and id of the last row of a page."""

    key: float
    id: int


def encode(place: CursorKey, query: Query) -> str:
    """The cursor of the rows after `place`."""
    packed = orjson.dumps([_digest(query), place.key, place.id])
    return urlsafe_b64encode(packed).decode().rstrip("=")


def decode(cursor: str, query: Query) -> CursorKey:
    """The place that a cursor of this query stands for."""
    try:
        digest, key, record_id = orjson.loads(urlsafe_b64decode(_padded(cursor)))
    except (ValueError, TypeError, binascii.Error) as error:
        raise _refused() from error
    if digest != _digest(query) or not _whole(record_id) or not (_whole(key) or isinstance(key, float)):
        raise _refused()
    return CursorKey(key, record_id)


def _padded(cursor: str) -> bytes:
    if len(cursor) > MAX_CURSOR:
        raise ValueError("longer than any cursor")
    return (cursor + "=" * (-len(cursor) % 4)).encode("ascii")


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _digest(query: Query) -> str:
    """A digest of the query without its page and limit."""
    values = {name: getattr(query, name) for name in Query.__dataclass_fields__}
    values |= {"after": None, "limit": 1, "sort": query.order}
    return hashlib.sha256(orjson.dumps(values, default=str, option=orjson.OPT_SORT_KEYS)).hexdigest()[:12]


def _refused() -> BadInput:
    return BadInput(
        "the cursor belongs to another query", hint="use the `next` of its last answer, or leave it out"
    )
