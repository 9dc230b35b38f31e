"""What is known of one call of an actor, and where it is written down.

All of it survives the process: it is stored with the job before every wait and before every start.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from larder.core.model.source import Source
from larder.core.policy.quota import Quota
from larder.core.policy.retry import ACTOR_TIMEOUT, ActorFault
from larder.stages.fetch.actor.provider import ActorError, ActorRun, RunInput

MOST_ITEMS = 100
KEY = "larderKey"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorCall:
    """What is known of one call; all of it survives the process."""

    asked_at: datetime | None = None
    """A start was about to be sent."""
    run_id: str | None = None
    attempt: int = 1
    timeout: timedelta = ACTOR_TIMEOUT
    faults: Mapping[str, int] = field(default_factory=dict)
    counted: str | None = None
    """The run whose cost is in the quota already."""
    said: str = ""
    """The last trouble, for people."""

    def stored(self) -> dict[str, Any]:
        """The call as JSON."""
        return {
            "asked_at": self.asked_at.timestamp() if self.asked_at else None,
            "run_id": self.run_id,
            "attempt": self.attempt,
            "timeout": self.timeout.total_seconds(),
            "faults": dict(self.faults),
            "counted": self.counted,
            "said": self.said,
        }

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "ActorCall":
        """From JSON; nothing stored is a call not yet begun."""
        if not stored:
            return cls()
        payload, timeout = stored["asked_at"], timedelta(seconds=stored["timeout"])
        moment = None if payload is None else datetime.fromtimestamp(payload, UTC)
        return cls(**{**stored, "asked_at": moment, "timeout": timeout})

    def again(self, timeout: timedelta) -> "ActorCall":
        """The next start, after a run that is given up."""
        return replace(self, asked_at=None, run_id=None, attempt=self.attempt + 1, timeout=timeout)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorJob:
    """Whose dataset is asked for, on behalf of which job."""

    job_id: int
    run_id: int
    token: int
    url: str
    source: Source
    context: Mapping[str, Any] = field(default_factory=dict)


class CallBook(Protocol):
    """Stores calls of actors and counts their cost."""

    async def keep(self, job: ActorJob, call: ActorCall, *, cost: float = 0) -> bool:
        """Store a call with its job and count its cost; False where another driver has the job now."""
        ...

    async def quota(self) -> Quota:
        """The rest of the operator's budget."""
        ...

    async def quota_spent(self, source: Source, message: str) -> None:
        """Alert that a run was not started because the budget is spent."""
        ...


class NotOursError(Exception):
    """The job was given to another driver."""


@dataclass(slots=True, kw_only=True)
class CallStep:
    """One step of a call: what was known before it, and what it adds."""

    job: ActorJob
    actor: str
    call: ActorCall
    book: CallBook

    @property
    def most(self) -> int:
        """How many items are wanted."""
        return self.job.source.max_items_per_run or MOST_ITEMS

    def order(self) -> RunInput:
        """The same for every try of the same attempt: that is how a run is recognised as ours."""
        source = self.job.source
        declared = source.params.get("input")
        default = {"startUrls": [{"url": source.url}], "maxItems": self.most}
        payload = dict(declared) if isinstance(declared, Mapping) else default
        if source.params.get("actor_key", True):
            payload[KEY] = f"{source.slug}/{self.job.run_id}/{self.job.job_id}/{self.call.attempt}"
        return RunInput(actor=self.actor, input=payload, timeout=self.call.timeout, most=self.most)

    async def keep(self, *, cost: float = 0, **changes: Any) -> None:
        """Write the call down, if the job is still ours."""
        self.call = replace(self.call, **changes)
        if not await self.book.keep(self.job, self.call, cost=cost):
            raise NotOursError

    async def count(self, run: ActorRun) -> None:
        """A run's cost is counted once, however often it is looked at."""
        if self.call.counted != run.id:
            await self.keep(cost=run.cost, counted=run.id)

    async def went_well(self) -> None:
        """An answer came: troubles on the way to the provider are over; timeouts are the actor's own."""
        lasting = {kind: n for kind, n in self.call.faults.items() if kind == ActorFault.TIMEOUT}
        if lasting != dict(self.call.faults):
            await self.keep(faults=lasting)

    async def struck(self, error: ActorError, faults: int, allowed: timedelta) -> None:
        """One more fault of its kind; after a timeout the next try is another run."""
        counted = {**self.call.faults, str(error.fault): faults}
        if error.fault is ActorFault.TIMEOUT:
            self.call = self.call.again(allowed)
        await self.keep(faults=counted, said=str(error))
