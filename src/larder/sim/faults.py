"""Faults of simulated sites: each is a value with a kind, a beginning and an end."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from larder.sim.layouts import Layout


class FaultKind(StrEnum):
    """Kinds of fault."""

    CUT = "cut"
    """The connection is dropped without an answer."""
    ERROR = "error"
    """500 for everything."""
    BLOCKED = "blocked"
    """403 for every page; robots.txt still answers."""
    LIMITED = "limited"
    """429 with Retry-After for every page; robots.txt still answers."""
    EMPTY = "empty"
    """200, and nothing on the page."""
    LOST = "lost"
    """404 for every listing, although they are there: a relaunch gone wrong."""
    SLOW = "slow"
    """Correct responses, late."""
    REDRAWN = "redrawn"
    """The same facts in another layout."""


_ALWAYS = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """`kind` holds from `since` up to, but not at, `until`."""

    kind: FaultKind
    since: datetime = _ALWAYS[0]
    until: datetime = _ALWAYS[1]
    delay: timedelta = timedelta(seconds=5)
    """The delay of a slow site (in wall time), or the `Retry-After` of a limited one."""
    layout: Layout = Layout.TABLE
    """The layout of a redrawn site."""


def active_faults(faults: Iterable[Fault], at: datetime) -> dict[FaultKind, Fault]:
    """The faults at a moment; of two of a kind the later in the list counts."""
    return {fault.kind: fault for fault in faults if fault.since <= at < fault.until}
