"""How loudly and how often a person is called."""

from datetime import UTC, datetime, timedelta

import pytest

from larder.core.policy import alerting
from larder.core.policy.alerting import SEVERITIES, AlertName, Severity, send_at, should_notify

NOW = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("adapter_disabled", "P1"),
        ("disk_full", "P1"),
        ("failure_rate", "P2"),
        ("rejections_spike", "P2"),
        ("stale_jobs", "P3"),
        ("circuit_tripped", "P3"),
        ("dead_letters", "P2"),
        ("quota_spent", "P2"),
        ("run_suspect", "P2"),
        ("scheduler_backing_off", "P2"),
        ("domain_moved", "P2"),
    ],
)
def test_each_alert_has_its_severity(name: str, severity: str) -> None:
    assert AlertName(name).severity == severity


def test_no_alert_is_without_a_severity() -> None:
    assert set(SEVERITIES) == set(AlertName)


def test_the_numbers() -> None:
    assert alerting.DEAD_LETTERS_PAST == 25
    assert timedelta(hours=24) == alerting.DEAD_LETTERS_WITHIN
    assert timedelta(hours=6) == alerting.REPEAT_AFTER


@pytest.mark.parametrize(
    ("severity", "minimum", "heard"),
    [
        ("P1", "P1", True),
        ("P2", "P1", False),
        ("P1", "info", True),
        ("info", "P3", False),
        ("P3", "P3", True),
        ("P2", "P3", True),
        ("info", "info", True),
    ],
)
def test_who_hears_what(severity: str, minimum: str, heard: bool) -> None:
    assert Severity(severity).reaches(Severity(minimum)) is heard


@pytest.mark.parametrize(
    ("open_for", "told_ago", "told"),
    [
        pytest.param(None, None, True, id="never told"),
        pytest.param(0 * HOUR, 6 * HOUR, True, id="six hours later"),
        pytest.param(0 * HOUR, 6 * HOUR - timedelta(microseconds=1), False, id="not within six hours"),
        pytest.param(6 * HOUR, 6 * HOUR, False, id="the second time makes it rarer"),
        pytest.param(6 * HOUR, 18 * HOUR, True, id="a day after it began"),
        pytest.param(24 * HOUR, 71 * HOUR, False, id="rarer still"),
        pytest.param(24 * HOUR, 72 * HOUR, True, id="four days after it began"),
        pytest.param(-3 * HOUR, 5 * HOUR, False, id="told before it was opened again: still six hours"),
        pytest.param(-3 * HOUR, 6 * HOUR, True, id="and no more than that"),
    ],
)
def test_when_it_is_told_again(open_for: timedelta | None, told_ago: timedelta | None, told: bool) -> None:
    """`open_for`: how long it had been open when it was last told."""
    last = None if told_ago is None else NOW - told_ago
    since = NOW if last is None or open_for is None else last - open_for
    assert should_notify(since, last, NOW) is told


@pytest.mark.parametrize(("severity", "waits"), [("P1", 0), ("P2", 30), ("P3", 30), ("info", 30)])
def test_only_the_most_urgent_does_not_wait_for_company(severity: str, waits: int) -> None:
    assert send_at(severity, NOW) == NOW + timedelta(seconds=waits)
