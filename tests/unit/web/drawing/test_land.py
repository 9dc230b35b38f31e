"""Land under the map: clipped to the picture, thinned to its pixels, left out where it would be wrong."""

import re

import pytest

from larder.web.drawing.land import Box, Outline, gaps, land_path, outlines
from larder.web.drawing.maps import Dot, place_map

WORLD = Box(-180, 90, 180, -90)
SQUARE = Outline(Box(0, 10, 10, 0), [(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)])


def to_pixels(latitude: float, longitude: float) -> tuple[float, float]:
    return longitude * 10, -latitude * 10


def corners(path: str) -> set[tuple[int, int]]:
    return {(int(x), int(y)) for x, y in re.findall(r"(-?\d+),(-?\d+)", path)}


def holds(land: Outline, longitude: float, latitude: float) -> bool:
    """Whether a point lies within an outline: a ray to the east crosses it an odd number of times."""
    pairs = zip(land.points, [*land.points[1:], land.points[0]], strict=True)
    crossed = [
        x1 + (latitude - y1) / (y2 - y1) * (x2 - x1) > longitude
        for (x1, y1), (x2, y2) in pairs
        if (y1 > latitude) != (y2 > latitude)
    ]
    return sum(crossed) % 2 == 1


@pytest.mark.parametrize(
    ("longitude", "latitude", "is_land"),
    [
        pytest.param(5.5, 52.2, True, id="Netherlands"),
        pytest.param(-75.5, 41.0, True, id="Pennsylvania"),
        pytest.param(134.0, -25.0, True, id="Australia"),
        pytest.param(19.5, 47.2, True, id="Hungary, which the package lacks"),
        pytest.param(21.0, 44.2, True, id="Serbia, which the package lacks"),
        pytest.param(-30.0, 45.0, False, id="Atlantic"),
        pytest.param(15.0, 43.0, False, id="Adriatic"),
    ],
)
def test_l10_16_land_is_where_land_is(longitude: float, latitude: float, is_land: bool) -> None:
    assert any(holds(each, longitude, latitude) for each in (*outlines(), *gaps())) is is_land


def test_l10_16_land_is_clipped_to_the_picture() -> None:
    inside = land_path([SQUARE], WORLD, Box(50, -200, 500, -50), to_pixels)
    assert corners(inside) == {(50, -50), (100, -50), (100, -100), (50, -100)}
    assert land_path([SQUARE], Box(20, 30, 40, 20), Box(200, -300, 400, -200), to_pixels) == ""


def test_l10_16_points_closer_than_a_pixel_are_left_out() -> None:
    many = Outline(SQUARE.box, [(n / 1_000, 0.0) for n in range(10_000)] + [(10.0, 10.0)])
    assert len(corners(land_path([many], WORLD, Box(-500, -500, 500, 500), to_pixels))) <= 110


def test_l10_16_a_map_of_a_country_has_land_and_a_map_of_a_street_has_none() -> None:
    near = [Dot(latitude=52.37, longitude=4.89, title="here", href="/")]
    far = [*near, Dot(latitude=50.85, longitude=5.69, title="there", href="/")]
    assert str(place_map(far)).count('class="land"') == 2
    assert 'class="land"' not in str(place_map(near))
