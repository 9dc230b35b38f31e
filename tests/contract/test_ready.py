"""Whoever watches processes is told whether this one can do its work."""

from pathlib import Path

from sqlalchemy import Connection, text

from tests.contract.faces import opened


async def test_it_is_ready_as_long_as_the_schema_is_its_own(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as found:
        assert (await found.anyone.get("/api/ready")).status_code == 200
        await found.app.do(_of_another_version)
        told = await found.anyone.get("/api/ready")
        assert (told.status_code, (await found.anyone.get("/api/health")).status_code) == (503, 200)
        assert told.json()["status"] == 503


def _of_another_version(conn: Connection) -> None:
    conn.execute(text("UPDATE alembic_version SET version_num = '0001'"))
