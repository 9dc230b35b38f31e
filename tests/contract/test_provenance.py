"""Which stored pages stand behind a record's values, and which of them may still be opened."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, select, update

from larder.core.model.job import Purpose
from larder.store.dataset import erasure
from larder.store.reads import provenance
from larder.store.reads.records import find_row
from larder.store.tables import blobs, pages, records, versions
from tests.contract.world import NOW, Pages, run, source, staged, unit_of_work

HOUR = timedelta(hours=1)


def stored(conn: Connection, purpose: Purpose, at: datetime) -> int:
    """A record that stands on a stored page beside another one; the other one's number."""
    source_id = source(conn)
    mine = Pages(conn, source_id)
    page = mine.page(
        staged(1, title="Home 1"),
        staged(2, title="Home 2"),
        at=at,
        purpose=purpose,
        run_id=run(conn, source_id),
    )
    mine.keep(page)
    conn.execute(
        insert(blobs).values(content_hash="h", location="pack:1", size=9, stored_size=9, stored_at=at)
    )
    conn.execute(
        insert(pages).values(
            id=99, job_id=1, source_id=source_id, url="https://homes.test/listings", outcome="ok",
            content_hash="h", fetched_at=at,
        )
    )  # fmt: skip
    conn.execute(update(versions).values(page_id=99))
    return source_id


def opened(conn: Connection) -> set[str | None]:
    """The pages that would be opened for the first record."""
    number = conn.execute(select(records.c.id).where(records.c.title == "Home 1")).scalar_one()
    record = find_row(conn, number, now=NOW)
    return {version.content_hash for version in provenance.load_provenance(conn, record).versions}


@unit_of_work
def test_an_index_page_is_not_shown_once_a_neighbour_was_erased(conn: Connection) -> None:
    source_id = stored(conn, Purpose.INDEX, NOW)
    assert opened(conn) == {"h"}
    other = conn.scalar(select(records.c.id).where(records.c.title == "Home 2"))
    assert other is not None
    erasure.erase_record(conn, other, by="test", reason="asked", now=NOW + HOUR)
    assert opened(conn) == {None}
    assert erasure.last_erased_at(conn, source_id) == NOW + HOUR


@unit_of_work
def test_a_page_that_came_after_or_is_the_records_own_still_is(conn: Connection) -> None:
    stored(conn, Purpose.DETAIL, NOW)
    erasure.erase_seller(conn, "somebody", by="test", reason="asked", now=NOW + HOUR)
    assert opened(conn) == {"h"}
    conn.execute(update(versions).values(purpose="index", observed_at=NOW + 2 * HOUR))
    assert opened(conn) == {"h"}
    conn.execute(update(versions).values(observed_at=NOW))
    assert opened(conn) == {None}
