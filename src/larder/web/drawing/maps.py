"""A map without tiles: places on the plane that touches the earth in their midst, drawn on the server.

A kilometre is as long across as it is up, so the bar that says how long it is holds everywhere. Places that
would lie on one another are one circle that says how many; following it leads closer. A map is drawn once for
wide windows and once for narrow ones, so that a finger finds every place and every name can be read.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple

from markupsafe import Markup, escape

MARGIN = 56
"""Pixels around the outermost places."""
GRID_EXTENT = 3_000
"""Lines go on beyond the picture, for whoever has more room."""
TOUCH_RADIUS = 14
"""Pixels around a place that belong to it: what a finger can hit."""
LETTER_WIDTH, LINE_HEIGHT = 8, 16
"""Pixels for a letter of a name, and for a line of it."""
MERIDIAN_LABEL_WIDTH = 52
"""Pixels that the name of a meridian takes."""
LABEL_MARGIN = 30
"""Pixels that are kept for the names of the meridians."""
MIN_DEGREES = 0.02
"""Degrees that a map shows at least: one street is no map."""
KM_PER_DEGREE = 111.195
STEPS = (10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
BARS = (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2)

Zoom = Callable[[float, float, float], str]
"""The address of a closer look: around a latitude and a longitude, within so many kilometres."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The room that a map has: as wide as its places are, between these."""

    name: str
    height: int
    narrow: int
    wide: int


WIDE = Frame(name="roomy", height=460, narrow=560, wide=900)
NARROW = Frame(name="slim", height=420, narrow=320, wide=320)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A record on the map."""

    latitude: float
    longitude: float
    title: str
    href: str
    town: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plane:
    """Where on the picture a place lies."""

    latitude: float
    longitude: float
    width: float
    height: float
    scale: float
    """Pixels for a degree of latitude."""

    def at(self, latitude: float, longitude: float) -> tuple[float, float]:
        across = (longitude - self.longitude) * longitude_scale(self.latitude) * self.scale
        return self.width / 2 + across, self.height / 2 - (latitude - self.latitude) * self.scale


@dataclass(slots=True, kw_only=True)
class _Cluster:
    """Places that are drawn as one."""

    x: float
    y: float
    dots: list[Dot] = field(default_factory=list)

    @property
    def radius(self) -> float:
        """Of what is drawn."""
        return 6.0 if len(self.dots) == 1 else min(TOUCH_RADIUS - 2 + math.sqrt(len(self.dots)), 26)

    @property
    def room(self) -> float:
        """Of what is its own."""
        return max(self.radius, TOUCH_RADIUS)

    def touches(self, other: "_Cluster") -> bool:
        return math.hypot(self.x - other.x, self.y - other.y) < self.room + other.room

    @property
    def town(self) -> str:
        named = Counter(dot.town for dot in self.dots if dot.town)
        return named.most_common(1)[0][0] if named else ""


def longitude_scale(latitude: float) -> float:
    """How much shorter a degree of longitude is there than one of latitude."""
    return max(math.cos(math.radians(latitude)), 0.05)


def place_map(dots: Sequence[Dot], zoom: Zoom | None = None, *, of: str = "places") -> Markup:
    """Places as dots and circles on their own stretch of the earth; `of`: what a circle's number counts."""
    return Markup("").join(_drawn(dots, zoom, of, frame) for frame in (WIDE, NARROW) if dots)


def _drawn(dots: Sequence[Dot], zoom: Zoom | None, of: str, frame: Frame) -> Markup:
    plane = _plane(dots, frame)
    clusters = sorted(_clusters(dots, plane), key=lambda each: -len(each.dots))
    circles = (_circle(each, zoom, of) for each in clusters)
    drawn = [*_graticule(plane), *circles, *_town_labels(clusters, plane), _scale_bar(plane)]
    return Markup(  # noqa: S704 - titles, towns and addresses are escaped
        f'<svg class="chart map {frame.name}" viewBox="0 0 {plane.width:.0f} {frame.height}" role="group" '
        'aria-label="Map of places">'
        f"{''.join(drawn)}</svg>"
    )


def _plane(dots: Sequence[Dot], frame: Frame) -> _Plane:
    up, across = [dot.latitude for dot in dots], [dot.longitude for dot in dots]
    latitude, longitude = (min(up) + max(up)) / 2, (min(across) + max(across)) / 2
    high = max(max(up) - min(up), MIN_DEGREES)
    wide = max((max(across) - min(across)) * longitude_scale(latitude), MIN_DEGREES)
    scale = min((frame.height - 2 * MARGIN) / high, (frame.wide - 2 * MARGIN) / wide)
    width = min(max(wide * scale + 2 * MARGIN, frame.narrow), frame.wide)
    return _Plane(latitude=latitude, longitude=longitude, width=width, height=frame.height, scale=scale)


def _clusters(dots: Sequence[Dot], plane: _Plane) -> list[_Cluster]:
    """One for each place, then one for those that touch, until none do."""
    found: list[_Cluster] = []
    left = [
        _Cluster(x=x, y=y, dots=[dot]) for dot in dots for x, y in (plane.at(dot.latitude, dot.longitude),)
    ]
    while left:
        here = left.pop()
        other = next((each for each in found if each.touches(here)), None)
        if other is None:
            found.append(here)
        else:  # as one they are larger, and may touch others
            found.remove(other)
            left.append(_merge(here, other))
    return found


def _merge(one: _Cluster, two: _Cluster) -> _Cluster:
    """Where most of them are."""
    more = one if len(one.dots) > len(two.dots) else two
    return _Cluster(x=more.x, y=more.y, dots=[*two.dots, *one.dots])


def _circle(cluster: _Cluster, zoom: Zoom | None, of: str) -> str:
    many, said, href = len(cluster.dots), cluster.dots[0].title, cluster.dots[0].href
    if many > 1:
        said = f"{many} {of}" + (f" around {cluster.town}" if cluster.town else "")
        href = zoom(*_bounding_circle(cluster.dots)) if zoom else href
    x, y = f"{cluster.x:.1f}", f"{cluster.y:.1f}"
    count = f'<text class="many" x="{x}" y="{cluster.y + 4:.1f}">{many}</text>' if many > 1 else ""
    return (
        f'<a href="{escape(href)}" aria-label="{escape(said)}"><title>{escape(said)}</title>'
        f'<circle class="room" cx="{x}" cy="{y}" r="{cluster.room:.1f}"/>'
        f'<circle class="place" cx="{x}" cy="{y}" r="{cluster.radius:.1f}"/>{count}</a>'
    )


def _bounding_circle(dots: Sequence[Dot]) -> tuple[float, float, float]:
    """The midst of some places, and how far they reach from it."""
    latitude, longitude = fmean(dot.latitude for dot in dots), fmean(dot.longitude for dot in dots)
    reach = max(
        math.hypot(dot.latitude - latitude, (dot.longitude - longitude) * longitude_scale(latitude))
        for dot in dots
    )
    return round(latitude, 5), round(longitude, 5), max(math.ceil(reach * KM_PER_DEGREE * 11) / 10, 0.5)


def _town_labels(clusters: Sequence[_Cluster], plane: _Plane) -> Iterator[str]:
    """Each town's name once, at the fullest; a name that would lie on another thing is left out."""
    taken = [
        (each.x - each.radius, each.y - each.radius, each.x + each.radius, each.y + each.radius)
        for each in clusters
    ]
    taken.append(
        (plane.width - 190, plane.height - LINE_HEIGHT * 3, plane.width, plane.height)
    )  # the bar's own
    named: set[str] = set()
    for each in (each for each in clusters if each.town):
        boxes = ((spot, spot.box(LETTER_WIDTH * len(each.town))) for spot in _label_positions(each))
        free = ((spot, box) for spot, box in boxes if not any(_overlap(box, other) for other in taken))
        inside = ((spot, box) for spot, box in free if box[0] > 0 and box[2] < plane.width)
        spot, box = next(inside, (None, None))
        if spot is not None and box is not None and each.town not in named:
            taken.append(box)
            named.add(each.town)
            yield (
                f'<text class="town" x="{spot.x:.1f}" y="{spot.y + 4:.1f}" text-anchor="{spot.anchor}">'
                f"{escape(each.town)}</text>"
            )


class _LabelPosition(NamedTuple):
    """Where a name may stand."""

    anchor: str
    x: float
    y: float

    def box(self, long: float) -> tuple[float, float, float, float]:
        left = self.x - long * {"start": 0, "middle": 0.5, "end": 1}[self.anchor]
        return left, self.y - LINE_HEIGHT / 2, left + long, self.y + LINE_HEIGHT / 2


def _label_positions(cluster: _Cluster) -> Iterator[_LabelPosition]:
    """Beside it, then below and above."""
    x, y, gap = cluster.x, cluster.y, cluster.radius + 4
    yield _LabelPosition("start", x + gap, y)
    yield _LabelPosition("end", x - gap, y)
    yield _LabelPosition("middle", x, y + gap + LINE_HEIGHT / 2)
    yield _LabelPosition("middle", x, y - gap - LINE_HEIGHT / 2)


def _overlap(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _graticule(plane: _Plane) -> Iterator[str]:
    """Parallels and meridians at round degrees, with their names at the edge."""
    high, wide = plane.height / plane.scale, plane.width / plane.scale / longitude_scale(plane.latitude)
    step = next((each for each in STEPS if high / each >= 3), STEPS[-1])
    digits = max(0, -math.floor(math.log10(step)))
    for n in _multiples(plane.latitude, high * 2, step):
        y = plane.at(n, plane.longitude)[1]
        told = (
            f'<text x="6" y="{y - 4:.1f}">{_degrees(n, "NS", digits)}</text>'
            if LABEL_MARGIN < y < plane.height
            else ""
        )
        yield f'<path class="grid" d="M{-GRID_EXTENT},{y:.1f}H{GRID_EXTENT}"/>{told}'
    for n in _multiples(plane.longitude, wide * 5, step * 2):
        x = plane.at(plane.latitude, n)[0]
        told = (
            f'<text x="{x + 4:.1f}" y="14">{_degrees(n, "EW", digits)}</text>'
            if 0 < x < plane.width - MERIDIAN_LABEL_WIDTH
            else ""
        )
        yield f'<path class="grid" d="M{x:.1f},{-GRID_EXTENT}V{GRID_EXTENT}"/>{told}'


def _degrees(number: float, sides: str, digits: int) -> str:
    return f"{abs(number):.{digits}f}° {sides[number < 0]}"


def _multiples(middle: float, width: float, step: float) -> list[float]:
    first, last = math.ceil((middle - width / 2) / step), math.floor((middle + width / 2) / step)
    return [n * step for n in range(first, last + 1)]


def _scale_bar(plane: _Plane) -> str:
    """How long some kilometres are."""
    pixels = plane.scale / KM_PER_DEGREE
    km = next((each for each in BARS if each * pixels <= 160), BARS[-1])
    right, y = plane.width - 16, plane.height - 16
    left = right - km * pixels
    return (
        f'<path class="bar" d="M{left:.1f},{y - 6}V{y}H{right:.1f}V{y - 6}"/>'
        f'<text x="{right:.1f}" y="{y - 10}" text-anchor="end">{km:g} km</text>'
    )
