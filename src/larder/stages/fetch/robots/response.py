"""The meaning of the response to a request for robots.txt, and how long it is valid.

A missing file restricts nothing. A site whose robots.txt cannot be fetched permits nothing: after three
failed attempts it is closed, and the file is requested again every ten minutes.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from larder.stages.fetch.robots.policy import MAX_BYTES, Robots

FRESH = timedelta(hours=24)
TRIES = 3
TRY_AGAIN = timedelta(seconds=10)
ASK_CLOSED_AGAIN = timedelta(minutes=10)
MAX_WAIT = timedelta(hours=24)
CRAWL_DELAY = timedelta(seconds=2)
MIN_DELAY = timedelta(seconds=1)
MAX_DELAY = timedelta(seconds=60)


class RobotsState(StrEnum):
    """The state of an origin's robots.txt."""

    RULES = "rules"
    OPEN = "open"
    CLOSED = "closed"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsEntry:
    """The stored robots.txt of an origin, for all workers."""

    state: RobotsState
    fetched_at: datetime
    expires_at: datetime
    status: int | None = None
    body: str = ""
    tries: int = 0
    """Failed attempts in a row."""
    crawl_delay: timedelta = CRAWL_DELAY


class RobotsCache(Protocol):
    """Stores entries; the database's cache is shared by all workers."""

    async def get(self, origin: str) -> RobotsEntry | None:
        """The stored entry, expired or not."""
        ...

    async def put(self, origin: str, entry: RobotsEntry) -> None:
        """Store an entry; the lane obeys its crawl-delay."""
        ...


class MemoryRobotsCache:
    """A cache for one process."""

    def __init__(self) -> None:
        self._entries: dict[str, RobotsEntry] = {}

    async def get(self, origin: str) -> RobotsEntry | None:
        """The stored entry, expired or not."""
        return self._entries.get(origin)

    async def put(self, origin: str, entry: RobotsEntry) -> None:
        """Store an entry."""
        self._entries[origin] = entry


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsAnswer:
    """The result of a request for robots.txt after redirects; no status: it failed."""

    status: int | None = None
    body: bytes = b""
    retry_at: datetime | None = None


def entry_for(
    answer: RobotsAnswer, *, before: RobotsEntry | None, now: datetime, strict: bool
) -> RobotsEntry:
    """The entry for a response, considering earlier failures; the crawl-delay is set when it is parsed."""
    match _state(answer.status, strict=strict):
        case RobotsState.RULES:
            return RobotsEntry(
                state=RobotsState.RULES,
                status=answer.status,
                body=as_text(answer.body),
                fetched_at=now,
                expires_at=now + FRESH,
            )
        case RobotsState.UNDECIDED:
            return _failed(answer, tries=(before.tries if before else 0) + 1, now=now)
        case state:
            return RobotsEntry(state=state, status=answer.status, fetched_at=now, expires_at=now + FRESH)


def with_crawl_delay(entry: RobotsEntry, robots: Robots, agent: str) -> RobotsEntry:
    """The entry with the site's crawl-delay, bounded."""
    delay = robots.crawl_delay(agent)
    if delay is None:
        return entry
    seconds = min(max(delay, MIN_DELAY.total_seconds()), MAX_DELAY.total_seconds())
    return replace(entry, crawl_delay=timedelta(seconds=seconds))


def as_text(body: bytes) -> str:
    """A text that any database stores; a NUL ends its line, like a `#`."""
    return body[:MAX_BYTES].decode("utf-8", "replace").replace("\0", "#")


def _state(status: int | None, *, strict: bool) -> RobotsState:
    match status:
        case None | 429:
            return RobotsState.UNDECIDED
        case 401 | 403:
            return RobotsState.CLOSED if strict else RobotsState.OPEN
        case _ if 200 <= status < 300:
            return RobotsState.RULES
        case _ if 400 <= status < 500:
            return RobotsState.OPEN
        case _:
            return RobotsState.UNDECIDED


def _failed(answer: RobotsAnswer, *, tries: int, now: datetime) -> RobotsEntry:
    closed = tries >= TRIES
    wait = ASK_CLOSED_AGAIN if closed else TRY_AGAIN * tries
    delay = answer.retry_at - now if answer.retry_at else timedelta(0)
    return RobotsEntry(
        state=RobotsState.CLOSED if closed else RobotsState.UNDECIDED,
        status=answer.status,
        tries=tries,
        fetched_at=now,
        expires_at=now + min(max(wait, delay), MAX_WAIT),
    )
