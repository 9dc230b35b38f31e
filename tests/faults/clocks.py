"""Virtual time with a life of its own."""

from collections.abc import Callable
from datetime import datetime

from larder.engine.clock import VirtualClock


class EventfulClock(VirtualClock):
    """Virtual time in which things happen by themselves."""

    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self.coming: list[tuple[datetime, Callable[[], None]]] = []

    def advance(self, moment: datetime) -> None:
        super().advance(moment)
        due = [happens for at, happens in self.coming if at <= self.now()]
        self.coming = [(at, happens) for at, happens in self.coming if at > self.now()]
        for happens in due:
            happens()
