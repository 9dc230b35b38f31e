"""When a monitor reads the feed of its source, and what it concludes; by issue L10, point 13."""

from datetime import timedelta
from typing import Any

import pytest

from larder.core.model.item import NextEvidence, NextPage
from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, RunStatus, Trigger
from larder.runs import target_feed
from larder.runs.fold import FeedPage, FoldStep, SelectPages
from larder.runs.monitor import MONITOR
from tests.unit.runs.events import NOW, size, source, start

FEED = "https://homes.test/products.xml"
HOUR = timedelta(hours=1)


def document(addresses: int = 3, **values: Any) -> PageSeen:
    return PageSeen(purpose=Purpose.FEED, at=NOW, advertised=addresses, **{"last": True, **values})


def read(*documents: PageSeen) -> FoldStep:
    """A run that reads the feed in these documents."""
    step = MONITOR.start(start(feed_url=FEED))
    for seen in documents:
        step = MONITOR.step(step.state, seen)
    return step


def asked(step: FoldStep) -> str:
    (ask,) = step.ask
    assert isinstance(ask, FeedPage)
    assert ask.read_at == NOW
    return ask.url


def test_l10_13_the_feed_is_read_before_the_targets() -> None:
    assert asked(read()) == FEED
    step = read(document())
    assert isinstance(step.ask[0], SelectPages)
    assert step.feed_read_at == NOW
    end = MONITOR.end(step.state, failed=0, now=NOW)
    assert (end.status, end.error) == (RunStatus.COMPLETED, None)
    assert end.memory == {"feed": {"url": FEED, "at": NOW.isoformat(), "error": ""}}


def test_l10_13_all_documents_of_a_feed_are_read_once() -> None:
    names = [f"https://homes.test/{n}.xml" for n in (1, 2)]
    step = read(document(0, indexes=names))
    assert (asked(step), step.feed_read_at) == (names[0], None)
    following = NextPage(url="https://homes.test/3.xml", evidence=NextEvidence.REL, because="it says so")
    step = MONITOR.step(step.state, document(next_page=following, indexes=[FEED, names[1]]))
    assert asked(step) == names[1]
    step = MONITOR.step(step.state, document(0))
    assert asked(step) == following.url
    assert MONITOR.step(step.state, document(0)).feed_read_at == NOW


def test_l10_13_a_feed_of_feeds_without_end_is_bounded() -> None:
    many = [f"https://homes.test/{n}.xml" for n in range(10_000)]
    step = read(document(indexes=many))
    assert size(step.state) < 20_000
    for _ in range(target_feed.MAX_DOCUMENTS - 1):
        step = MONITOR.step(step.state, document(indexes=many))
    assert isinstance(step.ask[0], SelectPages)
    assert step.feed_read_at is None


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        pytest.param(document(read=False, last=None), f"{FEED} could not be read", id="an outage"),
        pytest.param(document(read=False, missing=True), f"{FEED} could not be read", id="no such page"),
        pytest.param(document(0), f"{FEED} contains no addresses", id="an empty feed"),
        pytest.param(document(2, last=False), f"{FEED} could be read in part only", id="it breaks off"),
    ],
)
def test_l10_13_a_feed_that_was_not_read_whole_removes_no_target(seen: PageSeen, said: str) -> None:
    step = read(seen)
    assert isinstance(step.ask[0], SelectPages)
    assert step.feed_read_at is None
    end = MONITOR.end(step.state, failed=0, now=NOW)
    assert (end.status, end.error_code) == (RunStatus.PARTIAL, "feed_unread")
    assert end.error == f"feed: {said}; no target was taken out"


def test_l10_13_one_document_that_fails_spoils_the_reading() -> None:
    step = read(document(indexes=["https://homes.test/1.xml"]), document(read=False))
    assert isinstance(step.ask[0], SelectPages)
    assert step.feed_read_at is None


@pytest.mark.parametrize(
    ("age", "values", "due"),
    [
        pytest.param(23 * HOUR, {}, False, id="read today"),
        pytest.param(24 * HOUR, {}, True, id="read yesterday"),
        pytest.param(2 * HOUR, {"cadence_hours": 2.0}, True, id="the source's own cadence"),
        pytest.param(HOUR, {"error": "no answer"}, True, id="a failed reading is repeated soon"),
        pytest.param(HOUR / 2, {"error": "no answer"}, False, id="but not at once"),
        pytest.param(HOUR, {"url": "https://homes.test/old.xml"}, True, id="another feed than before"),
        pytest.param(-HOUR, {}, True, id="a time to come is of a clock that was wrong"),
    ],
)
def test_l10_13_when_a_feed_is_due(age: timedelta, values: dict[str, Any], due: bool) -> None:
    own = {"cadence_hours": values.pop("cadence_hours", None)}
    memory = {"feed": {"url": FEED, "at": (NOW - age).isoformat(), "error": "", **values}}
    assert MONITOR.reads_feed(source(feed_url=FEED, **own), memory, NOW) is due
    step = MONITOR.start(start(memory, feed_url=FEED, **own))
    assert isinstance(step.ask[0], FeedPage) is due
    by_hand = MONITOR.start(start(memory, trigger=Trigger.MANUAL, feed_url=FEED, **own))
    assert asked(by_hand) == FEED


def test_l10_13_a_run_between_two_readings_keeps_what_is_known_of_the_last() -> None:
    memory = {"feed": {"url": FEED, "at": (NOW - HOUR / 2).isoformat(), "error": "no answer"}}
    step = MONITOR.start(start(memory, feed_url=FEED))
    end = MONITOR.end(step.state, failed=0, now=NOW)
    assert (end.status, end.error, end.memory) == (RunStatus.COMPLETED, None, memory)
    assert not MONITOR.reads_feed(source(), memory, NOW)
