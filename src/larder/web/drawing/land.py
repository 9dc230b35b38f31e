"""The outlines of countries under a map: Natural Earth's, clipped to the picture and thinned to its pixels.

They are a tenth to a fifth of a degree off, so a view of less than `MIN_VIEW_DEGREES` has none.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import orjson

from larder.store.reads.filters import KM_PER_DEGREE

MIN_VIEW_DEGREES = 3.0
"""Height of the smallest view with outlines, in degrees."""
MIN_STEP = 1.0
"""Least distance between two points of an outline, in pixels."""

GAP_REACH = 1.7
"""How far from its centre a country without an outline may reach, in radii of a circle of its area."""

Point = tuple[float, float]
Project = Callable[[float, float], Point]
"""Latitude and longitude to pixels."""


class Box(NamedTuple):
    """A rectangle: of longitudes and latitudes, or of pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether two rectangles share a point."""
        return (
            self.left <= other.right
            and other.left <= self.right
            and min(self.top, self.bottom) <= max(other.top, other.bottom)
            and min(other.top, other.bottom) <= max(self.top, self.bottom)
        )


class Outline(NamedTuple):
    """A closed line around land, as longitudes and latitudes, with its bounds."""

    box: Box
    points: Sequence[Point]


@cache
def outlines() -> tuple[Outline, ...]:
    """The outlines of all countries that have one."""
    return tuple(Outline(_bounds(ring), ring) for _, rings in _countries() for ring in rings)


@cache
def gaps() -> tuple[Outline, ...]:
    """Roughly the countries without an outline, so that they are not drawn as sea; to be drawn first."""
    rings = {_code(country): rings for country, rings in _countries()}
    hulls = (_hull(_around(country, rings)) for country, own in _countries() if not own)
    return tuple(Outline(_bounds(hull), hull) for hull in hulls if len(hull) > 2)


@cache
def _countries() -> tuple[tuple[dict[str, Any], list[list[Point]]], ...]:
    """What the package knows of each country, and its outlines."""
    folder = files("countryinfo").joinpath("data")
    found = (orjson.loads(each.read_bytes()) for each in folder.iterdir() if each.name.endswith(".json"))
    return tuple((country, list(_rings(country.get("geoJSON") or {}))) for country in found)


def _code(country: dict[str, Any]) -> str:
    return str(country.get("ISO", {}).get("alpha3") or country.get("name"))


def _rings(collection: dict[str, Any]) -> Iterator[list[Point]]:
    """The outer ring of each polygon of a GeoJSON collection."""
    for feature in collection.get("features", ()):
        shape = feature.get("geometry") or {}
        polygons = [shape["coordinates"]] if shape.get("type") == "Polygon" else shape.get("coordinates", ())
        for polygon in polygons:
            yield [(float(x), float(y)) for x, y, *_ in polygon[0]]


def _around(country: dict[str, Any], rings: Mapping[str, list[list[Point]]]) -> set[Point]:
    """The points of its neighbours' outlines near a country."""
    y, x = (*(country.get("latlng") or ()), 0.0, 0.0)[:2]
    reach = GAP_REACH * math.sqrt(float(country.get("area") or 0) / math.pi) / KM_PER_DEGREE
    narrow = math.cos(math.radians(y))
    outlined = (ring for code in country.get("borders") or () for ring in rings.get(code, ()))
    return {
        point
        for ring in outlined
        for point in ring
        if math.hypot((point[0] - x) * narrow, point[1] - y) < reach
    }


def _hull(points: set[Point]) -> list[Point]:
    """The convex hull (Andrew's monotone chain)."""
    ordered = sorted(points)
    return [*_half_hull(ordered)[:-1], *_half_hull(ordered[::-1])[:-1]]


def _half_hull(points: Sequence[Point]) -> list[Point]:
    half: list[Point] = []
    for x, y in points:
        while len(half) > 1 and _turn(half[-2], half[-1], (x, y)) <= 0:
            half.pop()
        half.append((x, y))
    return half


def _turn(one: Point, two: Point, three: Point) -> float:
    """Above zero if the path over the three points turns left."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


def _bounds(points: Sequence[Point]) -> Box:
    across, up = [x for x, _ in points], [y for _, y in points]
    return Box(min(across), max(up), max(across), min(up))


def land_path(land: Sequence[Outline], view: Box, picture: Box, project: Project) -> str:
    """The part of some outlines within a view, as the data of one SVG path; a view too small has none."""
    if abs(view.top - view.bottom) < MIN_VIEW_DEGREES:
        return ""
    near = (outline for outline in land if outline.box.meets(view))
    drawn = (_clipped([project(y, x) for x, y in outline.points], picture) for outline in near)
    return "".join(_path(points) for each in drawn if len(points := _thinned(each)) > 2)


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.0f},{y:.0f}" for x, y in points) + "Z"


def _thinned(points: Sequence[Point]) -> list[Point]:
    """Without points that lie less than a pixel from the one before."""
    thinned: list[Point] = []
    for x, y in points:
        if not thinned or abs(x - thinned[-1][0]) + abs(y - thinned[-1][1]) >= MIN_STEP:
            thinned.append((x, y))
    return thinned


def _clipped(points: list[Point], box: Box) -> list[Point]:
    """The part of a polygon within a rectangle, side by side (Sutherland and Hodgman)."""
    for axis, limit, sign in ((0, box.left, 1), (0, box.right, -1), (1, box.top, 1), (1, box.bottom, -1)):
        points = _cut(points, axis, limit, sign)
    return points


def _cut(points: list[Point], axis: int, limit: float, sign: int) -> list[Point]:
    clipped: list[Point] = []
    for before, here in zip([*points[-1:], *points[:-1]], points, strict=True):
        inside, was_inside = ((each[axis] - limit) * sign >= 0 for each in (here, before))
        if inside != was_inside:
            share = (limit - before[axis]) / (here[axis] - before[axis])
            clipped.append(
                (before[0] + share * (here[0] - before[0]), before[1] + share * (here[1] - before[1]))
            )
        if inside:
            clipped.append(here)
    return clipped
