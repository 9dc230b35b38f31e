"""What every run kind is: a start, a step, an end, over a state that is plain JSON between steps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from larder.core.model.run import PageSeen, PagesSelected, RunStatus, Trigger, WindowClosed
from larder.core.model.source import Source

State = Mapping[str, Any]
Event = PageSeen | PagesSelected | WindowClosed
"""What a run may be told: a page came, a selection was answered, a window was closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """Asks for a page of the index."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailPage:
    """Asks for a record's own page."""

    url: str
    identity_key: str


class Selection(StrEnum):
    """Pages that only the store can name, in windows of bounded size."""

    STALEST = "stalest"
    """Rows this run saw whose own page was never read, or not lately; most stale first."""
    CHECKS = "checks"
    """Records that may be gone, with the controls of their window."""
    FADED = "faded"
    """Of those only the ones that fell below 40."""
    TARGETS = "targets"
    """Targets that are due, by priority."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectPages:
    """Asks the store for a window of pages; the answer comes as `Selected`."""

    what: Selection
    limit: int
    window: int = 0


Request = IndexPage | DetailPage | SelectPages


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStart:
    """What a run knows when it begins: its source, and what the last run of its kind left behind."""

    source: Source
    memory: Mapping[str, Any] = field(default_factory=dict)
    trigger: Trigger = Trigger.SCHEDULED
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseWindow:
    """All checks of a window are in: what they say may be acted upon, or proves nothing.

    What came of it is told as `Closed`.
    """

    window: int
    decided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldStep:
    """The state after a step, the pages it asks for, and whether it will ask for more."""

    state: State
    ask: tuple[Request, ...] = ()
    done: bool = False
    close: CloseWindow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """How a run ended and what the next one of its kind should know."""

    status: RunStatus
    memory: Mapping[str, Any]
    certificate: Mapping[str, Any] | None = None
    error_code: str | None = None
    error: str | None = None


class Fold(Protocol):
    """A run kind."""

    def start(self, start: RunStart) -> FoldStep:
        """The first pages."""
        ...

    def step(self, state: State, event: Event) -> FoldStep:
        """One page came (or will never come), a selection was answered, a window was closed."""
        ...

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:
        """All its pages are done; `failed` of them for nothing."""
        ...
