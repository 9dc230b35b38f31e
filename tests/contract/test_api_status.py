"""`/api/status`: how true the dataset is; for holders of a key, or for everyone if the settings say so."""

from pathlib import Path

from sqlalchemy import Connection, update

from larder.store.tables import sources
from tests.contract.faces import HIDDEN, opened, stocked
from tests.contract.world import HOUR, NOW


def _ran(conn: Connection) -> None:
    stocked(conn)
    conn.execute(update(sources).values(last_run_at=NOW, last_run_status="completed"))


async def test_keys_decide_whose_sources_are_told(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as faces:
        await faces.app.run(_ran)
        assert (await faces.anyone.get("/api/status")).status_code == 401
        reader = await faces.get("/api/status", faces.reader)
        admin = await faces.get("/api/status", faces.admin)
        faces.clock.advance(NOW + 40 * HOUR)
        later = await faces.get("/api/status", faces.reader)
    assert [(each["source"], each["records"], each["shown"]) for each in reader["sources"]] == [
        ("homes", 5, 5)
    ]
    assert reader["sources"][0]["last_run_status"] == "completed"
    assert {each["source"] for each in admin["sources"]} == {"homes", HIDDEN}
    assert (reader["records"], admin["records"], reader["fresh_share"]) == (5, 10, 1.0)
    assert (later["records"], later["shown"], later["fresh_share"]) == (5, 0, 0.0)


async def test_it_can_be_open_to_everyone(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, status_public=True) as faces:
        await faces.app.run(stocked)
        told = await faces.anyone.get("/api/status")
    assert told.status_code == 200
    assert HIDDEN not in told.text


async def test_the_page_is_for_operators(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as faces:
        await faces.app.run(_ran)
        assert (await faces.anyone.get("/status")).status_code == 404
        told = await faces.admin.get("/status")
    assert (told.status_code, HIDDEN in told.text) == (200, True)


async def test_the_page_can_be_open_to_everyone(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, status_public=True) as faces:
        await faces.app.run(_ran)
        told = await faces.anyone.get("/status")
    assert "5 of 5 records are fresh" in " ".join(told.text.split())
    assert HIDDEN not in told.text
