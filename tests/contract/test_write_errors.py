"""What both databases say when a row is at fault, and what is left of its page."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DBAPIError

from larder.core.policy.degradation import DatabaseFault
from larder.stages.persist import persist, split_refused
from larder.store.database import Database, open_database
from larder.store.database.write_errors import database_fault, explain, is_unavailable
from larder.store.tables import records
from tests.contract import world
from tests.contract.world import NOW, Pages, staged, unit_of_work


async def error_of(database: Database, work: Callable[[Connection], Any]) -> DBAPIError:
    with pytest.raises(DBAPIError) as raised:
        await database.run(work)
    return raised.value


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        pytest.param(
            "INSERT INTO sites (domain, created_at) VALUES ('a.test', 0), ('a.test', 0)",
            DatabaseFault.UNIQUE,
            id="doubled",
        ),
        pytest.param(
            "INSERT INTO circuits (source_id) VALUES (404)", DatabaseFault.FOREIGN_KEY, id="orphaned"
        ),
        pytest.param("INSERT INTO sites (domain) VALUES (NULL)", None, id="a value that must be there"),
        pytest.param("SELECT nonsense", None, id="nonsense"),
    ],
)
async def test_the_row_is_at_fault(database: Database, sql: str, fault: DatabaseFault | None) -> None:
    error = await error_of(database, lambda conn: conn.execute(text(sql)))
    assert database_fault(error) == fault
    assert not is_unavailable(error)


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        pytest.param("SELECT pg_terminate_backend(pg_backend_pid())", DatabaseFault.CONNECTION, id="cut off"),
        pytest.param("SELECT pg_cancel_backend(pg_backend_pid())", DatabaseFault.WRITE, id="called off"),
        pytest.param(
            "SET LOCAL statement_timeout = '50ms'; SELECT pg_sleep(9)", DatabaseFault.WRITE, id="too slow"
        ),
        pytest.param("CREATE TABLE t (n int)", DatabaseFault.WRITE, id="read-only"),
    ],
)
async def test_the_server_is_at_fault(postgres: Database, sql: str, fault: DatabaseFault) -> None:
    def work(conn: Connection) -> None:
        conn.execute(text("SET LOCAL transaction_read_only = on"))
        for statement in sql.split("; "):
            conn.execute(text(statement))

    error = await error_of(postgres, work)
    assert database_fault(error) is fault
    assert is_unavailable(error)


async def test_a_damaged_file_is_no_fault_of_the_row(tmp_path: Path) -> None:
    (tmp_path / "larder.db").write_bytes(b"no database" * 1_000)
    damaged = open_database(f"sqlite:///{tmp_path}/larder.db")
    try:
        error = await error_of(damaged, lambda conn: conn.execute(text("SELECT * FROM records")))
    finally:
        await damaged.close()
    assert database_fault(error) is DatabaseFault.WRITE
    assert "docs/runbooks/backup.md" in str(explain(error).hint)


# -- sifting -----------------------------------------------------------------------------------------------


def one_of_a_title(conn: Connection) -> None:
    """One more rule than the dataset has by itself."""
    conn.execute(text("CREATE UNIQUE INDEX ix_one_of_a_title ON records (source_id, title)"))


def undo_the_rule(conn: Connection) -> None:
    conn.execute(text("DROP INDEX ix_one_of_a_title"))


def stored(conn: Connection) -> list[str]:
    return list(conn.scalars(select(records.c.identity_key).order_by(records.c.id)))


@unit_of_work
def test_of_a_page_only_what_is_doubled_is_left_out(conn: Connection) -> None:
    pages = Pages(conn, world.source(conn))
    one_of_a_title(conn)
    persist(conn, [pages.page(staged(1))], now=NOW)
    items = [staged(n) for n in range(2, 90)]
    items[10] = staged(900, title="Home 1")
    items[50] = staged(901, title="Home 2")
    page = pages.page(*items)
    found = split_refused(conn, page, now=NOW)
    assert [(r.staged.identity_key, r.fault) for r in found.refused] == [
        ("PID:900", DatabaseFault.UNIQUE),
        ("PID:901", DatabaseFault.UNIQUE),
    ]
    assert found.taken == [item for item in items if item.identity_key not in ("PID:900", "PID:901")]
    assert stored(conn) == ["PID:1"], "a trial leaves nothing behind"
    undo_the_rule(conn)


@unit_of_work
def test_a_page_without_fault_is_taken_as_it_is(conn: Connection) -> None:
    pages = Pages(conn, world.source(conn))
    items = [staged(n) for n in range(5)]
    assert split_refused(conn, pages.page(*items), now=NOW).taken == items


@unit_of_work
def test_trouble_that_is_no_rows_fault_is_not_blamed_on_a_row(conn: Connection) -> None:
    pages = Pages(conn, world.source(conn))
    with pytest.raises(TypeError):
        split_refused(conn, pages.page(staged(1, title=object())), now=NOW)
