"""How far a sweep is: the page of the index that it reads, and how many are left.

Where an index ends, the index itself says only on its last page. Until then it is known from what the site
says it holds, or from the last sweep that came to the end; else only how far one sweep goes at most.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from sqlalchemy import Connection, select

from larder.core.model.run import RunKind, RunStatus
from larder.store.reads.lookup import run_row
from larder.store.tables import runs

MAX_EARLIER_SWEEPS = 50
"""Sweeps among which one that came to the end is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepProgress:
    """Where a sweep is in the index."""

    first: int
    page: int
    """The one that is read now, or that was read last."""
    most: int
    """The last that this sweep would read."""
    last: int | None
    """The last that the index is thought to have; None: nobody knows yet."""
    walked: bool
    """The index is done with; what it showed is read now."""

    @property
    def to(self) -> int:
        """The page that this sweep is to end with, as far as is known."""
        return self.most if self.last is None else max(self.page, min(self.most, self.last))

    @property
    def left(self) -> int:
        """Pages still to be read."""
        return 0 if self.walked else self.to - self.page


def sweep_progress(conn: Connection, run_id: int) -> SweepProgress | None:
    """How far a sweep is; None for ended runs and other kinds."""
    row = run_row(conn, run_id)
    state: Mapping[str, Any] = row.state or {}
    if row.kind != RunKind.SWEEP or not RunStatus(row.status).open or "pages_left" not in state:
        return None
    read, page, walked = state["last_page"], state["page"], bool(state["ended"])
    return SweepProgress(
        first=state["sweep_start_page"],
        page=(read or page) if walked else page,
        most=max(read, state["sweep_start_page"] - 1) + state["pages_left"],
        last=_held(state["passing"]) or _seen_before(conn, row.source_id or 0, run_id),
        walked=walked,
    )


def _held(passing: Mapping[str, Any]) -> int | None:
    """By what the site says it holds, as many to a page as so far."""
    advertised: int | None = passing["advertised"]
    rows: int = passing["rows"]
    return ceil(advertised * passing["pages"] / rows) if advertised and rows else None


def _seen_before(conn: Connection, source_id: int, run_id: int) -> int | None:
    """Where the latest earlier sweep that came to the end found it."""
    condition = (runs.c.source_id == source_id) & (runs.c.kind == RunKind.SWEEP) & (runs.c.id < run_id)
    recent = select(runs.c.certificate).where(condition).order_by(runs.c.id.desc()).limit(MAX_EARLIER_SWEEPS)
    return next((int(each["last_page"]) for each in conn.scalars(recent) if each), None)
