"""Is notified of operators' changes on PostgreSQL, on a connection of its own.

While it is connected, a process need not query the server for each request whether an operator changed
something in another process. A lost connection is opened again; until then the server is queried.
"""

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

log = logging.getLogger("larder.database")

CHANNEL = "larder_changes"
RECONNECT_SECONDS = 1.0
_NOTIFY = text("SELECT pg_notify(:channel, '')")


def announce_change(conn: Connection) -> None:
    """Notify every listening process of an operator's change once it is committed."""
    if conn.dialect.name == "postgresql":
        conn.execute(_NOTIFY, {"channel": CHANNEL})


class ChangeListener:
    """Counts the changes that operators of any process committed while it listens."""

    def __init__(self, engine: "AsyncEngine") -> None:
        self._engine = engine
        self._count = 0
        self._connected = False
        self._task: asyncio.Task[None] | None = None

    @property
    def count(self) -> int | None:
        """The number of changes so far; None while it is not connected. The first call starts it."""
        if self._task is None:
            self._task = asyncio.create_task(self._keep_listening())
        return self._count if self._connected else None

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep_listening(self) -> None:
        while True:
            try:
                await self._listen()
            except (SQLAlchemyError, OSError) as error:
                log.debug("cannot listen for operators' changes (%s)", error)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        """Listen until the connection is lost.

        Changes that may have been missed meanwhile count as one change.
        """
        lost = asyncio.Event()
        async with self._engine.connect() as conn:
            await conn.execution_options(isolation_level="AUTOCOMMIT")
            driver: Any = (await conn.get_raw_connection()).driver_connection
            driver.add_termination_listener(lambda _: lost.set())
            await driver.add_listener(CHANNEL, self._heard)
            self._count += 1
            self._connected = True
            try:
                await lost.wait()
            finally:
                self._connected = False
                await conn.invalidate()

    def _heard(self, *_: object) -> None:
        self._count += 1
