"""A job is one page to be fetched and processed, resumable after each stage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

MAX_INTERRUPTIONS = 10
SUSPECT_AFTER = 3
"""Interruptions from which a job is suspected of killing its workers."""


class Stage(StrEnum):
    """The stages of a page."""

    FETCH = "fetch"
    PARSE = "parse"
    NORMALIZE = "normalize"
    PERSIST = "persist"


class JobStatus(StrEnum):
    """The status of a job."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    STALE = "stale"
    DEAD = "dead"


class Purpose(StrEnum):
    """What a job's page is fetched for."""

    INDEX = "index"
    DETAIL = "detail"
    CHECK = "check"
    TARGET = "target"
    FEED = "feed"
    """It names the targets of its source."""


WITHOUT_ITEMS = (Purpose.CHECK, Purpose.FEED)
"""Purposes whose pages are not read for items."""


INCOMPLETE = "incomplete"
"""The key of a request's context that marks a row with too little data for a record."""
ROW_SHAPES = "row_shapes"
"""The key of a request's context that holds the row shapes of earlier index pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A page that a run requests."""

    url: str
    purpose: Purpose
    number: int | None = None
    """The index page's number."""
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Permission to send one request: not before `opens_at`, not after `closes_at`."""

    opens_at: datetime
    closes_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A claimed job."""

    id: int
    run_id: int
    source_id: int
    site_id: int
    request: PageRequest
    stage: Stage
    attempts: int
    page_id: int | None = None
    slot: Slot | None = None
    last_error: str | None = None
    interruptions: int = 0
    """How often its worker died while it was claimed.

    Up to `SUSPECT_AFTER` every death counts; from then on only those while it alone was fetched or read, so
    that nothing is held against the other pages of a worker that dies.
    """

    @property
    def suspect(self) -> bool:
        """Whether the job may be what kills its workers; it is then handled alone and counted before it
        starts.
        """
        return self.interruptions >= SUSPECT_AFTER

    @property
    def interrupted_too_often(self) -> bool:
        """Whether too many workers died on the job; it is not tried again."""
        return self.interruptions >= MAX_INTERRUPTIONS
