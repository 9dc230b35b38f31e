"""A hidden source appears nowhere in public: not in a list, a search, a feed, a page; not by its number."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from larder.actions.sources import sources
from tests.contract.faces import HIDDEN, Client, Faces, opened, stocked
from tests.contract.test_api_locked import OPEN, document
from tests.contract.world import NOW

QUERIES: list[dict[str, str | int]] = [
    {},
    {"text": HIDDEN},
    {"text": "home"},
    {"source": HIDDEN},
    {"site": f"{HIDDEN}.test"},
    {"kind": "listing", "sort": "price"},
    {"near": "52.0,4.9", "sort": "distance"},
    {"limit": 200, "confidence_min": 0},
    {"limit": 1, "sort": "-price"},
    {"since": "0.0"},
    {"since": "latest"},
]
PAGES = ["/", "/events", "/records.csv", "/records/6", "/records/7"]
"""Those for people, and the file that they offer; of the records some are hidden."""

KEYED = {"/status": {401}}
"""Addresses that want a key unless the settings open them."""


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path, requests_a_minute=0) as these:
        await these.app.run(stocked)
        yield these


async def texts(faces: Faces, client: Client) -> dict[str, str]:
    """What every public address says, with every query it understands; by address."""
    described = await document(faces)
    said = {}
    for path in described["paths"].keys() & OPEN:
        understood = {each["name"] for each in described["paths"][path]["get"].get("parameters", [])}
        asked = [query for query in QUERIES if query.keys() <= understood]
        for where in sorted({path.format(record_id=number) for number in range(1, 12)}):
            for query in asked or [{}]:
                answered = await client.get(f"/api{where}", params=query)
                expected = {200, 304, 404, 422} | KEYED.get(path, set())
                assert answered.status_code in expected, answered.text
                said[f"{where} {query}"] = answered.text
    for where in PAGES:
        said[where] = (await client.get(where)).text
    return said


def telling(said: dict[str, str]) -> list[str]:
    """Addresses at which the hidden source is told of by its own words."""
    return [where for where, text in said.items() if HIDDEN in text]


@pytest.mark.parametrize("who", ["anyone", "reader"])
async def test_no_public_address_tells_of_it(faces: Faces, who: str) -> None:
    said = await texts(faces, getattr(faces, who))
    assert any("Home 1 homes" in text for text in said.values()), "the public source is there"
    assert telling(said) == []


async def test_it_is_told_of_as_soon_as_it_is_public(faces: Faces) -> None:
    """So the walk above would have found it."""
    await faces.app.run(
        sources.set_columns, HIDDEN, {"visibility": "public"}, faces.app.dispatcher, who="ada", now=NOW
    )
    await faces.settled()
    found = telling(await texts(faces, faces.anyone))
    assert {where.split(" ")[0].rsplit("/", 1)[0] for where in found} >= {"", "/records"}
    assert any(where.startswith("/changes") for where in found)


async def test_operators_see_it(faces: Faces) -> None:
    everything = await faces.get("/api/admin/records", faces.admin, limit=200)
    assert {each["source"] for each in everything["items"]} == {"homes", HIDDEN}
    assert {each["source"] for each in (await faces.get("/api/records", faces.admin))["items"]} == {"homes"}


async def test_operators_list_records_by_state(faces: Faces) -> None:
    hidden = await faces.get("/api/admin/records", faces.admin, limit=200, state="hidden")
    assert {each["source"] for each in hidden["items"]} == {HIDDEN}
    assert (await faces.get("/api/admin/records", faces.admin, state="unseen"))["items"] == []
