"""Pages of a run and of the runs before it, for healing."""

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, select, update

from larder.core.model.job import WITHOUT_ITEMS
from larder.core.model.outcome import DropReason, FetchOutcome
from larder.store.database.statement import fetch_as, fetch_one_as, select_as
from larder.store.pages.page_rows import PageRow
from larder.store.pages.pages import PAGE_COLUMNS
from larder.store.tables import blobs, jobs, pages, runs

SEARCHED = 500
"""Maximum pages of a run that are searched for those without items."""


class FetchedPage(NamedTuple):
    """A stored page and its purpose."""

    page: PageRow
    purpose: str


def list_fetched(conn: Connection, run_id: int, *, limit: int) -> list[FetchedPage]:
    """The first pages of a run that have a body."""
    query = (
        select(*PAGE_COLUMNS, jobs.c.purpose)
        .join(jobs, jobs.c.page_id == pages.c.id)
        .join(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(
            jobs.c.run_id == run_id, jobs.c.purpose.not_in(WITHOUT_ITEMS), pages.c.outcome == FetchOutcome.OK
        )
        .order_by(pages.c.id)
        .limit(limit)
    )
    return [FetchedPage(PageRow._make(row[:-1]), row.purpose) for row in conn.execute(query)]


def list_without_items(conn: Connection, run_id: int, *, limit: int) -> list[PageRow]:
    """The first pages of a run without items, except those that are only out of stock."""
    query = (
        select(*PAGE_COLUMNS, pages.c.left_out)
        .join(jobs, jobs.c.page_id == pages.c.id)
        .join(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(jobs.c.run_id == run_id, jobs.c.purpose.not_in(WITHOUT_ITEMS))
        .where(pages.c.outcome == FetchOutcome.OK, pages.c.yielded == 0)
        .order_by(pages.c.id)
        .limit(SEARCHED)
    )
    found = (row for row in conn.execute(query) if {*(row.left_out or ())} != {DropReason.OOS_NO_PRICE})
    return [PageRow._make(row[:-1]) for row in islice(found, limit)]


def gave_items(conn: Connection, run_id: int) -> bool:
    """Whether some page of the run gave an item."""
    query = select(pages.c.id).join(jobs, jobs.c.page_id == pages.c.id)
    query = query.where(jobs.c.run_id == run_id, jobs.c.purpose.not_in(WITHOUT_ITEMS), pages.c.yielded > 0)
    return conn.execute(query.limit(1)).first() is not None


def list_earlier_runs(conn: Connection, source_id: int, run_id: int, *, limit: int) -> list[int]:
    """The runs of a source before this one, the latest first."""
    condition = (runs.c.source_id == source_id) & (runs.c.id < run_id)
    return list(conn.scalars(select(runs.c.id).where(condition).order_by(runs.c.id.desc()).limit(limit)))


def last_read(conn: Connection, source_id: int, url: str, *, before: int) -> PageRow | None:
    """The newest page of a URL before that page from which something was extracted."""
    query = (
        select(*PAGE_COLUMNS)
        .join(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(pages.c.source_id == source_id, pages.c.url == url, pages.c.id < before)
        .where(pages.c.yielded > 0, pages.c.outcome == FetchOutcome.OK)
        .order_by(pages.c.id.desc())
        .limit(1)
    )
    return fetch_one_as(conn, query, PageRow)


def mark_not_found(conn: Connection, answered: Mapping[int, int | None]) -> None:
    """Mark pages that led to the home page or the index: they are not the requested pages.

    Each gets the status of its redirect; that of the final page is no answer about the requested one.
    """
    by_status: dict[int | None, list[int]] = {}
    for page_id, status in answered.items():
        by_status.setdefault(status, []).append(page_id)
    for status, page_ids in by_status.items():
        values = {"outcome": FetchOutcome.NOT_FOUND, "status": status}
        conn.execute(update(pages).where(pages.c.id.in_(page_ids)).values(values))


class RunDrift(NamedTuple):
    """A run and its drift counts."""

    id: int
    source_id: int
    drift: Any


def load_drift(conn: Connection, run_id: int) -> RunDrift:
    """The run with that id."""
    (drift,) = fetch_as(conn, select_as(runs, RunDrift).where(runs.c.id == run_id), RunDrift)
    return drift
