"""A year without a person, except when called: the real engine in virtual time.

Four small sites fall ill every other week (down, errors, blocks, limits, empty pages, all details 404) and,
one after the other, change for good. Messages go to a chat and a pager, which are dead for days themselves.
The only operator there is reads what arrived, and mends what was told.

How the figures are meant:

- An *incident* is an outage or a break, from its beginning until two days after its end.
- A *true break* is noticed when an alert about its source is raised; in time, if that is before or at the end
  of the second run that could see it: one that reads an index, where the index is broken; one of at least
  twenty pages, where only single pages are.
- *Alerts per incident* are the messages that arrived in the chat about its source, those about no source in
  particular (dead letters piling up) included.
- A *false alarm* is an alert about a source that nothing had befallen.
- *None lost*: what was put in line for a channel arrived there, once by its key.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import mean
from typing import Any

from sqlalchemy import Connection, text

from larder.core.policy.trust.drift import MIN_URLS
from larder.store.operations.notifications.outbox import Notification
from larder.store.tables.columns import micros, moment
from tests.proofs.proof import Part, Stage, proof
from tests.proofs.reckoning import DAY, START
from tests.proofs.year_life import CHANNELS, SOURCES, Year, about
from tests.proofs.year_web import Break, Incident

CLAIM = (
    "A virtual year with layout changes, blocks, outages and a dead channel: no adapter is disabled by an "
    "outage, every true break is noticed within two runs, at most 3 alerts an incident, none lost"
)
AFTERWARDS = 2 * DAY
MAX_ALERTS = 3

_RUNS = """
    SELECT s.slug, r.kind, r.finished_at, r.started_at, r.attempted
    FROM runs r JOIN sources s ON s.id = r.source_id
    WHERE r.kind <> 'verification' AND r.finished_at IS NOT NULL ORDER BY r.finished_at
"""
_ALERTS = "SELECT name, subject, first_at FROM alerts ORDER BY id"
_LEFT = """
    SELECT channel, status, count(*) AS notes FROM outbox
    WHERE channel IS NOT NULL AND status <> 'sent' GROUP BY 1, 2
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """What is on record at the end."""

    runs: Sequence[Any]
    alerts: Sequence[Any]
    left: Sequence[Any]

    @classmethod
    def of(cls, conn: Connection) -> "Books":
        runs, alerts, left = (conn.execute(text(sql)).all() for sql in (_RUNS, _ALERTS, _LEFT))
        return cls(runs=runs, alerts=alerts, left=left)


def judged(year: Year) -> Part:
    """What the books say, beside what happened."""
    books = year.larder.database.now(Books.of)
    figures: dict[str, Any] = {"days": year.days, "requests": year.larder.fetch_tasks.requests}
    figures["incidents"] = dict(Counter(str(each.kind) for each in year.incidents))
    broken = [*_disabled(year, books, figures), *_noticed(year, books, figures)]
    broken += [*_told(year, figures), *_lost(year, books, figures)]
    return Part(figures=figures, broken=broken)


def _disabled(year: Year, books: Books, figures: dict[str, Any]) -> list[str]:
    """Every adapter that was switched off had a reason that would not have passed."""
    off = [row for row in books.alerts if row.name == "adapter_disabled"]
    figures["adapters_disabled"] = len(off)
    return [
        f"{row.subject} was switched off on day {_day(moment(row.first_at))} without a break"
        for row in off
        if not any(_holds(each, row) for each in year.incidents if each.true_break)
    ]


def _holds(incident: Incident, row: Any) -> bool:
    return incident.site.split(".")[0] in row.subject.split() and incident.holds(moment(row.first_at))


def _noticed(year: Year, books: Books, figures: dict[str, Any]) -> list[str]:
    breaks = [each for each in year.incidents if each.true_break]
    late = [each for each in breaks if not _in_time(each, books)]
    figures["true_breaks"] = len(breaks)
    figures["noticed_within_two_runs"] = len(breaks) - len(late)
    return [f"{each.kind} of {each.site} on day {_day(each.since)} was noticed late" for each in late]


def _in_time(broken: Incident, books: Books) -> bool:
    slug, since = broken.site.split(".")[0], micros(broken.since)
    raised = [r.first_at for r in books.alerts if slug in r.subject.split() and r.first_at >= since]
    least = MIN_URLS if broken.kind is Break.DETAILS else 1
    saw = [
        r.finished_at for r in books.runs if r.slug == slug and r.started_at >= since and r.attempted >= least
    ]
    return bool(raised) and len(saw) > 1 and min(raised) <= saw[1]


def _told(year: Year, figures: dict[str, Any]) -> list[str]:
    many = {id(each): _messages(year, each) for each in year.incidents}
    counts = list(many.values())
    figures["false_alarms"] = len(_unfounded(year))
    figures["alerts_per_incident_mean"] = round(mean(counts), 2)
    figures["alerts_per_incident_most"] = max(counts)
    return [
        f"{many[id(each)]} alerts about {each.kind} of {each.site} on day {_day(each.since)}"
        for each in year.incidents
        if many[id(each)] > MAX_ALERTS
    ]


def _messages(year: Year, incident: Incident) -> int:
    """About its source; and about none in particular, where nothing else began since."""
    over = (incident.until or year.larder.clock.now()) + AFTERWARDS
    notes = [note for _, note in year.channels.arrived["chat"] if note.topic == "alert"]
    during = [note for note in notes if incident.since <= note.written_at < over]
    general = [n for n in during if not SOURCES.keys() & set(str(n.payload["subject"]).split())]
    latest = [n for n in general if _latest(year, n) is incident]
    return sum(about(note, incident.site) for note in during) + len(latest)


def _unfounded(year: Year) -> list[Notification]:
    """Alerts about a source that nothing had befallen."""
    return [
        note
        for _, note in year.channels.arrived["chat"]
        for slug in SOURCES.keys() & set(str(note.payload.get("subject", "")).split())
        if not any(_covers(each, slug, note.written_at) for each in year.incidents)
    ]


def _covers(incident: Incident, slug: str, at: datetime) -> bool:
    ended = incident.until is not None and at >= incident.until + AFTERWARDS
    return incident.site == f"{slug}.test" and incident.since <= at and not ended


def _latest(year: Year, note: Notification) -> Incident | None:
    began = [each for each in year.incidents if each.since <= note.written_at]
    return max(began, key=lambda each: each.since, default=None)


def _lost(year: Year, books: Books, figures: dict[str, Any]) -> list[str]:
    figures["messages"] = sum(year.channels.keys.values())
    figures["tries_at_a_dead_channel"] = year.channels.refused
    figures["summaries"] = sum(n.topic == "summary" for _, n in year.channels.arrived["chat"])
    missing = {
        name: year.in_line[name] - {note.id for _, note in year.channels.arrived[name]} for name in CHANNELS
    }
    figures["notes_in_line"] = {name: len(ids) for name, ids in year.in_line.items()}
    doubled = sum(times > 1 for times in year.channels.keys.values())
    return [
        *(f"{len(ids)} messages never reached {name}" for name, ids in missing.items() if ids),
        *(f"{row.notes} messages to {row.channel} are {row.status}" for row in books.left),
        *([f"{doubled} messages came twice"] if doubled else []),
    ]


def _day(at: datetime) -> int:
    return (at - START) // DAY


def live_through(*, days: float, seed: int, folder: Path) -> Part:
    year = Year(days=days, seed=seed, folder=folder)
    year.live()
    return judged(year)


@proof("year", CLAIM, seed=365)
def year(stage: Stage) -> Part:
    return live_through(days=365, seed=stage.seed, folder=stage.folder)
