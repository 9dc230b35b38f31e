"""The rows in which records are found and written."""

from typing import Any, NamedTuple

from larder.store.dataset.freshness import FreshnessColumns


class KnownRecord(NamedTuple):
    """The stored values that a page's item is compared with."""

    id: int
    source_id: int
    identity_key: str
    fingerprint: str | None
    canonical_url: str | None
    row_hash: str | None
    content_hash: str
    price_minor: int | None
    currency: str | None
    availability: str | None
    seller: str | None
    discovered_at: int | None
    last_scraped_at: int | None
    active: int
    pinned: int
    seen_by_run: int | None
    starts_at: int | None


class RecordIdentity(NamedTuple):
    """The columns by which a record is found."""

    source_id: int
    kind: str
    identity_key: str
    fingerprint: str | None


class RecordColumns(NamedTuple):
    """The columns that a record's content sets."""

    platform_id: str | None
    url: str | None
    canonical_url: str | None
    title: str
    price_minor: int | None
    currency: str | None
    availability: str | None
    seller: str | None
    category: str | None
    brand: str | None
    rating: float | None
    latitude: float | None
    longitude: float | None
    starts_at: int | None
    ends_at: int | None
    content: dict[str, Any]
    content_hash: str
    row_hash: str | None
    page_id: int | None
    last_scraped_at: int | None


class FirstSighting(NamedTuple):
    """When a new record was seen, and by which run."""

    first_at: int
    last_at: int
    discovered_at: int | None
    run_id: int


class NewRecordRow(NamedTuple):
    """A record to insert."""

    identity: RecordIdentity
    columns: RecordColumns
    freshness: FreshnessColumns
    sighting: FirstSighting


class ChangedRecord(NamedTuple):
    """New content of a known record."""

    id: int
    columns: RecordColumns


class ReadAgain(NamedTuple):
    """A record read again with the same content; the last two are None if only its row was read."""

    id: int
    row_hash: str | None
    scraped_at: int | None
    page_id: int | None


class EndedRecord(NamedTuple):
    """A record whose page says that it is no longer available, and when it said so."""

    id: int
    at: int


class ScrapedRecord(NamedTuple):
    """A record whose own page is unchanged."""

    id: int
    at: int
    page_id: int


class SightedRecord(NamedTuple):
    """A sighting of a known record."""

    id: int
    run_id: int
    at: int
    discovered_at: int | None
    same: int
    """1: the page is unchanged, so that its content confirms the same values."""
    index_url: str | None
    """The canonical address of the index page that showed it; None for its own page."""
    freshness: FreshnessColumns


class CommonSighting(NamedTuple):
    """A sighting that many known records share: they are on one page."""

    run_id: int
    at: int
    discovered_at: int | None
    same: int
    index_url: str | None
    freshness: FreshnessColumns


class StoredIdentity(NamedTuple):
    """The columns for writing a record's content again."""

    id: int
    source_id: int
    url: str | None
    canonical_url: str | None
    content_hash: str
