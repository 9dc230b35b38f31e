"""Maps as SVG without tiles, drawn on the server in an equirectangular projection around their centre.

The scale is the same in both directions. Places that would overlap form a cluster with their count, which
links to a closer map. A map is drawn for wide and for narrow windows, so that points can be touched and
labels read.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import fmean
from typing import NamedTuple

from markupsafe import Markup, escape

from larder.store.reads.filters import KM_PER_DEGREE
from larder.web.drawing.land import Box, gaps, land_path, outlines
from larder.web.drawing.projection import Projection, longitude_scale

MARGIN = 56
"""Margin around the outermost places, in pixels."""
GRID_EXTENT = 3_000
"""Length of grid lines beyond the picture, in pixels."""
LAND_EXTENT = 600
"""Width of the land beside the picture, in pixels."""
TOUCH_RADIUS = 14
"""Touch radius of a place, in pixels."""
LETTER_WIDTH, LINE_HEIGHT = 8, 16
"""Width of a letter and height of a line, in pixels."""
MERIDIAN_LABEL_WIDTH = 52
"""Width of a meridian's label, in pixels."""
LABEL_MARGIN = 30
"""Height of the meridian labels, in pixels."""
MIN_DEGREES = 0.02
"""Minimum extent of a map, in degrees."""
STEPS = (10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
BARS = (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2)

Zoom = Callable[[float, float, float], str]
"""Makes the link to a closer map from latitude, longitude and kilometres."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapFrame:
    """The height and the limits of the width of a map."""

    name: str
    height: int
    narrow: int
    wide: int


WIDE = MapFrame(name="roomy", height=460, narrow=560, wide=900)
NARROW = MapFrame(name="slim", height=420, narrow=320, wide=320)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A record on the map."""

    latitude: float
    longitude: float
    title: str
    href: str
    town: str = ""


@dataclass(slots=True, kw_only=True)
class _Cluster:
    """Places drawn as one circle."""

    x: float
    y: float
    dots: Sequence[Dot]
    radius: float = field(init=False)
    """Radius of the circle."""
    touch_radius: float = field(init=False)
    """Radius of the touch area."""

    def __post_init__(self) -> None:
        """Compute once what is compared with many other clusters."""
        many = len(self.dots)
        self.radius = 6.0 if many == 1 else min(TOUCH_RADIUS - 2 + math.sqrt(many), 26)
        self.touch_radius = max(self.radius, TOUCH_RADIUS)

    def touches(self, other: "_Cluster") -> bool:
        return math.hypot(self.x - other.x, self.y - other.y) < self.touch_radius + other.touch_radius

    @property
    def town(self) -> str:
        counts = Counter(dot.town for dot in self.dots if dot.town)
        return counts.most_common(1)[0][0] if counts else ""


def place_map(dots: Sequence[Dot], zoom: Zoom | None = None, *, of: str = "places") -> Markup:
    """A map of places; `of`: what the number of a cluster counts."""
    return Markup("").join(_drawn(dots, zoom, of, frame) for frame in (WIDE, NARROW) if dots)


def _drawn(dots: Sequence[Dot], zoom: Zoom | None, of: str, frame: MapFrame) -> Markup:
    projection = _projection(dots, frame)
    clusters = sorted(_clusters(dots, projection), key=lambda cluster: -len(cluster.dots))
    circles = (_circle(cluster, zoom, of) for cluster in clusters)
    drawn = [
        _land(projection),
        *_graticule(projection),
        *circles,
        *_town_labels(clusters, projection),
        _scale_bar(projection),
    ]
    return Markup(  # noqa: S704 - titles, towns and addresses are escaped
        f'<svg class="chart map {frame.name}" viewBox="0 0 {projection.width:.0f} {frame.height}" '
        'role="group" aria-label="Map of places">'
        f"{''.join(drawn)}</svg>"
    )


def _projection(dots: Sequence[Dot], frame: MapFrame) -> Projection:
    up, across = [dot.latitude for dot in dots], [dot.longitude for dot in dots]
    latitude, longitude = (min(up) + max(up)) / 2, (min(across) + max(across)) / 2
    high = max(max(up) - min(up), MIN_DEGREES)
    wide = max((max(across) - min(across)) * longitude_scale(latitude), MIN_DEGREES)
    scale = min((frame.height - 2 * MARGIN) / high, (frame.wide - 2 * MARGIN) / wide)
    width = min(max(wide * scale + 2 * MARGIN, frame.narrow), frame.wide)
    return Projection(latitude=latitude, longitude=longitude, width=width, height=frame.height, scale=scale)


def _clusters(dots: Sequence[Dot], projection: Projection) -> list[_Cluster]:
    """Merges touching places until none touch."""
    clusters: list[_Cluster] = []
    left = [
        _Cluster(x=x, y=y, dots=[dot])
        for dot in dots
        for x, y in (projection.at(dot.latitude, dot.longitude),)
    ]
    while left:
        cluster = left.pop()
        other = next((each for each in clusters if each.touches(cluster)), None)
        if other is None:
            clusters.append(cluster)
        else:  # as one they are larger, and may touch others
            clusters.remove(other)
            left.append(_merge(cluster, other))
    return clusters


def _merge(one: _Cluster, two: _Cluster) -> _Cluster:
    """The union, at the position of the larger cluster."""
    more = one if len(one.dots) > len(two.dots) else two
    return _Cluster(x=more.x, y=more.y, dots=[*two.dots, *one.dots])


def _circle(cluster: _Cluster, zoom: Zoom | None, of: str) -> str:
    many, label, href = len(cluster.dots), cluster.dots[0].title, cluster.dots[0].href
    if many > 1:
        label = f"{many} {of}" + (f" around {cluster.town}" if cluster.town else "")
        href = zoom(*_bounding_circle(cluster.dots)) if zoom else href
    x, y = f"{cluster.x:.1f}", f"{cluster.y:.1f}"
    count = f'<text class="many" x="{x}" y="{cluster.y + 4:.1f}">{many}</text>' if many > 1 else ""
    return (
        f'<a href="{escape(href)}" aria-label="{escape(label)}"><title>{escape(label)}</title>'
        f'<circle class="touch-area" cx="{x}" cy="{y}" r="{cluster.touch_radius:.1f}"/>'
        f'<circle class="place" cx="{x}" cy="{y}" r="{cluster.radius:.1f}"/>{count}</a>'
    )


def _bounding_circle(dots: Sequence[Dot]) -> tuple[float, float, float]:
    """The centre of some places, and the radius around it in kilometres."""
    latitude, longitude = fmean(dot.latitude for dot in dots), fmean(dot.longitude for dot in dots)
    reach = max(
        math.hypot(dot.latitude - latitude, (dot.longitude - longitude) * longitude_scale(latitude))
        for dot in dots
    )
    return round(latitude, 5), round(longitude, 5), max(math.ceil(reach * KM_PER_DEGREE * 11) / 10, 0.5)


def _town_labels(clusters: Sequence[_Cluster], projection: Projection) -> Iterator[str]:
    """One label per town, at its largest cluster; labels that would overlap are left out."""
    taken = [
        (each.x - each.radius, each.y - each.radius, each.x + each.radius, each.y + each.radius)
        for each in clusters
    ]
    taken.append(
        (projection.width - 190, projection.height - LINE_HEIGHT * 3, projection.width, projection.height)
    )  # the bar's own
    named: set[str] = set()
    for cluster in (each for each in clusters if each.town):
        boxes = ((spot, spot.box(LETTER_WIDTH * len(cluster.town))) for spot in _label_positions(cluster))
        free = ((spot, box) for spot, box in boxes if not any(_overlap(box, other) for other in taken))
        inside = ((spot, box) for spot, box in free if box[0] > 0 and box[2] < projection.width)
        spot, box = next(inside, (None, None))
        if spot is not None and box is not None and cluster.town not in named:
            taken.append(box)
            named.add(cluster.town)
            yield (
                f'<text class="town" x="{spot.x:.1f}" y="{spot.y + 4:.1f}" text-anchor="{spot.anchor}">'
                f"{escape(cluster.town)}</text>"
            )


class _LabelPosition(NamedTuple):
    """A possible position of a label."""

    anchor: str
    x: float
    y: float

    def box(self, long: float) -> tuple[float, float, float, float]:
        left = self.x - long * {"start": 0, "middle": 0.5, "end": 1}[self.anchor]
        return left, self.y - LINE_HEIGHT / 2, left + long, self.y + LINE_HEIGHT / 2


def _label_positions(cluster: _Cluster) -> Iterator[_LabelPosition]:
    """Right, left, below, above."""
    x, y, gap = cluster.x, cluster.y, cluster.radius + 4
    yield _LabelPosition("start", x + gap, y)
    yield _LabelPosition("end", x - gap, y)
    yield _LabelPosition("middle", x, y + gap + LINE_HEIGHT / 2)
    yield _LabelPosition("middle", x, y - gap - LINE_HEIGHT / 2)


def _overlap(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


@lru_cache(maxsize=128)
def _land(projection: Projection) -> str:
    """The land in the picture and beside it, as far as it is seen there."""
    box = Box(-LAND_EXTENT, -LAND_EXTENT, projection.width + LAND_EXTENT, projection.height + LAND_EXTENT)
    west, north = projection.coordinates(box.left, box.top)
    east, south = projection.coordinates(box.right, box.bottom)
    view = Box(west, north, east, south)
    under, over = (land_path(land, view, box, projection.at) for land in (gaps(), outlines()))
    return f'<path class="land gap" d="{under}"/><path class="land" d="{over}"/>' if over else ""


def _graticule(projection: Projection) -> Iterator[str]:
    """Parallels and meridians at round degrees, with labels."""
    high, wide = (
        projection.height / projection.scale,
        projection.width / projection.scale / longitude_scale(projection.latitude),
    )
    step = next((each for each in STEPS if high / each >= 3), STEPS[-1])
    digits = max(0, -math.floor(math.log10(step)))
    for n in _multiples(projection.latitude, high * 2, step):
        y = projection.at(n, projection.longitude)[1]
        label = (
            f'<text x="6" y="{y - 4:.1f}">{_degrees(n, "NS", digits)}</text>'
            if LABEL_MARGIN < y < projection.height
            else ""
        )
        yield f'<path class="grid" d="M{-GRID_EXTENT},{y:.1f}H{GRID_EXTENT}"/>{label}'
    for n in _multiples(projection.longitude, wide * 5, step * 2):
        x = projection.at(projection.latitude, n)[0]
        label = (
            f'<text x="{x + 4:.1f}" y="14">{_degrees(n, "EW", digits)}</text>'
            if 0 < x < projection.width - MERIDIAN_LABEL_WIDTH
            else ""
        )
        yield f'<path class="grid" d="M{x:.1f},{-GRID_EXTENT}V{GRID_EXTENT}"/>{label}'


def _degrees(number: float, sides: str, digits: int) -> str:
    return f"{abs(number):.{digits}f}° {sides[number < 0]}"


def _multiples(middle: float, width: float, step: float) -> list[float]:
    first, last = math.ceil((middle - width / 2) / step), math.floor((middle + width / 2) / step)
    return [n * step for n in range(first, last + 1)]


def _scale_bar(projection: Projection) -> str:
    """The scale bar."""
    pixels = projection.scale / KM_PER_DEGREE
    km = next((each for each in BARS if each * pixels <= 160), BARS[-1])
    right, y = projection.width - 16, projection.height - 16
    left = right - km * pixels
    return (
        f'<path class="bar" d="M{left:.1f},{y - 6}V{y}H{right:.1f}V{y - 6}"/>'
        f'<text x="{right:.1f}" y="{y - 10}" text-anchor="end">{km:g} km</text>'
    )
