"""The state of one call of an actor, and where it is stored.

It is stored with the job before every wait and before every start, so that it survives a crash.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from larder.core.model.source import Source
from larder.core.policy.quota import Quota
from larder.core.policy.retry import ACTOR_TIMEOUT, ActorFault
from larder.stages.fetch.actor.provider import ActorError, ActorRun, RunInput

MAX_ITEMS = 100
KEY = "larderKey"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorCall:
    """The state of one call."""

    asked_at: datetime | None = None
    """When a start was about to be sent."""
    run_id: str | None = None
    attempt: int = 1
    timeout: timedelta = ACTOR_TIMEOUT
    faults: Mapping[str, int] = field(default_factory=dict)
    counted: str | None = None
    """The run whose cost is already counted."""
    said: str = ""
    """The last error, for people."""

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
        """The call from its stored form; None: it has not begun."""
        if not stored:
            return cls()
        payload, timeout = stored["asked_at"], timedelta(seconds=stored["timeout"])
        moment = None if payload is None else datetime.fromtimestamp(payload, UTC)
        return cls(**{**stored, "asked_at": moment, "timeout": timeout})

    def next_attempt(self, timeout: timedelta) -> "ActorCall":
        """The state for another start, after a run was given up."""
        return replace(self, asked_at=None, run_id=None, attempt=self.attempt + 1, timeout=timeout)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorJob:
    """The job and the source of a call."""

    job_id: int
    run_id: int
    token: int
    url: str
    source: Source
    context: Mapping[str, Any] = field(default_factory=dict)


class CallStore(Protocol):
    """Stores calls of actors and counts their cost."""

    async def keep(self, job: ActorJob, call: ActorCall, *, cost: float = 0) -> bool:
        """Store a call with its job and count its cost; False if another driver has the job now."""
        ...

    async def quota(self) -> Quota:
        """The rest of the operator's budget."""
        ...

    async def quota_spent(self, source: Source, message: str) -> None:
        """Alert that a run was not started because the budget is spent."""
        ...


class JobTakenError(Exception):
    """The job was given to another driver."""


@dataclass(slots=True, kw_only=True)
class CallStep:
    """One step of a call: it changes the call's state and stores it."""

    job: ActorJob
    actor: str
    call: ActorCall
    calls: CallStore

    @property
    def most(self) -> int:
        """The number of wanted items."""
        return self.job.source.max_items_per_run or MAX_ITEMS

    def run_input(self) -> RunInput:
        """The input of the run; equal for every try of an attempt, so that its run is recognized."""
        source = self.job.source
        declared = source.params.get("input")
        default = {"startUrls": [{"url": source.url}], "maxItems": self.most}
        payload = dict(declared) if isinstance(declared, Mapping) else default
        if source.params.get("actor_key", True):
            payload[KEY] = f"{source.slug}/{self.job.run_id}/{self.job.job_id}/{self.call.attempt}"
        return RunInput(actor=self.actor, input=payload, timeout=self.call.timeout, most=self.most)

    async def keep(self, *, cost: float = 0, **changes: Any) -> None:
        """Store the call; JobTakenError if another driver has the job now."""
        self.call = replace(self.call, **changes)
        if not await self.calls.keep(self.job, self.call, cost=cost):
            raise JobTakenError

    async def count(self, run: ActorRun) -> None:
        """Count the cost of a run, once."""
        if self.call.counted != run.id:
            await self.keep(cost=run.cost, counted=run.id)

    async def provider_answered(self) -> None:
        """Reset the counts of provider failures; timeouts of the actor add up."""
        lasting = {kind: n for kind, n in self.call.faults.items() if kind == ActorFault.TIMEOUT}
        if lasting != dict(self.call.faults):
            await self.keep(faults=lasting)

    async def failed(self, error: ActorError, faults: int, allowed: timedelta) -> None:
        """Count a fault; after a timeout the next try is another run."""
        counted = {**self.call.faults, str(error.fault): faults}
        if error.fault is ActorFault.TIMEOUT:
            self.call = self.call.next_attempt(allowed)
        await self.keep(faults=counted, said=str(error))
