"""Backpressure: how full the queues are, and when the scheduler backs off."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from larder.core.policy.alerting import AlertName
from larder.core.policy.scheduling.backpressure import (
    RETRY_AFTER_FULL,
    Backoff,
    Pending,
    QueueLimits,
    Rejected,
    admit,
)
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import Connection
from larder.store.operations import key_values
from larder.store.operations.notifications import alerts
from larder.store.queue import jobs

SCHEDULER = "scheduler"
BACKOFF = "scheduler_backoff"
TYPICAL_RUN = 50
"""Jobs that an open run keeps queued at a time."""


@dataclass(slots=True, kw_only=True)
class QueueState:
    """How full the queues are, and whether the scheduler backs off."""

    pending: dict[int, int]
    """By site."""
    in_all: int
    limits: QueueLimits
    backoff: Backoff

    @classmethod
    def read(cls, conn: Connection, settings: DispatchSettings) -> "QueueState":
        """Read the present state."""
        stored = key_values.read(conn, BACKOFF) or {}
        backoff = Backoff(
            pause=timedelta(seconds=stored.get("pause", 0)),
            until=_time(stored.get("until")),
            since=_time(stored.get("since")),
        )
        pending = jobs.count_pending_by_site(conn)
        return cls(pending=pending, in_all=sum(pending.values()), limits=settings.limits, backoff=backoff)

    def opened(self, site_id: int) -> None:
        """Count one more run."""
        self.pending[site_id] = self.pending.get(site_id, 0) + TYPICAL_RUN
        self.in_all += TYPICAL_RUN

    def full(self, site_id: int) -> bool:
        """Whether there is no room for one more run of this site."""
        sites = len(self.pending) + (site_id not in self.pending)
        pending = Pending(of_site=self.pending.get(site_id, 0), in_all=self.in_all, sites=sites)
        return isinstance(admit(pending, limits=self.limits), Rejected)


def back_off(conn: Connection, before: Backoff, *, accepted: int, rejected: int, now: datetime) -> None:
    """Back off if most sites found no room in this tick, and alert."""
    after = before.ticked(now, accepted=accepted, rejected=rejected, retry_after=RETRY_AFTER_FULL)
    if after != before:
        stored = {
            "pause": after.pause.total_seconds(),
            "until": after.until and after.until.isoformat(),
            "since": after.since and after.since.isoformat(),
        }
        key_values.write(conn, BACKOFF, stored, now=now)
    if after.pause > before.pause:
        name = AlertName.REJECTIONS_SPIKE
        message = f"{rejected} of {accepted + rejected} sites with due runs were rejected: the queue is full"
        alerts.raise_alert(conn, name, name.severity, SCHEDULER, message, now=now)
    if after.overdue(now):
        message = f"nothing new is scheduled since {after.since:%H:%M}: most jobs are rejected"
        name = AlertName.SCHEDULER_BACKING_OFF
        alerts.raise_alert(conn, name, name.severity, SCHEDULER, message, now=now)
    elif before.since is not None and after.since is None:
        for name in (AlertName.REJECTIONS_SPIKE, AlertName.SCHEDULER_BACKING_OFF):
            alerts.resolve(conn, name, SCHEDULER, now=now)


def _time(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored)
