"""Records in a state that few are in are listed along an index: the others are not looked at."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, Select, event, update

from larder.store.database import Database
from larder.store.database import statement as statements
from larder.store.reads import paging
from larder.store.reads import records as reads
from larder.store.reads.query import Query
from larder.store.reads.records import StateFilter
from larder.store.tables import records
from tests.contract.query_plans import populate
from tests.contract.world import NOW

RARE: dict[StateFilter, dict[str, Any]] = {
    StateFilter.GONE: {"active": 0, "verification": "gone"},
    StateFilter.UNSEEN: {"verification": "unseen"},
    StateFilter.LAPSED: {"active": 0, "verification": "lapsed"},
    StateFilter.ARCHIVED: {"active": 0, "archived_at": NOW},
    StateFilter.INACTIVE: {"active": 0},
    StateFilter.FADED: {"shown_until": NOW - timedelta(hours=1)},
}
SOME = [40, 50, 9_000]
"""Ids; the newest is far from the end of the table."""
_AWAKE = {"active": 1, "verification": None, "shown_until": NOW + timedelta(hours=1)}


@pytest.mark.parametrize("state", RARE, ids=str)
async def test_l14_a_rare_state_is_listed_along_an_index(
    database: Database, state: StateFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Select[Any], Any]] = []
    fetch = statements.fetch_rows

    def listen(conn: Connection, statement: Select[Any], values: Any) -> Any:
        asked.append((statement, values))
        return fetch(conn, statement, values)

    monkeypatch.setattr(paging, "fetch_rows", listen)

    def listed(conn: Connection) -> tuple[list[int], str]:
        populate(conn)
        conn.execute(update(records).values(**_AWAKE))
        conn.execute(update(records).where(records.c.id.in_(SOME)).values(**RARE[state]))
        conn.exec_driver_sql("ANALYZE records")
        found = reads.search(conn, Query(limit=2), state=state, now=NOW)
        return [each.id for each in found.rows], plan(conn, *asked[0])

    ids, steps = await database.run(listed)
    assert ids == SOME[:0:-1]
    assert "ix_records_" in steps
    assert not [line for line in ("Seq Scan on records", "SCAN records\n") if line in steps], steps


def plan(conn: Connection, statement: Select[Any], values: Any) -> str:
    """How the database answers a statement."""
    explain = "EXPLAIN QUERY PLAN" if conn.dialect.name == "sqlite" else "EXPLAIN"

    def explained(_conn: Any, _cursor: Any, sql: str, parameters: Any, *_: Any) -> tuple[str, Any]:
        return f"{explain} {sql}", parameters

    event.listen(conn, "before_cursor_execute", explained, retval=True)
    try:
        return "".join(f"{row[-1]}\n" for row in conn.execute(statement, values).fetchall())
    finally:
        event.remove(conn, "before_cursor_execute", explained)
