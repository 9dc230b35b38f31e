"""A database that is patient with itself: what may pass is waited for, and only then told.

A unit of work is whole or nothing, so it can be done again. How often, and after how long, is the policy's
to say (`core.policy.degradation`); waiting is the clock's, so virtual time waits for nothing.
"""

import logging
from collections import Counter
from typing import ParamSpec, TypeVar

from larder.core.policy.degradation import DatabaseFault, Remedy, WriteFailureAction, write_failure_action
from larder.core.ports import Clock
from larder.store.database import Database, Work
from larder.store.database.write_errors import database_fault

log = logging.getLogger("larder.database")

P = ParamSpec("P")
T = TypeVar("T")


class RetryingDatabase:
    """Another database, with patience; what outlasts it is raised as it came."""

    def __init__(self, inner: Database, clock: Clock) -> None:
        self._inner = inner
        self._clock = clock

    async def run(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit of work, if need be again and again."""
        faults: Counter[DatabaseFault] = Counter()
        while True:
            try:
                return await self._inner.run(work, *args, **kwargs)
            except Exception as error:
                said = _answered(error, faults)
                if said is None or said.remedy is not Remedy.RETRY:
                    raise
                log.warning("%s; again in %d s", _named(error), said.wait.total_seconds())
                await self._clock.sleep_until(self._clock.now() + said.wait)

    async def read(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """A look need not be waited for: whoever asked asks again."""
        return await self._inner.read(work, *args, **kwargs)

    async def close(self) -> None:
        """Let go of every connection."""
        await self._inner.close()


def _answered(error: Exception, faults: Counter[DatabaseFault]) -> WriteFailureAction | None:
    fault = database_fault(error)
    if fault is None:
        return None
    faults[fault] += 1
    return write_failure_action(fault, faults=faults[fault])


def _named(error: Exception) -> str:
    return f"the database does not answer as it should ({type(error).__name__})"
