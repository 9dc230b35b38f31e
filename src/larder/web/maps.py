"""A map without tiles: places on the plane that touches the earth in their midst, drawn on the server.

A kilometre is as long across as it is up, so the bar that says how long it is holds everywhere. Places that
would lie on one another are one circle that says how many; following it leads closer.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from markupsafe import Markup, escape

WIDTH, HEIGHT = 1200, 460
AIR = 48
"""Pixels around the outermost places."""
APART = 26
"""Places nearer than so many pixels are drawn as one."""
TOP = 30
"""Pixels that are kept for the names of the meridians."""
LEAST = 0.02
"""Degrees that a map shows at least: one street is no map."""
KM_A_DEGREE = 111.195
STEPS = (10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
BARS = (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2)

Zoom = Callable[[float, float, float], str]
"""The address of a closer look: around a latitude and a longitude, within so many kilometres."""


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
    scale: float
    """Pixels for a degree of latitude."""

    @property
    def shrink(self) -> float:
        """How much shorter a degree of longitude is here."""
        return max(math.cos(math.radians(self.latitude)), 0.05)

    def at(self, latitude: float, longitude: float) -> tuple[float, float]:
        across = (longitude - self.longitude) * self.shrink * self.scale
        return WIDTH / 2 + across, HEIGHT / 2 - (latitude - self.latitude) * self.scale


@dataclass(slots=True, kw_only=True)
class _Cluster:
    """Places that are drawn as one."""

    x: float
    y: float
    dots: list[Dot] = field(default_factory=list)

    @property
    def radius(self) -> float:
        return 6.0 if len(self.dots) == 1 else min(9 + 2 * math.sqrt(len(self.dots)), 30)

    @property
    def town(self) -> str:
        named = Counter(dot.town for dot in self.dots if dot.town)
        return named.most_common(1)[0][0] if named else ""


def place_map(dots: Sequence[Dot], zoom: Zoom | None = None) -> Markup:
    """Places as dots and circles on their own stretch of the earth."""
    if not dots:
        return Markup("")
    plane = _plane(dots)
    clusters = sorted(_clusters(dots, plane), key=lambda each: -len(each.dots))
    drawn = [*_graticule(plane), *(_circle(each, zoom) for each in clusters), *_names(clusters), _bar(plane)]
    return Markup(  # noqa: S704 - titles, towns and addresses are escaped
        f'<svg class="chart map" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="Map of places">'
        f"{''.join(drawn)}</svg>"
    )


def _plane(dots: Sequence[Dot]) -> _Plane:
    up, across = [dot.latitude for dot in dots], [dot.longitude for dot in dots]
    middle = _Plane(latitude=(min(up) + max(up)) / 2, longitude=(min(across) + max(across)) / 2, scale=1.0)
    high = max(max(up) - min(up), LEAST)
    wide = max((max(across) - min(across)) * middle.shrink, LEAST)
    scale = min((HEIGHT - 2 * AIR) / high, (WIDTH - 2 * AIR) / wide)
    return _Plane(latitude=middle.latitude, longitude=middle.longitude, scale=scale)


def _clusters(dots: Sequence[Dot], plane: _Plane) -> list[_Cluster]:
    found: list[_Cluster] = []
    for dot in dots:
        x, y = plane.at(dot.latitude, dot.longitude)
        near = (each for each in found if math.hypot(each.x - x, each.y - y) < APART)
        cluster = next(near, None)
        if cluster is None:
            cluster = _Cluster(x=x, y=y)
            found.append(cluster)
        cluster.dots.append(dot)
    return found


def _circle(cluster: _Cluster, zoom: Zoom | None) -> str:
    many, said, href = len(cluster.dots), cluster.dots[0].title, cluster.dots[0].href
    if many > 1:
        said = f"{many} places" + (f" around {cluster.town}" if cluster.town else "")
        href = zoom(*_around(cluster.dots)) if zoom else href
    count = (
        f'<text class="many" x="{cluster.x:.1f}" y="{cluster.y + 4:.1f}">{many}</text>' if many > 1 else ""
    )
    return (
        f'<a href="{escape(href)}" aria-label="{escape(said)}">'
        f'<circle class="place" cx="{cluster.x:.1f}" cy="{cluster.y:.1f}" r="{cluster.radius:.1f}">'
        f"<title>{escape(said)}</title></circle>{count}</a>"
    )


def _around(dots: Sequence[Dot]) -> tuple[float, float, float]:
    """The midst of some places, and how far they reach from it."""
    latitude, longitude = fmean(dot.latitude for dot in dots), fmean(dot.longitude for dot in dots)
    shrink = math.cos(math.radians(latitude))
    reach = max(math.hypot(dot.latitude - latitude, (dot.longitude - longitude) * shrink) for dot in dots)
    return round(latitude, 5), round(longitude, 5), max(math.ceil(reach * KM_A_DEGREE * 11) / 10, 0.5)


def _names(clusters: Sequence[_Cluster]) -> Iterator[str]:
    """The towns' names, those of the fullest first; a name that would lie on another thing is left out."""
    taken = [(each.x - each.radius, each.y - 9, each.x + each.radius, each.y + 9) for each in clusters]
    for each in clusters:
        x, y = each.x + each.radius + 4, each.y
        box = (x, y - 8, x + 8 * len(each.town), y + 8)
        if each.town and box[2] < WIDTH and not any(_touch(box, other) for other in taken):
            taken.append(box)
            yield f'<text class="town" x="{x:.1f}" y="{y + 4:.1f}">{escape(each.town)}</text>'


def _touch(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _graticule(plane: _Plane) -> Iterator[str]:
    """Parallels and meridians at round degrees, with their names at the edge."""
    high, wide = HEIGHT / plane.scale, WIDTH / plane.scale / plane.shrink
    step = next((each for each in STEPS if high / each >= 3), STEPS[-1])
    digits = max(0, -math.floor(math.log10(step)))
    for n in _multiples(plane.latitude, high, step):
        y = plane.at(n, plane.longitude)[1]
        name = f"{abs(n):.{digits}f}° {'N' if n >= 0 else 'S'}"
        told = f'<text x="6" y="{y - 4:.1f}">{name}</text>' if y > TOP else ""
        yield f'<path class="grid" d="M0,{y:.1f}H{WIDTH}"/>{told}'
    for n in _multiples(plane.longitude, wide, step * 2):
        x = plane.at(plane.latitude, n)[0]
        name = f"{abs(n):.{digits}f}° {'E' if n >= 0 else 'W'}"
        yield f'<path class="grid" d="M{x:.1f},0V{HEIGHT}"/><text x="{x + 4:.1f}" y="14">{name}</text>'


def _multiples(middle: float, width: float, step: float) -> list[float]:
    first, last = math.ceil((middle - width / 2) / step), math.floor((middle + width / 2) / step)
    return [n * step for n in range(first, last + 1)]


def _bar(plane: _Plane) -> str:
    """How long some kilometres are."""
    pixels = plane.scale / KM_A_DEGREE
    km = next((each for each in BARS if each * pixels <= 160), BARS[-1])
    right, y = WIDTH - 16, HEIGHT - 16
    left = right - km * pixels
    return (
        f'<path class="bar" d="M{left:.1f},{y - 6}V{y}H{right}V{y - 6}"/>'
        f'<text x="{right}" y="{y - 10}" text-anchor="end">{km:g} km</text>'
    )
