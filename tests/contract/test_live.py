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
        await found.app.do(stocked)
        await found.app.do(_over)
        told = await found.admin.get("/admin/live/runs/1")
    assert told.headers["content-type"].startswith("text/event-stream")
    part, end = told.text.rstrip().split("\n\n")
    assert part.startswith("event: part\ndata: ")
    assert "completed" in part
    assert end == "event: end\ndata:"


def _over(conn: Connection) -> None:
    conn.execute(update(runs).values(status=RunStatus.COMPLETED))
