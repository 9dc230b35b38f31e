"""Counts of badges agree with the badge that each record shows."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import Connection, select, update

from larder.core.policy.freshness import Badge, badge
from larder.store.database import Database
from larder.store.dataset.freshness import confidence
from larder.store.reads import counts
from larder.store.reads.counts import SourceCounts
from larder.store.reads.operators.overview import overview
from larder.store.tables import records
from tests.contract.statements import overheard
from tests.contract.world import HOUR, NOW, Pages, run, source, staged, unit_of_work


def _stock(conn: Connection, tier: str) -> int:
    """Records seen at every hour of the last four days, one of them gone."""
    source_id = source(conn, f"of-{tier}", domain=f"{tier}.test", tier=tier)
    run_id, pages = run(conn, source_id), Pages(conn, source_id)
    for hours in range(96):
        item = staged(hours, title=f"Home {hours}", url=f"https://{tier}.test/listing/{hours}")
        pages.keep(pages.page(item, run_id=run_id, at=NOW - HOUR * hours))
    first = conn.scalar(select(records.c.id).where(records.c.source_id == source_id).limit(1))
    conn.execute(update(records).where(records.c.id == first).values(active=0))
    return source_id


@pytest.mark.parametrize("tier", ["hot", "standard", "cool"])
@pytest.mark.parametrize("later", [timedelta(0), timedelta(minutes=20), timedelta(seconds=1)])
async def test_counted_as_worn(database: Database, tier: str, later: timedelta) -> None:
    def work(conn: Connection) -> None:
        source_id, now = _stock(conn, tier), NOW + later
        worn = Counter(
            seen.colour if (seen := _worn(sure)) else "faded"
            for sure in conn.scalars(select(confidence(now)).where(records.c.active == 1))
        )
        counted = counts.by_source(conn, now=now)[source_id]
        assert counted == SourceCounts(
            active=95, green=worn["green"], yellow=worn["yellow"], orange=worn["orange"]
        )
        assert counted.faded == worn["faded"]

    await database.run(work)


@unit_of_work
def test_counted_along_an_index_whatever_the_planner_knows(conn: Connection) -> None:
    """SQLite refuses a query that could not go along the index it names."""
    with overheard(conn) as sent:
        counts.by_source(conn, now=NOW)
        counts.count_past_events(conn, now=NOW)
    named = [re.findall(r"INDEXED BY (\w+)", statement) for statement, _ in sent]
    badges = [*["ix_records_to_verify"] * 4, *["ix_records_missing"] * 2]
    assert named == ([badges, ["ix_records_starts_at"]] if conn.dialect.name == "sqlite" else [[], []])


@unit_of_work
def test_what_is_not_active_is_counted(conn: Connection) -> None:
    _stock(conn, "hot")
    assert (overview(conn, now=NOW).records, counts.count_stored(conn)) == (95, 96)


def _worn(sure: int) -> Badge | None:
    return badge(sure, listed_days=0)
