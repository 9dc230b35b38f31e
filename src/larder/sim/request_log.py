"""The site's own log: who came when, for what. Politeness and "never fetched twice" are proved from it alone.

Arrival times are monotonic seconds, comparable between processes of one machine. A witness may also write
each visit to a file as it ends, a JSON line flushed at a time, so that it outlives whatever happens.
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
class Visit:
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
    def from_json(cls, line: str) -> "Visit":
        """The visit of a line."""
        told = json.loads(line)
        return cls(**{**told, "at": datetime.fromisoformat(told["at"])})


class Witness:
    """Remembers visits and answers questions about them."""

    def __init__(self, visits: Iterable[Visit] = (), *, log: Path | None = None) -> None:
        self.visits = list(visits)
        self._log: IO[str] | None = log.open("a", encoding="utf-8") if log else None

    @classmethod
    def read(cls, log: Path) -> "Witness":
        """A witness that another process wrote; a last line that is still being written is left out."""
        text = log.read_text(encoding="utf-8") if log.exists() else ""
        return cls(Visit.from_json(line) for line in text.splitlines(keepends=True) if line.endswith("\n"))

    def record(self, visit: Visit) -> None:
        """Take note of a visit that has ended."""
        self.visits.append(visit)
        if self._log is not None:
            self._log.write(visit.to_json() + "\n")
            self._log.flush()

    def close(self) -> None:
        """Let go of the file."""
        if self._log is not None:
            self._log.close()
            self._log = None

    def of(self, host: str) -> "Witness":
        """Only the visits to one host."""
        return Witness(visit for visit in self.visits if visit.host == host)

    def pages(self, *, containing: str = "/listing", statuses: Sequence[int] = (200,)) -> Mapping[str, int]:
        """How often each page (host and path) was got: by GET, with one of `statuses`."""
        return Counter(
            visit.host + visit.path
            for visit in self.visits
            if visit.method == "GET" and visit.status in statuses and containing in visit.path
        )

    def fetched_twice(self, *, containing: str = "/listing/") -> Mapping[str, int]:
        """Pages that were got more than once, with how often; by default the listings' own."""
        return {page: times for page, times in self.pages(containing=containing).items() if times > 1}

    def rates(self, window: timedelta) -> Sequence[int]:
        """Visits in each window, laid end to end from the first arrival."""
        arrivals, span = self._arrivals(), window.total_seconds()
        if not arrivals:
            return []
        counted = Counter(int((arrived - arrivals[0]) / span) for arrived in arrivals)
        return [counted[number] for number in range(max(counted) + 1)]

    def busiest(self, window: timedelta) -> int:
        """The most visits that any window of that length saw, wherever it begins."""
        arrivals, span = self._arrivals(), window.total_seconds()
        ends = (bisect_left(arrivals, arrived + span) for arrived in arrivals)
        return max((end - first for first, end in enumerate(ends)), default=0)

    def closest(self) -> float | None:
        """The least time between two arrivals, in seconds; None for fewer than two."""
        arrivals = self._arrivals()
        return min((b - a for a, b in pairwise(arrivals)), default=None)

    def at_once(self) -> int:
        """The most visits that were under way at one moment."""
        under_way = peak = 0
        for _, change in sorted(self._changes()):
            under_way += change
            peak = max(peak, under_way)
        return peak

    def _changes(self) -> Iterator[tuple[float, int]]:
        for visit in self.visits:
            yield visit.arrived, 1
            yield visit.left, -1

    def _arrivals(self) -> list[float]:
        return sorted(visit.arrived for visit in self.visits)
