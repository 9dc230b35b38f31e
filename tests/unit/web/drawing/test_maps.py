"""The map: true to scale, north up, and as many as there are are told."""

import math
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.web.drawing.maps import NARROW, TOUCH_RADIUS, WIDE, Dot, MapFrame, place_map

EVIL = "<script>alert(1)</script>\"'&"
places = st.tuples(st.floats(-85, 85), st.floats(-179, 179))


def zoom(latitude: float, longitude: float, km: float) -> str:
    return f"/map?near={latitude},{longitude}&within={km}"


def dot(latitude: float, longitude: float, number: int = 1, town: str = "") -> Dot:
    return Dot(
        latitude=latitude, longitude=longitude, title=f"No. {number}", href=f"/records/{number}", town=town
    )


def drawn(*dots: Dot, frame: MapFrame = WIDE, of: str = "places") -> ElementTree.Element:
    both = ElementTree.fromstring(f"<body>{place_map(dots, zoom, of=of)}</body>")
    return both[(WIDE, NARROW).index(frame)]


def parts(svg: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [part for part in svg.iter() if part.get("class") == name]


def circles(svg: ElementTree.Element) -> list[ElementTree.Element]:
    return sorted(parts(svg, "place"), key=lambda each: float(each.get("cx", "")))


def test_no_places_draw_nothing() -> None:
    assert place_map([]) == ""


def test_north_is_up_and_east_is_right() -> None:
    one, two = circles(drawn(dot(52.4, 4.9), dot(50.8, 5.7)))
    assert float(one.get("cy", "")) < float(two.get("cy", ""))
    assert float(one.get("cx", "")) < float(two.get("cx", ""))


def test_a_kilometre_is_as_long_across_as_it_is_up() -> None:
    svg = drawn(dot(60.0, 10.0, 1), dot(60.5, 10.001, 2), dot(60.0, 11.0, 3), dot(59.5, 9.0, 4))
    _, middle, north, east = circles(svg)
    up = float(middle.get("cy", "")) - float(north.get("cy", ""))
    across = float(east.get("cx", "")) - float(middle.get("cx", ""))
    assert across == pytest.approx(up, rel=0.02)  # at 60° a degree of longitude is half as long


def test_places_on_one_another_are_one_circle_that_leads_closer() -> None:
    svg = drawn(dot(52.37, 4.89, 1, "Amsterdam"), dot(52.371, 4.891, 2, "Amsterdam"), dot(50.8, 5.7, 3, EVIL))
    both, alone = (part for part in svg.iter() if part.get("href"))  # the fullest first
    assert both.get("aria-label") == "2 places around Amsterdam"
    assert both.get("href") == "/map?near=52.3705,4.8905&within=0.5"
    assert alone.get("href") == "/records/3"
    assert [part.text for part in parts(svg, "town")] == ["Amsterdam", EVIL]
    assert [part.text for part in parts(svg, "many")] == ["2"]


def test_a_circle_says_of_what_it_counts() -> None:
    svg = drawn(dot(52.37, 4.89), dot(52.37, 4.89), of="of the newest 200")
    assert [part.get("aria-label") for part in svg.iter() if part.get("href")] == ["2 of the newest 200"]


def test_a_town_is_named_once() -> None:
    svg = drawn(*(dot(52 + n / 100, 5 + n / 50, n, "Utrecht") for n in range(6)))
    assert len(circles(svg)) > 3
    assert [part.text for part in parts(svg, "town")] == ["Utrecht"]


def test_a_name_that_has_no_room_beside_its_circle_stands_below_it() -> None:
    west, middle, east = (
        dot(52, 5 + n / 50, n, town) for n, town in enumerate(("A", "Amersfoort-Noord", "B"))
    )
    svg = drawn(west, middle, east, frame=NARROW)
    places = {part.text: float(part.get("y", "")) for part in parts(svg, "town")}
    assert len(circles(svg)) == 3
    assert (
        places["Amersfoort-Noord"]
        > max(float(each.get("cy", "")) for each in circles(svg)) + TOUCH_RADIUS / 2
    )


@pytest.mark.parametrize("frame", [WIDE, NARROW], ids=lambda frame: frame.name)
@settings(deadline=None)
@given(where=st.lists(places, min_size=1, max_size=40))
def test_every_place_is_on_the_map_counted_once_and_within_reach(
    where: list[tuple[float, float]], frame: MapFrame
) -> None:
    svg = drawn(*(dot(up, across, n) for n, (up, across) in enumerate(where)), frame=frame)
    shown, width = circles(svg), float(svg.get("viewBox", "").split()[2])
    assert all(0 <= float(each.get("cx", "")) <= width for each in shown)
    assert all(0 <= float(each.get("cy", "")) <= frame.height for each in shown)
    assert all(float(each.get("r", "")) >= TOUCH_RADIUS for each in parts(svg, "touch-area"))
    counted = [int(part.text or "") for part in parts(svg, "many")]
    assert sum(counted) + len(shown) - len(counted) == len(where)


@settings(deadline=None)
@given(where=st.lists(places, min_size=2, max_size=40))
def test_no_two_places_are_hit_at_once(where: list[tuple[float, float]]) -> None:
    svg = drawn(*(dot(up, across, n) for n, (up, across) in enumerate(where)), frame=NARROW)
    areas = [
        tuple(float(each.get(name, "")) for name in ("cx", "cy", "r")) for each in parts(svg, "touch-area")
    ]
    for (x, y, r), (x2, y2, r2) in combinations(areas, 2):
        assert math.hypot(x - x2, y - y2) >= r + r2 - 0.3
