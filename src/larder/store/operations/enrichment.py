"""Items that wait for a language model: dropped events without a day, and events of the default category.

Each is found once, by a cursor; a batch that was not answered is found again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from larder.store.dataset import history
from larder.store.reads.rows import read_all
from larder.store.tables import items, jobs, pages, records

AUTHOR = "llm"
VERSION = "1"
NO_DATE = "no_date"


@dataclass(frozen=True, slots=True, kw_only=True)
class UndatedItem:
    """A dropped event with the data for storing it after all."""

    id: int
    source_id: int
    fields: Mapping[str, Any]
    block: str | None
    observed_at: datetime
    job_id: int
    run_id: int
    page_id: int | None
    url: str | None
    final_url: str | None
    purpose: str | None
    number: int | None
    adapter_version: str | None


class UncategorizedRecord(NamedTuple):
    """An event whose category the rules could not determine."""

    id: int
    title: str
    content: Mapping[str, Any]


def list_undated(
    conn: Connection, *, after: int, since: datetime, limit: int
) -> tuple[list[UndatedItem], int]:
    """The next events that were dropped since then without a day, and the last id searched."""
    newest: int = conn.scalar(select(func.max(items.c.id))) or 0
    query = (
        select(
            *(items.c[name] for name in ("id", "source_id", "fields", "block", "observed_at", "job_id")),
            *(items.c[name] for name in ("run_id", "page_id")),
            jobs.c.url,
            pages.c.final_url,
            jobs.c.purpose,
            jobs.c.number,
            pages.c.adapter_version,
        )
        .outerjoin(jobs, jobs.c.id == items.c.job_id)
        .outerjoin(pages, pages.c.id == items.c.page_id)
        .where(items.c.id > after, items.c.reason == NO_DATE, items.c.observed_at >= since)
        .order_by(items.c.id)
        .limit(limit)
    )
    found = read_all(conn, query, UndatedItem)
    return found, found[-1].id if len(found) == limit else max(newest, after)


def list_uncategorized(
    conn: Connection, default: str, *, after: int, now: datetime, limit: int
) -> tuple[list[UncategorizedRecord], int]:
    """The next coming events of the default category, and the last id searched."""
    newest: int = conn.scalar(select(func.max(records.c.id))) or 0
    coming = records.c.ends_at.is_(None) | (records.c.ends_at > now)
    query = (
        select(records.c.id, records.c.title, records.c.content)
        .where(records.c.id > after, records.c.kind == "event", records.c.active == 1)
        .where(records.c.category == default, coming)
        .order_by(records.c.id)
        .limit(limit)
    )
    found = [UncategorizedRecord(*row) for row in conn.execute(query)]
    return found, found[-1].id if len(found) == limit else max(newest, after)


def add_versions(conn: Connection, found: Mapping[int, Mapping[str, Any]], *, now: datetime) -> None:
    """Add a version with the model's values to each record.

    Its purpose is index if the record has no other.
    """
    history.add_derived_versions(conn, found, author=AUTHOR, version=VERSION, now=now)
