"""Records that have been inactive for long are archived: known again when seen, never checked meanwhile."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, update

from larder.actions.dataset import records as record_actions
from larder.app.maintenance import _retention
from larder.core.model.job import Purpose
from larder.settings import Settings
from larder.store.operations.archiving import archive_records
from larder.store.queue import selections
from larder.store.reads.query import Query
from larder.store.reads.records import StateFilter
from larder.store.tables import observations, records, versions
from tests.contract.test_verification import doubt
from tests.contract.world import DAY, HOUR, NOW, Pages, source, staged, unit_of_work

YEAR = timedelta(days=365)
ADDRESS = "https://homes.test/listing/1"


def kept_for_long(conn: Connection, **state: Any) -> Pages:
    """Two records, the first read several times, both inactive since a year and a day."""
    pages = Pages(conn, source(conn))
    for n in range(3):
        row = staged(1, url=ADDRESS, price_minor=10_000 + n)
        pages.keep(pages.page(row, staged(2), at=NOW + n * HOUR))
        pages.keep(pages.page(row, at=NOW + n * HOUR, purpose=Purpose.DETAIL))
    since = {"active": 0, "deactivated_at": NOW + DAY, "verification": "lapsed", **state}
    conn.execute(update(records).values(**since))
    return pages


def count(conn: Connection, table: Any) -> int:
    return conn.scalar(select(func.count()).select_from(table).where(table.c.record_id == 1)) or 0


@unit_of_work
def test_l10_13_records_long_inactive_are_archived(conn: Connection) -> None:
    kept_for_long(conn)
    before, prices = count(conn, versions), count(conn, observations)
    later = NOW + YEAR + 2 * DAY
    assert archive_records(conn, before=NOW + DAY).deleted == 0
    assert archive_records(conn, before=later - YEAR).deleted == 2
    assert archive_records(conn, before=later - YEAR).deleted == 0
    assert (before > count(conn, versions), count(conn, observations)) == (True, prices)
    assert count(conn, versions) in (1, 2)
    found = record_actions.list_records(conn, Query(), state=StateFilter.ARCHIVED, now=later)
    assert len(found) == 2


@unit_of_work
def test_l10_13_an_archived_record_is_not_checked_and_known_again_when_seen(conn: Connection) -> None:
    pages = kept_for_long(conn)
    later = NOW + YEAR + 2 * DAY
    asked = doubt(faded_only=False)
    assert selections.list_verification_candidates(conn, 1, asked, now=later, limit=9)
    archive_records(conn, before=later - YEAR)
    assert selections.list_verification_candidates(conn, 1, asked, now=later, limit=9) == []
    pages.keep(pages.page(staged(1, url=ADDRESS), at=later))
    assert conn.scalar(select(func.count()).select_from(records)) == 2
    row = conn.execute(select(records).where(records.c.id == 1)).one()
    assert (row.active, row.archived_at) == (1, None)


@unit_of_work
def test_l10_13_an_active_record_is_never_archived(conn: Connection) -> None:
    kept_for_long(conn, active=1, verification=None)
    assert archive_records(conn, before=NOW + 9 * YEAR).deleted == 0


@pytest.mark.parametrize("days", ["0", "400"])
def test_l10_13_when_records_are_archived_is_a_setting(days: str) -> None:

    kept = _retention(Settings(archive_after_days=days)).inactive_records
    assert kept == (timedelta(days=400) if days == "400" else None)
