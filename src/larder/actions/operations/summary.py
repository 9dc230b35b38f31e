"""The daily summary on demand: preview it or send it now."""

from datetime import datetime

from larder.stages.notify import summary
from larder.stages.notify.summary import Summary, SummarySchedule
from larder.store.database import Connection
from larder.store.operations import audit


def preview(conn: Connection, schedule: SummarySchedule, *, now: datetime) -> Summary:
    """The summary that would be sent now."""
    return summary.so_far(conn, schedule, now=now)


def send(conn: Connection, schedule: SummarySchedule, *, who: str, now: datetime) -> Summary:
    """Queue the summary now; the next one begins where this one ends."""
    sent = summary.send(conn, schedule, now=now)
    audit.record(conn, "summary sent", "", {"since": sent.since, "runs": sent.runs}, who=who, now=now)
    return sent
