"""Figures over the whole dataset, kept for as long as they are dear.

Counting a million records takes a while, and a page that stays live would ask for it again and again. What
was worked out is kept for twenty times as long as it took: whoever looks waits once, and looking never costs
more than a twentieth of the machine.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")

COST_FACTOR = 20


@dataclass(slots=True)
class CountCache(Generic[T]):
    """One figure, or one set of figures."""

    wall: Callable[[], float] = time.monotonic
    _value: T | None = None
    _until: float = 0.0
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(self, work_out: Callable[[], Awaitable[T]]) -> T:
        """What is kept, or what is worked out now; many who ask at once wait for the same answer."""
        async with self._one:
            if self._value is None or self.wall() >= self._until:
                began = self.wall()
                self._value = await work_out()
                self._until = self.wall() + COST_FACTOR * (self.wall() - began)
            return self._value
