"""Reads the metrics and writes them in Prometheus' text format; the result is cached for a while."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import Any, cast

from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from larder import __version__
from larder.app.cost_cache import CostCache
from larder.app.deployment import App
from larder.app.metrics.counters import LAG, Counters, HistogramTotal, read_window
from larder.app.metrics.families import FAMILIES
from larder.app.metrics.labels import BoundedLabels
from larder.store.reads.operators import metrics
from larder.store.reads.operators.metrics import BUCKETS, Gauges

KEEP_SECONDS = 5.0
"""The least time for which a result is cached."""
Samples = Iterable[tuple[Sequence[str], float]]


@dataclass(slots=True)
class Metrics:
    """The metrics of one deployment, as one process reports them."""

    app: App
    timer: Callable[[], float] = time.monotonic
    counters: Counters = field(init=False)
    _since: datetime = field(init=False)
    _cache: CostCache[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self._cache = CostCache(self.timer, least_seconds=KEEP_SECONDS)
        self.counters = Counters(BoundedLabels(self.app.settings.metrics_sources))
        self._since = self.app.clock.now() - LAG

    async def text(self) -> bytes:
        """The metrics as text; concurrent callers wait for the same result."""
        return await self._cache.get(self._read)

    async def _read(self) -> bytes:
        began = self.timer()
        now = self.app.clock.now()
        gauges = await self.app.read(metrics.gauges, now=now)
        self.counters.labels.learn(gauges.sources)
        window = await self.app.read(read_window, self._since, now=now)
        self.counters.add(window)
        self._since = window.until
        return generate_latest(cast(Any, _DatabaseCollector(gauges, self.counters, self.timer() - began)))


@dataclass(slots=True)
class _DatabaseCollector:
    """A collector of prometheus-client over counts in the database."""

    gauges: Gauges
    counters: Counters
    seconds: float

    def collect(self) -> Iterator[Metric]:
        """Every family, also those without a sample: a dashboard finds each by its name."""
        samples = _gauge_samples(self.gauges, self.counters.labels, self.seconds)
        for name, family in FAMILIES.items():
            if family.type == "histogram":
                yield _histogram(name, self.counters.histograms.get(name, {}))
            elif family.type == "counter":
                yield _counter(name, self.counters.totals.get(name, {}))
            else:
                yield _gauge(name, samples[name])


def _gauge(name: str, samples: Samples) -> Metric:
    family = FAMILIES[name]
    metric = GaugeMetricFamily(name, family.help, labels=family.labels)
    sums: dict[tuple[str, ...], float] = {}
    for labels, value in samples:
        sums[tuple(labels)] = sums.get(tuple(labels), 0) + value
    for each, value in sums.items():
        metric.add_metric(each, value)
    return metric


def _counter(name: str, totals: Mapping[tuple[str, ...], int]) -> Metric:
    family = FAMILIES[name]
    metric = CounterMetricFamily(name.removesuffix("_total"), family.help, labels=family.labels)
    for labels, value in totals.items():
        metric.add_metric(labels, value)
    return metric


def _histogram(name: str, totals: Mapping[str, HistogramTotal]) -> Metric:
    family = FAMILIES[name]
    metric = HistogramMetricFamily(name, family.help, labels=family.labels)
    for label, total in totals.items():
        bounds = [
            (str(bound), at_most) for bound, at_most in zip(BUCKETS, accumulate(total.buckets), strict=True)
        ]
        metric.add_metric([label], [*bounds, ("+Inf", total.many)], total.seconds)
    return metric


def _gauge_samples(gauges: Gauges, labels: BoundedLabels, seconds: float) -> dict[str, Samples]:
    active = sum(counts.active for counts in gauges.records.values())
    shown_records = sum(counts.shown for counts in gauges.records.values())
    of = labels.source
    return {
        "larder_build_info": [((__version__,), 1)],
        "larder_scrape_seconds": [((), seconds)],
        "larder_runs_open": _by_word(gauges.runs),
        "larder_jobs_pending": [((labels.site(site),), count) for site, count in gauges.pending.items()],
        "larder_jobs": _by_word(gauges.jobs),
        "larder_schedules_rejected": _by_word(gauges.gates),
        "larder_adapter_enabled": [
            ((adapter, site), on)
            for (adapter, site), on in gauges.adapters.items()
            if labels.site(site) == site
        ],
        "larder_circuits_open": [(of(source_id), count) for source_id, count in gauges.circuits.items()],
        "larder_targets": _by_word(gauges.targets),
        "larder_records": [
            ((*of(source_id), badge), getattr(counts, badge))
            for source_id, counts in gauges.records.items()
            for badge in ("green", "yellow", "orange", "faded")
        ],
        "larder_source_enabled": [(of(each.id), each.enabled) for each in gauges.sources],
        "larder_source_failures_in_a_row": [(of(s.id), s.consecutive_failures) for s in gauges.sources],
        "larder_source_last_run_timestamp_seconds": _last_runs(gauges, labels),
        "larder_dataset_fresh_ratio": [((), shown_records / active if active else 1.0)],
        "larder_alerts_open": [(each, count) for each, count in gauges.alerts.items()],
        "larder_dead_letters_pending": [((), gauges.dead_letters)],
        "larder_quarantine_pending": [((), gauges.quarantined)],
        "larder_outbox_pending": [((), gauges.outbox)],
    }


def _by_word(found: Mapping[str, int]) -> Samples:
    return [((word,), count) for word, count in found.items()]


def _last_runs(gauges: Gauges, labels: BoundedLabels) -> Samples:
    """The times of last runs, the oldest of the sources that share a label."""
    oldest: dict[tuple[str, ...], float] = {}
    for each in gauges.sources:
        if each.last_run_at is not None:
            key, at = labels.source(each.id), each.last_run_at.timestamp()
            oldest[key] = min(at, oldest.get(key, at))
    return list(oldest.items())
