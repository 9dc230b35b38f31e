"""Which rows of an index keep their order, and where a record must be if it is still there?

Each record has a position in its index: a number that falls from the first row to the last. It is made up
from the order in which rows were seen, so any index whose order is stable has it, by date or by price. Rows
that moved (bumped, promoted) are those outside the longest falling sequence of a page's positions.

A known record whose position lies between those of two rows of a page is expected on that page. Nothing is
expected of a page on which fewer than half of the rows keep their order: its site has no stable order, or was
relaunched. Rows that are in no order lose their positions, because a few that are in order by chance would
be taken for a page later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

MIN_ROWS = 5
"""Rows in order without which a page tells nothing about others."""
MIN_SHARE = 0.5
"""Of a page's rows, those in order without which it tells nothing about others."""
STABLE_SHARE = 0.8
"""Of the rows whose position is known, those that must be in order."""
MAX_ABSENT = 0.5
"""Absent records for each row in order; above, the page looks like an outage."""
MAX_IN_GAP = 3
"""Absent records between two rows; above, one of the two is elsewhere (it is promoted)."""
MAX_BETWEEN = 200
"""Records that are compared with one page."""
SECOND_LOOK_AFTER = timedelta(minutes=10)
"""The least time between the two looks that take a record out of what is shown."""
PAGE_SPAN = 4 * 3600 * 1_000_000
"""Positions between two index pages that are read for the first time; a page may come hours after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOrder:
    """How the rows of one index page stand."""

    stable: bool
    """Enough rows keep their order: the page tells something about other records."""
    absent: Sequence[int]
    """Positions of other records that must be on the page if they are still there."""
    moves: Mapping[int, int | None]
    """New positions, by the place of the row on the page; None: it is not known any more."""
    top: int | None = None
    """The position of the first row in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionGap:
    """Where rows without neighbours on their page may be: between the positions of other records."""

    above: int
    below: int | None = None
    """None: nothing is below."""


def span_of(positions: Sequence[int | None]) -> tuple[int, int] | None:
    """The lowest and the highest position of rows in order; None: it proves nothing about others."""
    known = _rows_in_order(positions)
    return _ends(positions, known) if _stable(positions, known) else None


def placed_by(positions: Sequence[int | None]) -> tuple[int, int] | None:
    """The same for a page that is mostly unknown: its other rows are around those in order."""
    known = _rows_in_order(positions)
    partly = _in_order(positions, known) and not _stable(positions, known)
    return _ends(positions, known) if partly else None


def is_unknown(positions: Sequence[int | None]) -> bool:
    """Whether too few rows are in order to tell where the page is."""
    return len(_rows_in_order(positions)) < MIN_ROWS


def ends_unknown(positions: Sequence[int | None]) -> bool:
    """Whether the last row has no position."""
    return bool(positions) and positions[-1] is None


def order_of(
    positions: Sequence[int | None],
    *,
    number: int,
    at: int,
    new: Container[int] = (),
    others: Sequence[int] = (),
    gap: PositionGap | None = None,
) -> PageOrder:
    """Judge index page `number`, read at `at` (microseconds), by the positions of its rows from the top.

    `new`: the places of rows that nobody has seen before; `others`: positions within the page's span of
    records that it does not show, rising, `MAX_BETWEEN` at most; `gap`: for rows without a position that
    stand at the page's edges.
    """
    in_order = _rows_in_order(positions)
    if not _stable(positions, in_order):
        return PageOrder(stable=False, absent=(), moves=_first_places(positions, in_order, new, gap))
    known, absent = _trusted(positions, in_order, others)
    moves = _moves(positions, known, number=number, at=at, new=new)
    if gap is not None and known[-1] == in_order[-1]:
        moves.update(_last_places(positions, known[-1], gap))
    outage = len(absent) > MAX_ABSENT * len(known)
    top = None if outage else positions[known[0]]
    return PageOrder(stable=True, absent=() if outage else absent, moves=moves, top=top)


def _rows_in_order(positions: Sequence[int | None]) -> list[int]:
    return longest_decreasing(
        [(row, position) for row, position in enumerate(positions) if position is not None]
    )


def _placed(positions: Sequence[int | None], known: Sequence[int]) -> int:
    """Rows that have a position; those above the first one in order are promoted or bumped."""
    return sum(position is not None for position in positions[known[0] if known else 0 :])


def _ends(positions: Sequence[int | None], known: Sequence[int]) -> tuple[int, int]:
    return positions[known[-1]] or 0, positions[known[0]] or 0


def _in_order(positions: Sequence[int | None], known: Sequence[int]) -> bool:
    return len(known) >= max(MIN_ROWS, STABLE_SHARE * _placed(positions, known))


def _stable(positions: Sequence[int | None], known: Sequence[int]) -> bool:
    return _in_order(positions, known) and len(known) >= MIN_SHARE * len(positions)


def _trusted(
    positions: Sequence[int | None], known: Sequence[int], others: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Rows in order without promoted ones at the page's edges, and what is absent between the rest.

    Many records between two rows are elsewhere, and so is one of the two: above the middle of the page the
    upper one, below it the lower one.
    """
    full = len(others) >= MAX_BETWEEN
    reach = others[-1] if full else None
    first, end, absent = 0, len(known), list[int]()
    for one, (upper, lower) in enumerate(pairwise(known)):
        high, low = positions[upper] or 0, positions[lower] or 0
        inside = others[bisect_right(others, low) : bisect_left(others, high)]
        if len(inside) <= MAX_IN_GAP and (reach is None or high <= reach):
            absent += inside
        elif one < len(known) // 2:
            first, absent = one + 1, []
        else:
            end = one + 1
            break
    return list(known[first:end]), absent


def longest_decreasing(rows: Sequence[tuple[int, int]]) -> list[int]:
    """The rows (row, position) of the longest sequence in which positions fall."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for place, (_, position) in enumerate(rows):
        length = bisect_left(ends, -position)
        ends[length:] = [-position, *ends[length + 1 :]]
        last[length:] = [place, *last[length + 1 :]]
        before.append(last[length - 1] if length else -1)
    chain: list[int] = []
    place = last[-1] if last else -1
    while place >= 0:
        chain.append(rows[place][0])
        place = before[place]
    return chain[::-1]


def _moves(
    positions: Sequence[int | None], known: Sequence[int], *, number: int, at: int, new: Container[int]
) -> dict[int, int | None]:
    """Rows without a position get one between their neighbours; a row that moved loses its own first.

    A known row above those in order was promoted or, on the first page, bumped: only there it loses what it
    has. Rows at the upper edge wait for neighbours, but for new ones at the top of the index; so do rows
    below the first one of a later page, which may be promoted.
    """
    moves: dict[int, int | None] = {}
    for first, end in _gaps(known, len(positions)):
        rows = [row for row in range(first, end) if positions[row] is None]
        leads, trails = first == 0, end == len(positions)
        if number == 1 or not leads:
            moves.update({row: None for row in range(first, end) if positions[row] is not None})
        if leads:
            rows = [row for row in rows if row in new] if number == 1 else []
            moves.update(_spread(rows, max(at, (positions[end] or 0) + 1), positions[end]))
        elif not trails and (number == 1 or first - 1 != known[0]):
            moves.update(_spread(rows, positions[first - 1] or 0, positions[end]))
    return moves


def _last_places(positions: Sequence[int | None], last: int, gap: PositionGap) -> dict[int, int]:
    """Positions for the rows below the last one in order: above the next record of the index."""
    rows = [row for row in range(last + 1, len(positions)) if positions[row] is None]
    return _spread(rows, positions[last] or 0, gap.below)


def _first_places(
    positions: Sequence[int | None], known: Sequence[int], new: Container[int], gap: PositionGap | None
) -> dict[int, int | None]:
    """Positions for the rows of a page that is mostly unknown; none where its rows are in no order.

    Rows that were seen before and are above all new ones are promoted, and so may be one of two rows that
    are more than a page apart: nothing is placed between them.
    """
    in_order = known if _in_order(positions, known) else ()
    moves: dict[int, int | None] = {
        row: None for row, position in enumerate(positions) if position is not None and row not in in_order
    }
    if gap is None:
        return moves
    for first, end in _gaps(in_order, len(positions)):
        unless_new = end if in_order else first
        top = first or next((row for row in range(first, end) if row in new), unless_new)
        rows = [row for row in range(top, end) if positions[row] is None]
        above = positions[first - 1] if first else None
        above = gap.above if above is None else above
        below = positions[end] if end < len(positions) else gap.below
        if not in_order or end == len(positions) or below is None or above - below <= PAGE_SPAN:
            moves.update(_spread(rows, above, below))
    return moves


def _gaps(known: Sequence[int], rows: int) -> list[tuple[int, int]]:
    """Runs of rows between those in order, as (first, end)."""
    edges = [-1, *known, rows]
    return [(one + 1, other) for one, other in pairwise(edges) if other > one + 1]


def _spread(rows: Sequence[int], above: int, below: int | None) -> dict[int, int]:
    """Positions for these rows, evenly between the one above and the one below them."""
    low = above - PAGE_SPAN if below is None else max(below, above - PAGE_SPAN)
    return {row: above - (above - low) * (n + 1) // (len(rows) + 1) for n, row in enumerate(rows)}
