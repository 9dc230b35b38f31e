"""Retries transient database errors with backoff.

A unit of work is atomic, so it can be repeated. `core.policy.degradation` says how often and after how long;
the clock does the waiting, so virtual time waits for nothing.
"""

import logging
from collections import Counter
from typing import ParamSpec, TypeVar

from larder.core.policy.degradation import DatabaseFault, Remedy, WriteFailureAction, write_failure_action
from larder.core.ports import Clock
from larder.store.database import Database, UnitOfWork
from larder.store.database.write_errors import database_fault

log = logging.getLogger("larder.database")

P = ParamSpec("P")
T = TypeVar("T")


class RetryingDatabase:
    """A database whose writes are retried; an error that outlasts the retries is raised."""

    def __init__(self, inner: Database, clock: Clock) -> None:
        self._inner = inner
        self._clock = clock

    async def run(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit of work, with retries."""
        faults: Counter[DatabaseFault] = Counter()
        while True:
            try:
                return await self._inner.run(work, *args, **kwargs)
            except Exception as error:
                action = _action_for(error, faults)
                if action is None or action.remedy is not Remedy.RETRY:
                    raise
                wait = action.wait.total_seconds()
                log.warning("database error %s: retrying in %d s", type(error).__name__, wait)
                await self._clock.sleep_until(self._clock.now() + action.wait)

    async def read(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Reads are not retried: the caller asks again."""
        return await self._inner.read(work, *args, **kwargs)

    async def close(self) -> None:
        """Close every connection."""
        await self._inner.close()


def _action_for(error: Exception, faults: Counter[DatabaseFault]) -> WriteFailureAction | None:
    fault = database_fault(error)
    if fault is None:
        return None
    faults[fault] += 1
    return write_failure_action(fault, faults=faults[fault])
