"""Counting sees every statement: what SQLAlchemy compiles, and what goes to SQLite's own connection."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, select, text

from larder.store.database import Database
from larder.store.database.statement import Statement
from larder.store.tables import sites
from tests.contract.statements import counted
from tests.contract.world import site

_RAW = Statement("SELECT id FROM sites", scalar=int)
_RETURNING = Statement(
    "UPDATE sites SET notes = said.notes FROM {rows} AS said WHERE sites.id = said.id RETURNING sites.id",
    scalar=int,
    rows={"id": "int", "notes": "text"},
)


def raw_cursor(conn: Connection) -> None:
    driver: Any = conn.connection.driver_connection
    if conn.dialect.name == "sqlite":
        driver.cursor().execute("PRAGMA data_version")
    else:
        conn.exec_driver_sql("SELECT 1")


WAYS: list[Any] = [
    pytest.param(lambda c: c.execute(select(sites.c.id)).all(), 1, id="compiled"),
    pytest.param(lambda c: c.execute(text("SELECT 1")).all(), 1, id="text"),
    pytest.param(_RAW, 1, id="statement"),
    pytest.param(lambda c: _RETURNING(c, [(1, "a"), (2, "b")]), 1, id="rows, RETURNING"),
    pytest.param(raw_cursor, 1, id="raw cursor"),
    pytest.param(
        lambda c: c.execute(text("UPDATE sites SET notes = :notes"), [{"notes": n} for n in "ab"]),
        2,
        id="executemany",
    ),
]


@pytest.mark.parametrize(("way", "many"), WAYS)
async def test_l10_19_every_statement_is_counted(
    database: Database, way: Callable[[Connection], object], many: int
) -> None:
    await database.run(lambda conn: void(site(conn)))
    with counted() as asked:
        await database.run(lambda conn: void(way(conn)))
    sent = [each for each in asked if "txid_current" not in each]  # PostgreSQL's unit of work asks it
    assert 1 <= len(sent) <= many, sent


def void(_: object) -> None:
    """For a way that is only gone for its effect."""
