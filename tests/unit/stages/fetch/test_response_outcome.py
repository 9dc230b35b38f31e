"""What an answer means."""

from datetime import UTC, datetime, timedelta

import pytest

from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch.exchange import Answer
from larder.stages.fetch.response_outcome import next_hop, outcome_of, retry_after_time

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
URL = "https://shop.test/a/b"


@pytest.mark.parametrize(
    ("status", "failure", "outcome"),
    [
        pytest.param(200, None, "ok", id="a page"),
        pytest.param(200, "too_large", "too_large", id="a page that did not fit"),
        pytest.param(200, "timeout", "timeout", id="a page that never ended"),
        pytest.param(304, None, "not_modified", id="nothing new"),
        pytest.param(301, None, "error", id="a redirect to nowhere"),
        pytest.param(401, None, "error", id="a login: no other fetcher would be let in either"),
        pytest.param(403, None, "blocked", id="forbidden"),
        pytest.param(429, None, "blocked", id="too many"),
        pytest.param(451, None, "blocked", id="by law"),
        pytest.param(404, None, "not_found", id="not there"),
        pytest.param(404, "timeout", "not_found", id="not there, whatever else"),
        pytest.param(410, "error", "gone", id="gone, whatever else"),
        pytest.param(503, None, "error", id="down"),
        pytest.param(999, None, "error", id="a status of their own"),
        pytest.param(None, "dns_error", "dns_error", id="no answer"),
        pytest.param(None, None, "error", id="nothing at all"),
    ],
)
def test_outcomes(status: int | None, failure: str | None, outcome: str) -> None:
    answer = Answer(status=status, failure=FetchOutcome(failure) if failure else None)
    assert outcome_of(answer, conditional=True) == outcome


def test_not_modified_is_no_answer_to_a_question_we_did_not_ask() -> None:
    assert outcome_of(Answer(status=304), conditional=False) is FetchOutcome.ERROR


@pytest.mark.parametrize(
    ("status", "place", "leads"),
    [
        (301, "/c", "https://shop.test/c"),
        (302, "c?d", "https://shop.test/a/c?d"),
        (303, "//other.test/", "https://other.test/"),
        (307, "https://other.test/x", "https://other.test/x"),
        (308, "http://[", None),
        (302, "", None),
        (300, "/c", None),
        (200, "/c", None),
    ],
)
def test_redirects(status: int, place: str, leads: str | None) -> None:
    assert next_hop(Answer(status=status, headers={"location": place}), URL) == leads


@pytest.mark.parametrize(
    ("status", "value", "after"),
    [
        pytest.param(429, "120", timedelta(minutes=2), id="seconds"),
        pytest.param(503, " 7 ", timedelta(seconds=7), id="blanks"),
        pytest.param(429, "Sun, 01 Mar 2026 12:10:00 GMT", timedelta(minutes=10), id="a date"),
        pytest.param(
            429, "Sun, 01 Mar 2026 12:10:00 -0000", timedelta(minutes=10), id="a date without a zone"
        ),
        pytest.param(429, "Sun, 01 Mar 2020 12:00:00 GMT", timedelta(0), id="a date that has passed"),
        pytest.param(429, "0", timedelta(0), id="at once"),
        pytest.param(429, "99999999999999999999", timedelta(days=1), id="never: a day"),
        pytest.param(429, "Sun, 01 Mar 2099 12:00:00 GMT", timedelta(days=1), id="a far date: a day"),
        pytest.param(429, "-5", None, id="negative"),
        pytest.param(429, "soon", None, id="words"),
        pytest.param(429, "", None, id="none"),
        pytest.param(429, "\u0665", None, id="digits of another script"),
        pytest.param(200, "120", None, id="on a page that came"),
    ],
)
def test_retry_after(status: int, value: str, after: timedelta | None) -> None:
    moment = retry_after_time(Answer(status=status, headers={"retry-after": value}), now=NOW)
    assert moment == (None if after is None else NOW + after)
