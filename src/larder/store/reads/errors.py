"""Errors, searched across runs."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from larder.core.errors import Category
from larder.store.reads.lookup import source_row
from larder.store.reads.rows import view_of
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
    conn: Connection, asked: ErrorFilter, *, before: int | None = None, limit: int = 100
) -> list[ErrorLine]:
    """Newest first; `before`: of those with a smaller number."""
    query = (
        select(errors, sources.c.slug.label("source"))
        .outerjoin(sources, sources.c.id == errors.c.source_id)
        .order_by(errors.c.id.desc())
        .limit(limit)
    )
    if asked.source is not None:
        query = query.where(errors.c.source_id == source_row(conn, asked.source).id)
    if asked.text:
        query = query.where(func.lower(errors.c.message).contains(asked.text.lower(), autoescape=True))
    if before is not None:
        query = query.where(errors.c.id < before)
    for column, value in ((errors.c.run_id, asked.run), (errors.c.category, asked.category)):
        query = query if value is None else query.where(column == value)
    if asked.type is not None:
        query = query.where(errors.c.type == asked.type)
    return [view_of(ErrorLine, row) for row in conn.execute(query)]
