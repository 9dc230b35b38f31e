"""What is swept and, above all, what never is; on both databases, with packs on a real disk."""

import asyncio
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Connection, insert, update

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.store.database import Database
from larder.store.pages import pages, retention
from larder.store.pages.blobs import BodyLocation, PackedBlobs, content_hash
from larder.store.pages.page_rows import NewPage
from larder.store.pages.retention import RetentionLimits, RetentionResult
from larder.store.tables import blobs as blob_rows
from larder.store.tables import dead_letters, images, jobs, quarantine, records
from larder.store.tables.columns import micros
from tests.contract import world
from tests.contract.world import DAY, HOUR

NOW = datetime(2026, 6, 1, 3, tzinfo=UTC)
OLD = NOW - 100 * DAY
NEEDED = ("record", "pending job", "running job", "quarantine", "dead letter")


class Shop:
    """Pages and their bodies, as fetching leaves them."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database = database
        self.folder = folder
        self.blobs = PackedBlobs(folder)

    async def fetched(self, *bodies: bytes, at: datetime = OLD) -> list[int]:
        """One page a body, all in one pack of their own; their ids."""
        stored = await self.blobs.put(list(dict.fromkeys(bodies)))
        await self.blobs.close()
        for path in self.folder.glob("*.pack"):
            if path.stat().st_mtime > at.timestamp() and path.name in stored[0].location:
                os.utime(path, (at.timestamp(), at.timestamp()))
        return await self.database.run(_write, bodies, stored, at)

    async def sweep(self, **keep: object) -> RetentionResult:
        return await retention.apply_retention(self.database, self.blobs, RetentionLimits(**keep), now=NOW)  # type: ignore[arg-type]

    async def readable(self, *bodies: bytes) -> list[bool]:
        places = dict(await self.rows("SELECT content_hash, location FROM blobs"))
        hashes = [content_hash(body) for body in bodies]
        return [h in places and await self.blobs.get(places[h], h) is not None for h in hashes]

    async def count(self, table: str) -> int:
        ((counted,),) = await self.rows(f"SELECT count(*) FROM {table}")
        return int(counted)

    async def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return await self.database.run(lambda conn: world.rows(conn, sql))


def _write(
    conn: Connection, bodies: Sequence[bytes], stored: Sequence[BodyLocation], at: datetime
) -> list[int]:
    pages.set_locations(conn, stored, now=at)
    got = [NewPage(n + 1, 1, _page(body, at)) for n, body in enumerate(bodies)]
    ids = pages.store(conn, got)
    return [ids[n + 1] for n in range(len(bodies))]


def _page(body: bytes, at: datetime) -> Fetched:
    url = f"https://homes.test/{content_hash(body)[:8]}"
    return Fetched(
        outcome=FetchOutcome.OK,
        url=url,
        final_url=url,
        fetched_at=at,
        body=body,
        content_hash=content_hash(body),
    )


@pytest.fixture
def shop(database: Database, tmp_path: Path) -> Shop:
    return Shop(database, tmp_path / "pages")


def need(conn: Connection, who: str, page_id: int) -> None:
    """Somebody needs this page."""
    source_id = world.source(conn)
    if who == "record":
        shelf = world.Pages(conn, source_id)
        shelf.keep(shelf.page(world.staged(1)))
        conn.execute(update(records).values(page_id=page_id))
    elif who.endswith("job"):
        world.enqueue(conn, world.run(conn, source_id), ["https://homes.test/a"], source_id=source_id)
        conn.execute(update(jobs).values(page_id=page_id, stage="parse", status=who.removesuffix(" job")))
    elif who == "quarantine":
        row = {"source_id": source_id, "page_id": page_id, "reason": "zero_price", "item": {}}
        conn.execute(insert(quarantine).values(**row, observed_at=OLD, created_at=OLD))
    else:
        row = {"stage": "parse", "category": "parse", "type": "x", "payload": {"page_id": page_id}}
        conn.execute(insert(dead_letters).values(**row, created_at=OLD))


async def test_old_pages_go_with_their_bodies_and_packs(shop: Shop) -> None:
    await shop.fetched(b"one", b"two")
    await shop.fetched(b"young", at=NOW - DAY)
    swept = await shop.sweep()
    assert (swept.pages, swept.bodies, swept.packs) == (2, 2, 1)
    assert await shop.readable(b"one", b"two", b"young") == [False, False, True]
    assert await shop.count("pages") == 1
    assert len(await shop.blobs.packs()) == 1


@pytest.mark.parametrize("who", NEEDED)
async def test_what_somebody_needs_stays_whatever_its_age_and_size(shop: Shop, who: str) -> None:
    needed, _ = await shop.fetched(b"needed" * 50, b"spare" * 50)
    await shop.database.run(need, who, needed)
    swept = await shop.sweep(max_bytes=0)
    assert await shop.readable(b"needed" * 50, b"spare" * 50) == [True, False]
    assert await shop.count("pages") == 1
    assert swept.over > 0


@pytest.mark.parametrize("who", ["pending job", "quarantine", "dead letter"])
async def test_what_was_needed_and_is_settled_goes(shop: Shop, who: str) -> None:
    (page,) = await shop.fetched(b"body")
    await shop.database.run(need, who, page)
    ends = {
        "pending job": "UPDATE jobs SET status = 'done'",
        "quarantine": "UPDATE quarantine SET status = 'rejected'",
    }
    settle = ends.get(who, "UPDATE dead_letters SET status = 'discarded'")
    await shop.database.run(lambda conn: conn.exec_driver_sql(settle))
    assert (await shop.sweep()).pages == 1
    assert await shop.readable(b"body") == [False]


async def test_a_body_that_a_younger_page_shares_stays(shop: Shop) -> None:
    await shop.fetched(b"same", b"other")
    await shop.database.run(pages.store, [NewPage(9, 1, _page(b"same", NOW - DAY))])
    swept = await shop.sweep()
    assert (swept.pages, swept.bodies) == (2, 1)
    assert await shop.readable(b"same", b"other") == [True, False]


async def test_a_picture_keeps_its_body(shop: Shop) -> None:
    (page,) = await shop.fetched(b"picture")
    await shop.database.run(need, "record", page)
    await shop.database.run(lambda conn: conn.execute(update(records).values(page_id=None)))
    picture = {"record_id": 1, "url": "u", "position": 0, "content_hash": content_hash(b"picture")}
    await shop.database.run(lambda conn: conn.execute(insert(images).values(picture)))
    assert (await shop.sweep(max_bytes=0)).bodies == 0
    assert await shop.readable(b"picture") == [True]


async def test_by_size_the_oldest_bodies_go_and_the_pages_stay_on_record(shop: Shop) -> None:
    texts = [os.urandom(1000) for _ in range(4)]
    for days, text in zip((40, 30, 20, 10), texts, strict=True):
        await shop.fetched(text, at=NOW - days * DAY)
    swept = await shop.sweep(max_bytes=2_200)
    assert await shop.readable(*texts) == [False, False, True, True]
    assert (swept.pages, swept.bodies, swept.packs, swept.over) == (0, 2, 2, 0)
    assert await shop.count("pages") == 4


async def test_a_body_on_its_way_is_never_swept(shop: Shop) -> None:
    """Written, but its page is not committed yet: its pack is held by its writer, and it is young."""
    writer = PackedBlobs(shop.folder)
    (stored,) = await writer.put([b"on its way"])
    old = (OLD.timestamp(), OLD.timestamp())
    os.utime(shop.folder / stored.location.split(":")[1], old)
    assert (await shop.sweep()).packs == 0
    await shop.database.run(_write, [b"on its way"], [stored], NOW)
    assert await shop.readable(b"on its way") == [True]


async def test_a_young_pack_without_rows_is_spared_and_an_old_one_is_not(shop: Shop) -> None:
    for age in (HOUR / 2, 2 * HOUR):
        (lost,) = await shop.blobs.put([b"lost in a crash"])
        await shop.blobs.close()
        at = (NOW - age).timestamp()
        os.utime(shop.folder / lost.location.split(":")[1], (at, at))
    assert (await shop.sweep()).packs == 1
    assert len(await shop.blobs.packs()) == 1


async def test_rows_without_a_page_go_once_they_are_old(shop: Shop) -> None:
    await shop.database.run(
        lambda conn: conn.execute(
            insert(blob_rows),
            [
                {
                    "content_hash": name,
                    "location": f"pack:{name}.pack:0:1",
                    "size": 1,
                    "stored_size": 1,
                    "stored_at": at,
                }
                for name, at in (("a", OLD), ("b", NOW - HOUR / 2))
            ],
        )
    )
    assert (await shop.sweep()).bodies == 1
    assert await shop.rows("SELECT content_hash FROM blobs") == [("b",)]


async def test_a_mostly_empty_pack_is_written_anew(shop: Shop) -> None:
    live, dead = os.urandom(500), os.urandom(4_000)
    kept, _ = await shop.fetched(live, dead)
    await shop.database.run(need, "record", kept)
    before = await shop.blobs.packs()
    swept = await shop.sweep()
    assert (swept.moved, swept.packs) == (1, 1)
    after = await shop.blobs.packs()
    assert {p.key for p in before}.isdisjoint({p.key for p in after})
    assert sum(p.size for p in after) < 600
    assert await shop.readable(live) == [True]


async def test_a_second_sweep_finds_nothing_to_do(shop: Shop) -> None:
    await shop.fetched(b"one", b"two", b"three")
    await shop.sweep()
    assert await shop.sweep() == RetentionResult()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_body_brought_again_during_the_sweep_is_kept(shop: Shop, database_url: str) -> None:
    """Its new page commits while the sweep already thinks it unused: the row itself decides.

    (SQLite has one writer, so nothing can come between.)
    """
    await shop.fetched(b"again")
    driver = await asyncpg.connect(database_url)
    bring = driver.transaction()
    await bring.start()
    await driver.execute("UPDATE blobs SET stored_at = $1", micros(NOW))
    await driver.execute(
        "INSERT INTO pages (job_id, source_id, url, outcome, content_hash, fetched_at)"
        " VALUES (2, 1, 'u', 'ok', $1, $2)",
        content_hash(b"again"),
        micros(NOW),
    )
    sweeping = asyncio.create_task(shop.sweep())
    while not await driver.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
        assert not sweeping.done()
    await bring.commit()
    assert (await sweeping).bodies == 0
    await driver.close()
    assert await shop.readable(b"again") == [True]


async def test_long_shelves_are_walked_in_batches(shop: Shop) -> None:
    await shop.fetched(*(b"page %d" % n for n in range(1_200)))
    assert (await shop.sweep()).pages == 1_200
    assert await shop.count("blobs") == 0


def test_the_defaults_are_those_of_the_documents() -> None:
    assert RetentionLimits() == RetentionLimits(
        age=timedelta(days=90), max_bytes=None, grace=timedelta(hours=1)
    )
