"""Events at their source's place are placed by a geocoder: once asked, for good, and never at any price."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import pytest
from sqlalchemy import Connection

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.engine.background.geocoding import GeocodingResult, Nominatim, address_query, geocode_events
from larder.engine.clock import VirtualClock
from larder.store.database import Database
from larder.store.dataset.places import Unplaced
from tests.contract import nominatim, world
from tests.contract.world import NOW

HALL = {"latitude": 50.0, "longitude": 4.0, "coordinates_from": "default"}


def concert(number: int, **fields: Any) -> Any:
    said = {"starts_at": "2026-03-14T20:30:00+00:00", "venue": "The Hall", **HALL, **fields}
    return world.staged(number, kind=Kind.EVENT, **said)


def keep(conn: Connection, *items: Any, purpose: Purpose = Purpose.INDEX, at: datetime = NOW) -> None:
    pages = world.Pages(conn, 1)
    pages.keep(pages.page(*items, purpose=purpose, at=at))


def add(conn: Connection, *items: Any) -> None:
    world.run(conn, world.source(conn, "hall", kind="event", adapter="event", name="The Hall"))
    keep(conn, *items)


def stands(conn: Connection) -> list[tuple[Any, ...]]:
    """Where each record is."""
    return world.rows(conn, "SELECT latitude, longitude FROM records ORDER BY id")


@pytest.fixture
async def service() -> AsyncIterator[nominatim.Nominatim]:
    places = {"Quay 1": ("52.1", "5.1"), "Market 7": ("51.9", "4.5")}
    async with nominatim.served(nominatim.Nominatim(places)) as serving:
        yield serving


class Asked:
    """A round against the local service, with a clock that does not wait."""

    def __init__(self, service: nominatim.Nominatim, database: Database) -> None:
        self.service, self.database, self.clock = service, database, VirtualClock(NOW)

    async def __call__(self, *, most: int = 500) -> GeocodingResult:
        async with aiohttp.ClientSession() as session:
            geocoder = Nominatim(self.service.url, session, self.clock, agent="Larder (test)")
            return await geocode_events(self.database, geocoder, self.clock, limit=most)


@pytest.fixture
def ask(service: nominatim.Nominatim, database: Database) -> Asked:
    return Asked(service, database)


async def test_events_at_the_default_place_find_their_own(ask: Asked) -> None:
    items = (concert(1, address="Quay 1, Utrecht"), concert(2, address="Nowhere 9"), concert(3))
    await ask.database.run(add, *items)
    told = await ask()
    assert (told.looked_at, told.requests, told.placed, told.unknown, told.trouble) == (3, 2, 1, 1, "")
    assert await ask.database.run(stands) == [(52.1, 5.1), (50.0, 4.0), (50.0, 4.0)]
    assert ask.service.agents == {"Larder (test)"}


async def test_an_answer_in_many_packets_is_read_to_its_end(ask: Asked) -> None:
    ask.service.bad = ["long"]
    await ask.database.run(add, concert(1, address="Quay 1, Utrecht"))
    assert (await ask()).trouble == ""
    assert await ask.database.run(stands) == [(52.3, 5.3)]


async def test_events_without_any_point_are_looked_for_too(ask: Asked) -> None:
    nowhere = {"latitude": None, "longitude": None, "coordinates_from": None}
    await ask.database.run(add, concert(1, address="Quay 1, Utrecht", **nowhere), concert(2, **nowhere))
    told = await ask()
    assert (told.looked_at, told.placed) == (2, 1)
    assert await ask.database.run(stands) == [(52.1, 5.1), (None, None)]


async def test_an_address_is_asked_once_for_all_records_and_for_good(ask: Asked) -> None:
    await ask.database.run(add, *(concert(n, address="Quay 1") for n in range(1, 6)))
    assert (await ask()).placed == 5
    await ask.database.run(keep, concert(9, address="quay  1"))
    told = await ask()
    assert (told.requests, told.placed) == (0, 1)
    assert ask.service.asked == ["Quay 1"]


async def test_one_question_a_second(ask: Asked) -> None:
    await ask.database.run(add, *(concert(n, address=f"Lane {n}") for n in range(1, 5)))
    await ask()
    assert ask.clock.now() - NOW == timedelta(seconds=3)


async def test_what_was_unknown_is_asked_again_a_month_later(ask: Asked) -> None:
    await ask.database.run(add, concert(1, address="New Street 1", ends_at="2027-01-01T00:00:00+00:00"))
    assert (await ask()).unknown == 1
    assert (await ask()).requests == 0
    ask.clock.advance(NOW + timedelta(days=31))
    ask.service.places["New Street"] = ("53.0", "6.0")
    assert (await ask()).placed == 1


@pytest.mark.parametrize("trouble", ["500", "429", "503", "hang up", "nonsense", "half"])
async def test_trouble_stops_the_round_and_the_next_goes_on(ask: Asked, trouble: str) -> None:
    """A connection that drops is tried once more by the client itself, so it has to drop twice."""
    await ask.database.run(add, concert(1, address="Quay 1"), concert(2, address="Market 7"))
    ask.service.bad = ["", trouble, *([trouble] if trouble == "hang up" else [])]
    told = await ask()
    assert (told.requests, told.placed) == (1, 1)
    assert told.trouble
    assert await ask.database.run(stands) == [(52.1, 5.1), (50.0, 4.0)]
    assert (await ask()).placed == 1
    assert await ask.database.run(stands) == [(52.1, 5.1), (51.9, 4.5)]


async def test_an_odd_answer_is_no_place(ask: Asked) -> None:
    await ask.database.run(add, concert(1, address="Quay 1"))
    ask.service.bad = ["odd"]
    assert (await ask()).unknown == 1
    assert await ask.database.run(stands) == [(50.0, 4.0)]


async def test_nobody_there_is_trouble_and_no_exception(ask: Asked) -> None:
    await ask.database.run(add, concert(1, address="Quay 1"))
    ask.service.url = "http://127.0.0.1:9"
    told = await ask()
    assert told.placed == 0
    assert "did not answer" in told.trouble


async def test_a_round_asks_no_more_than_it_may(ask: Asked) -> None:
    await ask.database.run(add, *(concert(n, address=f"Lane {n}") for n in range(1, 8)))
    assert (await ask(most=3)).requests == 3
    assert (await ask(most=3)).requests == 3
    assert (await ask(most=3)).requests == 1


@pytest.mark.parametrize("purpose", [Purpose.INDEX, Purpose.DETAIL])
async def test_a_place_that_was_found_outlives_the_next_sighting(ask: Asked, purpose: Purpose) -> None:
    await ask.database.run(add, concert(1, address="Quay 1"))
    await ask()
    later = NOW + timedelta(days=1)
    await ask.database.run(
        lambda conn: keep(conn, concert(1, address="Quay 1", title="Renamed"), purpose=purpose, at=later)
    )
    assert await ask.database.run(stands) == [(52.1, 5.1)]


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ({"address": "Quay 1", "city": "Utrecht"}, "Quay 1, Utrecht"),
        ({"address": "Quay 1, Utrecht", "city": "Utrecht"}, "Quay 1, Utrecht"),
        ({"venue": "Tivoli", "city": "Utrecht", "country": "NL"}, "Tivoli, Utrecht, NL"),
        ({"venue": "The Hall", "city": "Utrecht"}, "Utrecht"),
        ({"venue": "The Hall"}, ""),
        ({}, ""),
    ],
)
def test_what_is_asked(content: dict[str, Any], question: str) -> None:
    assert address_query(Unplaced(1, content, "The Hall")) == question
