"""Elasticsearch beside the database: fed through every fault, and never believed about who may see what."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from pydantic import SecretStr
from sqlalchemy import Connection, update

from larder.app import App, open_app
from larder.core.errors import BadInput
from larder.engine.background.elastic import Busy, Elastic, ElasticError, Mirror, parse_index_address
from larder.settings import Settings
from larder.store.dataset import changes, erasure
from larder.store.operations import key_values
from larder.store.queue import sources
from larder.store.reads.query import Query
from larder.store.tables import records
from tests.contract.world import HOUR, NOW, Pages, source, staged
from tests.integration.elastic_standin import Service

LATER = NOW + HOUR


class HandClock:
    """Stands still unless it is moved."""

    def __init__(self) -> None:
        self.at = LATER

    def now(self) -> Any:
        self.at += HOUR / 3_600_000
        return self.at

    async def sleep_until(self, moment: Any) -> None:
        raise AssertionError(f"nothing here waits, not even for {moment}")


@dataclass(slots=True, kw_only=True)
class World:
    """A deployment with its service."""

    service: Service
    app: App
    elastic: Elastic

    def mirror(self) -> Mirror:
        return Mirror(database=self.app.database, clock=self.app.clock, elastic=self.elastic)

    async def keep(self, *items: Any, slug: str = "homes", visibility: str = "public") -> None:
        def work(conn: Connection) -> None:
            pages = Pages(conn, source(conn, slug, domain=f"{slug}.test", visibility=visibility))
            pages.keep(pages.page(*items))

        await self.app.run(work)

    async def found(self, text: str, **asked: Any) -> list[str]:
        answer = await self.app.find(Query(text=text, **asked), now=LATER)
        return [row.title for row in answer.rows]

    def titles(self) -> set[str]:
        return {document["title"] for document in self.service.documents.values()}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    service = Service()
    async with service.server() as server, aiohttp.ClientSession() as session:
        url = str(server.make_url("/things"))
        settings = Settings(data=tmp_path, elasticsearch=SecretStr(url), strict=False)
        async with open_app(settings, upgrade=True) as app:
            app.clock = HandClock()
            yield World(service=service, app=app, elastic=Elastic(parse_index_address(url), session))


async def test_the_copy_is_filled_and_then_follows_the_changes(world: World) -> None:
    await world.keep(*(staged(i, title=f"Huis {i}") for i in range(1_200)))
    assert await world.mirror().round() == 1_200
    assert len(world.service.documents) == 1_200
    await world.keep(staged(5_000, title="Nieuwe villa"), slug="villas")
    assert await world.mirror().round() == 1
    assert "nieuwe villa" in world.titles()
    await world.app.run(erasure.erase_record, 1, by="me", reason="asked", now=LATER)
    await world.mirror().round()
    assert "1" not in world.service.documents
    assert world.service.bulks == [500, 500, 200, 1, 1]


async def test_what_it_finds_is_read_again_through_the_gate(world: World) -> None:
    await world.keep(staged(1, title="Huis"), staged(2, title="Huis met tuin"))
    await world.keep(staged(3, title="Huis, geheim"), slug="secret", visibility="hidden")
    await world.mirror().round()
    assert "huis geheim" not in world.titles()
    world.service.documents["3"] = {"title": "huis geheim"}
    world.service.documents["77"] = {"title": "huis dat er niet is"}
    assert await world.found("huis") == ["Huis met tuin", "Huis"]
    await world.app.run(lambda conn: conn.execute(update(records).where(records.c.id == 1).values(active=0)))
    assert await world.found("huis") == ["Huis met tuin"]


async def test_a_source_that_is_hidden_leaves_the_copy(world: World) -> None:
    await world.keep(staged(1, title="Huis"))
    await world.mirror().round()
    await world.app.run(sources.update_source, 1, {"visibility": "hidden"}, now=LATER)
    await world.app.run(changes.add_for_source, 1, changes.WITHDRAWN, now=LATER)
    await world.mirror().round()
    assert (await world.found("huis"), world.service.documents) == ([], {})


async def test_filters_hold_whatever_the_service_says(world: World) -> None:
    await world.keep(*(staged(i, title=f"Huis {i}", price_minor=i) for i in range(1, 6)))
    await world.mirror().round()
    world.service.documents["5"]["price_minor"] = 1
    assert await world.found("huis", price_max_minor=2) == ["Huis 2", "Huis 1"]


async def test_pages_of_its_answers_follow_one_another(world: World) -> None:
    await world.keep(*(staged(i, title=f"Huis {i}") for i in range(7)))
    await world.mirror().round()
    query, told = Query(text="huis", limit=3), []
    while True:
        page = await world.app.find(query, now=LATER)
        told += [row.id for row in page.rows]
        if page.next is None:
            break
        query = Query(text="huis", limit=3, after=page.next)
    assert told == [7, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("status", [429, 503])
async def test_a_busy_service_is_left_alone_and_missed_nothing(world: World, status: int) -> None:
    await world.keep(staged(1, title="Huis"))
    mirror = world.mirror()
    await mirror.round()
    await world.keep(staged(2, title="Villa"), slug="villas")
    world.service.faults = [status]
    with pytest.raises(Busy):
        await mirror.round()
    assert world.titles() == {"huis"}
    assert await mirror.round() == 1
    assert world.titles() == {"huis", "villa"}


async def test_of_a_bulk_only_what_was_not_taken_is_sent_again(world: World) -> None:
    await world.keep(*(staged(i, title=f"Huis {i}") for i in range(1, 11)))
    world.service.item_faults = {"3": [429], "7": [503, 429]}
    await world.mirror().round()
    assert (world.service.bulks, len(world.service.documents)) == ([10, 2, 1], 10)


async def test_what_is_never_taken_waits_for_the_next_round(world: World) -> None:
    await world.keep(staged(1, title="Huis"))
    world.service.item_faults = {"1": [429] * 3}
    mirror = world.mirror()
    with pytest.raises(ElasticError, match="1 document rejected"):
        await mirror.round()
    assert await mirror.round() == 1
    assert world.titles() == {"huis"}


async def test_a_mapping_conflict_holds_up_no_other_record(world: World, caplog: Any) -> None:
    await world.keep(staged(1, title="Huis", rooms="drie"), staged(2, title="Villa", rooms=3))
    await world.mirror().round()
    assert world.titles() == {"villa"}
    assert "Elasticsearch rejected record 1: failed to parse field [rooms]" in caplog.text
    assert (await world.app.run(key_values.read, "elasticsearch"))["filled"] is None


async def test_an_older_version_never_replaces_a_newer_one(world: World) -> None:
    await world.elastic.ensure({"properties": {}})
    await world.elastic.bulk({1: {"title": "new"}}, version=2)
    late = await world.elastic.bulk({1: {"title": "old"}}, version=1)
    assert (late.retriable, late.refused, world.titles()) == ((), {}, {"new"})


@pytest.mark.parametrize("status", [429, 503, 500])
async def test_without_an_answer_the_database_searches(world: World, status: int) -> None:
    await world.keep(staged(1, title="Huurwoning"))
    world.service.faults = [status]
    assert await world.found("woning") == ["Huurwoning"]


async def test_an_index_that_was_lost_is_filled_again(world: World) -> None:
    await world.keep(staged(1, title="Huis"))
    await world.mirror().round()
    world.service.indices.clear()
    world.service.documents.clear()
    world.service.versions.clear()
    await world.mirror().round()
    assert world.titles() == {"huis"}


@pytest.mark.parametrize(
    ("url", "base", "index", "opens"),
    [
        ("http://localhost:9200", "http://localhost:9200", "larder", None),
        ("https://me:p%40ss@es.example/my-index", "https://es.example", "my-index", "Basic bWU6cEBzcw=="),
        ("http://[::1]:9200/x", "http://[::1]:9200", "x", None),
    ],
)
def test_addresses(url: str, base: str, index: str, opens: str | None) -> None:
    place = parse_index_address(url)
    assert (place.base, place.index, place.authorization) == (base, index, opens)


@pytest.mark.parametrize("url", ["ftp://x", "localhost:9200", "http://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(BadInput):
        parse_index_address(url)
