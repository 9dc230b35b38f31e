"""Shuffles the tests by a seed that is printed, so that none can rely on another having run before it.

Tests of one group (they share what their module makes) stay together. `LARDER_TEST_SEED` repeats an order.
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


def shuffled(items: Sequence[T], group_of: Callable[[T], Hashable], given: str) -> list[T]:
    """The items in the order of that seed: groups shuffled, and the items of each group."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    chance = random.Random(given)
    order = list(groups.values())
    chance.shuffle(order)
    for group in order:
        chance.shuffle(group)
    return [item for group in order for item in group]
