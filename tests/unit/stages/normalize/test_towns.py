"""Towns of a source's country, without asking anybody."""

from dataclasses import replace

import pytest

from larder.core.model.source import Kind, Source
from larder.stages.normalize import towns
from larder.stages.normalize.places import Gazetteer, GazetteerTown, offline_gazetteer
from larder.stages.normalize.towns import OfflineTowns, towns_of

SOURCE = Source(
    id=1, slug="hall", name="Hall", kind=Kind.EVENT, site_id=1, adapter="event", url="https://hall.test/"
)
DUTCH = Gazetteer(
    [
        GazetteerTown(name="Deventer", country="NL", latitude=52.25, longitude=6.2),
        GazetteerTown(name="Kroon", country="NL", latitude=51.0, longitude=6.0),
    ]
)


@pytest.fixture(autouse=True)
def gazetteer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(towns, "offline_gazetteer", lambda _countries, **_: DUTCH)


@pytest.mark.parametrize(
    ("url", "tz", "country"),
    [
        ("https://www.hall.nl/agenda", "UTC", "NL"),
        ("https://hall.co.uk/", "UTC", "GB"),
        ("https://hall.com/", "America/Chicago", "US"),
        ("https://hall.test/", "Europe/Berlin", "DE"),
        ("https://hall.test/", "UTC", None),
    ],
)
def test_a_source_is_in_a_country_by_its_address_or_its_clock(url: str, tz: str, country: str | None) -> None:
    found = towns_of(replace(SOURCE, url=url, tz=tz))
    assert (found and found.country) == country


def test_only_events_are_looked_for() -> None:
    assert towns_of(replace(SOURCE, kind=Kind.LISTING, url="https://hall.nl/")) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Brink 1, 7411 BR Deventer", True),
        ("Deventer", True),
        ("Café De Kroon", False),
        ("Brink 1, Zutphen", False),
    ],
)
def test_an_address_ends_in_its_town_and_a_venue_is_none(text: str, found: bool) -> None:
    place = OfflineTowns(country="NL").locate(text)
    assert (place is not None) is found


def test_another_countrys_town_is_not_guessed() -> None:
    assert OfflineTowns(country="NL").locate("Deventer", country="US") is None
    assert OfflineTowns(country="NL").locate("Deventer", country="NL") is not None


def test_the_towns_of_all_countries_of_sources_are_kept_at_once() -> None:
    """Else each page of an agenda in one country more reads the package again."""
    assert (offline_gazetteer.cache_info().maxsize or 0) >= len(set(towns._BY_ZONE.values()))
