"""Adds up events since the process started.

A run's counters are compared with their last values, so nothing is counted twice or missed while it is open
or ended within the last hour. Requests are counted in windows that end a minute ago: by then they are
committed, by whichever worker.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from larder.app.metrics.labels import BoundedLabels
from larder.store.database import Connection
from larder.store.reads.operators import metrics
from larder.store.reads.operators.metrics import BUCKETS, FetchCount, Histogram, RunCounts

LAG = timedelta(minutes=1)
MEMORY = timedelta(hours=1)
_OF_RUN = {
    "larder_urls_attempted_total": ("attempted",),
    "larder_urls_failed_total": ("failed",),
    "larder_items_extracted_total": ("extracted",),
    "larder_items_valid_total": ("inserted", "updated", "unchanged"),
    "larder_items_dropped_total": ("dropped",),
    "larder_items_quarantined_total": ("quarantined",),
}
_LEFT_OUT = "larder_items_left_out_total"
_ENDED = "larder_runs_ended_total"
_FETCHES = "larder_fetches_total"


@dataclass(slots=True)
class HistogramTotal:
    """A histogram of one label value."""

    seconds: float = 0.0
    many: int = 0
    buckets: list[int] = field(default_factory=lambda: [0] * len(BUCKETS))

    def add(self, histogram: Histogram) -> None:
        """Add the counts of a window."""
        self.seconds += histogram.seconds
        self.many += histogram.many
        self.buckets = [a + b for a, b in zip(self.buckets, histogram.buckets, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountWindow:
    """Counts of events since the last collection."""

    runs: Sequence[RunCounts]
    fetches: Sequence[FetchCount]
    histograms: dict[str, Sequence[Histogram]]
    until: datetime


def read_window(conn: Connection, after: datetime, *, now: datetime) -> CountWindow:
    """Read a window in one unit of work."""
    until = max(after, now - LAG)
    return CountWindow(
        runs=metrics.run_counts(conn, since=now - MEMORY),
        fetches=metrics.fetches(conn, after, until),
        histograms={
            "larder_fetch_seconds": metrics.fetch_times(conn, after, until),
            "larder_extract_seconds": metrics.parse_times(conn, after, until),
            "larder_rate_limit_wait_seconds": metrics.wait_times(conn, after, until),
        },
        until=until,
    )


@dataclass(slots=True)
class Counters:
    """The totals of one process, by metric and label values."""

    labels: BoundedLabels
    totals: dict[str, Counter[tuple[str, ...]]] = field(default_factory=dict)
    histograms: dict[str, dict[str, HistogramTotal]] = field(default_factory=dict)
    _runs: dict[int, RunCounts] | None = None

    def add(self, window: CountWindow) -> None:
        """Add a window; of the first one only the runs' counters are stored, for comparison."""
        before, self._runs = self._runs, {run.id: run for run in window.runs}
        for run in window.runs if before is not None else ():
            self._add_run(run, (before or {}).get(run.id))
        for fetched in window.fetches:
            labels = (*self.labels.source(fetched.source_id), fetched.outcome)
            self._count(_FETCHES, labels, fetched.requests)
        for name, histograms in window.histograms.items():
            of = self.histograms.setdefault(name, {})
            for histogram in histograms:
                of.setdefault(histogram.label, HistogramTotal()).add(histogram)

    def _add_run(self, run: RunCounts, before: RunCounts | None) -> None:
        labels = self.labels.source(run.source_id)
        for name, columns in _OF_RUN.items():
            were = sum(getattr(before, column) for column in columns) if before else 0
            self._count(name, labels, sum(getattr(run, column) for column in columns) - were)
        known = before.reasons if before else {}
        for reason, items in run.reasons.items():
            self._count(_LEFT_OUT, (*labels, reason), items - known.get(reason, 0))
        if run.finished_at and not (before and before.finished_at):
            self._count(_ENDED, (*labels, run.kind, run.status), 1)

    def _count(self, name: str, labels: tuple[str, ...], count: int) -> None:
        """Add to a counter, which never falls: a corrected count of a run subtracts nothing."""
        self.totals.setdefault(name, Counter())[labels] += max(0, count)
