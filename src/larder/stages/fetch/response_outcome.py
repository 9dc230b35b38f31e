"""Interprets a response: its outcome, Retry-After, and redirect target."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from larder.core.model.outcome import FetchOutcome
from larder.sdk.urls import join
from larder.stages.fetch.exchange import REDIRECTS, Answer

MAX_RETRY_AFTER = timedelta(hours=24)

_BY_STATUS = {
    304: FetchOutcome.NOT_MODIFIED,
    403: FetchOutcome.BLOCKED,
    404: FetchOutcome.NOT_FOUND,
    410: FetchOutcome.GONE,
    429: FetchOutcome.BLOCKED,
    451: FetchOutcome.BLOCKED,
}


def outcome_of(answer: Answer, *, conditional: bool) -> FetchOutcome:
    """The outcome of a response: an error status counts whatever its body, success needs a complete body.

    "Not modified" is an answer only to a conditional request (`conditional`); otherwise it says nothing about
    the page.
    """
    if answer.status is None:
        return answer.failure or FetchOutcome.ERROR
    if 200 <= answer.status < 300:
        return answer.failure or FetchOutcome.OK
    if answer.status == 304 and not conditional:
        return FetchOutcome.ERROR
    return _BY_STATUS.get(answer.status, FetchOutcome.ERROR)


def next_hop(answer: Answer, url: str) -> str | None:
    """The target of a redirect; None if the response is not one."""
    place = answer.headers.get("location")
    return join(url, place) if answer.status in REDIRECTS and place else None


def retry_after_time(answer: Answer, *, now: datetime) -> datetime | None:
    """The time of `Retry-After`, given in seconds or as a date; at most a day ahead."""
    if answer.status is None or answer.status < 400:
        return None
    stated = _moment(answer.headers, now)
    return min(max(stated, now), now + MAX_RETRY_AFTER) if stated else None


def _moment(headers: Mapping[str, str], now: datetime) -> datetime | None:
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return now + timedelta(seconds=min(int(value[:9]), MAX_RETRY_AFTER.total_seconds()))
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
