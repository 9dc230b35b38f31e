"""Alerts on conditions that no single event shows: many dead letters, stale jobs, a new quota month.

Both counts are bounded index look-ups whose cost does not grow with the tables: is the 26th newest dead
letter younger than a day? Did more than a hundred jobs go stale within one?
"""

from collections import Counter
from datetime import datetime

from sqlalchemy import Connection

from larder.core.policy.alerting import DEAD_LETTERS_PAST, DEAD_LETTERS_WITHIN, AlertName
from larder.core.policy.quota import begins
from larder.core.policy.scheduling import stale
from larder.store.database.statement import Statement
from larder.store.operations import alerts
from larder.store.tables.columns import micros

ALL_SOURCES = "all sources"
MAX_LETTERS_READ = 500

_NEWEST_LETTERS = Statement(
    """
    SELECT letter.stage, letter.type, letter.created_at FROM dead_letters AS letter
    ORDER BY letter.id DESC LIMIT :most
    """,
    args={"most": "int"},
)
_NTH_LETTER = Statement(
    "SELECT created_at FROM dead_letters ORDER BY id DESC LIMIT 1 OFFSET :past", args={"past": "int"}
)
_PUT_ASIDE = Statement(
    """
    SELECT count(*) FROM (
      SELECT 1 FROM jobs WHERE finished_at IS NULL AND status = 'stale' AND updated_at > :since LIMIT :most
    ) AS waiting
    """,
    args={"since": "int", "most": "int"},
)


def check_conditions(conn: Connection, *, now: datetime) -> None:
    """Raise alerts that hold, resolve those that do not; a new month resolves a spent quota."""
    _set(conn, AlertName.DEAD_LETTERS, _dead_letters(conn, now), now=now)
    _set(conn, AlertName.STALE_JOBS, _stale_jobs(conn, now), now=now)
    alerts.resolve_unseen(conn, AlertName.QUOTA_SPENT, since=begins(now), now=now)


def _set(conn: Connection, name: AlertName, message: str | None, *, now: datetime) -> None:
    if message is None:
        alerts.resolve(conn, name, ALL_SOURCES, now=now)
    else:
        alerts.raise_alert(conn, name, name.severity, ALL_SOURCES, message, now=now)


def _dead_letters(conn: Connection, now: datetime) -> str | None:
    since = micros(now - DEAD_LETTERS_WITHIN)
    found = _NTH_LETTER(conn, past=DEAD_LETTERS_PAST)
    if not found or found[0].created_at <= since:
        return None
    recent = [row for row in _NEWEST_LETTERS(conn, most=MAX_LETTERS_READ) if row.created_at > since]
    groups = Counter((row.stage, row.type) for row in recent).most_common(3)
    least = "at least " if len(recent) == MAX_LETTERS_READ else ""
    mostly = ", ".join(f"{stage} {kind} ({many})" for (stage, kind), many in groups)
    return f"{least}{len(recent)} dead letters within 24 hours; mostly {mostly}"


def _stale_jobs(conn: Connection, now: datetime) -> str | None:
    most = stale.STALE_ALERT_PAST + 1
    put_aside = _PUT_ASIDE(conn, since=micros(now - stale.STALE_AFTER), most=most)[0][0]
    if not stale.alerts(put_aside):
        return None
    return f"more than {stale.STALE_ALERT_PAST} jobs waited for over 24 hours and were put aside"
