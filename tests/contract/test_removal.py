"""Removing a source: what becomes of its records, on both databases."""

import pytest
from sqlalchemy import Connection, func, select

from larder.actions.sources import removal
from larder.actions.sources.removal import RecordsFate
from larder.core.errors import NotFound
from larder.store.queue import sources
from larder.store.reads import public
from larder.store.tables import observations, pages, records, runs, schedules, versions
from larder.store.tables import sources as sources_table
from tests.contract.world import MINUTE, NOW, Pages, run, source, staged, unit_of_work


def _many(conn: Connection, table: object) -> int:
    return conn.scalar(select(func.count()).select_from(table)) or 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fate", "shown", "kept"),
    [("kept", 2, 2), ("hidden", 0, 2), ("erased", 0, 0)],
    ids=str,
)
@unit_of_work
def test_l10_12_records_are_kept_hidden_or_erased(conn: Connection, fate: str, shown: int, kept: int) -> None:
    source_id = source(conn, visibility="public")
    stored = Pages(conn, source_id)
    run_id = run(conn, source_id)
    stored.keep(stored.page(staged(1, price_minor=5), staged(2, price_minor=6), run_id=run_id))
    done = removal.remove(conn, "homes", RecordsFate(fate), who="me", now=NOW + MINUTE)
    assert done.erased == 2 - kept
    assert public.count(conn, now=NOW + MINUTE) == shown
    assert (_many(conn, records), _many(conn, versions), _many(conn, observations)) == (kept, kept, kept)
    assert conn.scalar(select(func.count()).where(pages.c.content_hash.is_not(None))) in (0, kept)
    assert _many(conn, schedules) == 0
    assert set(conn.scalars(select(runs.c.status))) == {"stopped"}
    assert conn.scalar(select(sources_table.c.enabled)) == 0
    assert sources.list_sources(conn) == []
    with pytest.raises(NotFound):
        removal.remove(conn, "homes", RecordsFate.KEPT, who="me", now=NOW)
