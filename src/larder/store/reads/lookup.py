"""Looks up what an operator named; where nothing has that name, the error says which names are close."""

from collections.abc import Collection, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from larder.core.errors import BadInput, NotFound
from larder.core.model.hint import Hint, HintAction
from larder.core.model.source import Visibility
from larder.core.quoting import quoted
from larder.store.database.statement import fetch_one_as, select_as
from larder.store.queue.source_rows import SourceRow
from larder.store.tables import records, runs, sites
from larder.store.tables import sources as sources_table


class SiteRow(NamedTuple):
    """A site."""

    id: int
    domain: str
    preset: str
    spacing_ms: int | None
    spacing_max_ms: int | None
    at_once: int | None
    crawl_delay_ms: int | None
    exempt_hosts: Any
    local: int
    blocked: int
    blocked_reason: str | None
    terms_reviewed_at: datetime | None
    terms_reviewed_by: str | None
    notes: str | None
    created_at: datetime | None
    updated_at: datetime | None


class RunRow(NamedTuple):
    """A run."""

    id: int
    source_id: int | None
    region: str | None
    kind: str
    status: str
    trigger: str
    adapter: str | None
    adapter_version: str | None
    state: Any
    started_at: datetime
    heartbeat_at: datetime
    parked_until: datetime | None
    finished_at: datetime | None
    open_jobs: int
    settled: int
    pages: int
    attempted: int
    failed: int
    extracted: int
    inserted: int
    updated: int
    unchanged: int
    dropped: int
    quarantined: int
    rows_shown: int
    left_out: Any
    advertised: int | None
    failure_rate: float | None
    drop_rate: float | None
    yield_rate: float | None
    certificate: Any
    drift: Any
    flagged: int
    error_code: str | None
    error: str | None
    external_id: str | None
    voided_at: datetime | None


class NamedRecord(NamedTuple):
    """A record without its confidence."""

    id: int
    source_id: int
    kind: str
    identity_key: str
    title: str
    url: str | None
    currency: str | None
    content: Any
    entity_id: int | None
    active: int


MAX_OFFERED = 1_000
"""Sources that a field offers; beyond that one has to know its name."""


def source_row(conn: Connection, slug: str, *, removed: bool = False) -> SourceRow:
    """The source of that slug; `removed`: also where it was removed."""
    from larder.store.queue import sources  # noqa: PLC0415 - slow to load, and often nothing is named

    row = sources.by_slug(conn, slug)
    if row is None or (row.removed_at and not removed):
        query = select(sources_table.c.slug).where(sources_table.c.removed_at.is_(None))
        known = list(conn.scalars(query.limit(10_000)))
        raise NotFound(f"there is no source {quoted(slug)}", hint=_alternatives(slug, known, "source.list"))
    return row


def source_ids_of_adapter(conn: Connection, adapter: str) -> list[int]:
    """The sources that an adapter reads."""
    return list(conn.scalars(select(sources_table.c.id).where(sources_table.c.adapter == adapter)))


def slugs_by_id(conn: Connection, ids: Collection[int], *, public_only: bool) -> dict[int, str]:
    """Slugs of these sources; `public_only`: of those that a visitor may see."""
    query = select(sources_table.c.id, sources_table.c.slug).where(sources_table.c.id.in_(ids))
    if public_only:
        query = query.where(sources_table.c.visibility == Visibility.PUBLIC)
    return {row.id: row.slug for row in conn.execute(query)} if ids else {}


def time_zones(conn: Connection, source_ids: Collection[int]) -> dict[int, str]:
    """The time zones of these sources, by id."""
    query = select(sources_table.c.id, sources_table.c.tz).where(sources_table.c.id.in_(source_ids))
    return {row.id: row.tz for row in conn.execute(query)} if source_ids else {}


def any_hidden(conn: Connection, source_ids: Sequence[int]) -> bool:
    """Whether one of these sources is not public."""
    hidden = sources_table.c.id.in_(source_ids) & (sources_table.c.visibility == Visibility.HIDDEN)
    return conn.scalar(select(sources_table.c.id).where(hidden).limit(1)) is not None


def list_slugs(conn: Connection, *, public_only: bool = False) -> list[str]:
    """Slugs for a field that offers sources, in their order."""
    condition, public = sources_table.c.removed_at.is_(None), sources_table.c.visibility == Visibility.PUBLIC
    query = select(sources_table.c.slug).where(public if public_only else condition)
    return list(conn.scalars(query.order_by(sources_table.c.slug).limit(MAX_OFFERED)))


def site_row(conn: Connection, domain: str) -> SiteRow:
    """The site of that domain."""
    query = select_as(sites, SiteRow).where(sites.c.domain == domain_of(domain))
    row = fetch_one_as(conn, query, SiteRow)
    if row is None:
        known = list(conn.scalars(select(sites.c.domain).limit(10_000)))
        raise NotFound(f"there is no site {quoted(domain)}", hint=_alternatives(domain, known, "site.list"))
    return row


def run_row(conn: Connection, run_id: int) -> RunRow:
    """The run of that id."""
    row = fetch_one_as(conn, select_as(runs, RunRow).where(runs.c.id == run_id), RunRow)
    if row is None:
        raise NotFound(f"there is no run {run_id}", hint=Hint(action="run.list"))
    return row


def record_row(conn: Connection, record_id: int) -> NamedRecord:
    """The record of that id."""
    query = select_as(records, NamedRecord).where(records.c.id == record_id)
    row = fetch_one_as(conn, query, NamedRecord)
    if row is None:
        raise NotFound(f"there is no record {record_id}", hint=Hint(action="record.list"))
    return row


def domain_of(value: str) -> str:
    """The registrable domain that a person meant by a domain, a host or a URL."""
    from larder.sdk.urls import is_http, registrable_domain  # noqa: PLC0415 - slow to load

    if "://" in value and not is_http(value):
        raise _no_domain(value)
    domain = registrable_domain(value.strip().lower())
    if domain is None:
        raise _no_domain(value)
    return domain


def _no_domain(value: str) -> BadInput:
    return BadInput(f"{quoted(value)} is not a site", hint="give its domain, such as example.com")


def _alternatives(value: str, known: list[str], action: HintAction) -> Hint:
    close = get_close_matches(value, known, n=3)
    return Hint(text=f"did you mean {' or '.join(close)}?") if close else Hint(action=action)
