"""Every number that run kinds, dispatch and freshness promise, in the order in which they are promised.

What a number does is tested beside the code that keeps it; that it is this number is said here, once.
"""

from datetime import UTC, datetime, time, timedelta

import pytest

from larder.adapters.willhaben import adapter as willhaben
from larder.core.model.run import RunKind, Trigger
from larder.core.model.source import Plan, Tier
from larder.core.policy import freshness, retry
from larder.core.policy.retry import ActorFault
from larder.core.policy.scheduling import backpressure, cadence, priority, stale, targets
from larder.core.policy.trust import head_trust, verification
from larder.engine.commit import finish_runs
from larder.engine.progress import selections
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.runs import FOLDS, collect, discovery, monitor, run_kinds, sweep
from larder.runs import verification as verifying
from larder.settings import Settings
from larder.store.tables import sources
from larder.store.tables import targets as watched

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOW = datetime(2026, 1, 5, tzinfo=UTC)


def waits(fault: ActorFault) -> list[float]:
    return [wait.total_seconds() for wait in retry.ACTOR_WAITS[fault]]


def priority_of(*, days: float = 0, items: int = 0, reliability: float = 0, failures: int = 0) -> float:
    return priority.dispatch_priority(
        NOW, last_run_at=NOW - days * DAY, items_seen=items, reliability=reliability, failures=failures
    )


RUN_KINDS = [
    ("a job's attempts", retry.ATTEMPTS, 3),
    ("collect: items a run", collect.MAX_ITEMS, 100),
    ("collect: hot", collect.EVERY[Tier.HOT], 6 * HOUR),
    ("collect: standard", collect.EVERY[Tier.STANDARD], 12 * HOUR),
    ("collect: cool", collect.EVERY[Tier.COOL], 24 * HOUR),
    ("collect: an agenda's hour", collect.AGENDA_AT, time(6)),
    ("discovery: every", discovery.EVERY, 30 * MINUTE),
    ("discovery: rows a page where the site allows", willhaben.ROWS, 90),
    ("discovery: familiar pages in a row", discovery.STOP_AFTER, 5),
    ("discovery: no limit of items by default", sources.c.max_items_per_run.server_default, None),
    ("sweep: every", sweep.EVERY, 3 * HOUR),
    ("sweep: index pages", sweep.PAGES, 50),
    ("sweep: overlap", sweep.OVERLAP, 5),
    ("sweep: a detail is stale after", selections.DETAIL_OLDER_THAN, 24 * HOUR),
    ("sweep: details", sweep.DETAILS, 100),
    ("verification: every", verifying.EVERY, 6 * HOUR),
    ("verification: of the faded", verifying.FADED_EVERY, HOUR),
    ("verification: below", freshness.SHOWN, 40),
    ("verification: unseen for", verification.UNSEEN_FOR, 24 * HOUR),
    ("verification: alive is believed for", verification.ALIVE_FOR, 24 * HOUR),
    ("verification: strikes to gone", verification.STRIKES_TO_GONE, 2),
    ("verification: a window", verification.WINDOW, 50),
    ("verification: controls", verification.CONTROLS, 3),
    ("verification: a control was shown within", verification.CONTROL_SEEN_WITHIN, 3 * HOUR),
    ("verification: undecided windows to suspect", verification.UNDECIDED_TO_SUSPECT, 2),
    ("verification: strikes lie apart", verification.STRIKES_APART, 3 * HOUR),
    ("verification: the first checks ask both ways", head_trust.FIRST_CHECKS, 20),
    ("verification: later one in", head_trust.ONE_IN, 50),
    ("monitor: failures to broken", targets.FAILURES_TO_BROKEN, 5),
    ("monitor: a broken target's recheck", targets.RECHECK_EVERY, 7 * DAY),
    ("monitor: interval", targets.INTERVAL, DAY),
    (
        "monitor: interval, in the table",
        str(getattr(watched.c.interval_s.server_default, "arg", None)),
        "86400",
    ),
    ("monitor: priority", targets.PRIORITY, 0),
    ("monitor: a window", monitor.WINDOW, 50),
    ("scout: weekday", cadence.SUNDAY, 6),
    ("scout: hour", cadence.SCOUT_AT, time(3)),
    ("actor: time", retry.ACTOR_TIMEOUT, 600 * SECOND),
    ("actor: time when tried again", retry.ACTOR_RETRY_TIMEOUT, 1200 * SECOND),
    ("actor: timeouts", waits(ActorFault.TIMEOUT), [0, 0]),
    ("actor: limited", waits(ActorFault.LIMITED), [300, 300, 300]),
    ("actor: server", waits(ActorFault.SERVER), [60, 120, 240]),
    ("actor: network", waits(ActorFault.NETWORK), [30, 60, 120]),
]

DISPATCH = [
    ("priority: a day", priority_of(days=1), 10),
    ("priority: items", priority_of(items=100), 10),
    ("priority: items at most", priority_of(items=100_000), 50),
    ("priority: reliability", priority_of(reliability=1), 5),
    ("priority: a failure", priority_of(failures=1), -20),
    ("priority: reliability is counted over", finish_runs.RELIABILITY_DAYS, 30),
    ("tick: embedded", Settings(database="sqlite:///x.db").tick_every, 10 * SECOND),
    ("tick: distributed", Settings(database="postgresql://x/y").tick_every, MINUTE),
    ("stagger", DispatchSettings(adapters={}, chance=None).stagger, 60 * SECOND),  # type: ignore[arg-type]
    ("pending jobs a site", backpressure.PENDING_PER_SITE, 1_000),
    ("pending jobs in all", backpressure.PENDING_IN_ALL, 10_000),
    ("scheduling pauses at most", backpressure.PAUSE_MAX, HOUR),
    ("an alert after backing off for", backpressure.ALERT_AFTER, 30 * MINUTE),
    ("a pending job is stale after", stale.STALE_AFTER, 24 * HOUR),
    ("an alert past stale jobs", stale.STALE_ALERT_PAST, 100),
    ("a run without heartbeat has failed after", stale.HEARTBEAT_LOST_AFTER, 30 * MINUTE),
]

FRESHNESS = [
    ("a sighting anchors at", freshness.SIGHTING, 100),
    ("an alive check anchors at", freshness.ALIVE, 80),
    ("hot falls by", freshness.RATES[Tier.HOT], 3),
    ("standard falls by", freshness.RATES[Tier.STANDARD], 2),
    ("cool falls by", freshness.RATES[Tier.COOL], 1),
    ("green from", freshness.RECENT, 80),
    ("yellow from", freshness.LISTED, 50),
    ("orange from", freshness.FADING, 40),
    ("shown from", freshness.SHOWN, 40),
]


@pytest.mark.parametrize(
    ("kept", "promised"),
    [pytest.param(kept, promised, id=name) for name, kept, promised in RUN_KINDS + DISPATCH + FRESHNESS],
)
def test_the_number_is_the_one_that_was_promised(kept: object, promised: object) -> None:
    assert kept == promised


def test_within_a_site_work_goes_in_this_order() -> None:
    first = [priority.lane_rank(FOLDS[RunKind.SWEEP].rank, Trigger.MANUAL)]
    kinds = ("discovery", "monitor", "collect", "sweep", "verification")
    ranks = first + [priority.lane_rank(FOLDS[RunKind(kind)].rank) for kind in kinds]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize(
    ("plan", "kinds"),
    [
        (Plan.MARKET, {"collect", "verification"}),
        (Plan.INDEX, {"discovery", "sweep", "verification"}),
        (Plan.AGENDA, {"collect", "verification"}),
        (Plan.MONITOR, {"monitor"}),
    ],
)
def test_a_plan_has_these_run_kinds(plan: Plan, kinds: set[str]) -> None:
    assert set(run_kinds(plan)) == kinds


@pytest.mark.parametrize(("given", "kept"), [(1, 9), (5, 5), (10, 0)])
def test_a_scale_where_1_is_highest_is_turned_round(given: int, kept: int) -> None:
    assert targets.from_ten_scale(given) == kept
