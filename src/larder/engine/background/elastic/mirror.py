"""Keeps the copy in Elasticsearch: first all records by id, then every change, from a cursor in the feed.

The cursor moves once the service accepted a batch, so nothing is missed; a batch that is sent twice changes
nothing. A document that never fits is logged and left out.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from larder.core.plurals import plural
from larder.core.ports import Clock
from larder.engine.background.elastic.client import Elastic, ElasticError
from larder.engine.background.elastic.documents import MAPPINGS, elastic_document
from larder.engine.background_task import BackgroundTask
from larder.store.database import Connection, Database, micros
from larder.store.dataset import changes, records
from larder.store.dataset.changes import Cursor
from larder.store.operations import key_values
from larder.store.reads import public

log = logging.getLogger("larder.elastic")

STATE_KEY = "elasticsearch"
BATCH = 500
TRIES = 3
"""Times that a batch is sent before the next round."""
ROUNDS = 20
"""Batches in one round at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorProgress:
    """How far the copy is."""

    transaction_id: int = 0
    id: int = 0
    filled: int | None = 0
    """Records up to this id were copied in the first fill; None: all."""

    @property
    def cursor(self) -> Cursor:
        """The place in the feed to continue from."""
        return Cursor(self.transaction_id, self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What to send, and the progress once it is accepted."""

    documents: Mapping[int, dict[str, Any] | None]
    version: int
    then: MirrorProgress
    more: bool


@dataclass(slots=True, kw_only=True)
class Mirror(BackgroundTask):
    """Updates the copy in a background task."""

    database: Database
    clock: Clock
    elastic: Elastic
    _made: bool = False

    async def _guarded(self) -> None:
        try:
            await self.round()
        except ElasticError as error:
            log.warning("Elasticsearch is not updated: %s", error)

    async def round(self) -> int:
        """Send a bounded number of batches; return how many records were sent."""
        if not self._made:
            await self._begin()
        sent = 0
        for _ in range(ROUNDS):
            batch = await self.database.run(next_batch, now=self.clock.now())
            await self._send(batch)
            await self.database.run(_write, batch.then, now=self.clock.now())
            sent += len(batch.documents)
            if not batch.more:
                break
        return sent

    async def _begin(self) -> None:
        """Fill a new or emptied service from the start."""
        if await self.elastic.ensure(MAPPINGS):
            end = await self.database.run(changes.latest_cursor)
            await self.database.run(_write, MirrorProgress(**asdict(end)), now=self.clock.now())
        self._made = True

    async def _send(self, batch: Batch) -> None:
        left = dict(batch.documents)
        for _ in range(TRIES):
            answer = await self.elastic.bulk(left, version=batch.version)
            for number, reason in answer.refused.items():
                log.error("Elasticsearch rejected record %d: %s", number, reason)
            left = {number: left[number] for number in answer.retriable}
            if not left:
                return
        raise ElasticError(f"{plural(len(left), 'document')} rejected")


def next_batch(conn: Connection, *, now: datetime) -> Batch:
    """The next records to send: by id at first, later those that changed."""
    stored = key_values.read(conn, STATE_KEY)
    at = MirrorProgress(**stored) if stored else MirrorProgress(**asdict(changes.latest_cursor(conn)))
    if at.filled is not None:
        return _batch_of_all(conn, at, at.filled, now=now)
    happened = changes.list_since(conn, at.cursor, limit=BATCH)
    ids = sorted({row.record_id for row in happened})
    then = replace(at, **asdict(changes.cursor_of(happened[-1]))) if happened else at
    return _batch(conn, ids, then, more=len(happened) == BATCH, now=now)


def _batch_of_all(conn: Connection, at: MirrorProgress, after: int, *, now: datetime) -> Batch:
    ids = records.list_ids(conn, after=after, limit=BATCH)
    then = replace(at, filled=ids[-1] if len(ids) == BATCH else None)
    return _batch(conn, ids, then, more=True, now=now)


def _batch(conn: Connection, ids: Sequence[int], then: MirrorProgress, *, more: bool, now: datetime) -> Batch:
    """Public records are indexed, others are deleted."""
    rows = public.by_ids(conn, ids, now=now)
    shown = {row.id: elastic_document(row) for row in rows}
    documents = {record_id: shown.get(record_id) for record_id in ids}
    return Batch(documents=documents, version=micros(now), then=then, more=more)


def _write(conn: Connection, progress: MirrorProgress, *, now: datetime) -> None:
    key_values.write(conn, STATE_KEY, asdict(progress), now=now)
