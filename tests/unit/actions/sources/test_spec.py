import pytest
from pydantic import ValidationError

from larder.actions.sources.spec import SourceSpec

URL = "https://agenda.test/agenda"


@pytest.mark.parametrize(
    "place", [pytest.param("Utrecht, NL", id="a town"), pytest.param("52.09083, 5.12222", id="coordinates")]
)
def test_a_place_is_stored_as_its_coordinates(place: str) -> None:
    row = SourceSpec(url=URL, place=place).row()
    assert (row["latitude"], row["longitude"]) == pytest.approx((52.09, 5.12), abs=0.01)
    assert "place" not in row


@pytest.mark.parametrize("place", ["Utrecht", "Nowhereville, NL", "", "99, 5"])
def test_an_unknown_place_is_refused(place: str) -> None:
    with pytest.raises(ValidationError):
        SourceSpec(url=URL, place=place)


@pytest.mark.parametrize(
    ("given", "zone"),
    [
        pytest.param({"url": "https://hall.example.nl/agenda"}, "Europe/Amsterdam", id="a country's address"),
        pytest.param(
            {"url": URL, "place": "Chicago, US"}, "America/Chicago", id="a place in a country of many zones"
        ),
        pytest.param({"url": "https://hall.example.nl/a", "tz": "UTC"}, "UTC", id="the zone that is given"),
        pytest.param({"url": "https://hall.example.com/a"}, "UTC", id="nothing tells it"),
        pytest.param({"url": "https://hall.example.nl/a", "kind": "product"}, "UTC", id="no agenda"),
    ],
)
def test_a_new_agenda_has_the_zone_of_its_place_or_country(given: dict[str, str], zone: str) -> None:
    assert SourceSpec.model_validate({"kind": "event", **given}).with_zone().row()["tz"] == zone
