"""The reference page says the numbers that the code keeps."""

import re
from datetime import timedelta

from larder.core.policy.scheduling import stale, targets
from larder.core.policy.trust import head_trust, verification
from larder.engine.progress import selections
from larder.runs import INTERVALS, collect, discovery, monitor, sweep, target_feed
from larder.runs import verification as verifying
from tests.services import ROOT

PAGE = (ROOT / "docs" / "reference" / "runs.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:2] == "| "
]
TOLD = {(kind, number): default for kind, number, default, _ in ROWS[1:]}

KEPT: dict[tuple[str, str], int | timedelta | tuple[int, ...]] = {
    ("collect", "items of one run"): collect.MAX_ITEMS,
    ("discovery", "every"): discovery.EVERY,
    ("discovery", "familiar pages in a row that end it"): discovery.STOP_AFTER,
    ("sweep", "every"): sweep.EVERY,
    ("sweep", "index pages"): sweep.PAGES,
    ("sweep", "pages of overlap with the sweep before"): sweep.OVERLAP,
    ("sweep", "detail pages, the stalest first"): sweep.DETAILS,
    ("sweep", "a detail page is stale after"): selections.DETAIL_OLDER_THAN,
    ("verification", "every"): verifying.EVERY,
    ("verification", "recheck of what fell below 40, at most every"): verifying.FADED_EVERY,
    ("verification", "a candidate is unseen for"): verification.UNSEEN_FOR,
    ("verification", "a check that found it alive is valid for"): verification.ALIVE_FOR,
    ("verification", "requests of a window"): verification.WINDOW,
    ("verification", "of them controls"): verification.CONTROLS,
    ("verification", "a control was shown by an index within"): verification.CONTROL_SEEN_WITHIN,
    (
        "verification",
        "undecided windows in a row that make a run suspect",
    ): verification.UNDECIDED_TO_SUSPECT,
    ("verification", "strikes to `gone`"): verification.STRIKES_TO_GONE,
    ("verification", "time between two strikes"): verification.STRIKES_APART,
    ("verification", "checks that send HEAD and GET, then one in"): (
        head_trust.FIRST_CHECKS,
        head_trust.ONE_IN,
    ),
    ("monitor", "looks for due targets every"): monitor.EVERY,
    ("monitor", "reads the feed that names its targets every"): target_feed.EVERY,
    ("monitor", "reads a feed again that could not be read, after"): target_feed.RETRY_AFTER,
    ("monitor", "targets of a window"): monitor.WINDOW,
    ("monitor", "failures in a row that break a target"): targets.FAILURES_TO_BROKEN,
    ("monitor", "a broken target is checked every"): targets.RECHECK_EVERY,
    ("all", "a run without a heartbeat has failed after"): stale.HEARTBEAT_LOST_AFTER,
    ("all", "a pending job is stale after"): stale.STALE_AFTER,
}

UNITS = {"min": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


def said(default: str) -> int | timedelta | tuple[int, ...]:
    if span := re.fullmatch(r"(\d+) (min|h|d)", default):
        return int(span[1]) * UNITS[span[2]]
    numbers = tuple(int(number) for number in default.split(", "))
    return numbers if len(numbers) > 1 else numbers[0]


def test_every_number_is_the_one_the_code_keeps() -> None:
    numbers = {row: default for row, default in TOLD.items() if default != "none"}
    assert {row: said(default) for row, default in numbers.items()} == KEPT


def test_the_intervals_that_a_source_may_set_are_named() -> None:
    assert {name for name in INTERVALS if f"policy.{name}" in PAGE} == set(INTERVALS)
