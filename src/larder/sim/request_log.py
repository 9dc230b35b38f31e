"""Logs every request that a simulated site receives; proofs of politeness read nothing else.

Arrival times are monotonic seconds, comparable between processes of one machine. A log may also write
each request to a file as it ends, a JSON line flushed at a time, so that it outlives whatever happens.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import IO


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRequest:
    """One request as the site saw it."""

    arrived: float
    left: float
    """When the answer was ready to go out."""
    at: datetime
    """The site's own time."""
    host: str
    method: str
    path: str
    """With its query."""
    status: int
    """0: no answer was given."""
    agent: str = ""

    def to_json(self) -> str:
        """One line."""
        return json.dumps({**asdict(self), "at": self.at.isoformat()})

    @classmethod
    def from_json(cls, line: str) -> "LoggedRequest":
        """The request of a line."""
        entry = json.loads(line)
        return cls(**{**entry, "at": datetime.fromisoformat(entry["at"])})


class RequestLog:
    """The requests of a site, and counts over them."""

    def __init__(self, requests: Iterable[LoggedRequest] = (), *, log: Path | None = None) -> None:
        self.requests = list(requests)
        self._log: IO[str] | None = log.open("a", encoding="utf-8") if log else None

    @classmethod
    def read(cls, log: Path) -> "RequestLog":
        """A log that another process wrote; a last line that is still being written is left out."""
        text = log.read_text(encoding="utf-8") if log.exists() else ""
        return cls(
            LoggedRequest.from_json(line) for line in text.splitlines(keepends=True) if line.endswith("\n")
        )

    def record(self, request: LoggedRequest) -> None:
        """Add a request that has ended."""
        self.requests.append(request)
        if self._log is not None:
            self._log.write(request.to_json() + "\n")
            self._log.flush()

    def close(self) -> None:
        """Close the file."""
        if self._log is not None:
            self._log.close()
            self._log = None

    def for_host(self, host: str) -> "RequestLog":
        """Only the requests to one host."""
        return RequestLog(request for request in self.requests if request.host == host)

    def pages(self, *, containing: str = "/listing", statuses: Sequence[int] = (200,)) -> Mapping[str, int]:
        """How often each page (host and path) was fetched: by GET, with one of `statuses`."""
        return Counter(
            request.host + request.path
            for request in self.requests
            if request.method == "GET" and request.status in statuses and containing in request.path
        )

    def fetched_twice(self, *, containing: str = "/listing/") -> Mapping[str, int]:
        """Pages that were fetched more than once, with how often; by default the listings' own."""
        return {page: times for page, times in self.pages(containing=containing).items() if times > 1}

    def rates(self, window: timedelta) -> Sequence[int]:
        """Requests in each of consecutive windows, from the first arrival."""
        arrivals, span = self._arrivals(), window.total_seconds()
        if not arrivals:
            return []
        counts = Counter(int((arrival - arrivals[0]) / span) for arrival in arrivals)
        return [counts[number] for number in range(max(counts) + 1)]

    def max_in_window(self, window: timedelta) -> int:
        """The most requests that any window of that length saw, wherever it begins."""
        arrivals, span = self._arrivals(), window.total_seconds()
        ends = (bisect_left(arrivals, arrival + span) for arrival in arrivals)
        return max((end - first for first, end in enumerate(ends)), default=0)

    def min_gap(self) -> float | None:
        """The least time between two arrivals, in seconds; None for fewer than two."""
        arrivals = self._arrivals()
        return min((b - a for a, b in pairwise(arrivals)), default=None)

    def max_concurrent(self) -> int:
        """The most requests that were under way at one moment."""
        under_way = peak = 0
        for _, change in sorted(self._changes()):
            under_way += change
            peak = max(peak, under_way)
        return peak

    def _changes(self) -> Iterator[tuple[float, int]]:
        for request in self.requests:
            yield request.arrived, 1
            yield request.left, -1

    def _arrivals(self) -> list[float]:
        return sorted(request.arrived for request in self.requests)
