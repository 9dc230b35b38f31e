"""The offline gazetteer of a source's country, loaded when a place is first searched, and cached.

The country is that of the source's address, else of its time zone. A text that is no address (a venue's name)
counts only if all of it is a town's name: `De Kroon` is no town called Kroon.
"""

import re
from dataclasses import dataclass

from larder.core.model.source import Kind, Source
from larder.sdk.urls import registrable_domain
from larder.stages.normalize.context import Coordinates
from larder.stages.normalize.places import offline_gazetteer, place_key

MIN_POPULATION = 5_000
"""Inhabitants of the smallest loaded place: smaller ones need too much memory."""

_BY_ZONE = {
    "Europe/Amsterdam": "NL", "Europe/Brussels": "BE", "Europe/Berlin": "DE", "Europe/Vienna": "AT",
    "Europe/Zurich": "CH", "Europe/Paris": "FR", "Europe/London": "GB", "Europe/Dublin": "IE",
    "Europe/Rome": "IT", "Europe/Madrid": "ES", "Europe/Lisbon": "PT", "Europe/Warsaw": "PL",
    "Europe/Prague": "CZ", "Europe/Stockholm": "SE", "Europe/Copenhagen": "DK", "Europe/Oslo": "NO",
    "Europe/Helsinki": "FI", "Europe/Luxembourg": "LU", "America/New_York": "US", "America/Chicago": "US",
    "America/Denver": "US", "America/Los_Angeles": "US", "America/Phoenix": "US", "America/Toronto": "CA",
    "America/Vancouver": "CA", "Australia/Sydney": "AU", "Australia/Melbourne": "AU",
}  # fmt: skip
_BY_DOMAIN = {code.lower(): code for code in _BY_ZONE.values() if code not in ("US", "CA")} | {"uk": "GB"}
_ADDRESS = re.compile(r"[\d,;\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineTowns:
    """The towns of one country."""

    country: str

    def locate(self, text: str, *, country: str | None = None) -> Coordinates | None:
        """The town at the end of an address, or with exactly this name; None for other countries."""
        if country and len(country) == 2 and country.upper() != self.country:
            return None
        towns = offline_gazetteer(frozenset({self.country}), least=MIN_POPULATION)
        if _ADDRESS.search(text):
            return towns.locate(text, country=self.country)
        return towns.locate_name(place_key(text), country=self.country)


def towns_of(source: Source) -> OfflineTowns | None:
    """The towns for events of this source; None for other kinds and unknown countries."""
    if source.kind is not Kind.EVENT:
        return None
    top_level = (registrable_domain(source.url) or "").rsplit(".", 1)[-1]
    country = _BY_DOMAIN.get(top_level) or _BY_ZONE.get(source.tz)
    return OfflineTowns(country=country) if country else None
