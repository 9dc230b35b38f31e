"""The map: true to scale, north up, and as many as there are are told."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.web.maps import HEIGHT, Dot, place_map

EVIL = "<script>alert(1)</script>\"'&"
places = st.tuples(st.floats(-85, 85), st.floats(-179, 179))


def zoom(latitude: float, longitude: float, km: float) -> str:
    return f"/map?near={latitude},{longitude}&within={km}"


def dot(latitude: float, longitude: float, number: int = 1, town: str = "") -> Dot:
    return Dot(
        latitude=latitude, longitude=longitude, title=f"No. {number}", href=f"/records/{number}", town=town
    )


def drawn(*dots: Dot) -> ElementTree.Element:
    return ElementTree.fromstring(place_map(dots, zoom))


def circles(svg: ElementTree.Element) -> list[ElementTree.Element]:
    return [part for part in svg.iter() if part.get("class") == "place"]


def test_no_places_draw_nothing() -> None:
    assert place_map([]) == ""


def test_north_is_up_and_east_is_right() -> None:
    one, two = circles(drawn(dot(52.4, 4.9), dot(50.8, 5.7)))
    assert float(one.get("cy", "")) < float(two.get("cy", ""))
    assert float(one.get("cx", "")) < float(two.get("cx", ""))


def test_a_kilometre_is_as_long_across_as_it_is_up() -> None:
    middle, north, east = circles(drawn(dot(60.0, 10.0), dot(60.5, 10.0), dot(60.0, 11.0), dot(59.5, 9.0)))[
        :3
    ]
    up = float(middle.get("cy", "")) - float(north.get("cy", ""))
    across = float(east.get("cx", "")) - float(middle.get("cx", ""))
    assert across == pytest.approx(up, rel=0.02)  # at 60° a degree of longitude is half as long


def test_places_on_one_another_are_one_circle_that_leads_closer() -> None:
    svg = drawn(dot(52.37, 4.89, 1, "Amsterdam"), dot(52.371, 4.891, 2, "Amsterdam"), dot(50.8, 5.7, 3, EVIL))
    both, alone = (part for part in svg.iter() if part.get("href"))
    assert both.get("aria-label") == "2 places around Amsterdam"
    assert both.get("href") == "/map?near=52.3705,4.8905&within=0.5"
    assert alone.get("href") == "/records/3"
    assert [part.text for part in svg.iter() if part.get("class") == "town"] == ["Amsterdam", EVIL]
    assert [part.text for part in svg.iter() if part.get("class") == "many"] == ["2"]


@given(st.lists(places, min_size=1, max_size=40))
def test_every_place_is_on_the_map_and_counted_once(where: list[tuple[float, float]]) -> None:
    svg = drawn(*(dot(up, across, n) for n, (up, across) in enumerate(where)))
    shown, width = circles(svg), float(svg.get("viewBox", "").split()[2])
    assert all(0 <= float(each.get("cx", "")) <= width for each in shown)
    assert all(0 <= float(each.get("cy", "")) <= HEIGHT for each in shown)
    counted = [int(part.text or "") for part in svg.iter() if part.get("class") == "many"]
    assert sum(counted) + len(shown) - len(counted) == len(where)
