"""Stored pages with the values read from them: input of canaries and replays."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, Text, case, func, literal, or_, select

from larder.core.model.job import WITHOUT_ITEMS, Purpose
from larder.core.model.outcome import FetchOutcome
from larder.store.database.statement import Statement, fetch_as, json_value
from larder.store.pages.page_rows import PageRow
from larder.store.pages.pages import with_location
from larder.store.tables import jobs, pages, records, runs, sightings, versions

RECENT_RUNS = 200


class ArchivedPage(NamedTuple):
    """A stored page and the run that last stored something from it."""

    page: PageRow
    run_id: int


class PageVersion(NamedTuple):
    """The values of a record on a page."""

    record_id: int
    page_id: int
    purpose: str
    content: Any
    strategies: Any
    identity_key: str
    canonical_url: str | None


class RecordOnPage(NamedTuple):
    """A record that a page showed."""

    id: int
    identity_key: str
    canonical_url: str | None


class ArchivedRun(NamedTuple):
    """A run whose pages can be read again."""

    id: int
    source_id: int
    voided_at: datetime | None


class RunPage(NamedTuple):
    """A page of a run, and its purpose."""

    page_id: int
    outcome: str
    fetched_at: datetime
    purpose: str
    number: int | None
    key: str | None


_KEYS = Statement(
    """
    SELECT records.id, records.identity_key, records.canonical_url FROM {rows} AS asked
    JOIN records ON records.id = asked.id
    """,
    row=RecordOnPage,
    rows={"id": "int"},
)


def list_source_pages(
    conn: Connection, source_id: int, *, active: str, accepted_at: datetime | None, purpose: str, limit: int
) -> list[ArchivedPage]:
    """The latest pages of a source from which something was stored.

    If a person accepted the active version although it reads differently, only versions stored since then, or
    by that version, count.
    """
    lately = select(runs.c.id).where(runs.c.source_id == source_id).order_by(runs.c.id.desc())
    spoke = (
        select(versions.c.page_id, func.max(versions.c.run_id).label("run_id"))
        .where(versions.c.run_id.in_(lately.limit(RECENT_RUNS)), versions.c.purpose == purpose)
        .where(versions.c.voided_at.is_(None), versions.c.page_id > 0)
        .group_by(versions.c.page_id)
        .order_by(versions.c.page_id.desc())
        .limit(limit)
    )
    if accepted_at is not None:
        spoke = spoke.where(or_(versions.c.adapter_version == active, versions.c.created_at >= accepted_at))
    chosen = spoke.subquery()
    query = (
        with_location()
        .add_columns(chosen.c.run_id)
        .join(chosen, chosen.c.page_id == pages.c.id)
        .where(pages.c.outcome == FetchOutcome.OK)
        .order_by(pages.c.id)
    )
    return [ArchivedPage(PageRow._make(row[:-1]), row.run_id) for row in conn.execute(query)]


def list_page_versions(
    conn: Connection, run_ids: Sequence[int], page_ids: Sequence[int]
) -> list[PageVersion]:
    """The values on these pages that are not void: a row for each record whose content a page changed."""
    columns = [versions.c[name] for name in ("record_id", "page_id", "purpose", "content", "strategies")]
    query = (
        select(*columns, records.c.identity_key, records.c.canonical_url)
        .join(records, records.c.id == versions.c.record_id)
        .where(versions.c.run_id.in_(run_ids), versions.c.page_id.in_(page_ids))
        .where(versions.c.voided_at.is_(None))
        .order_by(versions.c.id)
    )
    return fetch_as(conn, query, PageVersion)


def records_by_page(conn: Connection, page_ids: Sequence[int]) -> dict[int, list[RecordOnPage]]:
    """The records that each page showed, in the page's order."""
    rows = conn.execute(
        select(sightings.c.page_id, sightings.c.records)
        .where(sightings.c.page_id.in_(page_ids))
        .order_by(sightings.c.id)
    )
    ids: dict[int, list[Any]] = {row.page_id: json_value(row.records) for row in rows}
    record_ids = sorted({i for each in ids.values() for i in each})
    rows_by_id = {row.id: row for row in _KEYS(conn, [(i,) for i in record_ids])}
    return {page: [rows_by_id[i] for i in each if i in rows_by_id] for page, each in ids.items()}


# -- replay ------------------------------------------------------------------------------------------------

_BROUGHT = (FetchOutcome.OK, FetchOutcome.NOT_MODIFIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScope:
    """Selects pages: of these sources (None: all), of one run, fetched since then."""

    source_ids: tuple[int, ...] | None = None
    run_id: int | None = None
    since: datetime | None = None

    def runs(self) -> list[ColumnElement[bool]]:
        """The conditions on runs."""
        query: list[ColumnElement[bool]] = [runs.c.kind.in_(_READS)]
        if self.source_ids is not None:
            query.append(runs.c.source_id.in_(self.source_ids))
        if self.run_id is not None:
            query.append(runs.c.id == self.run_id)
        if self.since is not None:
            query.append(func.coalesce(runs.c.finished_at, runs.c.heartbeat_at) >= self.since)
        return query


_READS = ("collect", "discovery", "sweep", "monitor")


def list_runs(conn: Connection, scope: PageScope, *, after: int, limit: int) -> list[ArchivedRun]:
    """The runs of a scope that read pages, oldest first."""
    columns = (runs.c.id, runs.c.source_id, runs.c.voided_at)
    query = select(*columns).where(*scope.runs(), runs.c.id > after)
    return fetch_as(conn, query.order_by(runs.c.id).limit(limit), ArchivedRun)


def estimate_pages(conn: Connection, scope: PageScope) -> int:
    """The approximate number of pages of a scope."""
    return int(conn.scalar(select(func.coalesce(func.sum(runs.c.attempted), 0)).where(*scope.runs())) or 0)


def list_run_pages(
    conn: Connection, run_id: int, *, after: int, since: datetime | None = None
) -> list[RunPage]:
    """The pages of a run with their purpose, oldest first.

    Jobs are deleted before pages. The purpose of a page without a job follows from its sightings: a page
    with a number is an index page.
    """
    query = _pages_of_run(run_id).union_all(_orphaned(run_id)).subquery()
    brought = (query.c.page_id > after) & query.c.outcome.in_(_BROUGHT)
    found = select(query).where(brought).order_by(query.c.page_id)
    return fetch_as(conn, found if since is None else found.where(query.c.fetched_at >= since), RunPage)


def _page() -> tuple[Any, ...]:
    return pages.c.id.label("page_id"), pages.c.outcome, pages.c.fetched_at


def _pages_of_run(run_id: int) -> Select[Any]:
    key = jobs.c.context["key"].as_string().label("key")
    return (
        select(*_page(), jobs.c.purpose, jobs.c.number, key)
        .join(jobs, jobs.c.id == pages.c.job_id)
        .where(jobs.c.run_id == run_id, jobs.c.purpose.not_in(WITHOUT_ITEMS))
    )


def _orphaned(run_id: int) -> Select[Any]:
    purpose = case((sightings.c.number.is_(None), str(Purpose.DETAIL)), else_=str(Purpose.INDEX))
    return (
        select(*_page(), purpose.label("purpose"), sightings.c.number, literal(None, Text).label("key"))
        .join(sightings, sightings.c.page_id == pages.c.id)
        .outerjoin(jobs, jobs.c.id == pages.c.job_id)
        .where(sightings.c.run_id == run_id, jobs.c.id.is_(None))
    )
