"""The resolver: which records of several sources are about one thing.

Two records in, a score with its reasons out. Records are compared only if they share a key (a code, a maker
with a model, a house, a day with a word), so that work grows with what changed and never with the table.
Below the threshold two records are not linked.
"""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from types import MappingProxyType

from larder.core.model.source import Kind
from larder.stages.persist.resolve import events, flats, products
from larder.stages.persist.resolve.facts import BAR, Facts, FeatureScore, Judgement

__all__ = ["BAR", "Facts", "FeatureScore", "Judgement", "judge", "keys"]

MAX_KEYS = 12

_KEYS: MappingProxyType[Kind, Callable[[Facts], Iterator[str]]] = MappingProxyType(
    {Kind.PRODUCT: products.keys, Kind.LISTING: flats.keys, Kind.EVENT: events.keys}
)
_JUDGES: MappingProxyType[Kind, Callable[[Facts, Facts], Judgement]] = MappingProxyType(
    {Kind.PRODUCT: products.judge, Kind.LISTING: flats.judge, Kind.EVENT: events.judge}
)


def keys(facts: Facts) -> list[int]:
    """The numbers under which a record is found by others that may be the same thing."""
    prefixed = dict.fromkeys(f"{facts.kind}:{key}" for key in _KEYS[facts.kind](facts))
    return [_number(key) for key in list(prefixed)[:MAX_KEYS]]


def judge(a: Facts, b: Facts) -> Judgement:
    """How likely two records of one kind are the same entity, and why."""
    return _JUDGES[a.kind](a, b)


def _number(key: str) -> int:
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), signed=True)
