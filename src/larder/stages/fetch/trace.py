"""Follows a fetch through its redirects and builds its `Fetched`; nothing else does that."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched, Hop
from larder.core.ports import Clock
from larder.stages.fetch.exchange import Answer
from larder.stages.fetch.permit import Refusal
from larder.stages.fetch.request import FetchRequest
from larder.stages.fetch.response_outcome import outcome_of, retry_after_time


@dataclass(slots=True)
class FetchTrace:
    """The redirect chain of one request."""

    request: FetchRequest
    clock: Clock
    fetcher: str
    hops: list[Hop] = field(default_factory=list)
    home: str | None = None
    """The first URL, in the form in which it was sent."""

    def own_headers(self, url: str) -> dict[str, str]:
        """The user agent, and on the source's own host the source's headers."""
        self.home = self.home or url
        headers = _own_headers(self.request) if same_place(self.home, url) else {}
        if self.request.user_agent:
            headers["User-Agent"] = self.request.user_agent
        return headers

    def add_request(self, url: str, answer: Answer) -> None:
        """Add a request, if it was sent."""
        if answer.sent_at is not None:
            self.hops.append(Hop(url=url, status=answer.status or 0, sent_at=answer.sent_at))

    def arrived(self, answer: Answer, url: str) -> Fetched:
        """The result of a fetch whose last response has arrived."""
        request, body = self.request, answer.body
        outcome = outcome_of(answer, conditional=bool(request.etag or request.last_modified))
        has_page = outcome.has_page
        return self.end(
            outcome,
            url,
            status=answer.status,
            headers=_without_location(answer.headers),
            body=body,
            content_hash=hashlib.sha256(body).hexdigest() if body else None,
            error="" if has_page else answer.error or f"answered {answer.status}",
            retry_at=None if has_page else retry_after_time(answer, now=self.clock.now()),
        )

    def refused(self, refusal: Refusal, url: str) -> Fetched:
        """The result of a fetch that was refused, or must wait."""
        return self.end(
            refusal.outcome,
            url,
            error=refusal.reason,
            retry_at=refusal.retry_at,
            waiting=refusal.waiting and not self.hops,
        )

    def end(self, outcome: FetchOutcome, url: str, **fields: Any) -> Fetched:
        """The result; its duration counts from the first request, without the wait for a slot."""
        now = self.clock.now()
        return Fetched(
            outcome=outcome,
            url=self.request.url,
            final_url=url,
            fetched_at=now,
            duration=now - self.hops[0].sent_at if self.hops else timedelta(0),
            fetcher=self.fetcher,
            hops=tuple(self.hops),
            **fields,
        )


def _without_location(headers: Mapping[str, str]) -> Mapping[str, str]:
    if "location" not in headers:
        return headers
    return {name: value for name, value in headers.items() if name != "location"}


def same_place(home: str, url: str) -> bool:
    """The same host, with or without `www.`, the same port, and not from https to http."""
    if home == url:
        return True
    parts, other = urlsplit(home), urlsplit(url)
    less_secret = parts.scheme == "https" and other.scheme == "http"
    return parts.port == other.port and _bare(parts.hostname) == _bare(other.hostname) and not less_secret


def _own_headers(request: FetchRequest) -> dict[str, str]:
    headers = dict(request.headers)
    if request.etag:
        headers["If-None-Match"] = request.etag
    if request.last_modified:
        headers["If-Modified-Since"] = request.last_modified
    return headers


def _bare(host: str | None) -> str:
    return (host or "").removeprefix("www.")
