"""Alerts on conditions that no single event shows: many dead letters, stale jobs, a new quota month.

Both counts are bounded index look-ups whose cost does not grow with the tables: is the 26th newest dead
letter younger than a day? Did more than a hundred jobs go stale within one?
"""

from collections import Counter
from datetime import datetime

from larder.core.policy.alerting import DEAD_LETTERS_PAST, DEAD_LETTERS_WITHIN, AlertName
from larder.core.policy.quota import begins
from larder.core.policy.scheduling import stale
from larder.store.database import Connection
from larder.store.operations.notifications import alerts, condition_counts

ALL_SOURCES = "all sources"
MAX_LETTERS_READ = 500


def check_conditions(conn: Connection, *, now: datetime) -> None:
    """Raise alerts whose condition holds, resolve the others; a new month resolves a spent quota."""
    _set(conn, AlertName.DEAD_LETTERS, _dead_letters(conn, now), now=now)
    _set(conn, AlertName.STALE_JOBS, _stale_jobs(conn, now), now=now)
    alerts.resolve_unseen(conn, AlertName.QUOTA_SPENT, since=begins(now), now=now)


def _set(conn: Connection, name: AlertName, message: str | None, *, now: datetime) -> None:
    if message is None:
        alerts.resolve(conn, name, ALL_SOURCES, now=now)
    else:
        alerts.raise_alert(conn, name, name.severity, ALL_SOURCES, message, now=now)


def _dead_letters(conn: Connection, now: datetime) -> str | None:
    recent = condition_counts.list_recent_dead_letters(
        conn, since=now - DEAD_LETTERS_WITHIN, more_than=DEAD_LETTERS_PAST, limit=MAX_LETTERS_READ
    )
    if not recent:
        return None
    groups = Counter((row.stage, row.type) for row in recent).most_common(3)
    least = "at least " if len(recent) == MAX_LETTERS_READ else ""
    mostly = ", ".join(f"{stage} {kind} ({count})" for (stage, kind), count in groups)
    return f"{least}{len(recent)} dead letters within 24 hours; mostly {mostly}"


def _stale_jobs(conn: Connection, now: datetime) -> str | None:
    limit = stale.STALE_ALERT_PAST + 1
    put_aside = condition_counts.count_stale_jobs(conn, since=now - stale.STALE_AFTER, limit=limit)
    if not stale.alerts(put_aside):
        return None
    return f"more than {stale.STALE_ALERT_PAST} jobs have been pending for over 24 hours and are stale"
