"""Plots scores: error against requests a day, both on logarithmic axes; lower left is better."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from larder.sim.benchmark.scoring import PolicyScore

WIDTH, HEIGHT, MARGIN = 720, 440, 60
MIN_ERROR = 1e-4
COLOURS = ("#0f766e", "#b45309", "#4338ca", "#be123c", "#4d7c0f", "#57534e")


def frontier_svg(scores: Sequence[PolicyScore]) -> str:
    """Each score is a point; those of one policy share a colour."""
    across = _Axis([max(score.requests_per_day, 1) for score in scores], MARGIN, WIDTH - MARGIN)
    up = _Axis([max(score.error, MIN_ERROR) for score in scores], HEIGHT - MARGIN, MARGIN)
    policies = list(dict.fromkeys(score.policy for score in scores))
    parts = [*_grid(across, up), *(_point(score, policies, across, up) for score in scores)]
    parts += [_legend(name, number) for number, name in enumerate(policies)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="Error against requests a day" font-family="sans-serif" font-size="12">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


class _Axis:
    """Whole powers of ten, from one end of the picture to the other."""

    def __init__(self, values: Sequence[float], begin: float, end: float) -> None:
        self.low = floor(log10(min(values, default=1)))
        self.high = max(ceil(log10(max(values, default=10))), self.low + 1)
        self._begin, self._end = begin, end

    def place(self, value: float) -> float:
        share = (log10(value) - self.low) / (self.high - self.low)
        return self._begin + share * (self._end - self._begin)

    def marks(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def _grid(across: _Axis, up: _Axis) -> list[str]:
    lines = []
    for mark in across.marks():
        x = across.place(mark)
        lines.append(_line(x, MARGIN, x, HEIGHT - MARGIN) + _text(x, HEIGHT - MARGIN + 18, f"{mark:,.0f}"))
    for mark in up.marks():
        y = up.place(mark)
        lines.append(_line(MARGIN, y, WIDTH - MARGIN, y) + _text(MARGIN - 28, y + 4, f"{mark:.4g}"))
    return [*lines, _text(WIDTH / 2, HEIGHT - 12, "requests a day"), _text(MARGIN, MARGIN - 16, "error")]


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#d6d3d1"/>'


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="#44403c">{escape(text)}</text>'


def _point(score: PolicyScore, policies: Sequence[str], across: _Axis, up: _Axis) -> str:
    x = across.place(max(score.requests_per_day, 1))
    y = up.place(max(score.error, MIN_ERROR))
    colour = COLOURS[policies.index(score.policy) % len(COLOURS)]
    title = f"{score.policy}, seed {score.seed}: {score.requests_per_day:,.0f} a day, error {score.error:.2%}"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"><title>{escape(title)}</title></circle>'


def _legend(name: str, number: int) -> str:
    y = MARGIN + 18 * number
    colour = COLOURS[number % len(COLOURS)]
    return (
        f'<circle cx="{WIDTH - MARGIN - 110}" cy="{y}" r="5" fill="{colour}"/>'
        f'<text x="{WIDTH - MARGIN - 98}" y="{y + 4}" fill="#44403c">{escape(name)}</text>'
    )
