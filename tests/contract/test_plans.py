"""Hot statements find their rows by an index: what they cost must not grow with the tables.

Each act is carried out on tables of some size; every statement it sends is then explained by the database.
"""

from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, text

from larder import adapters
from larder.engine.scheduling import dispatch
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import Worker
from larder.engine.worker import claims
from larder.store.database.statement import Statement
from larder.store.dataset import records
from larder.store.operations import circuits
from larder.store.operations.circuits import CircuitKey
from larder.store.pages import pages
from larder.store.pages.page_rows import JobUrl
from larder.store.queue import jobs, lane_reads, lanes, ready_jobs, schedules, stale_work
from larder.store.reads import public
from larder.store.tables.columns import micros
from tests.contract.statements import overheard
from tests.contract.world import DAY, HOUR, MINUTE, NOW, Pages, begin_empty, source, staged, unit_of_work

GROWING = (
    "records",
    "jobs",
    "pages",
    "runs",
    "schedules",
    "lanes",
    "versions",
    "observations",
    "sightings",
    "words",
)
"""Tables whose size must not be felt."""

SITES, RECORDS, JOBS, WORDS = 8_000, 12_000, 16_000, 20_000

_SITES = Statement(
    "INSERT INTO sites (id, domain) SELECT id, domain FROM {rows} AS many",
    rows={"id": "int", "domain": "text"},
)
_LANES = Statement(
    "INSERT INTO lanes (site_id, next_at) SELECT site_id, next_at FROM {rows} AS many",
    rows={"site_id": "int", "next_at": "int"},
)
_SOURCES = Statement(
    """
    INSERT INTO sources (id, slug, kind, url, site_id, adapter, adopted_at, visibility)
    SELECT id, slug, 'listing', 'http://x.test/', id, 'listing', 1, 'public' FROM {rows} AS many
    """,
    rows={"id": "int", "slug": "text"},
)
_SCHEDULES = Statement(
    "INSERT INTO schedules (source_id, kind, next_at) SELECT id, 'sweep', next_at FROM {rows} AS many",
    rows={"id": "int", "next_at": "int"},
)
_RUNS = Statement(
    """
    INSERT INTO runs (source_id, kind, status, trigger, started_at, heartbeat_at)
    SELECT id, 'sweep', status, 'scheduled', at, at FROM {rows} AS many
    """,
    rows={"id": "int", "status": "text", "at": "int"},
)
_JOBS = Statement(
    """
    INSERT INTO jobs (run_id, source_id, site_id, adapter, purpose, url, status, priority, claim_order,
                      not_before, created_at, updated_at)
    SELECT run, site, site, 'listing', 'detail', 'http://x.test/', status, 1, at, at, at, at
    FROM {rows} AS many
    """,
    rows={"run": "int", "site": "int", "status": "text", "at": "int"},
)
_PAGES = Statement(
    """
    INSERT INTO pages (job_id, source_id, url, outcome, fetched_at)
    SELECT id, id % 50, url, 'ok', id FROM {rows} AS many
    """,
    rows={"id": "int", "url": "text"},
)
_WORDS = Statement(
    "INSERT INTO words (form, word) SELECT word, word FROM {rows} AS many UNION ALL "
    "SELECT form, word FROM {rows} AS many",
    rows={"form": "text", "word": "text"},
)


def plant(conn: Connection) -> None:
    """A deployment that has been at it for a while: little is due, most is done."""
    begin_empty(conn)
    now = micros(NOW)
    homes = source(conn, visibility="public")
    others = range(100, 100 + SITES)
    _SITES(conn, [(i, f"s{i}.test") for i in others])
    _LANES(conn, [(i, now + i * 1_000_000 if i % 20 == 0 else None) for i in others])
    _SOURCES(conn, [(i, f"s{i}") for i in others])
    _SCHEDULES(conn, [(i, now + i * 1_000_000) for i in others])
    _RUNS(conn, [(i, "completed", now - 10**9) for i in others for _ in range(3)])
    _RUNS(conn, [(i, "running", now) for i in others if i % 50 == 0])
    _JOBS(conn, [(i % SITES + 1, i % SITES + 100, "done", now - i) for i in range(JOBS)])
    _JOBS(conn, [(i % 100 + 1, i % 100 + 100, "pending", now + i) for i in range(1_000)])
    _PAGES(conn, [(i, f"http://x.test/{i}") for i in range(JOBS)])
    _WORDS(conn, [(f"<{i:x}yx", f"xy{i:x}"[::-1]) for i in range(WORDS)])
    shop = Pages(conn, homes)
    for at in range(0, RECORDS, 3_000):
        shop.keep(shop.page(*(staged(i, price_minor=i) for i in range(at, at + 3_000))))
    conn.execute(text("ANALYZE"))


HOW = DispatchSettings(adapters={a.id: a for a in adapters.known()}, chance=Random(0), strict=False)
WHO = Worker(owner="me", chance=Random(0))


def tick(conn: Connection) -> None:
    dispatch.tick(conn, HOW, now=NOW + 101 * MINUTE / 60)


def claim(conn: Connection) -> None:
    lanes.wake(conn, {100: NOW, 101: NOW})
    assert claims.claim(conn, WHO, under_way={}, max_jobs=10, now=NOW + HOUR).work


def persist_known(conn: Connection) -> None:
    shop = Pages(conn, 1)
    (found,) = shop.keep(shop.page(*(staged(i, price_minor=i + i % 2) for i in range(90)), at=NOW + HOUR))
    assert found.updated == 45


def persist_new(conn: Connection) -> None:
    shop = Pages(conn, 1)
    (found,) = shop.keep(shop.page(*(staged(i) for i in range(10**6, 10**6 + 40)), at=NOW + HOUR))
    assert len(found.new) == 40


def first_page(conn: Connection) -> None:
    assert len(public.find_records(conn, public.Query(), now=NOW).rows) == public.PAGE


def next_page(conn: Connection) -> None:
    after = public.find_records(conn, public.Query(), now=NOW).next
    assert len(public.find_records(conn, public.Query(after=after), now=NOW).rows) == public.PAGE


ACTS: list[Any] = [
    pytest.param(tick, id="tick"),
    pytest.param(
        lambda c: schedules.any_due(c, silent_since=NOW - HOUR, now=NOW), id="is there anything to do"
    ),
    pytest.param(lambda c: schedules.list_due(c, now=NOW), id="what is due"),
    pytest.param(lambda c: stale_work.list_stalled(c, silent_since=NOW - DAY, now=NOW), id="stalled runs"),
    pytest.param(lambda c: stale_work.list_sleeping_lanes(c, silent_since=NOW - DAY), id="sleeping lanes"),
    pytest.param(claim, id="claim"),
    pytest.param(lambda c: lane_reads.next_look_at(c, owner="me", now=NOW), id="next look"),
    pytest.param(
        lambda c: lane_reads.count(c, owner="w", now=NOW, until=NOW, limit=2_048), id="lanes to share"
    ),
    pytest.param(lambda c: lanes.lease(c, owner="me", now=NOW, ttl=MINUTE, limit=64), id="take lanes"),
    pytest.param(lambda c: ready_jobs.list_ready(c, 101, now=NOW + DAY, limit=3), id="ready jobs"),
    pytest.param(lambda c: ready_jobs.next_ready_at(c, 101, now=NOW), id="next ready job"),
    pytest.param(jobs.count_pending_by_site, id="pending jobs"),
    pytest.param(lambda c: jobs.abandon(c, 10**6, now=NOW), id="abandon a run"),
    pytest.param(lambda c: circuits.free_jobs(c, CircuitKey(101), now=NOW), id="free a source's jobs"),
    pytest.param(lambda c: records.by_key(c, [(1, f"PID:{i}") for i in range(90)]), id="records by key"),
    pytest.param(
        lambda c: records.by_url(c, [(1, f"https://h/{i}") for i in range(90)]), id="records by address"
    ),
    pytest.param(lambda c: records.by_fingerprint(c, [(1, "f")]), id="records by fingerprint"),
    pytest.param(lambda c: pages.last_pages(c, [JobUrl(1, 7, "http://x.test/7")]), id="the page before"),
    pytest.param(persist_known, id="persist known rows"),
    pytest.param(persist_new, id="persist new rows"),
    pytest.param(first_page, id="public list"),
    pytest.param(next_page, id="public list, next page"),
    pytest.param(lambda c: public.by_id(c, 5, now=NOW), id="public record"),
    *(
        pytest.param(
            lambda c, asked=asked: public.find_records(c, public.Query(**asked), now=NOW),
            id=f"public {asked}",
        )
        for asked in (
            {"sort": public.Sort.PRICE},
            {"sort": public.Sort.PRICE_DOWN, "price_max": Decimal(50)},
            {"sort": public.Sort.STARTS_AT},
            {"sort": public.Sort.FRESHNESS},
            {"sort": public.Sort.DISTANCE, "near": (52.0, 4.0), "within_km": 5.0},
            {"source": "homes"},
            {"text": "home 77"},
            {"text": "home", "sort": public.Sort.NEWEST},
            {"text": "hoem 77", "sort": public.Sort.PRICE},
        )
    ),
]


def scanned(conn: Connection, statement: str, parameters: Any) -> list[str]:
    """The growing tables that a statement reads from end to end."""
    if conn.dialect.name == "sqlite":
        plan = [row[-1] for row in conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
        whole = [line for line in plan if line.startswith("SCAN") and "USING" not in line]
        return [table for table in GROWING if any(line.split()[1] == table for line in whole)]
    plan = [row[0] for row in conn.exec_driver_sql(f"EXPLAIN {statement}", parameters)]
    return [table for table in GROWING if any(f"Seq Scan on {table}" in line for line in plan)]


@unit_of_work
def test_no_hot_statement_reads_a_growing_table_from_end_to_end(conn: Connection) -> None:
    plant(conn)
    troubles = {}
    for act in ACTS:
        with conn.begin_nested() as undo:
            with overheard(conn) as sent:
                do: Callable[[Connection], Any] = act.values[0]
                do(conn)
            undo.rollback()
        assert sent, f"{act.id} asked the database nothing"
        for statement, parameters in sent:
            if statement.lstrip().upper().startswith(("SAVEPOINT", "RELEASE", "ROLLBACK", "EXPLAIN")):
                continue
            if whole := scanned(conn, statement, parameters):
                troubles[f"{act.id}: {' '.join(statement.split())[:300]}"] = whole
    assert troubles == {}
