"""The permit to send one request, and the refusals.

The client sends nothing without a permit, only the gate issues them, and each is valid for one request
before its slot closes. So no request bypasses the guard, the site's terms, its robots.txt and its lane.
"""

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from larder.core.model.job import Slot
from larder.core.model.outcome import FetchOutcome
from larder.store.operations.proxies import Proxy

StepListener = Callable[[str, str], None]
"""Called for each step with its name and its outcome."""

GATE_SEAL = object()
"""Known to the gate alone; a test checks that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why no request was sent.

    `waiting`: it only waits for its slot, so the job's attempts are not counted.
    """

    outcome: FetchOutcome
    reason: str
    retry_at: datetime | None = None
    waiting: bool = False

    @classmethod
    def wait(cls, reason: str, *, until: datetime) -> "Refusal":
        """Refuse a request until its slot at `until`."""
        return cls(outcome=FetchOutcome.ERROR, reason=reason, retry_at=until, waiting=True)

    @classmethod
    def never(cls, reason: str) -> "Refusal":
        """Refuse a request for good."""
        return cls(outcome=FetchOutcome.ERROR, reason=reason)


class Slots(Protocol):
    """Reserves further slots: for robots.txt and the next hop of a redirect."""

    async def reserve(self, url: str) -> Slot | Refusal:
        """A slot on the lane of this URL's site."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How one fetch goes through a proxy."""

    proxy: Proxy
    slot: Slot
    """The slot of its first request, on the lane of this proxy and the site."""
    slots: Slots
    """Slots for robots.txt and further hops."""
    report: Callable[[bool, timedelta], None]
    """Called after each request: whether a response came, and after how long."""


class Routes(Protocol):
    """Chooses proxies."""

    async def choose(self, url: str) -> Route | Refusal:
        """The next proxy for this URL's site."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permit:
    """One request to `url`, no later than `closes_at`."""

    url: str
    local: bool
    closes_at: datetime
    route: Route | None = None
    """None: a direct connection."""
    seal: InitVar[object]
    _unspent: list[bool] = field(default_factory=lambda: [True], init=False, repr=False)

    def __post_init__(self, seal: object) -> None:
        if seal is not GATE_SEAL:
            raise TypeError("only the gate creates permits")

    def spend(self) -> None:
        """Use the permit; a second time is an error."""
        if not self._unspent:
            raise RuntimeError("this permit was used already")
        self._unspent.clear()
