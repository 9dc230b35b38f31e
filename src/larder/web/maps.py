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

HEIGHT = 460
NARROW, WIDE = 560, 1200
"""A map is as wide as its places are, between these: a phone has room for one that is not wide."""
AIR = 56
"""Pixels around the outermost places."""
FAR = 3_000
"""Lines go on beyond the picture, for whoever has more room."""
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
    width: float
    scale: float
    """Pixels for a degree of latitude."""

    def at(self, latitude: float, longitude: float) -> tuple[float, float]:
        across = (longitude - self.longitude) * shrink(self.latitude) * self.scale
        return self.width / 2 + across, HEIGHT / 2 - (latitude - self.latitude) * self.scale


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


def shrink(latitude: float) -> float:
    """How much shorter a degree of longitude is there than one of latitude."""
    return max(math.cos(math.radians(latitude)), 0.05)


def place_map(dots: Sequence[Dot], zoom: Zoom | None = None) -> Markup:
    """Places as dots and circles on their own stretch of the earth."""
    if not dots:
        return Markup("")
    plane = _plane(dots)
    clusters = sorted(_clusters(dots, plane), key=lambda each: -len(each.dots))
    circles = (_circle(each, zoom) for each in clusters)
    drawn = [*_graticule(plane), *circles, *_names(clusters, plane.width), _bar(plane)]
    return Markup(  # noqa: S704 - titles, towns and addresses are escaped
        f'<svg class="chart map" viewBox="0 0 {plane.width:.0f} {HEIGHT}" role="group" '
        'aria-label="Map of places">'
        f"{''.join(drawn)}</svg>"
    )


def _plane(dots: Sequence[Dot]) -> _Plane:
    up, across = [dot.latitude for dot in dots], [dot.longitude for dot in dots]
    latitude, longitude = (min(up) + max(up)) / 2, (min(across) + max(across)) / 2
    high = max(max(up) - min(up), LEAST)
    wide = max((max(across) - min(across)) * shrink(latitude), LEAST)
    scale = min((HEIGHT - 2 * AIR) / high, (WIDE - 2 * AIR) / wide)
    width = min(max(wide * scale + 2 * AIR, NARROW), WIDE)
    return _Plane(latitude=latitude, longitude=longitude, width=width, scale=scale)


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
    reach = max(
        math.hypot(dot.latitude - latitude, (dot.longitude - longitude) * shrink(latitude)) for dot in dots
    )
    return round(latitude, 5), round(longitude, 5), max(math.ceil(reach * KM_A_DEGREE * 11) / 10, 0.5)


def _names(clusters: Sequence[_Cluster], width: float) -> Iterator[str]:
    """The towns' names, those of the fullest first; a name that would lie on another thing is left out."""
    taken = [(each.x - each.radius, each.y - 9, each.x + each.radius, each.y + 9) for each in clusters]
    for each in (each for each in clusters if each.town):
        long, gap = 8 * len(each.town), each.radius + 4
        for left, anchor, x in (
            (each.x + gap, "start", each.x + gap),
            (each.x - gap - long, "end", each.x - gap),
        ):
            box = (left, each.y - 8, left + long, each.y + 8)
            if left > 0 and left + long < width and not any(_touch(box, other) for other in taken):
                taken.append(box)
                yield (
                    f'<text class="town" x="{x:.1f}" y="{each.y + 4:.1f}" text-anchor="{anchor}">'
                    f"{escape(each.town)}</text>"
                )
                break


def _touch(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _graticule(plane: _Plane) -> Iterator[str]:
    """Parallels and meridians at round degrees, with their names at the edge."""
    high, wide = HEIGHT / plane.scale, plane.width / plane.scale / shrink(plane.latitude)
    step = next((each for each in STEPS if high / each >= 3), STEPS[-1])
    digits = max(0, -math.floor(math.log10(step)))
    for n in _multiples(plane.latitude, high * 2, step):
        y = plane.at(n, plane.longitude)[1]
        told = f'<text x="6" y="{y - 4:.1f}">{_degrees(n, "NS", digits)}</text>' if TOP < y < HEIGHT else ""
        yield f'<path class="grid" d="M{-FAR},{y:.1f}H{FAR}"/>{told}'
    for n in _multiples(plane.longitude, wide * 5, step * 2):
        x = plane.at(plane.latitude, n)[0]
        told = (
            f'<text x="{x + 4:.1f}" y="14">{_degrees(n, "EW", digits)}</text>' if 0 < x < plane.width else ""
        )
        yield f'<path class="grid" d="M{x:.1f},{-FAR}V{FAR}"/>{told}'


def _degrees(number: float, sides: str, digits: int) -> str:
    return f"{abs(number):.{digits}f}° {sides[number < 0]}"


def _multiples(middle: float, width: float, step: float) -> list[float]:
    first, last = math.ceil((middle - width / 2) / step), math.floor((middle + width / 2) / step)
    return [n * step for n in range(first, last + 1)]


def _bar(plane: _Plane) -> str:
    """How long some kilometres are."""
    pixels = plane.scale / KM_A_DEGREE
    km = next((each for each in BARS if each * pixels <= 160), BARS[-1])
    right, y = plane.width - 16, HEIGHT - 16
    left = right - km * pixels
    return (
        f'<path class="bar" d="M{left:.1f},{y - 6}V{y}H{right:.1f}V{y - 6}"/>'
        f'<text x="{right:.1f}" y="{y - 10}" text-anchor="end">{km:g} km</text>'
    )
