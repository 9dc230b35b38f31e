"""A database of the previous schema, with data in it, is upgraded; the database is copied before."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, inspect, select

from larder.store import migrations
from larder.store.database import open_database
from larder.store.migrations import upgrade as schema
from tests.acceptance.any_site import read_once
from tests.platform_sites import SHAPES
from tests.unit.cli.conftest import Shell

PREVIOUS = str(ScriptDirectory(str(Path(migrations.__file__).parent)).get_revision("head").down_revision)
KEPT = ("sources", "sites", "runs", "jobs", "pages", "records", "versions", "observations", "changes")
"""Whose rows are compared, by the columns that they had; of other tables the rows are counted."""
DROPPED: dict[str, dict[str, Any]] = {}
"""Columns that this version drops, with the value that they have in every row after a downgrade."""


@pytest.fixture(params=["sqlite", "postgresql"])
def outdated(request: pytest.FixtureRequest, tmp_path: Path) -> Shell:
    """A deployment that has read a site, at the schema before this version's."""
    read_once(SHAPES["woocommerce"], tmp_path)
    shell = Shell(folder=tmp_path)
    if request.param == "postgresql":
        target = request.getfixturevalue("fresh_postgres")
        assert shell("db", "copy", target).code == 0
        shell = Shell(folder=tmp_path, env={"LARDER_DATABASE": target})
    assert shell("db", "downgrade", PREVIOUS, "--yes", "--json").json["revision"] == PREVIOUS
    return shell


def test_data_of_the_previous_schema_is_kept(outdated: Shell) -> None:
    url = outdated.env.get("LARDER_DATABASE") or f"sqlite:///{outdated.data / 'larder.db'}"
    before = content(url)
    assert len(before["records"]) == len(SHAPES["woocommerce"].things)
    assert outdated("status").complaint[1] == "upgrade it: larder db upgrade"
    said = outdated("db", "upgrade", "--json").json
    assert said["ready"]
    after = content(url)
    assert {name: len(rows) for name, rows in before.items()} == {name: len(after[name]) for name in before}
    assert {name: without_dropped(name, before[name]) for name in KEPT} == {
        name: narrowed(after[name], without_dropped(name, before[name])) for name in KEPT
    }
    assert outdated("status", "--json").code == 0
    assert ("backup" in said) is url.startswith("sqlite")
    if "backup" in said:
        backup_is_the_database_before(outdated.folder / said["backup"], before)


def backup_is_the_database_before(backup: Path, before: dict[str, Any]) -> None:
    assert backup.name == f"larder.db.before-{schema.HEAD}"
    assert backup.stat().st_mode & 0o077 == 0
    assert content(f"sqlite:///{backup}") == before


def test_a_database_that_cannot_be_copied_is_not_upgraded(tmp_path: Path) -> None:
    shell = Shell(folder=tmp_path)
    assert shell("init").code == 0
    assert shell("db", "downgrade", PREVIOUS, "--yes").code == 0
    (shell.data / f"larder.db.before-{schema.HEAD}").mkdir()
    for command in (("db", "upgrade"), ("init",)):
        refused = shell(*command)
        assert (refused.code, "nothing was changed" in refused.complaint[0]) == (2, True)
    assert shell("db", "status", "--json").json["revision"] == PREVIOUS
    assert not list(shell.data.glob("*.part"))


def test_what_to_do_before_an_upgrade_of_postgresql_is_said(tmp_path: Path, fresh_postgres: str) -> None:
    shell = Shell(folder=tmp_path, env={"LARDER_DATABASE": fresh_postgres})
    assert "pg_dump" in shell("db", "status").out


def content(url: str) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, as the database has them."""

    async def read() -> dict[str, list[dict[str, Any]]]:
        database = open_database(url)
        try:
            return await database.run(_rows)
        finally:
            await database.close()

    return asyncio.run(read())


def _rows(conn: Connection) -> dict[str, list[dict[str, Any]]]:
    names = [name for name in inspect(conn).get_table_names() if not name.startswith(("search", "alembic"))]
    known = MetaData()
    known.reflect(conn, only=names)
    return {
        name: [dict(row._mapping) for row in conn.execute(select(table).order_by(*table.primary_key))]
        for name, table in known.tables.items()
    }


def without_dropped(name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    dropped = DROPPED.get(name, {})
    assert all(row[column] == value for row in rows for column, value in dropped.items())
    return [{column: row[column] for column in row if column not in dropped} for row in rows]


def narrowed(rows: list[dict[str, Any]], like: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns that there were before."""
    columns = like[0].keys() if like else ()
    return [{name: row[name] for name in columns} for row in rows]
