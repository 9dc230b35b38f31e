"""The stored page of a job, and for what it was read: as long as the page is kept, also without its job."""

from typing import NamedTuple

from sqlalchemy import Connection, select

from larder.core.errors import NotFound
from larder.core.model.job import Purpose
from larder.store.database.statement import fetch_as
from larder.store.pages.page_rows import PageRow
from larder.store.pages.pages import with_location
from larder.store.tables import jobs, pages, sightings


class PageToRead(NamedTuple):
    """A stored page, and how to read it."""

    page: PageRow
    purpose: Purpose


def page_of_job(conn: Connection, job_id: int) -> PageToRead:
    """The latest page of a job that has a body."""
    latest = with_location().where(pages.c.job_id == job_id, pages.c.content_hash.is_not(None))
    found = fetch_as(conn, latest.order_by(pages.c.id.desc()).limit(1), PageRow)
    if not found:
        hint = "stored pages are kept for a while: see LARDER_PAGES_KEEP_DAYS"
        raise NotFound(f"page {job_id} is not stored", hint=hint)
    return PageToRead(found[0], _purpose(conn, found[0]))


def _purpose(conn: Connection, page: PageRow) -> Purpose:
    """As the job says; a page whose job was deleted is an index page if it showed records by number."""
    purpose = conn.scalar(select(jobs.c.purpose).where(jobs.c.id == page.job_id))
    if purpose is not None:
        return Purpose(purpose)
    numbered = select(sightings.c.number).where(
        sightings.c.page_id == page.id, sightings.c.number.is_not(None)
    )
    return Purpose.INDEX if conn.execute(numbered.limit(1)).first() else Purpose.DETAIL
