"""Sights the records of a page that did not change.

Every record that was last extracted from the page gets its sighting, and its present values are confirmed at
the time of the fetch.
"""

from collections.abc import Sequence

from larder.core.model.job import Purpose
from larder.core.policy.freshness import RATES
from larder.stages.persist.batch import Persisted
from larder.stages.persist.record_fold import PageItems
from larder.stages.persist.rows import sighted_columns
from larder.store.database import Connection, micros, moment_or_none
from larder.store.dataset import history, records, sightings
from larder.store.dataset.history import ConfirmedRecord
from larder.store.dataset.record_rows import ScrapedRecord, SightedRecord
from larder.store.dataset.sightings import PageSighting


def sight_unchanged(conn: Connection, same: Sequence[tuple[PageItems, int]]) -> dict[int, Persisted]:
    """(page, the page it equals) → what each page (by job) showed again."""
    shown = sightings.records_by_page(conn, [before for _, before in same])
    pages = [(page, shown.get(before, [])) for page, before in same]
    discovered = records.discovered_at(conn, [record_id for _, ids in pages for record_id in ids])
    sightings.mark_seen(conn, [row for page, ids in pages for row in seen_again(page, ids)])
    history.confirm_records(
        conn, [ConfirmedRecord(i, micros(page.fetched_at)) for page, ids in pages for i in ids]
    )
    records.mark_scraped(
        conn,
        [
            ScrapedRecord(i, micros(page.fetched_at), page.page_id)
            for page, ids in pages
            if page.purpose is not Purpose.INDEX
            for i in ids
        ],
    )
    sightings.add(
        conn,
        [
            PageSighting(page.source.id, page.run_id, page.page_id, page.number, micros(page.fetched_at), ids)
            for page, ids in pages
            if ids
        ],
    )
    return {
        page.job_id: Persisted(
            discovered_at=[moment_or_none(discovered.get(i)) for i in ids], unchanged=len(ids), ids=ids
        )
        for page, ids in pages
    }


def seen_again(page: PageItems, ids: Sequence[int]) -> list[SightedRecord]:
    """Sightings of these records by a page."""
    columns = sighted_columns(page.fetched_at, RATES[page.source.tier])
    at, index_url = micros(page.fetched_at), page.index_url
    discovered = at if page.discovers else None
    return [SightedRecord(i, page.run_id, at, discovered, 1, index_url, columns) for i in ids]
