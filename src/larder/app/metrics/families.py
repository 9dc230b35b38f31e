"""Every metric with its type, its labels and its description.

The reference page is generated from this table.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

MetricType = Literal["counter", "gauge", "histogram"]
PER_SOURCE = ("adapter", "source", "site")


class Family(NamedTuple):
    """One metric."""

    type: MetricType
    labels: Sequence[str]
    help: str


FAMILIES = {
    "larder_build_info": Family("gauge", ("version",), "Always 1; the label names the running version."),
    "larder_scrape_seconds": Family("gauge", (), "Time taken to collect these metrics."),
    "larder_urls_attempted_total": Family(
        "counter", PER_SOURCE, "Pages whose job ended, whether they could be read or not."
    ),
    "larder_urls_failed_total": Family("counter", PER_SOURCE, "Pages whose job failed."),
    "larder_fetches_total": Family(
        "counter",
        (*PER_SOURCE, "outcome"),
        "Requests by outcome (ok, not_modified, timeout, blocked …), each attempt counted; a minute late.",
    ),
    "larder_items_extracted_total": Family("counter", PER_SOURCE, "Items extracted from pages."),
    "larder_items_valid_total": Family(
        "counter", PER_SOURCE, "Items that were stored as new, changed or unchanged records."
    ),
    "larder_items_dropped_total": Family("counter", PER_SOURCE, "Items that were dropped."),
    "larder_items_quarantined_total": Family("counter", PER_SOURCE, "Items that went to quarantine."),
    "larder_items_left_out_total": Family(
        "counter",
        (*PER_SOURCE, "reason"),
        "Items that were dropped or quarantined, by reason; oos_no_price is expected.",
    ),
    "larder_runs_ended_total": Family("counter", (*PER_SOURCE, "kind", "status"), "Runs that ended."),
    "larder_fetch_seconds": Family("histogram", ("fetcher",), "How long requests took; a minute late."),
    "larder_extract_seconds": Family(
        "histogram", ("adapter",), "How long reading a page took: parse and normalize; a minute late."
    ),
    "larder_rate_limit_wait_seconds": Family(
        "histogram",
        ("purpose",),
        "How long jobs waited from when they were due until their site's rate limit let them; a minute late.",
    ),
    "larder_runs_open": Family("gauge", ("status",), "Runs that are running or paused."),
    "larder_jobs_pending": Family("gauge", ("site",), "Jobs that wait, by site."),
    "larder_jobs": Family("gauge", ("status",), "Jobs that are running or stale."),
    "larder_schedules_rejected": Family(
        "gauge",
        ("reason",),
        "Schedules that are held up now, by reason: queue_full, circuit_open, terms, adapter_disabled …",
    ),
    "larder_adapter_enabled": Family(
        "gauge", ("adapter", "site"), "1 or 0 for each adapter that was judged; no site: everywhere."
    ),
    "larder_circuits_open": Family("gauge", PER_SOURCE, "Circuits that are not closed."),
    "larder_targets": Family("gauge", ("status",), "Targets by status: active, paused, broken or stale."),
    "larder_records": Family(
        "gauge",
        (*PER_SOURCE, "badge"),
        "Active records by badge: green, yellow, orange, or faded (not shown).",
    ),
    "larder_source_enabled": Family("gauge", PER_SOURCE, "1 where the source is enabled, else 0."),
    "larder_source_failures_in_a_row": Family(
        "gauge", PER_SOURCE, "Failed runs since the last successful one."
    ),
    "larder_source_last_run_timestamp_seconds": Family(
        "gauge", PER_SOURCE, "Time of the last run; missing for a source that never ran."
    ),
    "larder_dataset_fresh_ratio": Family(
        "gauge", (), "Share of active records that are confident enough to be shown; 1 where there are none."
    ),
    "larder_alerts_open": Family("gauge", ("name", "severity"), "Alerts that are not resolved."),
    "larder_dead_letters_pending": Family("gauge", (), "Dead letters that wait."),
    "larder_quarantine_pending": Family("gauge", (), "Quarantined items that wait for a decision."),
    "larder_outbox_pending": Family("gauge", (), "Messages that were not sent yet."),
}
"""All metrics by name."""
