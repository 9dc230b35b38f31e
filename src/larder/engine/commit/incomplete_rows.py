"""Postpones index rows that stay incomplete: their own page was read before and did not complete them.

Each such page is read again after a wait that doubles; until then the row counts as left out, and no run
requests its page.
"""

from collections.abc import Iterable
from datetime import datetime

from larder.core.model.outcome import DropReason
from larder.core.model.run import NewRecord
from larder.core.policy.retry import incomplete_row_due_at
from larder.core.policy.trust.loss import LeftOut
from larder.engine.work_items import ProcessedPage
from larder.stages.persist import Persisted
from larder.store.database import Connection
from larder.store.pages import pages
from larder.store.queue import jobs


def postpone(
    conn: Connection, ended: Iterable[tuple[ProcessedPage, Persisted | None]], *, now: datetime
) -> None:
    """The incomplete rows of each page whose own page is due; the others are postponed."""
    for page, persisted in ended:
        if persisted is None or not persisted.incomplete:
            continue
        waiting = _requested_or_recent(conn, page, persisted.incomplete, now=now)
        persisted.postponed = [row for row in persisted.incomplete if row.url in waiting]
        persisted.incomplete = [row for row in persisted.incomplete if row.url not in waiting]


def _requested_or_recent(
    conn: Connection, page: ProcessedPage, rows: Iterable[NewRecord], *, now: datetime
) -> set[str | None]:
    """Addresses that a job of this run requests, or that were read too recently."""
    urls = [row.url for row in rows if row.url]
    reads = pages.count_reads(conn, page.work.source.id, urls)
    early = {url for url, (times, last_at) in reads.items() if now < incomplete_row_due_at(times, last_at)}
    return {*early, *jobs.list_open_urls(conn, page.work.job.run_id, urls)}


def left_out_rows(page: ProcessedPage, persisted: Persisted | None) -> dict[str, LeftOut]:
    """The postponed rows of a page, as items left out."""
    if persisted is None or not persisted.postponed:
        return {}
    first = persisted.postponed[0]
    lacks = first.lacks or "required fields"
    details = f"{lacks}: neither in the row nor on its own page, which is read again later"
    url = first.url or page.fetched.final_url
    return {
        DropReason.MISSING_REQUIRED_FIELD: LeftOut(items=len(persisted.postponed), details=details, page=url)
    }
