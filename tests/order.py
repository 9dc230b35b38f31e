"""Shuffles the tests by a seed that is printed, so that none can rely on another having run before it.

Tests of one group share what their module makes: they stay together, in the order of their file. Those that
take long begin first, so that no worker has one left when the others are done. `LARDER_TEST_SEED` repeats an
order.
"""

import os
import random
import secrets
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")

SEED = "LARDER_TEST_SEED"
"""The controller sets it for its workers, which must collect in the same order."""


def seed() -> str:
    """The seed of this run; drawn once."""
    return os.environ.setdefault(SEED, str(secrets.randbelow(1_000_000)))


def shuffled(
    items: Sequence[T], group_of: Callable[[T], Hashable], given: str, takes_long: Callable[[T], bool]
) -> list[T]:
    """The items in the order of that seed: groups are shuffled, the items of a group keep their order."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    chance = random.Random(given)
    order = list(groups.values())
    chance.shuffle(order)
    order.sort(key=lambda group: not takes_long(group[0]))
    return [item for group in order for item in group]
