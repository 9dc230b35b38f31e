"""Rows that an operator names: a site, a run, a record."""

from datetime import datetime
from typing import Any, NamedTuple


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
    robots_compliance: str
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
    voided_by: str | None


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
