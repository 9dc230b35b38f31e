"""Statements over batches go through an index, also in a database that was once small and was tidied then."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection

from larder.sim.virtual import VirtualLarder
from larder.store.database.statement import Statement
from larder.store.dataset import records, sightings
from larder.store.operations import cleanup
from larder.store.pages import pages
from larder.store.queue import jobs
from tests.proofs.week import live, site

BATCHES: dict[str, Statement[Any]] = {
    "jobs.end": jobs._END,
    "jobs.fetched": jobs._FETCHED,
    "jobs.put_back": jobs._PUT_BACK,
    "pages.yielded": pages._YIELD,
    "pages.last_of": pages._LAST,
    "records.by_key": records._BY_KEY,
    "records.seen_as_before": sightings._SEEN_AS_BEFORE,
    "records.seen_again": sightings._SEEN_AGAIN,
    "records.all_seen_as_before": sightings._ALL_SEEN_AS_BEFORE,
    "records.all_seen_again": sightings._ALL_SEEN_AGAIN,
    "records.change": records._UPDATE,
}


@pytest.fixture(scope="module")
def tidied() -> VirtualLarder:
    """A Larder with a small database that was tidied."""
    larder = live(site(listings=30, seed=1), until=timedelta(hours=1))
    larder.database.now(_tidy)
    return larder


def _tidy(conn: Connection) -> None:
    for statement in cleanup.maintenance_statements(conn):
        cleanup.run_statement(conn, statement)


@pytest.mark.parametrize("name", BATCHES)
def test_no_batch_scans_a_table(tidied: VirtualLarder, name: str) -> None:
    plan = tidied.database.now(steps, BATCHES[name])
    assert [step for step in plan if step.startswith("SCAN") and "json_each" not in step] == []
    assert any(step.startswith("SEARCH") for step in plan)


def steps(conn: Connection, statement: Statement[Any]) -> list[str]:
    given = {"rows__": "[]", **dict.fromkeys(statement._args, 1)}
    return [row[3] for row in conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement._sqlite}", given)]
