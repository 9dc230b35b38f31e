"""Confidence in SQL and in Python: the same whole numbers, always."""

from datetime import datetime, timedelta
from random import Random

import pytest
from sqlalchemy import Connection, select

from larder.core.policy.freshness import SHOWN, Freshness
from larder.store.database.statement import Statement
from larder.store.dataset.freshness import confidence
from larder.store.tables import records
from larder.store.tables.columns import micros
from tests.contract.world import NOW, Pages, source, staged, unit_of_work

CASES = 4_000

_ANCHOR = Statement(
    """
    UPDATE records SET base = given.base, rate = given.rate, anchored_at = given.anchored_at,
                       shown_until = given.shown_until, dead_at = given.dead_at
    FROM {rows} AS given WHERE records.id = given.id
    """,
    rows={
        "id": "int",
        "base": "int",
        "rate": "int",
        "anchored_at": "int",
        "shown_until": "int",
        "dead_at": "int",
    },
)


def anchors(seed: int) -> list[Freshness]:
    """Random ones, down to the microsecond; a tenth of them from a clock that runs ahead."""
    chance = Random(seed)
    return [
        Freshness(
            base=chance.choice((100, 80, chance.randint(SHOWN, 100))),
            rate=chance.choice((1, 2, 3, chance.randint(1, 50))),
            anchored_at=NOW
            - timedelta(microseconds=chance.randint(-40, 400) * 10**9 + chance.randint(0, 10**6)),
        )
        for _ in range(CASES)
    ]


def fill(conn: Connection, cases: list[Freshness]) -> list[int]:
    pages = Pages(conn, source(conn))
    pages.keep(pages.page(*(staged(i) for i in range(len(cases)))))
    ids = list(conn.scalars(select(records.c.id).order_by(records.c.id)))
    rows = [
        (i, f.base, f.rate, micros(f.anchored_at), micros(f.shown_until), micros(f.dead_at))
        for i, f in zip(ids, cases, strict=True)
    ]
    _ANCHOR(conn, rows)
    return ids


def moments(cases: list[Freshness], seed: int) -> list[datetime]:
    """Any moment, and the seconds around real crossings, where an error would show."""
    chance = Random(seed)
    crossings = [f.crosses(chance.choice((1, 40, 50, 80))) for f in chance.sample(cases, 6)]
    nearby = [at + timedelta(microseconds=d) for at in crossings for d in (-1_000_000, -1, 0, 1, 1_000_000)]
    return [NOW, NOW + timedelta(days=3), NOW - timedelta(days=1), *nearby]


@pytest.mark.parametrize("seed", range(2))
@unit_of_work
def test_sql_and_python_agree_on_every_case(conn: Connection, seed: int) -> None:
    cases = anchors(seed)
    ids = fill(conn, cases)
    for now in moments(cases, seed):
        told = {row.id: row.c for row in conn.execute(select(records.c.id, confidence(now).label("c")))}
        assert [told[i] for i in ids] == [f.confidence(now) for f in cases], now


@unit_of_work
def test_stored_crossings_say_what_the_expression_says(conn: Connection) -> None:
    cases = anchors(3)
    fill(conn, cases)
    columns = select(records.c.shown_until, records.c.dead_at)
    for now in moments(cases, 3):
        for shown_until, dead_at, c in conn.execute(columns.add_columns(confidence(now))):
            assert (now < shown_until) == (c >= SHOWN), now
            assert (now >= dead_at) == (c == 0), now
