"""Charts as SVG, drawn on the server: honest axes, no scripts, readable as text.

A price is a step, not a slope: it held until the next one was seen. Where nobody looked, the line is dashed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from markupsafe import Markup, escape

from larder.actions.overview import Badges
from larder.actions.words import money

WIDTH, HEIGHT = 720, 220
LEFT, RIGHT, TOP, BOTTOM = 88, 14, 14, 28
POINTS = 400
"""At most so many steps are drawn; of a longer history the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A value and the time for which it was seen."""

    value: int
    since: datetime
    confirmed: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One part of a whole, by the name of its colour."""

    label: str
    many: int
    fill: str


def by_badge(worn: Badges) -> list[Share]:
    """Records by the badge they wear, as the parts of a bar."""
    return [
        Share(label="recently verified", many=worn.green, fill="green"),
        Share(label="listed some days ago", many=worn.yellow, fill="yellow"),
        Share(label="may no longer be available", many=worn.orange, fill="orange"),
        Share(label="faded, not shown", many=worn.faded, fill="faded"),
    ]


def price_chart(steps: Sequence[Step], *, currency: str | None, now: datetime) -> Markup:
    """The history of a price, from the day it was first seen until now."""
    steps = steps[-POINTS:]
    if not steps:
        return Markup("")
    began = steps[0].since
    whole = max((now - began).total_seconds(), 1.0)
    ticks = _ticks(min(s.value for s in steps), max(s.value for s in steps))
    low, high = ticks[0], ticks[-1]

    def x(at: datetime) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * min(max((at - began).total_seconds() / whole, 0), 1)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low))

    said = f"Price from {money(steps[0].value, currency)} to {money(steps[-1].value, currency)}"
    parts = [_grid(ticks, currency, y), _days(began, now, x)]
    last = steps[-1]
    turns = "".join(f"H{x(step.since):.1f}V{y(step.value):.1f}" for step in steps[1:])
    path = f"M{x(began):.1f},{y(steps[0].value):.1f}{turns}H{x(last.confirmed):.1f}"
    floor = HEIGHT - BOTTOM
    parts.append(f'<path class="under" d="{path}V{floor}H{LEFT}Z"/><path class="trace" d="{path}"/>')
    parts.append(f'<path class="unsure" d="M{x(last.confirmed):.1f},{y(last.value):.1f}H{x(now):.1f}"/>')
    parts.extend(
        f'<circle class="dot" cx="{x(s.since):.1f}" cy="{y(s.value):.1f}" r="3.5">'
        f"<title>{escape(money(s.value, currency))} from {s.since:%d %b %Y %H:%M}</title></circle>"
        for s in steps
    )
    return _svg("".join(parts), said, WIDTH, HEIGHT)


def spark(values: Sequence[int]) -> Markup:
    """A price's way at a glance, for a card; nothing where it never moved."""
    if len(set(values)) < 2:
        return Markup("")
    values = values[-40:]
    low, high = min(values), max(values)
    wide = 94 / max(len(values) - 1, 1)

    def y(value: int) -> float:
        return 3 + 20 * (1 - (value - low) / (high - low))

    trace = f"M3,{y(values[0]):.1f}" + "".join(
        f"H{3 + wide * n:.1f}V{y(value):.1f}" for n, value in enumerate(values[1:], 1)
    )
    drawn = f'<path class="trace" d="{trace}"/>'
    return Markup(  # noqa: S704 - made of numbers alone
        f'<svg class="chart spark" viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden="true">'
        f"{drawn}</svg>"
    )


def shares(parts: Sequence[Share], *, said: str) -> Markup:
    """One bar that is the whole, in its parts."""
    whole = sum(part.many for part in parts) or 1
    at, drawn = 0.0, []
    for part in parts:
        wide = 1000 * part.many / whole
        drawn.append(
            f'<rect class="fill-{part.fill}" x="{at:.2f}" y="0" width="{wide:.2f}" height="22">'
            f"<title>{escape(part.label)}: {part.many:,}</title></rect>"
        )
        at += wide
    return Markup(  # noqa: S704 - labels are escaped
        f'<svg class="chart" viewBox="0 0 1000 22" height="22" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(said)}">{"".join(drawn)}</svg>'
    )


def bars(values: Sequence[tuple[str, float]], *, said: str, limit: float | None = None) -> Markup:
    """Upright bars, oldest first; `limit` is drawn across them."""
    if not values:
        return Markup("")
    top = max([value for _, value in values] + [limit or 0, 1e-9])
    wide, high = 640 / len(values), 110

    def y(value: float) -> float:
        return 6 + high * (1 - value / top)

    drawn = [
        f'<rect class="{"fill-red" if limit is not None and value > limit else "fill-accent"}" '
        f'x="{n * wide + wide * 0.12:.2f}" y="{y(value):.2f}" width="{wide * 0.76:.2f}" '
        f'height="{max(high + 6 - y(value), 0.6):.2f}"><title>{escape(label)}</title></rect>'
        for n, (label, value) in enumerate(values)
    ]
    if limit is not None:
        drawn.append(f'<path class="limit" d="M0,{y(limit):.2f}H640"/>')
    drawn.append(f'<path class="axis" d="M0,{high + 6}H640"/>')
    return _svg("".join(drawn), said, 640, high + 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A record on the map."""

    latitude: float
    longitude: float
    title: str
    href: str
    town: str = ""


def place_map(places: Sequence[Dot]) -> Markup:
    """Places as dots on their own stretch of the earth; a town is named once."""
    if not places:
        return Markup("")
    south, north = _span([each.latitude for each in places])
    west, east = _span([each.longitude for each in places])
    width, height = 960, 420
    named: set[tuple[int, int]] = set()

    def drawn(each: Dot) -> str:
        across = (each.longitude - west) / (east - west) * width
        down = (north - each.latitude) / (north - south) * height
        dot = (
            f'<a href="{escape(each.href)}"><circle class="place" cx="{across:.1f}" cy="{down:.1f}" r="6">'
            f"<title>{escape(each.title)}</title></circle></a>"
        )
        cell = (round(across / 70), round(down / 26))
        if not each.town or cell in named:
            return dot
        named.update((cell[0] + aside, cell[1]) for aside in (-1, 0, 1))
        return f'{dot}<text class="town" x="{across + 9:.1f}" y="{down + 4:.1f}">{escape(each.town)}</text>'

    lines = "".join(f'<path class="grid" d="M{n * 96},0V{height}"/>' for n in range(1, 10)) + "".join(
        f'<path class="grid" d="M0,{n * 70}H{width}"/>' for n in range(1, 6)
    )
    corner = f'<text x="8" y="{height - 8}">{south:.2f}–{north:.2f}° N, {west:.2f}–{east:.2f}° E</text>'
    dots = "".join(drawn(each) for each in places)
    return Markup(  # noqa: S704 - titles, towns and addresses are escaped
        f'<svg class="chart map" viewBox="0 0 {width} {height}" role="group" aria-label="Map of places">'
        f"{lines}{dots}{corner}</svg>"
    )


def _svg(inner: str, said: str, width: int, height: int) -> Markup:
    return Markup(  # noqa: S704 - every piece of text in it is escaped above
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(said)}">'
        f"{inner}</svg>"
    )


def _ticks(low: int, high: int) -> list[int]:
    """Three to six round amounts that hold the whole history between them."""
    gap = (high - low) or max(high // 5, 1)
    step = next(size for size in _steps() if gap / size <= 4)
    first = max(low - gap // 4, 0) // step * step
    last = -(-(high + gap // 4) // step) * step
    return list(range(first, max(last, first + step) + 1, step))


def _steps() -> Iterator[int]:
    for power in range(12):
        for digit in (1, 2, 5):
            yield digit * 10**power


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    air = max((high - low) * 0.08, 0.01)
    return low - air, high + air


def _grid(ticks: Sequence[int], currency: str | None, y: Callable[[float], float]) -> str:
    def line(value: int) -> str:
        at, label = y(value), escape(money(value, currency))
        return (
            f'<path class="axis" d="M{LEFT},{at:.1f}H{WIDTH - RIGHT}"/>'
            f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{label}</text>'
        )

    return "".join(line(value) for value in ticks)


def _days(began: datetime, now: datetime, x: Callable[[datetime], float]) -> str:
    length = now - began
    form = (
        "%d %b %Y"
        if length > timedelta(days=300)
        else "%d %b"
        if length > timedelta(days=3)
        else "%d %b %H:%M"
    )
    marks = [began + length * n / 3 for n in range(4)]
    ends = ("start", "middle", "middle", "end")
    return "".join(
        f'<text x="{x(at):.1f}" y="{HEIGHT - 8}" text-anchor="{end}">{at.strftime(form)}</text>'
        for at, end in zip(marks, ends, strict=True)
    )
