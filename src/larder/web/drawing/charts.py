"""Charts as SVG, drawn on the server.

A price is a step, not a slope: solid while observed, dashed while not checked, no line without a price. Every
chart is drawn for wide and for narrow windows, so that its text is readable on both.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TypeAlias

from markupsafe import Markup, escape

from larder.actions.formatting import money
from larder.store.reads.counts import SourceCounts

RIGHT, TOP, BOTTOM = 14, 14, 28
BARS_LEFT = 50
_FORMS = (
    (timedelta(days=300), "%d %b %Y"),
    (timedelta(days=3), "%d %b"),
    (timedelta(minutes=5), "%d %b %H:%M UTC"),
    (timedelta(days=-1), "%H:%M:%S UTC"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartFrame:
    """The size of a chart and the position of its axis."""

    name: str
    width: int
    height: int
    left: int
    moments: Sequence[str]
    """Text anchors of the time labels."""

    def across(self, began: datetime, now: datetime) -> Callable[[datetime], float]:
        """The x coordinate of a time."""
        seconds, wide = max((now - began).total_seconds(), 1.0), self.width - self.left - RIGHT
        return lambda at: self.left + wide * min(max((at - began).total_seconds() / seconds, 0), 1)


WIDE = ChartFrame(name="roomy", width=720, height=220, left=100, moments=("start", "middle", "middle", "end"))
NARROW = ChartFrame(name="slim", width=320, height=200, left=86, moments=("start", "end"))
FRAMES = (WIDE, NARROW)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceStep:
    """A price with the period in which it was observed."""

    value: int
    since: datetime
    confirmed: datetime
    until: datetime


SparkPoint: TypeAlias = tuple[datetime, int]
"""A price with the time of its first observation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One part of a whole, by the name of its colour."""

    label: str
    many: int
    fill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPeriod:
    """A labelled period, by the name of its colour."""

    label: str
    since: datetime
    until: datetime
    fill: str


def badge_shares(counts: SourceCounts) -> list[Share]:
    """Records by badge, as parts of a bar."""
    return [
        Share(label="recently verified", many=counts.green, fill="green"),
        Share(label="seen a while ago", many=counts.yellow, fill="yellow"),
        Share(label="may no longer be available", many=counts.orange, fill="orange"),
        Share(label="below the threshold, not shown", many=counts.faded, fill="faded"),
    ]


def price_chart(steps: Sequence[PriceStep], *, currency: str | None, now: datetime) -> Markup:
    """The price history until now."""
    return Markup("").join(_prices(steps, currency, now, frame) for frame in FRAMES if steps)


def _prices(steps: Sequence[PriceStep], currency: str | None, now: datetime, frame: ChartFrame) -> Markup:
    began = steps[0].since
    ticks = _ticks(min(s.value for s in steps), max(s.value for s in steps))
    low, high = ticks[0], ticks[-1]
    x = frame.across(began, now)

    def y(value: float) -> float:
        return TOP + (frame.height - TOP - BOTTOM) * (1 - (value - low) / (high - low))

    aria_label = f"Price from {money(steps[0].value, currency)} to {money(steps[-1].value, currency)}"
    parts = [_grid(ticks, currency, y, frame), _days(began, now, x, frame)]
    seen = "".join(f"M{x(s.since):.1f},{y(s.value):.1f}H{x(s.confirmed):.1f}" for s in steps)
    turns = "".join(
        f"M{x(after.since):.1f},{y(step.value):.1f}V{y(after.value):.1f}"
        for step, after in pairwise(steps)
        if step.until == after.since
    )
    unseen = "".join(f"M{x(s.confirmed):.1f},{y(s.value):.1f}H{x(s.until):.1f}" for s in steps)
    parts.append(f'<path class="trace" d="{seen}{turns}"/><path class="unsure" d="{unseen}"/>')
    parts.extend(
        f'<circle class="dot" cx="{x(s.since):.1f}" cy="{y(s.value):.1f}" r="3.5">'
        f"<title>{escape(money(s.value, currency))} from {s.since:%d %b %Y %H:%M} UTC</title></circle>"
        for s in steps
    )
    return _svg("".join(parts), aria_label, frame.width, frame.height, frame.name)


def spark(prices: Sequence[SparkPoint], *, now: datetime) -> Markup:
    """A sparkline of the price history for a card; empty if the price never changed."""
    prices = prices[-40:]
    low, high = min(prices, key=_amount, default=(now, 0))[1], max(prices, key=_amount, default=(now, 0))[1]
    if low == high:
        return Markup("")
    began = prices[0][0]
    seconds = max((now - began).total_seconds(), 1.0)

    def x(at: datetime) -> float:
        return 3 + 90 * min(max((at - began).total_seconds() / seconds, 0), 1)

    def y(value: int) -> float:
        return 4 + 18 * (1 - (value - low) / (high - low))

    turns = "".join(f"H{x(at):.1f}V{y(value):.1f}" for at, value in prices[1:])
    last = f"{y(prices[-1][1]):.1f}"
    drawn = (
        f'<path class="trace" d="M3,{y(prices[0][1]):.1f}{turns}H93"/>'
        f'<circle class="tip" cx="94" cy="{last}" r="3"/>'
    )
    return Markup(  # noqa: S704 - made of numbers alone
        f'<svg class="chart spark" viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden="true">'
        f"{drawn}</svg>"
    )


def period_strip(spans: Sequence[ChartPeriod], *, began: datetime, now: datetime, aria_label: str) -> Markup:
    """A strip of periods below a price chart, on the same time axis."""
    spans = [span for span in spans if span.until > began or span.since >= began]
    return Markup("").join(
        _strip(spans, frame.across(began, now), aria_label, frame) for frame in FRAMES if spans
    )


def _strip(
    spans: Sequence[ChartPeriod], x: Callable[[datetime], float], aria_label: str, frame: ChartFrame
) -> Markup:
    drawn = "".join(
        f'<rect class="fill-{span.fill}" x="{x(span.since):.1f}" y="2" height="10" '
        f'width="{max(x(span.until) - x(span.since), 1):.1f}"><title>{escape(span.label)}, '
        f"from {span.since:%d %b %Y %H:%M} UTC</title></rect>"
        for span in spans
    )
    name = f'<text x="{frame.left - 8}" y="11" text-anchor="end">stock</text>'
    return _svg(name + drawn, aria_label, frame.width, 16, frame.name)


def stacked_bar(parts: Sequence[Share], *, aria_label: str) -> Markup:
    """A stacked bar."""
    total = sum(part.many for part in parts) or 1
    at, drawn = 0.0, []
    for part in parts:
        wide = 1000 * part.many / total
        drawn.append(
            f'<rect class="fill-{part.fill}" x="{at:.2f}" y="0" width="{wide:.2f}" height="22">'
            f"<title>{escape(part.label)}: {part.many:,}</title></rect>"
        )
        at += wide
    return Markup(  # noqa: S704 - labels are escaped
        f'<svg class="chart" viewBox="0 0 1000 22" height="22" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(aria_label)}">{"".join(drawn)}</svg>'
    )


def bar_chart(
    values: Sequence[tuple[str, float]],
    *,
    aria_label: str,
    limit: float | None = None,
    form: str = ",.0f",
    ends: tuple[str, str] = ("", ""),
    marked: Sequence[int] = (),
) -> Markup:
    """A bar chart from zero, oldest first; `limit` is a line across it.

    `form`: format of the values; `ends`: labels of the first and the last bar; `marked`: bars (from 0) that
    stand out from the others.
    """
    if not values:
        return Markup("")
    top = max([value for _, value in values] + [limit or 0, 1e-9])
    wide, high, left = (480 - BARS_LEFT) / len(values), 110, BARS_LEFT
    floor = TOP + high

    def y(value: float) -> float:
        return TOP + high * (1 - value / top)

    def value_label(value: float) -> str:
        return f'<text x="{left - 6}" y="{y(value) + 4:.2f}" text-anchor="end">{value:{form}}</text>'

    def fill(n: int, value: float) -> str:
        if limit is not None and value > limit:
            return "fill-red"
        return "fill-accent" if n in marked or not marked else "fill-faded"

    drawn = [
        f'<rect class="{fill(n, value)}" '
        f'x="{left + n * wide + wide * 0.12:.2f}" y="{y(value):.2f}" width="{wide * 0.76:.2f}" '
        f'height="{max(floor - y(value), 1):.2f}"><title>{escape(label)}</title></rect>'
        for n, (label, value) in enumerate(values)
    ]
    if limit is not None:
        drawn.append(f'<path class="limit" d="M{left},{y(limit):.2f}H480"/>')
    drawn.append(f'<path class="axis" d="M{left},{floor}H480"/>{value_label(top)}{value_label(0)}')
    first, last = (escape(end) for end in ends)
    drawn.append(f'<text x="{left}" y="{floor + 20}">{first}</text>')
    drawn.append(f'<text x="480" y="{floor + 20}" text-anchor="end">{last}</text>')
    return _svg("".join(drawn), aria_label, 480, floor + 26)


def _amount(price: SparkPoint) -> int:
    return price[1]


def _svg(inner: str, aria_label: str, width: int, height: int, name: str = "bars") -> Markup:
    return Markup(  # noqa: S704 - every piece of text in it is escaped above
        f'<svg class="chart {name}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(aria_label)}">{inner}</svg>'
    )


def _ticks(low: int, high: int) -> list[int]:
    """Three to six round values that span the range."""
    gap = (high - low) or max(high // 5, 1)
    step = next(size for size in _steps() if gap / size <= 4)
    first = max(low - gap // 4, 0) // step * step
    last = -(-(high + gap // 4) // step) * step
    return list(range(first, max(last, first + step) + 1, step))


def _steps() -> Iterator[int]:
    for power in range(12):
        for digit in (1, 2, 5):
            yield digit * 10**power


def _grid(ticks: Sequence[int], currency: str | None, y: Callable[[float], float], frame: ChartFrame) -> str:
    def line(value: int) -> str:
        at, label = y(value), escape(money(value, currency))
        return (
            f'<path class="axis" d="M{frame.left},{at:.1f}H{frame.width - RIGHT}"/>'
            f'<text x="{frame.left - 8}" y="{at + 4:.1f}" text-anchor="end">{label}</text>'
        )

    return "".join(line(value) for value in ticks)


def _days(began: datetime, now: datetime, x: Callable[[datetime], float], frame: ChartFrame) -> str:
    """Time labels, as precise as the period requires, without repetition."""
    length = max(now - began, timedelta(0))
    form = next(form for longer, form in _FORMS if length > longer)
    gaps, anchors = len(frame.moments) - 1, frame.moments
    labels = {
        f"{at:{form}}": (at, end) for n, end in enumerate(anchors) for at in (began + length * n / gaps,)
    }
    return "".join(
        f'<text x="{x(at):.1f}" y="{frame.height - 8}" text-anchor="{end}">{name}</text>'
        for name, (at, end) in labels.items()
    )
