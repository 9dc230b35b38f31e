"""Terms of sites are read once a second for all sites that are asked, so that a block holds at once."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, update

from larder.engine.clock import VirtualClock
from larder.engine.worker.rate_limits import StoredTerms
from larder.store.database import Database
from larder.store.queue import sources
from larder.store.tables import sites

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Counting:
    """A database that counts what is read."""

    def __init__(self, database: Database) -> None:
        self.database, self.reads = database, 0

    async def read(self, work: Any, *args: Any) -> Any:
        self.reads += 1
        return await self.database.read(work, *args)


def planted(conn: Connection) -> None:
    for n in range(20):
        sources.ensure_site(conn, f"site{n}.test", {"terms_reviewed_at": NOW}, now=NOW)


def block(conn: Connection) -> None:
    conn.execute(update(sites).where(sites.c.domain == "site3.test").values(blocked=1))


async def ask_all(terms: StoredTerms) -> list[bool]:
    asked = [terms.terms_of(f"https://www.site{n}.test/{page}") for page in range(5) for n in range(20)]
    return [found.blocked for found in await asyncio.gather(*asked)]


async def test_l10_23_terms_are_one_query_a_second_however_many_sites_are_asked(database: Database) -> None:
    await database.run(planted)
    clock, counting = VirtualClock(NOW), Counting(database)
    terms = StoredTerms(counting, clock)  # type: ignore[arg-type]
    assert not any(await ask_all(terms))
    first = counting.reads
    for _ in range(10):
        clock.advance(clock.now() + timedelta(seconds=1))
        assert not any(await ask_all(terms))
    assert first <= 20, "each site is new once"
    assert counting.reads - first == 10, "1,000 requests"


async def test_l10_23_a_block_holds_within_a_second(database: Database) -> None:
    await database.run(planted)
    clock = VirtualClock(NOW)
    terms = StoredTerms(database, clock)
    await ask_all(terms)
    await database.run(block)
    clock.advance(NOW + timedelta(seconds=1))
    assert sum(await ask_all(terms)) == 5


async def test_l10_24_a_clock_that_is_set_back_reads_anew(database: Database) -> None:
    await database.run(planted)
    clock = VirtualClock(NOW + timedelta(days=9))
    terms = StoredTerms(database, clock)
    await ask_all(terms)
    await database.run(block)
    terms._clock = VirtualClock(NOW)
    assert sum(await ask_all(terms)) == 5
