"""Which rows of a sweep get their own page read; on both databases."""

from typing import Any

from sqlalchemy import Connection, text

from larder.core.model.job import Purpose
from larder.core.model.run import RunKind, RunStatus
from larder.engine.progress import selections as engine
from larder.runs.fold import Selection, SelectPages
from larder.store.queue import runs
from larder.store.tables.columns import micros
from tests.contract.world import (
    DAY,
    HOUR,
    MINUTE,
    NOW,
    SECOND,
    Pages,
    rows,
    run,
    source,
    staged,
    unit_of_work,
)


def seen(conn: Connection, source_id: int, numbers: range, *, run_id: int, at: Any = NOW + MINUTE) -> None:
    pages = Pages(conn, source_id)
    pages.keep(pages.page(*(staged(n) for n in numbers), at=at, run_id=run_id))


def scraped(conn: Connection, number: int, at: Any) -> None:
    change = "UPDATE records SET last_scraped_at = :at WHERE identity_key = :key"
    conn.execute(text(change), {"at": micros(at), "key": f"PID:{number}"})


def stalest(conn: Connection, run_id: int, source_id: int, *, most: int = 50) -> list[str]:
    here = runs.load(conn, [run_id])[run_id]
    ask = SelectPages(what=Selection.STALEST, limit=most)
    picked = engine.resolve(conn, ask, here, Pages(conn, source_id).source, now=NOW + HOUR)
    assert picked.selected.pages == len(picked.pages)
    assert {page.purpose for page in picked.pages} <= {Purpose.DETAIL}
    return [page.context["key"] for page in picked.pages]


@unit_of_work
def test_never_read_first_then_the_longest_ago_and_nothing_that_is_fresh(conn: Connection) -> None:
    homes = source(conn)
    sweep = run(conn, homes, RunKind.SWEEP)
    seen(conn, homes, range(1, 6), run_id=sweep)
    scraped(conn, 1, NOW + HOUR - DAY)
    scraped(conn, 2, NOW + HOUR - DAY + SECOND)
    scraped(conn, 3, NOW - 9 * DAY)
    scraped(conn, 5, NOW)
    assert stalest(conn, sweep, homes) == ["PID:4", "PID:3", "PID:1"]


@unit_of_work
def test_the_hours_since_pages_were_last_read_are_added_up_without_those_never_read(conn: Connection) -> None:
    homes = source(conn)
    sweep = run(conn, homes, RunKind.SWEEP)
    seen(conn, homes, range(1, 4), run_id=sweep)
    scraped(conn, 1, NOW - 29 * HOUR)
    scraped(conn, 2, NOW - 49 * HOUR)
    here = runs.load(conn, [sweep])[sweep]
    ask = SelectPages(what=Selection.STALEST, limit=50)
    picked = engine.resolve(conn, ask, here, Pages(conn, homes).source, now=NOW + HOUR)
    assert (picked.selected.pages, picked.selected.hours) == (3, 80)


@unit_of_work
def test_each_is_named_once_a_run(conn: Connection) -> None:
    homes = source(conn)
    sweep = run(conn, homes, RunKind.SWEEP)
    seen(conn, homes, range(70), run_id=sweep)
    first, second = stalest(conn, sweep, homes), stalest(conn, sweep, homes)
    assert (len(first), len(second)) == (50, 20)
    assert not set(first) & set(second)
    assert stalest(conn, sweep, homes) == []
    runs.close(conn, sweep, RunStatus.COMPLETED, now=NOW)
    again = run(conn, homes, RunKind.SWEEP, now=NOW)
    assert len(stalest(conn, again, homes)) == 50


@unit_of_work
def test_only_what_was_seen_since_it_began_by_whatever_run(conn: Connection) -> None:
    """A discovery that passes over a sweep's rows takes nothing from it."""
    homes = source(conn)
    seen(conn, homes, range(1, 3), run_id=90, at=NOW - MINUTE)
    sweep = run(conn, homes, RunKind.SWEEP)
    seen(conn, homes, range(3, 5), run_id=sweep, at=NOW + MINUTE)
    seen(conn, homes, range(4, 5), run_id=91, at=NOW + 2 * MINUTE)
    assert stalest(conn, sweep, homes) == ["PID:3", "PID:4"]


@unit_of_work
def test_what_is_inactive_or_has_no_address_is_left_out(conn: Connection) -> None:
    homes = source(conn)
    sweep = run(conn, homes, RunKind.SWEEP)
    seen(conn, homes, range(1, 4), run_id=sweep)
    conn.execute(text("UPDATE records SET active = 0 WHERE identity_key = 'PID:1'"))
    conn.execute(text("UPDATE records SET url = NULL WHERE identity_key = 'PID:2'"))
    assert stalest(conn, sweep, homes) == ["PID:3"]
    assert rows(conn, "SELECT identity_key FROM records WHERE detail_asked_by IS NOT NULL") == [("PID:3",)]
