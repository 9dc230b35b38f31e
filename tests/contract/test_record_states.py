"""Records by state, as operators list them."""

import pytest
from sqlalchemy import Connection, update

from larder.actions.dataset.records import list_records
from larder.store.reads.query import Query
from larder.store.reads.records import StateFilter
from larder.store.tables import records
from tests.contract.world import DAY, NOW, Pages, source, staged, unit_of_work


@pytest.mark.parametrize(
    ("state", "days", "found"),
    [("active", 0, {1, 3}), ("inactive", 0, {2}), ("gone", 0, {2}), ("hidden", 0, {3}), ("faded", 9, {1, 3}),
     ("lapsed", 0, set()), ("unseen", 0, {1})],
)  # fmt: skip
@unit_of_work
def test_l10_17_records_by_state(conn: Connection, state: str, days: int, found: set[int]) -> None:
    shown = Pages(conn, source(conn, visibility="public"))
    shown.keep(shown.page(staged(1), staged(2)))
    hidden = Pages(conn, source(conn, "other", domain="other.test", visibility="hidden"))
    hidden.keep(hidden.page(staged(3)))
    conn.execute(update(records).where(records.c.id == 2).values(active=0, verification="gone"))
    conn.execute(update(records).where(records.c.id == 1).values(verification="unseen"))
    lines = list_records(conn, Query(), state=StateFilter(state), now=NOW + days * DAY)
    assert {line.id for line in lines} == found
