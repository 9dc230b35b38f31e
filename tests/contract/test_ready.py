"""Whoever watches processes is told whether this one can do its work."""

from pathlib import Path

from sqlalchemy import Connection, text

from larder.store.migrations.upgrade import HEAD
from tests.contract.faces import opened


async def test_it_is_ready_as_long_as_the_schema_is_its_own(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as found:
        assert (await found.anyone.get("/api/ready")).status_code == 200
        await found.app.run(_be_at, "0001")
        told, health = [await found.anyone.get(f"/api/{path}") for path in ("ready", "health")]
        await found.app.run(_be_at, HEAD)  # other tests come to the same database
    assert (told.status_code, health.status_code) == (503, 200)
    assert told.json()["status"] == 503


def _be_at(conn: Connection, revision: str) -> None:
    conn.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
