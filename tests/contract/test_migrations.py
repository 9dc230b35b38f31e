"""The schema's history: up, down, up again; what it makes is what the tables say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import IntegrityError

from larder.core.errors import Unusable
from larder.store.database import Database, inline_database
from larder.store.migrations import upgrade
from larder.store.tables import metadata
from tests.contract.world import Pages, source, staged


def of_tables(name: str | None, kind: str, _parents: object) -> bool:
    """Not the index for full text: each database makes its own, in a way that tables cannot say."""
    return not (kind == "table" and str(name).startswith("search"))


def differences(conn: Connection) -> list[Any]:
    opts = {"compare_type": True, "compare_server_default": True, "include_name": of_tables}
    context = MigrationContext.configure(conn, opts=opts)
    return list(compare_metadata(context, metadata))


def tables(conn: Connection) -> set[str]:
    found = set(inspect(conn).get_table_names()) - {"alembic_version"}
    return {name for name in found if of_tables(name, "table", None)}


async def test_up_down_and_up_again(unmigrated: Database) -> None:
    await unmigrated.run(upgrade.upgrade)
    assert await unmigrated.run(tables) == set(metadata.tables)
    await unmigrated.run(upgrade.downgrade, "base")
    assert await unmigrated.run(tables) == set()
    await unmigrated.run(upgrade.upgrade)
    assert await unmigrated.run(tables) == set(metadata.tables)
    assert await unmigrated.run(differences) == []


async def test_what_migrations_make_is_what_the_tables_say(database: Database) -> None:
    assert await database.run(differences) == []


async def test_upgrading_twice_changes_nothing(database: Database) -> None:
    await database.run(upgrade.upgrade)
    assert await database.run(upgrade.revision) == upgrade.HEAD
    assert await database.run(differences) == []
    await database.run(upgrade.check)


EARLIER = """
    ALTER TABLE drift_batches DROP COLUMN index_pages;
    ALTER TABLE drift_batches DROP COLUMN listed;
    DROP INDEX ix_dead_letters_group;
    DROP INDEX ix_dead_letters_source;
    DROP INDEX ix_dead_letters_status;
    DROP INDEX ix_quarantine_source;
    DROP INDEX ix_targets_source;
    CREATE INDEX ix_dead_letters_group ON dead_letters (stage, type);
    CREATE INDEX ix_dead_letters_source_id ON dead_letters (source_id);
    CREATE INDEX ix_quarantine_source_id ON quarantine (source_id);
    INSERT INTO changes (at, record_id, source_id, change) VALUES (1, 1, 1, 'new')
"""
"""What the first schema made before it had all that it has now, and a line of the feed."""


async def test_a_database_made_before_gets_what_it_lacks(unmigrated: Database) -> None:
    def earlier(conn: Connection) -> None:
        upgrade.upgrade(conn, "0002")
        for statement in EARLIER.split(";"):
            conn.exec_driver_sql(statement)

    await unmigrated.run(earlier)
    await unmigrated.run(upgrade.upgrade)
    assert await unmigrated.run(differences) == []
    kept = text("SELECT record_id, change, public FROM changes")
    assert [tuple(row) for row in await unmigrated.run(lambda conn: conn.execute(kept).all())] == [
        (1, "new", 0)
    ]


def plans(conn: Connection) -> list[str]:
    return list(conn.scalars(text("SELECT plan FROM sources ORDER BY slug")))


def named(slug: str, plan: str) -> Callable[[Connection], object]:
    sql = text(
        "INSERT INTO sources (slug, name, url, kind, adapter, plan) "
        "VALUES (:slug, :slug, 'https://a.example/', 'product', 'product', :plan)"
    )
    return lambda conn: conn.execute(sql, {"slug": slug, "plan": plan})


async def test_the_plan_watch_becomes_monitor_and_back(unmigrated: Database) -> None:
    await unmigrated.run(upgrade.upgrade, "0004")
    await unmigrated.run(named("a", "watch"))
    await unmigrated.run(named("b", "index"))
    await unmigrated.run(upgrade.upgrade)
    assert await unmigrated.run(plans) == ["monitor", "index"]
    await unmigrated.run(named("c", "monitor"))
    with pytest.raises(IntegrityError):
        await unmigrated.run(named("d", "watch"))
    await unmigrated.run(upgrade.downgrade, "0004")
    assert await unmigrated.run(plans) == ["watch", "index", "watch"]
    with pytest.raises(IntegrityError):
        await unmigrated.run(named("d", "monitor"))
    await unmigrated.run(named("d", "watch"))


async def test_l10_9_no_index_of_the_queue_by_adapter_is_left(unmigrated: Database) -> None:
    def names(conn: Connection) -> set[str]:
        return {str(each["name"]) for each in inspect(conn).get_indexes("jobs")}

    await unmigrated.run(upgrade.upgrade)
    assert "ix_jobs_queue" not in await unmigrated.run(names)
    await unmigrated.run(upgrade.downgrade, "0015")
    assert "ix_jobs_queue" in await unmigrated.run(names)


async def test_columns_that_nothing_reads_are_dropped_and_come_back(unmigrated: Database) -> None:
    unused = {("records", "version_id"), ("schedules", "last_run_id"), ("schedules", "last_run_at")}

    def columns(conn: Connection) -> set[tuple[str, str]]:
        named = inspect(conn)
        return {(table, each["name"]) for table, _ in unused for each in named.get_columns(table)}

    await unmigrated.run(upgrade.upgrade, "0020")
    assert unused <= await unmigrated.run(columns)
    await unmigrated.run(upgrade.upgrade)
    assert not unused & await unmigrated.run(columns)
    await unmigrated.run(upgrade.downgrade, "0020")
    assert unused <= await unmigrated.run(columns)


def test_head_is_the_newest_revision_there_is() -> None:
    scripts = ScriptDirectory(str(Path(upgrade.__file__).parent))
    assert scripts.get_current_head() == upgrade.HEAD
    assert max(script.revision for script in scripts.walk_revisions()) == upgrade.HEAD


async def test_an_empty_database_is_refused_with_what_to_do(unmigrated: Database) -> None:
    with pytest.raises(Unusable, match="revision none") as refused:
        await unmigrated.run(upgrade.check)
    assert refused.value.hint.action == "database.upgrade"


@pytest.mark.parametrize("refuses", [upgrade.check, upgrade.upgrade], ids=["check", "upgrade"])
async def test_a_newer_database_is_left_alone(
    unmigrated: Database, refuses: Callable[[Connection], None]
) -> None:
    def newer(conn: Connection) -> None:
        upgrade.upgrade(conn)
        conn.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    await unmigrated.run(newer)
    with pytest.raises(Unusable, match="newer Larder"):
        await unmigrated.run(refuses)
    assert await unmigrated.run(upgrade.revision) == "9999"
    assert await unmigrated.run(tables) == set(metadata.tables)


def test_tables_made_at_once_equal_the_migrated_ones(tmp_path: Path) -> None:
    """Virtual time makes its tables without history; it must be the same schema."""
    made, migrated = inline_database(), inline_database(f"sqlite:///{tmp_path / 'migrated.db'}")
    made.now(upgrade.create)
    migrated.now(upgrade.upgrade)
    sql = text("SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE '%alembic%' ORDER BY 1, 2")

    def listed(conn: Connection) -> list[Any]:
        return [tuple(row) for row in conn.execute(sql)]

    assert made.now(listed) == migrated.now(listed)


async def test_l10_14_prices_of_stored_watches_keep_their_meaning(unmigrated: Database) -> None:
    def read(conn: Connection) -> Any:
        found = conn.execute(text("SELECT query, enabled FROM watches ORDER BY id")).all()
        return [(json.loads(q) if isinstance(q, str) else q, bool(on)) for q, on in found]

    def store(conn: Connection, *queries: dict[str, Any]) -> None:
        statement = text("INSERT INTO watches (name, query, created_at) VALUES ('w', :query, 1)")
        conn.execute(statement, [{"query": json.dumps(query)} for query in queries])

    await unmigrated.run(upgrade.upgrade, "0005")
    await unmigrated.run(store, {"text": "x", "price_min": 5, "price_max": 120_000}, {"falls_percent": 5})
    await unmigrated.run(upgrade.upgrade)
    migrated = [{"text": "x", "price_min_minor": 5, "price_max_minor": 120_000}, {"falls_percent": 5}]
    assert await unmigrated.run(read) == [(each, True) for each in migrated]
    await unmigrated.run(store, {"on": "gone", "text": "y"}, {"price_max": "12.50"})
    await unmigrated.run(upgrade.downgrade, "0005")
    assert await unmigrated.run(read) == [
        ({"text": "x", "price_min": 5, "price_max": 120_000}, True),
        ({"falls_percent": 5}, True),
        ({"text": "y"}, False),
        ({}, False),
    ]


async def test_the_search_index_is_the_same_after_a_way_down_and_up(database: Database) -> None:
    """What the migration makes of earlier documents is what new documents are."""

    def indexed(conn: Connection) -> list[Any]:
        if conn.dialect.name != "postgresql":
            return []
        return [tuple(row) for row in conn.execute(text("SELECT record_id, terms::text FROM search"))]

    def keep(conn: Connection) -> None:
        pages = Pages(conn, source(conn, "homes", domain="homes.test", visibility="public"))
        pages.keep(pages.page(staged(1, title="Rood huis in Ede", description="bij d'n tuin, 't is groot")))

    await database.run(keep)
    before = await database.run(indexed)
    await database.run(upgrade.downgrade, "0018")
    weighted = await database.run(indexed)
    await database.run(upgrade.upgrade)
    assert await database.run(indexed) == before
    assert all("'huis':1A" in terms and "#" not in terms for _, terms in weighted)
