"""Can an adapter still read its site?

Pages that were fetched but could not be read mean that the layout changed. One bad batch alerts; two in a
row disable the adapter, because wrong data is worse than none. Small runs are added up until there are
twenty URLs.

Reading *nothing* is judged run by run where a run reads an index (an agenda has no twenty pages), and by
batches where it reads single pages (one broken product must not disable a shop).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import median

from larder.core.plurals import plural
from larder.core.policy.trust.yields import NO_YIELD, PageYield

MIN_URLS = 20
FAILURE_RATE_MAX = 0.5
FAILED_BATCHES_TO_DISABLE = 2
ZERO_RUNS_TO_DISABLE = 2
ZERO_PRICE_BATCHES_TO_DISABLE = 2

BASELINE_WINDOW = timedelta(days=7)
BASELINE_RUNS = 3
BASELINE_FAILURE_FACTOR = 3
BASELINE_FAILURE_FLOOR = 0.2
BASELINE_YIELD_SHARE = 0.5
AGREEMENT_DROP = 0.25
"""So much less agreement of two readings than usual is drift."""

PROBE_EVERY = timedelta(hours=6)


class DisabledWhy(StrEnum):
    """Why an adapter is off."""

    MANUAL = "manual"
    DRIFT_DETECTED = "drift_detected"
    TERMS = "terms"


class Action(StrEnum):
    """What drift leads to."""

    ALERT = "alert"
    DISABLE = "disable"
    QUARANTINE = "quarantine"


class Cause(StrEnum):
    """The reason of a decision."""

    FAILURE_RATE = "failure_rate"
    ZERO_ITEMS = "zero_items"
    ZERO_PRICE = "zero_price"
    FAILURE_OVER_BASELINE = "failure_over_baseline"
    YIELD_UNDER_BASELINE = "yield_under_baseline"
    AGREEMENT_UNDER_BASELINE = "agreement_under_baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One consequence of a batch."""

    action: Action
    cause: Cause
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What is normal for this adapter on this site."""

    failure: float
    fill: float
    """Items on a page."""
    agreement: float | None = None
    """The share of values that two readings agree on; None where too few were compared."""


def baseline(history: Iterable[tuple[datetime, PageYield]], now: datetime) -> Baseline | None:
    """The medians of the successful batches of seven days; None until there are three of them."""
    usual = [
        batch
        for at, batch in history
        if now - at <= BASELINE_WINDOW and batch.attempted >= MIN_URLS and is_successful(batch)
    ]
    if len(usual) < BASELINE_RUNS:
        return None
    agreements = [batch.agreement for batch in usual if batch.agreement is not None]
    return Baseline(
        failure=median(batch.failure_rate for batch in usual),
        fill=median(batch.fill for batch in usual),
        agreement=median(agreements) if len(agreements) >= BASELINE_RUNS else None,
    )


def is_successful(batch: PageYield) -> bool:
    """Good enough for the baseline: a breakage must not become normal."""
    return batch.valid > 0 and not batch.zero_prices and batch.failure_rate <= FAILURE_RATE_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterHealth:
    """An adapter's state on one site, folded over its runs."""

    enabled: bool = True
    since: datetime | None = None
    by: str = ""
    why: DisabledWhy | None = None
    probe_at: datetime | None = None
    first_run_flagged: bool = False
    """It was just enabled again: its next run is flagged for review."""

    pending: PageYield = NO_YIELD
    """Small runs, not yet twenty URLs together."""
    failed_batches: int = 0
    zero_runs: int = 0
    zero_price_batches: int = 0
    last_rate: float | None = None
    version: str = ""
    """The version that was disabled."""
    says: str = ""
    """Why drift disabled it, in words."""

    def disabled(self, now: datetime, *, by: str, why: DisabledWhy, message: str = "") -> "AdapterHealth":
        """Disable it. Only an adapter that drift disabled is probed."""
        probe_at = now + PROBE_EVERY if why is DisabledWhy.DRIFT_DETECTED else None
        return AdapterHealth(
            enabled=False,
            since=now,
            by=by,
            why=why,
            probe_at=probe_at,
            last_rate=self.last_rate,
            says=message,
        )

    def enabled_again(self, now: datetime, *, by: str) -> "AdapterHealth":
        """Enable it with cleared counters; its first run is flagged."""
        return AdapterHealth(since=now, by=by, first_run_flagged=True, last_rate=self.last_rate)

    def probed(self, batch: PageYield, now: datetime, *, same_version: bool) -> "AdapterHealth":
        """A probe: only the version that failed can be enabled by it."""
        if self.enabled or self.probe_at is None:
            return self
        if same_version and is_successful(batch):
            return self.enabled_again(now, by="probe")
        return replace(self, probe_at=now + PROBE_EVERY)


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftResult:
    """The result of judging a run."""

    health: AdapterHealth
    decisions: tuple[Decision, ...] = ()
    batch: PageYield | None = None
    """The batch that it completed, stored for the baseline."""
    flagged: bool = False
    """It was the first run of an adapter that had been disabled."""


def judge_drift(
    health: AdapterHealth,
    run: PageYield,
    now: datetime,
    *,
    reads_index: bool,
    usual: Baseline | None = None,
    failure_rate_max: float = FAILURE_RATE_MAX,
) -> DriftResult:
    """Judge a run that extracts. A run without countable pages, or of a disabled adapter, changes nothing."""
    if not run.attempted or not health.enabled:
        return DriftResult(health=health)
    together = health.pending + run
    batch = together if together.attempted >= MIN_URLS else None
    read = run if reads_index or run.attempted >= MIN_URLS else batch
    judged = replace(
        _counted(health, batch, failure_rate_max),
        pending=together if batch is None else NO_YIELD,
        zero_runs=_zero_runs(health.zero_runs, run, read),
        first_run_flagged=False,
    )
    decisions = (
        *_zero_price_seen(run),
        *_rates(batch, usual, failure_rate_max),
        *_rows(judged, batch, read, run),
    )
    against = [decision.says for decision in decisions if decision.action is Action.DISABLE]
    if against:
        message = "; ".join(against)
        judged = judged.disabled(now, by="drift", why=DisabledWhy.DRIFT_DETECTED, message=message)
    return DriftResult(health=judged, decisions=decisions, batch=batch, flagged=health.first_run_flagged)


def _counted(health: AdapterHealth, batch: PageYield | None, failure_rate_max: float) -> AdapterHealth:
    if batch is None:
        return health
    return replace(
        health,
        failed_batches=health.failed_batches + 1 if batch.failure_rate > failure_rate_max else 0,
        zero_price_batches=health.zero_price_batches + 1 if batch.zero_prices else 0,
        last_rate=batch.failure_rate,
    )


def _zero_runs(before: int, run: PageYield, read: PageYield | None) -> int:
    if run.extracted:
        return 0
    return before if read is None or read.extracted else before + 1


def _zero_price_seen(run: PageYield) -> tuple[Decision, ...]:
    if not run.zero_prices:
        return ()
    message = f"a price of 0 was read {plural(run.zero_prices, 'time')}"
    return (
        Decision(action=Action.QUARANTINE, cause=Cause.ZERO_PRICE, says=message),
        Decision(action=Action.ALERT, cause=Cause.ZERO_PRICE, says=message),
    )


def _rates(batch: PageYield | None, usual: Baseline | None, failure_rate_max: float) -> Iterable[Decision]:
    if batch is None:
        return
    failure, fill = batch.failure_rate, batch.fill
    if failure > failure_rate_max:
        yield _alert(Cause.FAILURE_RATE, f"{failure:.0%} of {batch.attempted} pages gave no complete item")
    if usual is None:
        return
    unusual = failure > BASELINE_FAILURE_FLOOR and failure > BASELINE_FAILURE_FACTOR * usual.failure
    if unusual and failure <= failure_rate_max:  # else it alerts already
        yield _alert(
            Cause.FAILURE_OVER_BASELINE, f"{failure:.0%} of pages failed, {usual.failure:.0%} is usual"
        )
    if fill < BASELINE_YIELD_SHARE * usual.fill:
        yield _alert(Cause.YIELD_UNDER_BASELINE, f"{fill:.2f} items a page, {usual.fill:.2f} is usual")
    if _disagrees(batch.agreement, usual.agreement):
        text = f"two readings agree on {batch.agreement:.0%} of values, {usual.agreement:.0%} is usual"
        yield _alert(Cause.AGREEMENT_UNDER_BASELINE, text)


def _disagrees(now: float | None, usual: float | None) -> bool:
    """Row and detail page, or profile and general reading, agree far less than they did."""
    return now is not None and usual is not None and now < usual - AGREEMENT_DROP


def _rows(
    health: AdapterHealth, batch: PageYield | None, read: PageYield | None, run: PageYield
) -> Iterable[Decision]:
    """Zero prices of earlier runs in the batch do not count once prices are read again."""
    if batch and health.failed_batches >= FAILED_BATCHES_TO_DISABLE:
        yield _disable(
            Cause.FAILURE_RATE, f"too many pages failed in {health.failed_batches} batches in a row"
        )
    if read and health.zero_runs >= ZERO_RUNS_TO_DISABLE:
        yield _disable(Cause.ZERO_ITEMS, f"no item was read in {health.zero_runs} runs in a row")
    if batch and run.zero_prices and health.zero_price_batches >= ZERO_PRICE_BATCHES_TO_DISABLE:
        yield _disable(
            Cause.ZERO_PRICE, f"a price of 0 was read in {health.zero_price_batches} batches in a row"
        )


def _alert(cause: Cause, message: str) -> Decision:
    return Decision(action=Action.ALERT, cause=cause, says=message)


def _disable(cause: Cause, message: str) -> Decision:
    return Decision(action=Action.DISABLE, cause=cause, says=message)
