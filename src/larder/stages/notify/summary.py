"""The daily summary: the results of all runs since the last one.

It is gathered with one look-up a table, each bounded by the period (an index or the last id seen), and stored
as plain values: its wording is chosen when it is sent.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from larder.core.model.run import RunStatus
from larder.core.plurals import plural
from larder.core.policy.alerting import AlertName, Severity
from larder.core.policy.scheduling.cadence import SUMMARY_AT, daily_at
from larder.store.database import Connection
from larder.store.operations import key_values
from larder.store.operations.notifications import alerts, outbox
from larder.store.queue import dead_letters
from larder.store.reads.operators import runs

FACT = "summary"
RUNS_LISTED = 40
MAX_NAMES = 10
FIRST_LOOKS_BACK = timedelta(days=1)
COUNTED = ("inserted", "updated", "skipped", "errors")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySchedule:
    """When the summary is due."""

    at: time = SUMMARY_AT
    tz: str = "UTC"

    def next(self, after: datetime) -> datetime:
        """The next time after then."""
        return daily_at(self.at, self.tz, after)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """One run of the summary."""

    id: int
    source: str
    kind: str
    status: str
    start: str
    end: str
    inserted: int
    updated: int
    skipped: int
    errors: int
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The events between two moments (ISO, in the deployment's time zone)."""

    since: str
    until: str
    runs: int = 0
    sources: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    totals: Mapping[str, int] = field(default_factory=dict)
    listed: Sequence[RunLine] = ()
    """Runs that did not end well first, then the newest."""
    circuits_tripped: Sequence[str] = ()
    dead_letters_added: int = 0
    alerts_open: Sequence[str] = ()


def gather(conn: Connection, *, since: datetime, after_letter: int, now: datetime, tz: str) -> Summary:
    """The summary of runs that ended after `since` and up to `now`."""
    zone = ZoneInfo(tz)
    lines = [_run_line(row, zone) for row in runs.list_ended(conn, since=since, until=now)]
    tripped, still_open = _alerts(conn, since)
    return Summary(
        since=since.astimezone(zone).isoformat(),
        until=now.astimezone(zone).isoformat(),
        runs=len(lines),
        sources=len({line.source for line in lines}),
        statuses=dict(Counter(line.status for line in lines)),
        totals={name: sum(getattr(line, name) for line in lines) for name in COUNTED},
        listed=sorted(lines, key=lambda line: (line.status == RunStatus.COMPLETED, -line.id))[:RUNS_LISTED],
        circuits_tripped=tripped,
        dead_letters_added=dead_letters.count_after(conn, after_letter),
        alerts_open=still_open,
    )


def send_if_due(conn: Connection, schedule: SummarySchedule, *, now: datetime) -> bool:
    """Queue the summary if it is due."""
    last = _last(conn)
    if last is None or datetime.fromisoformat(last["until"]) > now:  # a clock that has been set back
        _remember(conn, now, now=now)
        return False
    if now < schedule.next(datetime.fromisoformat(last["until"])):
        return False
    send(conn, schedule, now=now)
    return True


def send(conn: Connection, schedule: SummarySchedule, *, now: datetime) -> Summary:
    """Queue a summary of everything since the last one."""
    summary = so_far(conn, schedule, now=now)
    outbox.add(
        conn,
        topic="summary",
        channel=None,
        payload=asdict(summary),
        dedupe_key=f"summary:{now.isoformat()}",
        severity=Severity.INFO,
        now=now,
    )
    _remember(conn, now, now=now)
    return summary


def so_far(conn: Connection, schedule: SummarySchedule, *, now: datetime) -> Summary:
    """The summary since the last one; the first one covers a day."""
    last = _last(conn) or {"until": (now - FIRST_LOOKS_BACK).isoformat(), "letter": 0}
    since = datetime.fromisoformat(last["until"])
    return gather(conn, since=since, after_letter=last["letter"], now=now, tz=schedule.tz)


def _last(conn: Connection) -> dict[str, Any] | None:
    last: dict[str, Any] | None = key_values.read(conn, FACT)
    return last


def _remember(conn: Connection, until: datetime, *, now: datetime) -> None:
    newest = dead_letters.newest_id(conn)
    key_values.write(conn, FACT, {"until": until.isoformat(), "letter": newest}, now=now)


def _run_line(row: runs.SummarizedRun, zone: ZoneInfo) -> RunLine:
    return RunLine(
        id=row.id,
        source=row.slug or row.region or "",
        kind=row.kind,
        status=row.status,
        start=row.started_at.astimezone(zone).isoformat(),
        end=row.finished_at.astimezone(zone).isoformat(),
        inserted=row.inserted,
        updated=row.updated,
        skipped=row.unchanged + row.dropped,
        errors=row.failed,
        error=row.error,
    )


def _alerts(conn: Connection, since: datetime) -> tuple[list[str], list[str]]:
    """Sources whose circuit tripped since then, and open alerts."""
    rows = alerts.list_open_or_raised(conn, AlertName.CIRCUIT_TRIPPED, since=since)
    sources_tripped = {r.subject for r in rows if r.name == AlertName.CIRCUIT_TRIPPED and r.last_at > since}
    still_open = {f"{r.severity} {r.name} {r.subject}" for r in rows if r.resolved_at is None}
    return sorted(sources_tripped), sorted(still_open)


# -- how it reads ------------------------------------------------------------------------------------------


def summary_text(summary: Mapping[str, Any]) -> tuple[str, list[str]]:
    """A heading and its lines, from a stored summary."""
    since, until = (datetime.fromisoformat(summary[end]) for end in ("since", "until"))
    heading = f"Summary of {since:%d %b %H:%M} to {until:%d %b %H:%M}"
    statuses = ", ".join(f"{many} {status}" for status, many in sorted(summary["statuses"].items()))
    ran = f"{plural(summary['runs'], 'run')} over {plural(summary['sources'], 'source')}" + (
        f": {statuses}" if statuses else ""
    )
    counts = " · ".join(f"{name} {summary['totals'].get(name, 0):,}" for name in COUNTED)
    return heading, [ran, counts, *_problem_lines(summary), *_listed(summary)]


def _problem_lines(summary: Mapping[str, Any]) -> list[str]:
    tripped, still_open = summary["circuits_tripped"], summary["alerts_open"]
    return [
        f"circuits tripped: {len(tripped)}" + (f" ({_first_names(tripped)})" if tripped else ""),
        f"dead letters added: {summary['dead_letters_added']}",
        f"alerts open: {len(still_open)}" + (f" ({_first_names(still_open)})" if still_open else ""),
    ]


def _listed(summary: Mapping[str, Any]) -> list[str]:
    lines = [_described(line) for line in summary["listed"]]
    left = summary["runs"] - len(lines)
    return [*lines, f"… and {left} more"] if left > 0 else lines


def _described(line: Mapping[str, Any]) -> str:
    start, end = (datetime.fromisoformat(line[name]) for name in ("start", "end"))
    counts = ", ".join(f"{line[name]} {name}" for name in COUNTED)
    why = f" ({line['error']})" if line.get("error") else ""
    return (
        f"run {line['id']} {line['kind']} of {line['source']} {start:%H:%M}–{end:%H:%M} "
        f"{line['status']}{why}: {counts}"
    )


def _first_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(names[:MAX_NAMES]) + more
