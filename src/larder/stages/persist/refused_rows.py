"""Which items of a page the database will not take.

Most pages are written whole. Where one is refused for a row that is doubled or orphaned, its items are tried
in halves, each time on top of those that went in, and every trial is undone: what collides with its own
neighbours is found as well as what collides with the dataset.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from larder.core.model.item import Staged
from larder.core.policy.degradation import DatabaseFault
from larder.stages.persist.batch import persist
from larder.stages.persist.record_fold import PageItems
from larder.store.database import Connection
from larder.store.database.write_errors import database_fault

SKIPPED = frozenset({DatabaseFault.UNIQUE, DatabaseFault.FOREIGN_KEY})
"""Faults of single rows: the row is left out, the rest goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An item that the database would not take, and what it said."""

    staged: Staged
    fault: DatabaseFault
    error: str


@dataclass(slots=True, kw_only=True)
class SiftedItems:
    """A page's items: those that can be written together, and those that cannot."""

    taken: list[Staged] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)


def split_refused(conn: Connection, page: PageItems, *, now: datetime) -> SiftedItems:
    """Try the items of a page; nothing is written."""
    found = SiftedItems()
    _try_rows(conn, page, list(page.staged), found, now=now)
    return found


def _try_rows(
    conn: Connection, page: PageItems, items: Sequence[Staged], found: SiftedItems, *, now: datetime
) -> None:
    error = _error(conn, replace(page, staged=[*found.taken, *items]), now=now)
    if error is None:
        found.taken += items
    elif len(items) == 1:
        found.refused.append(_refused(items[0], error))
    else:
        half = len(items) // 2
        _try_rows(conn, page, items[:half], found, now=now)
        _try_rows(conn, page, items[half:], found, now=now)


def _error(conn: Connection, page: PageItems, *, now: datetime) -> Exception | None:
    """What the database says against these; anything but a row's own fault is raised."""
    trial = conn.begin_nested()
    try:
        persist(conn, [page], now=now)
    except Exception as error:
        if database_fault(error) not in SKIPPED:
            raise
        return error
    finally:
        trial.rollback()
    return None


def _refused(staged: Staged, error: Exception) -> Refused:
    message = str(getattr(error, "orig", None) or error).split("\n", 1)[0]
    return Refused(staged=staged, fault=database_fault(error) or DatabaseFault.UNIQUE, error=message)
