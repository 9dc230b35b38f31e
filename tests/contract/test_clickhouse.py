"""A copy in ClickHouse is loaded once, then kept up to date, whatever goes wrong; on both databases."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from sqlalchemy import Connection, delete, select, update

from larder.app.clickhouse.client import ClickHouse, ClickHouseError, parse_table_address
from larder.app.clickhouse.export import CopyReport, update_copy
from larder.app.clickhouse.tables import statements
from larder.core.errors import BadInput, Unusable
from larder.store.dataset import changes
from larder.store.dataset.erasure import erase_record
from larder.store.tables import changes as change_table
from larder.store.tables import records, sources
from tests.contract.faces import HIDDEN, Faces, opened
from tests.contract.world import HOUR, NOW, Pages, source, staged
from tests.integration.clickhouse_standin import Service


@dataclass(slots=True)
class Copied:
    """A Larder and the server that it is copied to."""

    faces: Faces
    service: Service
    server: ClickHouse
    pauses: list[float] = field(default_factory=list)

    async def send(self, *, hidden: bool = False) -> CopyReport:
        await self.faces.settled()
        return await update_copy(self.faces.app, self.server, hidden=hidden)

    @property
    def titles(self) -> list[str]:
        return sorted(row["title"] for row in self.service.shown().values())


@asynccontextmanager
async def _copied(database_url: str, folder: Path) -> AsyncIterator[Copied]:
    service = Service(password="s3cret")
    async with opened(database_url, folder) as faces, aiohttp.ClientSession() as session:
        running = service.server()
        await running.start_server()
        place = parse_table_address(f"http://ada:s3cret@127.0.0.1:{running.port}/default")
        found = Copied(faces, service, ClickHouse(place, session))

        async def pause(seconds: float) -> None:
            found.pauses.append(seconds)

        found.server.pause = pause
        try:
            yield found
        finally:
            await running.close()


@pytest.fixture
async def copied(database_url: str, tmp_path: Path) -> AsyncIterator[Copied]:
    async with _copied(database_url, tmp_path) as found:
        await found.faces.app.run(_stock)
        yield found


def _stock(conn: Connection) -> None:
    homes = Pages(conn, source(conn, visibility="public"))
    homes.keep(homes.page(*(_home(number, 1000) for number in range(1, 6))))
    secret = Pages(conn, source(conn, HIDDEN, domain="hidden.test", visibility="hidden"))
    secret.keep(secret.page(staged(50, title=HIDDEN)))


def _home(number: int, price: int) -> Any:
    odd: dict[str, Any] = {
        "beds": "two",
        "title": f"Home {number}",
        "price_minor": price * number,
        "currency": "EUR",
    }
    return staged(number, **odd)


def _change(conn: Connection) -> None:
    found = conn.execute(select(sources.c.id).order_by(sources.c.id)).scalars().first()
    assert found is not None
    pages = Pages(conn, found)
    pages.keep(pages.page(_home(1, 900), _home(6, 1000), at=NOW + HOUR, run_id=2))


async def test_a_copy_is_loaded_then_follows_the_changes(copied: Copied) -> None:
    first = await copied.send()
    assert (first.loaded, first.records, first.deleted) == (True, 5, 0)
    assert copied.titles == [f"Home {number}" for number in range(1, 6)]
    home = copied.service.shown()[1]
    assert (home["price"], home["active"], home["first_seen_at"]) == (10.0, 1, "2026-01-05 00:00:00")
    assert "beds" not in home
    inserts = copied.service.inserts
    nothing = await copied.send()
    assert (nothing.loaded, nothing.records, copied.service.inserts) == (False, 0, inserts)
    await copied.faces.app.run(_change)
    changed = await copied.send()
    assert (changed.loaded, changed.records, changed.deleted) == (False, 2, 0)
    assert copied.service.shown()[1]["price"] == 9.0
    assert [price for number, price in copied.service.prices() if number == 1] == [9.0, 10.0]
    assert len(copied.titles) == 6


async def test_hidden_sources_are_copied_for_operators_only(copied: Copied) -> None:
    await copied.send()
    assert HIDDEN not in copied.titles
    await copied.send(hidden=True)
    assert HIDDEN in copied.titles
    back = await copied.send()
    assert back.loaded
    assert HIDDEN not in copied.titles
    assert len(copied.titles) == 5


def _erase(conn: Connection) -> None:
    erase_record(conn, 2, reason="asked", by="test", now=NOW)
    values = {"active": 0, "verification": "gone"}
    found = conn.execute(
        update(records).where(records.c.id == 3).values(values).returning(records.c.source_id)
    )
    changes.add(conn, [changes.NewChange(3, found.scalar_one(), "gone", None)], now=NOW)


async def test_what_is_erased_is_deleted_and_what_is_gone_is_inactive(copied: Copied) -> None:
    await copied.send()
    await copied.faces.app.run(_erase)
    report = await copied.send()
    assert report.deleted == 1
    assert 2 not in copied.service.shown()
    assert copied.service.shown()[3]["active"] == 0


FAULTS = ["429", "503", "code 252", "code 202", "hidden", "lost", "silent"]


@pytest.mark.parametrize("fault", FAULTS)
async def test_what_may_pass_is_tried_again_and_nothing_is_there_twice(copied: Copied, fault: str) -> None:
    copied.service.faults = [fault, fault, "", fault]
    await copied.send()
    assert copied.pauses == [1.0, 4.0, 1.0]
    assert copied.titles == [f"Home {number}" for number in range(1, 6)]
    assert len(copied.service.prices()) == 5


@pytest.mark.parametrize(
    ("fault", "kind"), [("503", Unusable), ("garbage", ClickHouseError), ("code 60", ClickHouseError)]
)
async def test_an_export_that_was_cut_goes_on(copied: Copied, fault: str, kind: type[Exception]) -> None:
    await copied.send()
    await copied.faces.app.run(_change)
    copied.service.faults = [fault] * 4
    with pytest.raises(kind) as told:
        await copied.send()
    assert "s3cret" not in str(told.value)
    assert len(copied.titles) == 5
    copied.service.faults = []
    assert (await copied.send()).records == 2
    assert len(copied.titles) == 6


def _forget_changes(conn: Connection) -> None:
    erase_record(conn, 4, reason="asked", by="test", now=NOW)
    conn.execute(delete(change_table))


async def test_where_the_feed_lost_its_place_all_is_loaded_anew(copied: Copied) -> None:
    await copied.send()
    await copied.faces.app.run(_forget_changes)
    report = await copied.send()
    assert report.loaded
    assert copied.titles == ["Home 1", "Home 2", "Home 3", "Home 5"]


async def test_a_wrong_password_is_said(copied: Copied) -> None:
    copied.service.password = "other"
    with pytest.raises(ClickHouseError, match="403: Code: 516"):
        await copied.send()


@pytest.mark.parametrize(
    "url", ["ftp://x/y", "http:///a", "http://h/a/b/c", "http://h/a/b-c", "http://h/a;drop/b"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadInput):
        parse_table_address(url)


def test_tables_and_views_are_made_only_where_they_are_missing() -> None:
    assert all(" IF NOT EXISTS " in each for each in statements("larder"))
