"""A job is one page's way through the stages, resumable at each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

MAX_INTERRUPTIONS = 10
SUSPECT_AFTER = 3
"""Interruptions: so many may be a coincidence, for whatever kills a driver hits all that it holds."""


class Stage(StrEnum):
    """The way of a page."""

    FETCH = "fetch"
    PARSE = "parse"
    NORMALIZE = "normalize"
    PERSIST = "persist"


class JobStatus(StrEnum):
    """Where a job stands."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A page that a run asks for."""

    url: str
    purpose: Purpose
    number: int | None = None
    """The index page's number."""
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Leave to send one request: not before `opens_at`, not after `closes_at`."""

    opens_at: datetime
    closes_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A claimed job as the engine carries it."""

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
    """How often its driver died on it; a page that kills its reader must not do so for ever.

    At first every death counts that befell it while it was claimed; from `SUSPECT_AFTER` on only those
    while it alone was fetched or read: nothing is held for good against the pages of a driver that dies
    of something else.
    """

    @property
    def suspect(self) -> bool:
        """It may be what kills its drivers: handled alone, and noted before it is touched."""
        return self.interruptions >= SUSPECT_AFTER

    @property
    def worn_out(self) -> bool:
        """Drivers died on it too often: it is not begun again."""
        return self.interruptions >= MAX_INTERRUPTIONS
