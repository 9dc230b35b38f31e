"""Whose turn it is on a busy lane: more records wait for verification than it serves, no discovery waits."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from larder.core.model.item import Extracted, Item, NextEvidence, NextPage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from tests.unit.engine.verification.harness import HOUR, MINUTE, START, VerificationHarness, there, url

MANY = 3_000
"""More than seventy minutes are enough for."""
SHOWN = range(MANY, MANY + 90)
SPACING = timedelta(seconds=2)
PAGES = 3


def index(number: int, at: datetime) -> Fetched:
    """Three pages of thirty rows, all known."""
    rows = [
        Item(fields={"title": f"Home {n}", "platform_id": str(n), "url": url(n)})
        for n in SHOWN[30 * (number - 1) : 30 * number]
    ]
    address = "https://homes.test/listings"
    following = NextPage(url=f"{address}?page={number + 1}", evidence=NextEvidence.REL, because="rel=next")
    last = number == PAGES
    payload = Extracted(items=tuple(rows), last=last, next_page=None if last else following)
    return Fetched(
        outcome=FetchOutcome.OK, url=address, final_url=address, fetched_at=at, status=200, payload=payload
    )


@pytest.fixture(scope="module")
def busy() -> tuple[VerificationHarness, list[int]]:
    """Seventy minutes of verifying; how many of its jobs were in line at each request."""
    in_line: list[int] = []

    def says(number: int, at: datetime, _asked: int) -> Fetched:
        ((waiting,),) = harness.ask(
            """SELECT count(*) FROM jobs WHERE status IN ('pending', 'running') AND purpose = 'check'"""
        )
        in_line.append(waiting)
        return there(number, at)

    kinds = frozenset({RunKind.VERIFICATION, RunKind.DISCOVERY})
    harness = VerificationHarness(says=lambda n, at, _: there(n, at), index=index, kinds=kinds)
    for first in range(0, MANY, 1_000):
        harness.see(range(first, first + 1_000), at=START)
    harness.pass_time(25 * HOUR)
    harness.see(SHOWN)
    harness.says = says
    harness.verify(lasting=70 * MINUTE)
    return harness, in_line


def test_no_more_than_a_window_of_its_jobs_is_ever_in_line(
    busy: tuple[VerificationHarness, list[int]],
) -> None:
    harness, in_line = busy
    assert len(in_line) > 1_900, "it went on all the time"
    assert max(in_line) == 50
    assert harness.ask("SELECT count(*) FROM verifications WHERE control = 0") > [(1_800,)]


def test_a_page_of_a_discovery_waits_for_one_request_at_most(
    busy: tuple[VerificationHarness, list[int]],
) -> None:
    harness, _ = busy
    pages = harness.ask(
        """SELECT j.not_before, p.fetched_at FROM jobs j JOIN pages p ON p.job_id = j.id
           WHERE j.purpose = 'index' AND j.created_at > (SELECT max(started_at) FROM runs
                                                         WHERE kind = 'verification')"""
    )
    assert len(pages) >= 2 * PAGES, "there were discoveries meanwhile"
    checks = [at for (at,) in harness.ask("SELECT at FROM verifications")]
    for ready, went in pages:
        between = sum(ready < at < went for at in checks)
        assert between <= 1, f"{between} checks went first"


def test_the_site_is_asked_no_faster_for_it(busy: tuple[VerificationHarness, list[int]]) -> None:
    harness, _ = busy
    times = sorted(at for (at,) in harness.ask("SELECT fetched_at FROM pages WHERE fetched_at IS NOT NULL"))
    gaps = [b - a for a, b in pairwise(times)]
    assert min(gaps) >= SPACING / timedelta(microseconds=1)
