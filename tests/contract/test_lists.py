"""Lists that are longer than a page: walked to their end they show every row once, on both databases.

The pages and the API are walked as a person or a program would: by the link or the number that they give.
What was asked for is kept on the way, and each step is taken along an index.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from larder.store.tables import dead_letters, quarantine, targets
from tests.contract.faces import Faces, opened
from tests.contract.world import NOW, source

MANY = 7
"""Rows of each of two sources, of which some are in another status."""


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path, requests_a_minute=0) as these:
        await these.app.do(_long)
        yield these


def _long(conn: Connection) -> None:
    for slug in ("homes", "other"):
        source_id = source(conn, slug, domain=f"{slug}.test")
        for number in range(MANY):
            _more(conn, source_id, slug, number)


def _more(conn: Connection, source_id: int, slug: str, number: int) -> None:
    odd, name = number % 2, f"{slug} {number}"
    failed = {"stage": "parse", "category": "parse", "type": "NoItems", "message": name, "created_at": NOW}
    status = "discarded" if odd else "pending"
    conn.execute(insert(dead_letters).values(source_id=source_id, status=status, **failed))
    looks = {"reason": "zero_price", "item": {"title": name}, "observed_at": NOW, "created_at": NOW}
    status = "rejected" if odd else "pending"
    conn.execute(insert(quarantine).values(source_id=source_id, status=status, **looks))
    url, status = f"https://{slug}.test/{number}", "paused" if odd else "active"
    conn.execute(insert(targets).values(source_id=source_id, url=url, canonical_url=url, status=status))


LISTS = [
    pytest.param("quarantine", "items", "before", "pending", id="quarantine"),
    pytest.param("dead-letters", "letters", "before", "pending", id="dead letters"),
    pytest.param("targets", "items", "after", "active", id="targets"),
]


@pytest.mark.parametrize("narrowed", [False, True])
@pytest.mark.parametrize(("path", "rows", "place", "status"), LISTS)
async def test_a_program_comes_to_the_last_row(
    faces: Faces, path: str, rows: str, place: str, status: str, *, narrowed: bool
) -> None:
    asked = {"source": "homes", "status": status} if narrowed else {}
    whole = (await faces.get(f"/api/admin/{path}", faces.admin, limit=1_000, **asked))[rows]
    assert len(whole) == (4 if narrowed else 2 * MANY)
    assert await _walked(faces, path, rows, place, asked) == [row["id"] for row in whole]


async def _walked(faces: Faces, path: str, rows: str, place: str, asked: dict[str, Any]) -> list[int]:
    """The numbers of all rows, three at a time."""
    seen: list[int] = []
    while True:
        on = {place: seen[-1]} if seen else {}
        found = (await faces.get(f"/api/admin/{path}", faces.admin, limit=3, **asked, **on))[rows]
        if not found:
            return seen
        seen += [row["id"] for row in found]
