"""Pages that waited in files are taken in: what is still wanted goes on, nothing is done twice."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from larder.core.model.job import Job, PageRequest, Purpose, Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.site import Politeness
from larder.engine.work_items import FetchedWork, Work
from larder.engine.worker.spool import Spool, SpooledPage, Unspooled, unspool
from larder.store.pages.blobs import content_hash
from larder.store.queue import sources
from larder.store.queue.lanes import Lane
from larder.store.tables import dead_letters, jobs, pages
from tests.contract import world
from tests.contract.world import HOUR, NOW, unit_of_work

URL = "http://homes.test/listing/1"
BODY = b"<h1>A home</h1>"


def letter(**values: Any) -> SpooledPage:
    fetched = Fetched(
        outcome=FetchOutcome.OK,
        url=URL,
        final_url=URL,
        fetched_at=NOW,
        status=200,
        headers={"etag": '"1"'},
        body=BODY,
        content_hash=content_hash(BODY),
    )
    said = {"job_id": 1, "token": 7, "run_id": 1, "source_id": 1, "site_id": 1, "purpose": "detail"}
    return SpooledPage(**{**said, "why": "OSError: nobody there", "fetched": fetched, **values})


def job_that_is(conn: Connection, **values: Any) -> None:
    """A job of a run, as it stands when the database is back."""
    source_id = world.source(conn)
    run_id = world.run(conn, source_id)
    world.enqueue(conn, run_id, [URL], source_id=source_id)
    conn.execute(update(jobs).values(**values))


def job(conn: Connection) -> Any:
    return conn.execute(select(jobs)).one()


def stored(conn: Connection) -> list[Any]:
    return list(conn.execute(select(pages)))


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"status": "running", "token": 7}, id="still claimed as it was"),
        pytest.param({"status": "pending", "not_before": NOW + HOUR}, id="free again"),
    ],
)
@unit_of_work
def test_a_page_that_is_wanted_is_stored_and_its_job_goes_on_from_there(
    conn: Connection, values: dict[str, Any]
) -> None:
    job_that_is(conn, **values)
    assert unspool(conn, [letter()], [], now=NOW + HOUR) == Unspooled(requeued=(1,))
    (page,) = stored(conn)
    assert (page.url, page.fetched_at, page.content_hash, page.headers) == (
        URL,
        NOW,
        content_hash(BODY),
        {"etag": '"1"'},
    )
    row = job(conn)
    assert (row.status, row.stage, row.page_id, row.not_before) == ("pending", "parse", page.id, NOW + HOUR)
    assert unspool(conn, [letter()], [], now=NOW + HOUR) == Unspooled(), "again changes nothing"
    assert len(stored(conn)) == 1


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"status": "running", "token": 8}, id="somebody else is at it"),
        pytest.param({"status": "done"}, id="it was done meanwhile"),
        pytest.param(
            {"status": "pending", "page_id": 44, "stage": "parse"}, id="its page was kept after all"
        ),
        pytest.param({"status": "dead"}, id="it has a dead letter of its own"),
    ],
)
@unit_of_work
def test_a_page_that_nobody_needs_any_more_is_let_go(conn: Connection, values: dict[str, Any]) -> None:
    job_that_is(conn, **values)
    before = job(conn)
    assert unspool(conn, [letter()], [], now=NOW) == Unspooled()
    assert (stored(conn), job(conn)) == ([], before)


@unit_of_work
def test_a_page_whose_job_is_not_on_record_is_let_go(conn: Connection) -> None:
    assert unspool(conn, [letter(job_id=404)], [], now=NOW) == Unspooled()


@unit_of_work
def test_where_the_run_is_over_it_is_a_dead_letter_that_goes_on_from_the_page(conn: Connection) -> None:
    job_that_is(conn, status="stale")
    assert unspool(conn, [letter()], [], now=NOW + HOUR) == Unspooled(dead_letters=(1,))
    (page,) = stored(conn)
    (buried,) = conn.execute(select(dead_letters))
    assert (job(conn).status, job(conn).page_id) == ("dead", page.id)
    assert (buried.stage, buried.category, buried.type, buried.status) == (
        "persist",
        "db",
        "connection",
        "pending",
    )
    assert buried.retry_at == NOW + HOUR
    assert buried.payload == {"url": URL, "purpose": "detail", "page_id": page.id}


# -- files -------------------------------------------------------------------------------------------------


def carried(conn: Connection, number: int, **fetched: Any) -> FetchedWork:
    source = sources.load(conn, [world.source(conn, f"homes{number}")])
    job = Job(
        id=number,
        run_id=1,
        source_id=1,
        site_id=1,
        request=PageRequest(url=URL, purpose=Purpose.DETAIL),
        stage=Stage.FETCH,
        attempts=0,
    )
    politeness = Politeness(spacing=HOUR, spacing_max=HOUR, at_once=1)
    lane = Lane(
        site_id=1, domain="homes.test", local=False, token=7, open_at=NOW, politeness=politeness, proxies=0
    )
    page = Fetched(**{"outcome": FetchOutcome.OK, "url": URL, "final_url": URL, "fetched_at": NOW, **fetched})
    return FetchedWork(work=Work(job=job, source=next(iter(source.values())), lane=lane), fetched=page)


@unit_of_work
def test_what_was_written_is_read_as_it_was_and_goes_when_it_is_taken_in(
    conn: Connection, tmp_path: Path
) -> None:
    spool = Spool(tmp_path / "spool")
    assert spool.read_batch() == []
    body = bytes(range(256))
    kept = carried(conn, 1, status=200, body=body, content_hash=content_hash(body), headers={"a": "ü"})
    failed = carried(conn, 2, outcome=FetchOutcome.TIMEOUT)
    missed = carried(conn, 3, waiting=True)
    assert spool.keep([kept, failed, missed], OSError("nobody there")) == 1
    assert spool.keep([kept], OSError("nobody there")) == 1
    (found,) = spool.read_batch()
    assert (found.fetched, found.job_id, found.token) == (kept.fetched, 1, 7)
    assert found.why == "OSError: nobody there"
    spool.drop([found])
    assert list((tmp_path / "spool").iterdir()) == []


def test_a_file_that_cannot_be_read_is_put_aside_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "1-1.json").write_text("{")
    (tmp_path / "2-1.json").write_text('{"job_id": 2}')
    assert Spool(tmp_path).read_batch() == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1-1.unreadable", "2-1.unreadable"]
