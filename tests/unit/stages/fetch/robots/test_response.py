"""What the answer to a request for robots.txt means, and for how long."""

from datetime import UTC, datetime, timedelta

import pytest

from larder.stages.fetch.robots.policy import Robots, robots_allows
from larder.stages.fetch.robots.response import (
    ASK_CLOSED_AGAIN,
    FRESH,
    MAX_WAIT,
    RobotsAnswer,
    RobotsEntry,
    RobotsState,
    as_text,
    entry_for,
    with_crawl_delay,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RULES, OPEN, CLOSED, UNDECIDED = (
    RobotsState.RULES,
    RobotsState.OPEN,
    RobotsState.CLOSED,
    RobotsState.UNDECIDED,
)


def judge(
    status: int | None, body: bytes = b"", *, before: RobotsEntry | None = None, strict: bool = True
) -> RobotsEntry:
    answer = RobotsAnswer(status=status, body=body)
    return entry_for(answer, before=before, now=NOW, strict=strict)


@pytest.mark.parametrize(
    ("status", "strict", "state"),
    [
        (200, True, RULES),
        (204, True, RULES),
        (404, True, OPEN),
        (410, True, OPEN),
        (400, True, OPEN),
        (451, True, OPEN),
        (401, True, CLOSED),
        (403, True, CLOSED),
        (401, False, OPEN),
        (403, False, OPEN),
        (429, True, UNDECIDED),
        (429, False, UNDECIDED),
        (500, True, UNDECIDED),
        (503, False, UNDECIDED),
        (302, True, UNDECIDED),
        (999, True, UNDECIDED),
        (None, True, UNDECIDED),
    ],
)
def test_the_first_answer(status: int | None, strict: bool, state: RobotsState) -> None:
    entry = judge(status, strict=strict)
    assert entry.state is state
    assert (entry.expires_at == NOW + FRESH) is (state is not UNDECIDED)


def test_three_failures_close_the_site_and_it_stays_so_while_they_go_on() -> None:
    entry, states, waits = None, [], []
    for _ in range(5):
        entry = judge(503, before=entry)
        states.append(entry.state)
        waits.append(entry.expires_at - NOW)
    assert states == [UNDECIDED, UNDECIDED, CLOSED, CLOSED, CLOSED]
    assert waits[:2] == [timedelta(seconds=10), timedelta(seconds=20)]
    assert set(waits[2:]) == {ASK_CLOSED_AGAIN}


def test_an_answer_ends_the_count_of_failures() -> None:
    entry = judge(503, before=judge(200, before=judge(503, before=judge(503))))
    assert (entry.state, entry.tries) == (UNDECIDED, 1)


@pytest.mark.parametrize(
    ("asked", "waits"),
    [
        (timedelta(seconds=1), timedelta(seconds=10)),
        (timedelta(hours=1), timedelta(hours=1)),
        (timedelta(days=9), MAX_WAIT),
    ],
)
def test_retry_after_is_obeyed_within_a_day(asked: timedelta, waits: timedelta) -> None:
    answer = RobotsAnswer(status=429, retry_at=NOW + asked)
    entry = entry_for(answer, before=None, now=NOW, strict=True)
    assert entry.expires_at - NOW == waits


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        (b"", 2),
        (b"Crawl-delay: 5", 5),
        (b"Crawl-delay: 0.1", 1),
        (b"Crawl-delay: 86400", 60),
        (b"Crawl-delay: x", 2),
    ],
)
def test_crawl_delay_within_reason(body: bytes, seconds: int) -> None:
    entry = with_crawl_delay(judge(200), Robots.parse(b"User-agent: *\n" + body), "Larder")
    assert entry.crawl_delay == timedelta(seconds=seconds)


def test_the_text_that_is_kept_reads_as_the_bytes_did() -> None:
    body = b"\xef\xbb\xbfUser-agent: *\nDisallow: /a\0/b\nDisallow: /c\xff"
    text = as_text(body)
    assert "\0" not in text
    assert not robots_allows(text, agent="Larder", url="https://shop.test/ab")
    assert robots_allows(text, agent="Larder", url="https://shop.test/b")
