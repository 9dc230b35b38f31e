"""A part that stays live says when nothing more will come."""

from pathlib import Path

from sqlalchemy import Connection, update

from larder.core.model.run import RunStatus
from larder.store.tables import runs
from tests.contract.faces import opened, stocked


async def test_the_stream_of_a_run_that_is_over_ends_with_what_it_came_to(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path) as found:
        await found.app.run(stocked)
        await found.app.run(_over)
        told = await found.admin.get("/admin/live/runs/1")
    assert told.headers["content-type"].startswith("text/event-stream")
    part, end = told.text.rstrip().split("\n\n")
    assert part.startswith("event: part\ndata: ")
    assert "completed" in part
    assert end == "event: end\ndata:"


def _over(conn: Connection) -> None:
    conn.execute(update(runs).values(status=RunStatus.COMPLETED))


async def test_what_is_not_there_or_not_asked_rightly_is_said_at_once(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path) as found:
        for path, status in (("runs/424242", 404), ("runs?status=zz", 400), ("runs?before=x", 400)):
            assert (await found.admin.get(f"/admin/live/{path}")).status_code == status, path
