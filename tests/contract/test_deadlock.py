"""Two units of work that lock each other out: the server ends one, and it is simply done again."""

import asyncio

from sqlalchemy import Connection, text

from larder.store.database import Database
from tests.contract.world import one, site


async def test_the_loser_of_a_deadlock_is_tried_again(postgres: Database) -> None:
    await postgres.run(lambda conn: [site(conn, "a.test"), site(conn, "b.test")])
    tries: list[int] = []

    async def cross(first: int, second: int) -> None:
        def work(conn: Connection) -> None:
            tries.append(first)
            touch = text("UPDATE sites SET notes = coalesce(notes, '') || 'x' WHERE id = :id")
            conn.execute(touch, {"id": first})
            conn.execute(text("SELECT pg_sleep(0.3)"))
            conn.execute(touch, {"id": second})

        await postgres.run(work)

    await asyncio.gather(cross(1, 2), cross(2, 1))
    assert len(tries) > 2, "they did cross"
    assert await postgres.run(one, "SELECT count(*) FROM sites WHERE notes = 'xx'") == 2
