"""Which conditions alert, with which severity, and how often?

An alert is a condition about a subject. While it holds it is one alert with a counter. It is repeated after
six hours at the earliest, and more rarely the longer it is open (at once, after 6 h, 24 h, 4 days). Alerts
that arise together are sent together; only P1 is sent at once.
"""

from datetime import datetime, timedelta
from enum import StrEnum

REPEAT_AFTER = timedelta(hours=6)
REPEAT_FACTOR = 3
"""The next repeat comes after this many times the age of the alert."""
GROUPING_WINDOW = timedelta(seconds=30)
"""How long an alert waits for others before a message is sent."""
DEAD_LETTERS_PAST = 25
DEAD_LETTERS_WITHIN = timedelta(hours=24)
FAILED_RUNS_PAST = 2
"""More failed runs of a source in a row than this alert."""


class Severity(StrEnum):
    """How urgent an alert is."""

    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    INFO = "info"

    @property
    def weight(self) -> int:
        """For ordering: the more urgent, the larger."""
        return _WEIGHTS[self]

    def reaches(self, minimum: "Severity") -> bool:
        """Whether a channel with this minimum receives it."""
        return self.weight >= minimum.weight


_WEIGHTS = {Severity.INFO: 0, Severity.P3: 1, Severity.P2: 2, Severity.P1: 3}


class AlertName(StrEnum):
    """Every condition that alerts."""

    ADAPTER_DISABLED = "adapter_disabled"
    DISK_FULL = "disk_full"
    FAILURE_RATE = "failure_rate"
    FAILURE_OVER_BASELINE = "failure_over_baseline"
    YIELD_UNDER_BASELINE = "yield_under_baseline"
    AGREEMENT_UNDER_BASELINE = "agreement_under_baseline"
    ZERO_PRICE = "zero_price"
    REJECTIONS_SPIKE = "rejections_spike"
    CANARY_REFUSED = "canary_refused"
    SELECTORS_BROKEN = "selectors_broken"
    REPAIR_APPLIED = "repair_applied"
    REPAIR_TAKEN_BACK = "repair_taken_back"
    RUN_SUSPECT = "run_suspect"
    DEAD_LETTERS = "dead_letters"
    DATA_AUDIT = "data_audit"
    QUOTA_SPENT = "quota_spent"
    RELAY_DOWN = "relay_down"
    SCOUT_SPOOLED = "scout_spooled"
    SCHEDULER_BACKING_OFF = "scheduler_backing_off"
    DOMAIN_MOVED = "domain_moved"
    CIRCUIT_TRIPPED = "circuit_tripped"
    RUN_FAILED = "run_failed"
    ROWS_LOST = "rows_lost"
    TARGETS_NEVER_READ = "targets_never_read"
    NO_ITEMS = "no_items"
    PAGE_BUDGET = "page_budget"
    SOURCE_INVALID = "source_invalid"
    STALE_JOBS = "stale_jobs"

    @property
    def severity(self) -> Severity:
        """The severity of this alert."""
        return SEVERITIES[self]


SEVERITIES = {
    AlertName.ADAPTER_DISABLED: Severity.P1,
    AlertName.DISK_FULL: Severity.P1,
    AlertName.FAILURE_RATE: Severity.P2,
    AlertName.FAILURE_OVER_BASELINE: Severity.P2,
    AlertName.YIELD_UNDER_BASELINE: Severity.P2,
    AlertName.AGREEMENT_UNDER_BASELINE: Severity.P2,
    AlertName.ZERO_PRICE: Severity.P2,
    AlertName.REJECTIONS_SPIKE: Severity.P2,
    AlertName.CANARY_REFUSED: Severity.P2,
    AlertName.SELECTORS_BROKEN: Severity.P2,
    AlertName.REPAIR_APPLIED: Severity.P3,
    AlertName.REPAIR_TAKEN_BACK: Severity.P2,
    AlertName.RUN_SUSPECT: Severity.P2,
    AlertName.DEAD_LETTERS: Severity.P2,
    AlertName.DATA_AUDIT: Severity.P2,
    AlertName.QUOTA_SPENT: Severity.P2,
    AlertName.RELAY_DOWN: Severity.P2,
    AlertName.SCOUT_SPOOLED: Severity.P2,
    AlertName.DOMAIN_MOVED: Severity.P2,
    AlertName.SCHEDULER_BACKING_OFF: Severity.P2,
    AlertName.CIRCUIT_TRIPPED: Severity.P3,
    AlertName.RUN_FAILED: Severity.P3,
    AlertName.TARGETS_NEVER_READ: Severity.P2,
    AlertName.ROWS_LOST: Severity.P2,
    AlertName.NO_ITEMS: Severity.P2,
    AlertName.PAGE_BUDGET: Severity.P2,
    AlertName.SOURCE_INVALID: Severity.P2,
    AlertName.STALE_JOBS: Severity.P3,
}


def should_notify(open_since: datetime, last_told: datetime | None, now: datetime) -> bool:
    """Whether the alert was never sent, or long enough ago to be repeated."""
    if last_told is None:
        return True
    return now - last_told >= max(REPEAT_AFTER, REPEAT_FACTOR * (last_told - open_since))


def send_at(severity: str, now: datetime) -> datetime:
    """When a message of this severity may be sent."""
    return now if severity == Severity.P1 else now + GROUPING_WINDOW
