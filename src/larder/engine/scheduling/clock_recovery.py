"""Recovers from a clock that was set back: schedules further ahead than a cadence can reach are due now."""

import logging
from datetime import datetime

from larder.core.errors import BadInput
from larder.engine.scheduling import cadence
from larder.engine.scheduling.backpressure import BACKOFF
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import Connection
from larder.store.operations import clock_jumps, key_values
from larder.store.queue import schedules
from larder.store.queue.source_rows import ScheduleRow

log = logging.getLogger(__name__)


def recover_if_clock_went_back(conn: Connection, settings: DispatchSettings, *, now: datetime) -> None:
    """If an earlier tick has a later time, limit stored times to now, and make schedules that wait too long
    due.
    """
    if not clock_jumps.went_back(conn, now=now):
        return
    log.warning("the clock went back to %s: later times are set to now", now.isoformat())
    clock_jumps.end_at_now(conn, now=now)
    key_values.write(conn, BACKOFF, None, now=now)
    for rows in schedules.list_all(conn).values():
        for row in rows:
            if row.next_at > _latest_due(conn, row, settings, now):
                schedules.set_next(conn, row.source.id, row.run_kind, next_at=now)


def _latest_due(conn: Connection, row: ScheduleRow, settings: DispatchSettings, now: datetime) -> datetime:
    """When a run would be due if the last one began now; an invalid source is due now."""
    try:
        trigger = cadence.trigger_for(row, settings.cadence, now)
        return cadence.next_at(conn, row, settings.cadence, trigger, now)
    except BadInput:
        return now
