"""A list that goes on is walked along an index: its last page costs what its first did."""

import re
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from larder.actions.dataset import quarantine, records
from larder.actions.dataset.quarantine import QuarantineStatus
from larder.actions.operations import dead_letters
from larder.actions.operations.dead_letters import DeadLetterFilter
from larder.actions.sources import targets
from larder.store.queue.dead_letters import DeadLetterStatus
from larder.store.reads import cursors
from larder.store.reads.cursors import CursorKey
from larder.store.reads.query import Query
from tests.contract.query_plans import NOW_US, RECORDS, _numbers, populate
from tests.contract.statements import overheard
from tests.contract.world import NOW, unit_of_work

Reads = Callable[[Connection], Any]

MIDDLE, MANY = RECORDS // 2, 20
_RARE = "CASE WHEN n % 25 = 0 AND n < 3000 THEN"
"""A few old ones, far from where a list begins."""
_ROWS = (
    f"""INSERT INTO dead_letters (source_id, stage, category, type, status, created_at)
        SELECT {_RARE} 4 ELSE 1 END, 'parse', 'parse', {_RARE} 'rare' ELSE 'usual' END,
          {_RARE} 'pending' ELSE 'resolved' END, {NOW_US} FROM @numbers""",
    f"""INSERT INTO quarantine (source_id, reason, item, status, observed_at, created_at)
        SELECT {_RARE} 4 ELSE 1 END, 'zero_price', '{{}}', {_RARE} 'pending' ELSE 'released' END,
          {NOW_US}, {NOW_US} FROM @numbers""",
    "UPDATE targets SET source_id = 1 WHERE source_id = 4 AND id < 17600",
)
_BY_NUMBER = re.compile(r"(\w+) USING INTEGER PRIMARY KEY \(rowid[<>]\?\)")
_SORTS = ("USE TEMP B-TREE", "Sort", "Incremental Sort")


def _letters(**asked: Any) -> Reads:
    return lambda conn: (
        dead_letters.list_dead_letters(conn, DeadLetterFilter(**asked), before=MIDDLE, limit=MANY).letters
    )


def _items(**asked: Any) -> Reads:
    return lambda conn: quarantine.list_items(conn, before=MIDDLE, limit=MANY, **{"status": None, **asked})


def _targets(**asked: Any) -> Reads:
    return lambda conn: targets.list_targets(conn, after=MIDDLE, limit=MANY, **asked)


def _records(conn: Connection) -> Any:
    after = cursors.encode(CursorKey(MIDDLE, MIDDLE), Query())
    return records.list_page(conn, Query(limit=MANY, after=after), now=NOW).lines


LISTS: list[tuple[Reads, str]] = [
    (_letters(), "pk_dead_letters"),
    (_letters(source="homes-3"), "ix_dead_letters_source"),
    (_letters(status=DeadLetterStatus.PENDING), "ix_dead_letters_status"),
    (_letters(stage="parse", type="rare"), "ix_dead_letters_group"),
    (_items(), "pk_quarantine"),
    (_items(source="homes-3"), "ix_quarantine_source"),
    (_items(status=QuarantineStatus.PENDING), "ix_quarantine_status"),
    (_targets(), "pk_targets"),
    (_targets(slug="homes-3"), "ix_targets_source"),
    (_records, "pk_records"),
]
"""How the next page is read, and along what."""


@unit_of_work
def test_the_next_page_is_found_along_an_index(conn: Connection) -> None:
    _plant(conn)
    for read, index in LISTS:
        with overheard(conn) as sent:
            assert len(read(conn)) == MANY, index
        (asked,) = [each for each in sent if "LIMIT" in each[0]]
        plan = _plan(conn, *asked)
        assert [line for line in plan if line.startswith(_SORTS)] == [], index
        assert [line for line in plan if index in line], (index, plan)


def _plant(conn: Connection) -> None:
    populate(conn)
    for sql in _ROWS:
        conn.exec_driver_sql(sql.replace("@numbers", _numbers(conn)))
    conn.exec_driver_sql("ANALYZE")


def _plan(conn: Connection, statement: str, values: Any) -> list[str]:
    """Its steps; what goes by number is named as PostgreSQL names it on both."""
    if conn.dialect.name == "postgresql":
        return [row[0].strip(" ->") for row in conn.exec_driver_sql(f"EXPLAIN {statement}", values)]
    told = [row[-1] for row in conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    return [_BY_NUMBER.sub(r"\1 USING pk_\1", each) for each in told]
