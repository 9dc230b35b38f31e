"""How many requests a fetch sent."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched, Hop
from larder.core.model.source import FetcherName
from larder.engine.work_items import requests_of

AT = datetime(2026, 3, 2, tzinfo=UTC)
URL = "https://homes.test/1"
PAGE = Fetched(outcome=FetchOutcome.OK, url=URL, final_url=URL, fetched_at=AT)
HOPS = tuple(Hop(url=URL, status=status, sent_at=AT) for status in (301, 302, 200))


@pytest.mark.parametrize(
    ("changed", "requests"),
    [
        ({}, 1),
        ({"outcome": FetchOutcome.ERROR}, 1),
        ({"hops": HOPS[:1]}, 1),
        ({"hops": HOPS}, 3),
        ({"waiting": True, "outcome": FetchOutcome.ERROR}, 0),
        ({"outcome": FetchOutcome.ROBOTS_BLOCKED}, 0),
        ({"outcome": FetchOutcome.TERMS}, 0),
        ({"fetcher": FetcherName.ACTOR}, 0),
    ],
    ids=["a page", "a failure", "one hop", "two redirects", "no slot", "robots.txt", "terms", "an actor"],
)
def test_a_fetch_counts_what_it_sent(changed: dict[str, Any], requests: int) -> None:
    assert requests_of(replace(PAGE, **changed)) == requests
