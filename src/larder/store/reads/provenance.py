"""The stored pages that a record's current values were read from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from larder.core.model.job import Purpose
from larder.core.model.source import Source
from larder.store.dataset import erasure
from larder.store.queue import sources as source_store
from larder.store.reads.rows import RecordRow, view_of
from larder.store.tables import blobs, pages, versions

MAX_VERSIONS = 20
"""Versions that are searched, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadVersion:
    """A version that is the origin of some of a record's values, and where its page is stored."""

    fields: Sequence[str]
    purpose: Purpose
    run: int
    adapter: str
    adapter_version: str
    strategies: Mapping[str, str]
    observed_at: datetime
    url: str | None
    content_type: str | None
    location: str | None
    size: int
    content_hash: str | None
    """None: the page is no longer kept, or it may still show what was erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """A record's source and the versions behind it."""

    source: Source
    identity_key: str
    fields: Mapping[str, Any]
    versions: Sequence[ReadVersion]


def load_provenance(conn: Connection, record: RecordRow) -> Provenance:
    """For each value the last version with just this value; three queries, however long the history."""
    values, read, erased = dict(record.content), [], erasure.last_erased_at(conn, record.source_id)
    for row in conn.execute(_latest_versions(record.id)):
        fields = [name for name, value in values.items() if row.content.get(name) == value]
        for name in fields:
            del values[name]
        if fields:
            read.append(_read_version(row, fields, erased))
    source = source_store.load(conn, [record.source_id])[record.source_id]
    return Provenance(source=source, identity_key=record.identity_key, fields=record.content, versions=read)


def _latest_versions(record_id: int) -> Select[Any]:
    return (
        select(versions, pages.c.final_url, pages.c.url, pages.c.headers, pages.c.content_hash)
        .add_columns(blobs.c.location, blobs.c.size)
        .outerjoin(pages, pages.c.id == versions.c.page_id)
        .outerjoin(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(versions.c.record_id == record_id, versions.c.voided_at.is_(None))
        .order_by(versions.c.observed_at.desc(), versions.c.id.desc())
        .limit(MAX_VERSIONS)
    )


def _read_version(row: Row[Any], fields: Sequence[str], erased: datetime | None) -> ReadVersion:
    readable = row.location is not None and not _shows_erased(row, erased)
    return view_of(
        ReadVersion,
        row,
        fields=sorted(fields),
        purpose=Purpose(row.purpose),
        run=row.run_id,
        strategies=row.strategies or {},
        url=row.final_url or row.url,
        content_type=(row.headers or {}).get("content-type"),
        size=row.size or 0,
        content_hash=row.content_hash if readable else None,
    )


def _shows_erased(row: Row[Any], erased: datetime | None) -> bool:
    """An index page shows neighbours, and one of them may have been erased since."""
    return erased is not None and row.purpose == Purpose.INDEX and row.observed_at <= erased
