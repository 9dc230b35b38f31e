"""Finds the items of a page that the database refuses.

Most pages are written whole. Where a page is refused for a duplicate or orphaned row, its items are tried
in halves, each time together with those that were accepted, and every trial is rolled back. So conflicts
within the page are found as well as conflicts with the dataset.
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
"""Faults of single rows: the row is left out, the rest continues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A refused item, and the database's error."""

    staged: Staged
    fault: DatabaseFault
    error: str


@dataclass(slots=True, kw_only=True)
class SplitItems:
    """A page's items: those that can be written together, and those that cannot."""

    taken: list[Staged] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)


def split_refused(conn: Connection, page: PageItems, *, now: datetime) -> SplitItems:
    """Try the items of a page; nothing is written."""
    found = SplitItems()
    _try_rows(conn, page, list(page.staged), found, now=now)
    return found


def _try_rows(
    conn: Connection, page: PageItems, items: Sequence[Staged], found: SplitItems, *, now: datetime
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
    """The error of writing these; one that is not about a row is raised."""
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
