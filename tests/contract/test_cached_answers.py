"""Answers are cached until something is committed or a time comes that changes them."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Connection

from larder.actions.dataset import public_record
from larder.core.errors import Unusable
from larder.rendering import response_cache
from larder.rendering.response_cache import STALE_SECONDS, CachedBody, ResponseCache
from larder.store.database import Database, Listening, Version, Versioned, inline_database, open_database
from larder.store.migrations import upgrade
from larder.store.operations import audit, key_values
from larder.store.reads import public
from larder.store.reads.query import Query, Sort
from tests.contract.statements import overheard
from tests.contract.world import HOUR, NOW, SECOND, Pages, source, staged, unit_of_work


def still() -> Any:
    """A database to which nothing happens."""

    class Still:
        async def version(self) -> Version:
            return Version(1, (0, 0))

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

        async def version(self) -> Version:
            self.asked += 1
            await asyncio.sleep(0)
            return Version(7, (0, 0))

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


@dataclass
class Elsewhere:
    """A database that another process writes to, and a clock that is set by hand."""

    commits: int = 1
    changes: int = 1
    seconds: float = 0.0
    away: bool = False

    async def version(self) -> Version:
        if self.away:
            raise OSError("connection refused")
        return Version(self.commits, (0, self.changes))

    def now(self) -> float:
        return self.seconds

    def cache(self) -> ResponseCache:
        database: Any = self
        return ResponseCache(database, clock=self.now)


async def _until_made(kept: ResponseCache) -> None:
    while kept.background:
        await asyncio.wait(kept.background)


async def test_what_a_crawl_elsewhere_commits_is_in_the_answer_after_next() -> None:
    database, make = Elsewhere(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    database.commits, database.seconds = 2, STALE_SECONDS * 0.9
    assert (await kept.body("q", make, now=NOW)).packed == b"1"
    await _until_made(kept)
    assert (await kept.body("q", make, now=NOW)).packed == b"2"
    assert make.made == 2


async def test_a_young_answer_is_not_made_anew_for_a_crawl() -> None:
    database, make = Elsewhere(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    for database.commits in range(2, 50):
        await kept.body("q", make, now=NOW)
        assert await kept.cached("q", now=NOW) is not None
    assert (make.made, kept.background) == (1, set())


async def test_an_ageing_answer_is_made_anew_once() -> None:
    database, make = Elsewhere(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    database.commits, database.seconds = 2, STALE_SECONDS * 0.9
    assert await kept.cached("q", now=NOW) is None  # somebody has to ask for a new one
    await asyncio.gather(*(kept.body("q", make, now=NOW) for _ in range(20)))
    await _until_made(kept)
    assert make.made == 2


@pytest.mark.parametrize(
    "happens",
    [{"changes": 2}, {"commits": 2, "seconds": STALE_SECONDS}],
    ids=["an operator's change", "a crawl, long ago"],
)
async def test_an_answer_is_not_returned_after(happens: dict[str, Any]) -> None:
    database, make = Elsewhere(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    for name, value in happens.items():
        setattr(database, name, value)
    assert await kept.cached("q", now=NOW) is None
    assert (await kept.body("q", make, now=NOW)).packed == b"2"


@dataclass
class Announced(Elsewhere):
    """One that tells by itself what operators change."""

    announced: int | None = 0
    asked: int = 0

    async def version(self) -> Version:
        self.asked += 1
        return await super().version()

    def changes_announced(self) -> tuple[int, int] | None:
        return None if self.announced is None else (0, self.announced)


async def test_nothing_is_asked_for_a_young_answer_where_changes_are_announced() -> None:
    database, make = Announced(), Kitchen()
    kept = database.cache()
    for _ in range(50):
        await kept.body("q", make, now=NOW)
        assert await kept.cached("q", now=NOW) is not None
    assert (make.made, database.asked) == (1, 1)


async def test_an_answer_that_ages_is_confirmed_while_it_is_returned() -> None:
    database, make = Announced(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    for _ in range(20):
        database.seconds += STALE_SECONDS * 0.9
        assert await kept.cached("q", now=NOW) is not None
        await asyncio.gather(*(kept.body("q", make, now=NOW) for _ in range(20)))
        await _until_made(kept)
    assert (make.made, database.asked) == (1, 21)


@pytest.mark.parametrize("asked_before", [False, True])
async def test_what_a_crawl_committed_is_found_by_confirming(asked_before: bool) -> None:
    database, make = Announced(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    database.commits, database.seconds = 2, STALE_SECONDS * 0.9
    if asked_before:
        assert await kept.cached("q", now=NOW) is not None
        await _until_made(kept)
        assert await kept.cached("q", now=NOW) is None  # somebody has to make a new one
    assert (await kept.body("q", make, now=NOW)).packed == b"1"
    await _until_made(kept)
    assert (await kept.body("q", make, now=NOW)).packed == b"2"


@pytest.mark.parametrize(
    "happens",
    [{"announced": 1, "changes": 2}, {"announced": None, "changes": 2}],
    ids=["announced", "not listening"],
)
async def test_what_an_operator_changed_is_in_the_next_answer(happens: dict[str, Any]) -> None:
    database, make = Announced(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    for name, value in happens.items():
        setattr(database, name, value)
    assert await kept.cached("q", now=NOW) is None
    assert (await kept.body("q", make, now=NOW)).packed == b"2"


async def test_a_change_that_was_not_announced_is_found_after_the_tolerated_age() -> None:
    database, make = Announced(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    database.changes, database.seconds = 2, STALE_SECONDS
    assert (await kept.body("q", make, now=NOW)).packed == b"2"


async def test_postgresql_announces_what_operators_of_any_process_change(fresh_postgres: str) -> None:
    here, elsewhere = open_database(fresh_postgres), open_database(fresh_postgres)
    assert isinstance(here, Listening)
    await elsewhere.run(upgrade.upgrade)
    first = await _heard_other_than(here, None)
    await elsewhere.run(key_values.write, "x", 1, now=NOW)
    assert here.changes_announced() == first
    await elsewhere.run(audit.record, "source changed", "homes", who="ann", now=NOW)
    assert await _heard_other_than(here, first) != first
    await elsewhere.run(_end_other_connections)
    again = await _heard_other_than(here, None, first)
    await elsewhere.run(audit.record, "source changed", "homes", who="ann", now=NOW)
    await _heard_other_than(here, again)
    await elsewhere.close()
    await here.close()
    assert here.changes_announced() is None


async def _heard_other_than(database: Listening, *known: Any) -> Any:
    while (announced := database.changes_announced()) in known:  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0.01)
    return announced


def _end_other_connections(conn: Connection) -> None:
    conn.exec_driver_sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


@pytest.mark.parametrize(("cost", "age"), [(0.01, 1), (0.2, 4), (60, 10)], ids=str)
async def test_what_costs_more_is_returned_for_longer_but_not_for_ever(cost: float, age: float) -> None:
    database, make = Elsewhere(), Kitchen()

    async def slow() -> CachedBody:
        database.seconds += cost
        return await make()

    kept = database.cache()
    await kept.body("q", slow, now=NOW)
    database.commits = 2
    for seconds, answered in ((age - 0.001, b"1"), (age, b"2")):
        database.seconds, database.commits = seconds, database.commits + 1
        found = await kept.body("q", make if answered == b"2" else _never, now=NOW)
        await _until_made(kept)
        assert found.packed == answered


async def _never() -> CachedBody:
    raise LookupError("no answer")


async def test_an_answer_that_could_not_be_made_anew_is_returned_while_it_may_be() -> None:
    database, make = Elsewhere(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    database.commits, database.seconds = 2, STALE_SECONDS * 0.9
    for _ in range(2):
        assert (await kept.body("q", _never, now=NOW)).packed == b"1"
        await _until_made(kept)
    database.seconds = STALE_SECONDS
    with pytest.raises(LookupError):
        await kept.body("q", _never, now=NOW)


async def test_a_database_that_is_away_is_said_to_be() -> None:
    database, make = Elsewhere(), Kitchen()
    kept = database.cache()
    await kept.body("q", make, now=NOW)
    database.away = True
    with pytest.raises(Unusable, match="connection refused"):
        await kept.body("q", make, now=NOW)


async def test_changes_move_with_commits_of_this_process_and_with_operators_alone(database_url: str) -> None:
    here, elsewhere = open_database(database_url), open_database(database_url)
    assert isinstance(here, Versioned)
    versions = [await here.version()]
    await elsewhere.run(key_values.write, "x", 1, now=NOW)
    versions.append(await here.version())
    await elsewhere.run(audit.record, "source changed", "homes", who="ann", now=NOW)
    versions.append(await here.version())
    await here.run(key_values.write, "x", 2, now=NOW)
    versions.append(await here.version())
    await elsewhere.close()
    await here.close()
    assert len({version.commits for version in versions}) == 4
    first, *others = [version.changes for version in versions]
    assert (others[0], len(set(others))) == (first, 3)


async def test_the_oldest_answers_are_dropped_beyond_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_cache, "MAX_BYTES", 5)  # the bodies of the test have a byte each
    kept, make = ResponseCache(still()), Kitchen()
    for query in range(6):
        await kept.body(query, make, now=NOW)
    await kept.body(5, make, now=NOW)
    assert make.made == 6
    await kept.body(0, make, now=NOW)
    assert make.made == 7, "the first one made room"
    await kept.body(5, make, now=NOW)
    assert make.made == 7, "what is made again is counted once"


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
