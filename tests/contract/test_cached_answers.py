"""Answers are cached until something is committed or a time comes that changes them."""

import asyncio
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Connection

from larder.actions.dataset import public_record
from larder.api.response_cache import MAX_ENTRIES, CachedBody, ResponseCache
from larder.store.database import Database, Versioned, inline_database, open_database
from larder.store.migrations import upgrade
from larder.store.operations import key_values
from larder.store.reads import public
from larder.store.reads.query import Query, Sort
from tests.contract.statements import overheard
from tests.contract.world import HOUR, NOW, SECOND, Pages, source, staged, unit_of_work


def still() -> Any:
    """A database to which nothing happens."""

    class Still:
        async def version(self) -> int:
            return 1

    return Still()


class Kitchen:
    """Makes answers, and counts them."""

    def __init__(self) -> None:
        self.made = 0

    async def __call__(self) -> CachedBody:
        self.made += 1
        await asyncio.sleep(0)
        return CachedBody(b"%d" % self.made, "tag", NOW + HOUR)


async def test_a_version_moves_with_every_commit_of_anybody(database: Database) -> None:
    assert isinstance(database, Versioned)
    seen = [await database.version()]
    for i in range(3):
        await database.run(key_values.write, "x", i, now=NOW)
        seen.append(await database.version())
    assert len(set(seen)) == 4


async def test_reading_moves_no_version(tmp_path: Any) -> None:
    opened = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    await opened.run(upgrade.upgrade)
    assert isinstance(opened, Versioned)
    before = await opened.version()
    await opened.read(key_values.read, "x")
    assert await opened.version() == before
    await opened.close()


async def test_an_answer_is_made_once_and_again_after_a_commit(database: Database) -> None:
    kept, make = ResponseCache(database), Kitchen()
    first = await kept.body("q", make, now=NOW)
    await database.run(key_values.write, "x", 1, now=NOW)
    second = await kept.body("q", make, now=NOW)
    assert (first[0], second[0], make.made) == (b"1", b"2", 2)


async def test_many_at_once_ask_for_one_version() -> None:
    class Counting:
        asked = 0

        async def version(self) -> int:
            self.asked += 1
            await asyncio.sleep(0)
            return 7

    database: Any = Counting()
    kept, make = ResponseCache(database), Kitchen()
    await kept.body("q", make, now=NOW)
    answers = await asyncio.gather(*(kept.body("q", make, now=NOW) for _ in range(50)))
    assert ({body.packed for body in answers}, make.made) == ({b"1"}, 1)
    assert database.asked <= 3


async def test_an_answer_ends_with_its_time() -> None:
    kept, make = ResponseCache(still()), Kitchen()
    for now in (NOW, NOW + HOUR - SECOND, NOW + HOUR):
        await kept.body("q", make, now=now)
    assert make.made == 2


async def test_what_is_being_made_is_made_once() -> None:
    kept, make = ResponseCache(still()), Kitchen()
    await asyncio.gather(*(kept.body("q", make, now=NOW) for _ in range(20)))
    assert make.made == 1


async def test_an_answer_that_could_not_be_made_is_tried_anew() -> None:
    async def fail() -> CachedBody:
        raise LookupError("no answer")

    kept, make = ResponseCache(still()), Kitchen()
    with pytest.raises(LookupError):
        await kept.body("q", fail, now=NOW)
    assert (await kept.body("q", make, now=NOW)).packed == b"1"


@unit_of_work
def test_rows_are_told_alike_until_one_of_them_turns(conn: Connection) -> None:
    pages = Pages(conn, source(conn, visibility="public"))
    pages.keep(pages.page(staged(1)), pages.page(staged(2), at=NOW + 7 * SECOND))
    now = NOW + HOUR + 123 * SECOND

    def told(at: datetime) -> list[Any]:
        return [
            public_record.to_public(row, public_record.FIELD_NAMES, now=at)
            for row in public.find_records(conn, Query(), now=at).rows
        ]

    turns = public_record.valid_until(public.find_records(conn, Query(), now=now).rows, now=now)
    assert now < turns <= now + HOUR / 2
    assert told(turns - SECOND) == told(now) != told(turns)


async def test_no_more_than_so_many_are_kept() -> None:
    kept, make = ResponseCache(still()), Kitchen()
    for i in range(MAX_ENTRIES + 1):
        await kept.body(i, make, now=NOW)
    await kept.body(MAX_ENTRIES, make, now=NOW)
    assert make.made == MAX_ENTRIES + 1
    await kept.body(0, make, now=NOW)
    assert make.made == MAX_ENTRIES + 2


async def test_a_database_without_versions_keeps_nothing() -> None:
    database = inline_database()
    kept, make = ResponseCache(database), Kitchen()
    await kept.body("q", make, now=NOW)
    await kept.body("q", make, now=NOW)
    assert make.made == 2
    await database.close()


@pytest.mark.parametrize(
    ("asked", "most"),
    [
        ({}, 1),
        ({"sort": Sort.PRICE, "price_max": Decimal(50)}, 1),
        ({"sort": Sort.DISTANCE, "near": (52.0, 4.0)}, 1),
        ({"source": "homes", "site": "homes.test"}, 1),
        ({"text": "home"}, 7),
        ({"text": "home home5 home6 home7 home8"}, 14),
        ({"text": "hoem"}, 14),
        ({"text": "hoem", "sort": Sort.PRICE}, 8),
    ],
    ids=str,
)
@unit_of_work
def test_a_request_asks_the_database_only_so_often(
    conn: Connection, asked: dict[str, Any], most: int
) -> None:
    """Whatever is found: not a question a row, not a question a word."""
    pages = Pages(conn, source(conn, visibility="public"))
    pages.keep(pages.page(*(staged(i, price_minor=i, latitude=52.0, longitude=4.0) for i in range(120))))
    with overheard(conn) as sent:
        found = public.find_records(conn, Query(**asked), now=NOW + HOUR)
    assert len(found.rows) in (50, 0) or "text" in asked
    assert 1 <= len([statement for statement, _ in sent if "search_" not in statement]) <= most
