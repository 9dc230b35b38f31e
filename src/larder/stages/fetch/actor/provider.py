"""The interface of a provider of hosted actors, and the error that it raises."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from larder.core.policy.retry import ActorFault

API_TIMEOUT = timedelta(seconds=30)


class ActorError(Exception):
    """A call failed. `fault`: its row of the retry table; None: it is not tried again."""

    def __init__(self, text: str, *, fault: ActorFault | None, status: int | None = None) -> None:
        super().__init__(text)
        self.fault = fault
        self.status = status


class RunState(StrEnum):
    """The state of an actor's run."""

    UNDER_WAY = "under_way"
    DONE = "done"
    TIMED_OUT = "timed_out"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorRun:
    """One run of an actor, at the provider."""

    id: str
    state: RunState
    dataset: str
    started_at: datetime
    finished_at: datetime | None = None
    cost: float = 0
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInput:
    """The input of an actor's run."""

    actor: str
    input: Mapping[str, Any]
    timeout: timedelta
    most: int
    """Items."""


class ActorApi(Protocol):
    """The operations that a provider of actors must offer."""

    async def check_limits(self) -> None:
        """Raise ActorError if the account's own rate limit or budget leaves no room for a run."""
        ...

    async def start(self, order: RunInput) -> ActorRun:
        """Start a run."""
        ...

    async def find(self, order: RunInput, *, since: datetime) -> ActorRun | None:
        """The run that was started with this input, if any."""
        ...

    async def read_run(self, run_id: str) -> ActorRun:
        """The state of a run."""
        ...

    async def abort(self, run_id: str) -> None:
        """Abort a run."""
        ...

    async def items(self, dataset: str, *, most: int) -> list[Any]:
        """The items that a run collected."""
        ...
