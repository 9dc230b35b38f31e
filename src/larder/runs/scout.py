"""Scout: searches the places of a region for agendas, one after the other; its run has no source.

The state is the checkpoint: it is saved with each place, and names the place that is under way, so that an
interrupted run continues with it.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from larder.core.model.run import RunStatus
from larder.core.policy.scout import MAX_FAILED_QUERIES, MAX_WAITS


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoutState:
    """How far a scout is."""

    most: int
    """Places to search."""
    place: int | None = None
    """The place that is under way."""
    completed: int = 0
    failed: int = 0
    left: tuple[int, ...] = field(default=())
    """Places left for the next scout, as the provider was down and nothing was cached."""
    cached: int = 0
    """Queries that were answered from the cache."""
    asked: int = 0
    failed_queries: int = 0
    """In a row."""
    limits: int = 0
    """Rate limits in a row."""
    provider_off: str = ""
    """Why this run asks the provider no more."""
    judge_failures: int = 0
    """Pages that the language model did not judge."""

    @classmethod
    def of(cls, state: dict[str, Any]) -> Self:
        """From a run's stored state."""
        return cls(**{**state, "left": tuple(state.get("left", ()))})

    def to_json(self) -> dict[str, Any]:
        """The state as JSON."""
        return asdict(self)

    @property
    def done(self) -> bool:
        """Whether the limit of places is reached."""
        return self.completed + self.failed + len(self.left) >= self.most

    def begin(self, place: int) -> Self:
        """Marks a place as being searched."""
        return replace(self, place=place)

    def complete(self, *, judge_failures: int = 0) -> Self:
        """Marks the current place as searched."""
        failures = self.judge_failures + judge_failures
        return replace(self, place=None, completed=self.completed + 1, judge_failures=failures)

    def fail(self) -> Self:
        """Marks the current place as failed."""
        return replace(self, place=None, failed=self.failed + 1)

    def leave(self) -> Self:
        """Leave the current place for the next scout."""
        return replace(self, place=None, left=(*self.left, self.place or 0))

    def answered(self, *, cached: bool) -> Self:
        """Count an answered query; an answer of the provider resets its failures."""
        if cached:
            return replace(self, cached=self.cached + 1)
        return replace(self, asked=self.asked + 1, failed_queries=0, limits=0)

    def limited(self) -> Self:
        """Count a rate limit of the provider; after too many in a row it counts as down."""
        off = "rate limited for too long" if self.limits + 1 >= MAX_WAITS else self.provider_off
        return replace(self, limits=self.limits + 1, provider_off=off)

    def query_failed(self, why: str) -> Self:
        """Count a query without an answer; after too many in a row this run asks the provider no more."""
        off = why if self.failed_queries + 1 >= MAX_FAILED_QUERIES else self.provider_off
        return replace(self, failed_queries=self.failed_queries + 1, provider_off=off)

    def switched_off(self, why: str) -> Self:
        """Ask the provider no more in this run."""
        return replace(self, provider_off=why)

    def status(self) -> RunStatus:
        """How the run ended; one that searched nothing although it had places failed."""
        if not self.failed and not self.left and not self.provider_off:
            return RunStatus.COMPLETED
        return RunStatus.PARTIAL if self.completed else RunStatus.FAILED
