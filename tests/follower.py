"""A downstream system that knows Larder by its change feed alone."""

from collections.abc import Awaitable, Callable
from typing import Any

Ask = Callable[[str | None], Awaitable[dict[str, Any]]]


class Follower:
    """Keeps what lines bring, lets go of what they bring no more. That is all there is to it."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.cursor: str | None = None
        self.kept: dict[int, dict[str, Any]] = {}

    async def catch_up(self) -> None:
        """Read on until there is no more."""
        more = True
        while more:
            more = await self.look()

    async def look(self) -> bool:
        """One page; the cursor moves when all of it was taken in."""
        page = await self._ask(self.cursor)
        for line in page["changes"]:
            if line["record"] is None:
                self.kept.pop(line["record_id"], None)
            else:
                self.kept[line["record_id"]] = line["record"]
        self.cursor = page["next"]
        return bool(page["more"])

    def facts(self) -> dict[int, tuple[Any, ...]]:
        """What it believes, without what time alone changes."""
        return {number: told(record) for number, record in self.kept.items()}


def told(record: dict[str, Any]) -> tuple[Any, ...]:
    """What a record says that no clock can change."""
    names = ("source", "title", "url", "price_minor", "currency", "seller", "content", "active")
    return tuple(record[name] for name in names)
