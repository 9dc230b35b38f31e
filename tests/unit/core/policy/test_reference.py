"""The page about trust says the numbers that the code keeps."""

import re
from datetime import time, timedelta

from larder.core.policy import alerting, degradation, delivery, retry
from larder.core.policy.scheduling import backpressure, cadence, stale
from larder.core.policy.trust import circuit, drift, yields
from larder.engine.quality import drift as drifting
from larder.engine.worker import driver
from tests.services import ROOT

Number = int | float | timedelta | time | tuple[timedelta, ...]

PAGE = (ROOT / "docs" / "reference" / "trust.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:2] == "| "
]
TOLD = [(row[0], row[1], row[2]) for row in ROWS[1:] if len(row) == 3]

KEPT: list[tuple[str, str, Number]] = [
    ("circuit", "failed fetches in a row that open it", circuit.FAILURES_TO_OPEN),
    ("circuit", "failed calls of an actor in a row that open it", circuit.ACTOR_FAILURES_TO_OPEN),
    ("circuit", "first cooldown, doubled each time", circuit.COOLDOWN),
    ("circuit", "longest cooldown", circuit.COOLDOWN_MAX),
    ("circuit", "a probe without a result is lost after", circuit.PROBE_LOST_AFTER),
    ("drift", "URLs of a batch; smaller runs are added up", drift.MIN_URLS),
    ("drift", "failure rate that alerts, above", drift.FAILURE_RATE_MAX),
    ("drift", "such batches in a row that disable the adapter", drift.FAILED_BATCHES_TO_DISABLE),
    ("drift", "runs in a row without an item that disable it", drift.ZERO_RUNS_TO_DISABLE),
    ("drift", "batches in a row with a price of 0 that disable it", drift.ZERO_PRICE_BATCHES_TO_DISABLE),
    (
        "drift",
        "addresses with one and the same unreadable page that make it an outage",
        drifting.SAME_PAGE_MAX,
    ),
    ("baseline", "medians over the last", drift.BASELINE_WINDOW),
    ("baseline", "successful runs until it is established", drift.BASELINE_RUNS),
    ("baseline", "times the usual failure rate that alert, above", drift.BASELINE_FAILURE_FACTOR),
    ("baseline", "… if the failure rate is above", drift.BASELINE_FAILURE_FLOOR),
    ("baseline", "share of the usual yield that alerts, below", drift.BASELINE_YIELD_SHARE),
    (
        "baseline",
        "values that two readings must both have before their agreement is judged",
        yields.MIN_COMPARED,
    ),
    ("baseline", "agreement that alerts, below the usual by more than", drift.AGREEMENT_DROP),
    ("probes", "a disabled adapter is tried on live pages every", drift.PROBE_EVERY),
    ("dead letters", "first retry after, doubled each time", retry.DEAD_LETTER_WAIT),
    ("dead letters", "retries before a person must decide", retry.DEAD_LETTER_RETRIES),
    ("database", "a write that fails is tried again after", degradation.WRITE_WAITS),
    ("database", "a lost connection is tried again after", degradation.CONNECTION_WAITS),
    ("alerts", "the same one is sent again after", alerting.REPEAT_AFTER),
    ("alerts", "sent together if they arise within", alerting.GROUPING_WINDOW),
    ("alerts", "dead letters that alert, more than", alerting.DEAD_LETTERS_PAST),
    ("alerts", "… within", alerting.DEAD_LETTERS_WITHIN),
    ("alerts", "stale jobs that alert, more than", stale.STALE_ALERT_PAST),
    ("alerts", "failed runs of a source in a row that alert, more than", alerting.FAILED_RUNS_PAST),
    ("alerts", "scheduling that backs off alerts after", backpressure.ALERT_AFTER),
    ("outbox", "first wait for an unavailable channel, doubled each time", delivery.FIRST_WAIT),
    ("outbox", "longest wait", delivery.MAX_WAIT),
    ("outbox", "given up, as a dead letter, after", delivery.GIVEN_UP_AFTER),
    (
        "outbox",
        "… or, where the channel refuses the message itself, after this many attempts",
        delivery.REFUSALS,
    ),
    ("summary", "every day at", cadence.SUMMARY_AT),
]

UNITS = {
    unit: timedelta(**{name: 1}) for unit, name in (("s", "seconds"), ("min", "minutes"), ("h", "hours"))
}
UNITS["d"] = timedelta(days=1)


def said(default: str) -> Number:
    if clock := re.fullmatch(r"(\d\d):(\d\d)", default):
        return time(int(clock[1]), int(clock[2]))
    if share := re.fullmatch(r"(\d+) %", default):
        return int(share[1]) / 100
    spans = re.findall(r"(\d+) (s|min|h|d)\b", default)
    if spans:
        lengths = tuple(int(many) * UNITS[unit] for many, unit in spans)
        return lengths if len(lengths) > 1 else lengths[0]
    return int(default)


def test_every_number_is_the_one_the_code_keeps() -> None:
    assert [(about, number, said(default)) for about, number, default in TOLD] == KEPT


def test_how_often_a_lost_database_is_looked_for() -> None:
    assert f"every {driver.DATABASE_WAIT.seconds} seconds" in PAGE
