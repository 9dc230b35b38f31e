"""The states of one item over time: computed as far as needed, the same in whatever order they are read.

Each state follows from the one before and from the random generator, so that an item's history is a
function of its seed. The cache is only for speed.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import datetime
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")
Following = Callable[[Random, datetime, T], tuple[datetime, T] | None]
"""When the next state begins, and what it is; None: this one lasts."""


class StateTimeline(Generic[T]):
    """The states of one item, each with the moment from which it holds."""

    def __init__(self, chance: Random, since: datetime, first: T, following: Following[T]) -> None:
        self._chance = chance
        self._moments = [since]
        self._states = [first]
        self._following = following
        self._ended = False

    def at(self, moment: datetime) -> T | None:
        """The state at `moment`; None before the first."""
        self._reach(moment)
        place = bisect_right(self._moments, moment)
        return self._states[place - 1] if place else None

    def before(self, moment: datetime) -> T | None:
        """The state before the one at `moment`; None if there was none."""
        self._reach(moment)
        place = bisect_right(self._moments, moment)
        return self._states[place - 2] if place > 1 else None

    def between(self, since: datetime, until: datetime) -> Sequence[tuple[datetime, T]]:
        """The states that began after `since`, up to and including `until`."""
        self._reach(until)
        first, end = (bisect_right(self._moments, moment) for moment in (since, until))
        return list(zip(self._moments[first:end], self._states[first:end], strict=True))

    def _reach(self, moment: datetime) -> None:
        while not self._ended and self._moments[-1] <= moment:
            found = self._following(self._chance, self._moments[-1], self._states[-1])
            if found is None:
                self._ended = True
                return
            self._moments.append(found[0])
            self._states.append(found[1])
