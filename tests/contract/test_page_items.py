"""Every item of a stored page is read anew on demand, as long as the page is kept."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, func, insert, select, update

from larder.actions.operations import fetch
from larder.store.pages.blobs import BodyLocation
from larder.store.reads.operators import page_traces
from larder.store.tables import jobs, pages, sightings
from tests.contract.faces import Faces, opened, stocked
from tests.contract.world import NOW, enqueue

ROWS = "".join(
    f"<li class=card><a href=/t/{n}0001><h3>A flat called {n}</h3></a><p>€ {n}90</p></li>"
    for n in range(1, 5)
)
BODY = (
    f"<html><body><h1>Flats</h1><ul>{ROWS}<li class=card><a href=/t/50001><h3>x</h3></a></li></ul>".encode()
)


@pytest.fixture
async def shown(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path, requests_a_minute=0) as found:
        await found.app.run(stocked)
        store = found.app.blobs()
        (stored,) = await store.put([BODY])
        await store.close()
        await found.app.run(fetch.keep_body, stored, now=NOW)
        await found.app.run(_fetched, stored)
        yield found


def _fetched(conn: Connection, stored: BodyLocation) -> None:
    """A page of the first run, with its body."""
    url = "https://homes.test/flats"
    enqueue(conn, 1, [url])
    job = conn.scalar(select(func.max(jobs.c.id)))
    row = {"job_id": job, "source_id": 1, "url": url, "outcome": "ok", "status": 200, "fetched_at": NOW}
    page = conn.scalar(insert(pages).values(**row, content_hash=stored.content_hash).returning(pages.c.id))
    conn.execute(update(jobs).where(jobs.c.id == job).values(page_id=page, status="done", purpose="index"))
    seen = {"source_id": 1, "run_id": 1, "page_id": page, "number": 1, "seen_at": NOW, "records": []}
    conn.execute(insert(sightings).values(**seen))


async def last_job(shown: Faces) -> int:
    return int(await shown.app.read(lambda conn: conn.scalar(select(func.max(pages.c.job_id)))) or 0)


@pytest.mark.parametrize("pruned", [False, True], ids=["its job is kept", "its job was deleted"])
async def test_l10_13_every_item_of_a_stored_page_is_shown_raw(shown: Faces, pruned: bool) -> None:
    job = await last_job(shown)
    if pruned:
        await shown.app.run(lambda conn: conn.execute(delete(jobs).where(jobs.c.id == job)))
    read = await shown.get(f"/api/admin/runs/pages/{job}/items", shown.admin)
    assert (read["purpose"], read["source"], read["failure"]) == ("index", "homes", "")
    assert [item["fields"]["title"] for item in read["items"]][:4] == [
        f"A flat called {n}" for n in range(1, 5)
    ]
    first = read["items"][0]
    assert (first["outcome"], first["strategy"], first["fields"]["price"]) == ("staged", "heuristic", "€ 190")
    assert first["block"].startswith("<li class=")
    assert 0 < first["score"] < 1


async def test_l10_13_the_page_shows_them_when_asked(shown: Faces) -> None:
    job = await last_job(shown)
    told = (await shown.admin.get(f"/admin/pages/{job}")).text
    assert f"/admin/pages/{job}?items=1" in told
    assert "A flat called 3</summary" not in told
    told = (await shown.admin.get(f"/admin/pages/{job}?items=1")).text
    assert told.count('id="raw-') == len(
        (await shown.get(f"/api/admin/runs/pages/{job}/items", shown.admin))["items"]
    )


async def test_l10_13_a_page_that_is_not_stored_says_so(shown: Faces) -> None:
    answered = await shown.admin.get("/api/admin/runs/pages/999/items")
    assert (answered.status_code, answered.json()["detail"]) == (404, "page 999 is not stored")


async def test_l10_19_a_page_that_could_not_be_read_is_not_ok(shown: Faces) -> None:
    job = await last_job(shown)
    lines = (await shown.get("/api/admin/runs/1/pages", shown.admin))["items"]
    assert [line["outcome"] for line in lines if line["job"] == job] == ["ok"]
    failed = {"status": "dead", "error": "no match: div.offer"}
    await shown.app.run(lambda conn: conn.execute(update(jobs).where(jobs.c.id == job).values(**failed)))
    lines = (await shown.get("/api/admin/runs/1/pages", shown.admin))["items"]
    told = [(line["outcome"], line["error"]) for line in lines if line["job"] == job]
    assert told == [("unread", "no match: div.offer")]
    page = (await shown.admin.get("/admin/runs/1/pages")).text
    assert "fetched, not readable" in page
    assert "no match: div.offer" in page
    assert await shown.app.read(page_traces.count_outcomes, 1) == {"unread": 1}


async def test_l10_7_a_page_that_never_came_is_listed_with_its_answer(shown: Faces) -> None:
    job = await last_job(shown)
    answer = {"outcome": "not_found", "status": 404}

    def lose(conn: Connection) -> None:
        conn.execute(update(pages).where(pages.c.job_id == job).values(**answer))
        conn.execute(update(jobs).where(jobs.c.id == job).values(page_id=None))

    await shown.app.run(lose)
    lines = (await shown.get("/api/admin/runs/1/pages", shown.admin))["items"]
    assert [(line["outcome"], line["code"]) for line in lines if line["job"] == job] == [("not_found", 404)]
    assert await shown.app.read(page_traces.count_outcomes, 1) == {"not_found": 1}
