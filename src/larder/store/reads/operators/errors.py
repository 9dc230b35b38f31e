"""Errors, searched across runs."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from larder.core.errors import Category
from larder.store.reads.lookup import source_row
from larder.store.reads.rows import newest, only, read_all
from larder.store.tables import errors, sources


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFilter:
    """Which errors; every part narrows."""

    source: str | None = None
    run: int | None = None
    category: Category | None = None
    type: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorLine:
    """One error."""

    id: int
    at: datetime
    source: str | None
    run_id: int | None
    job_id: int | None
    stage: str | None
    category: str
    type: str
    message: str | None
    trace: str | None


def list_errors(
    conn: Connection, filters: ErrorFilter, *, before: int | None = None, limit: int = 100
) -> list[ErrorLine]:
    """Newest first; `before`: of those with a smaller number."""
    source_id = None if filters.source is None else source_row(conn, filters.source, removed=True).id
    query = only(
        select(errors, sources.c.slug.label("source")).outerjoin(sources, sources.c.id == errors.c.source_id),
        (errors.c.source_id, source_id),
        (errors.c.run_id, filters.run),
        (errors.c.category, filters.category),
        (errors.c.type, filters.type),
    )
    if filters.text:
        query = query.where(func.lower(errors.c.message).contains(filters.text.lower(), autoescape=True))
    return read_all(conn, newest(query, errors.c.id, before=before, limit=limit), ErrorLine)
