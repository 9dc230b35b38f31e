"""Positions of rows in an index: what keeps its order, what moved, and what a page tells about others."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.trust.index_order import (
    MAX_BETWEEN,
    PAGE_SPAN,
    PositionGap,
    is_unknown,
    longest_decreasing,
    order_of,
    placed_by,
    span_of,
)

AT = 10**15
ROWS = [900, 800, 700, 600, 500, 400, 300, 200, 100]


def moved(
    positions: Sequence[int | None],
    number: int = 2,
    new: tuple[int, ...] = (),
    gap: PositionGap | None = None,
) -> list[int | None]:
    """The positions after a page was read."""
    order = order_of(positions, number=number, at=AT, new=new, gap=gap)
    return [order.moves.get(row, position) for row, position in enumerate(positions)]


@given(st.lists(st.integers(0, 30), max_size=25))
def test_the_longest_falling_sequence_falls_and_is_the_longest(positions: list[int]) -> None:
    chain = [positions[row] for row in longest_decreasing(list(enumerate(positions)))]
    assert all(one > other for one, other in pairwise(chain))
    longest = [1] * len(positions)
    for row, position in enumerate(positions):
        longest[row] += max((longest[r] for r in range(row) if positions[r] > position), default=0)
    assert len(chain) == max(longest, default=0)


def test_rows_in_order_span_what_must_be_on_the_page() -> None:
    assert span_of(ROWS) == (100, 900)
    order = order_of(ROWS, number=2, at=AT, others=[250, 650])
    assert (order.stable, sorted(order.absent), dict(order.moves)) == (True, [250, 650], {})


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([900, 100, 800, 300, 500, 200, 700, 400, 600], id="no stable order"),
        pytest.param([900, 800, 700, 600], id="too few rows"),
        pytest.param([None] * 9, id="nothing known"),
        pytest.param([], id="no rows"),
    ],
)
def test_a_page_without_order_tells_nothing(rows: list[int | None]) -> None:
    assert span_of(rows) is None
    assert not order_of(rows, number=2, at=AT, others=[450]).absent


def test_the_first_row_in_order_is_told_where_a_page_tells_something() -> None:
    assert order_of(ROWS, number=2, at=AT).top == 900
    assert order_of([10_000, *ROWS], number=2, at=AT, others=list(range(910, 990, 10))).top == 900
    assert order_of([None] * 9, number=2, at=AT).top is None


def test_a_promoted_row_neither_widens_the_span_nor_loses_its_position() -> None:
    assert span_of([5, *ROWS]) == (100, 900)
    assert moved([5, *ROWS]) == [5, *ROWS]


def test_a_promoted_row_from_an_earlier_page_is_no_neighbour() -> None:
    elsewhere = [2_000, 2_500, 3_000, 3_500]
    order = order_of([5_000, None, *ROWS], number=2, at=AT, others=[350, *elsewhere])
    assert list(order.absent) == [350]
    assert not order.moves
    below = order_of([*ROWS, 1], number=2, at=AT, others=[20, 30, 40, 50, 350])
    assert list(below.absent) == [350]


def test_a_page_on_which_half_is_absent_looks_like_an_outage() -> None:
    others = [110, 210, 310, 410, 510]
    assert len(order_of(ROWS, number=2, at=AT, others=others[:4]).absent) == 4
    assert not order_of(ROWS, number=2, at=AT, others=others).absent


def test_nothing_is_said_beyond_what_was_compared() -> None:
    many = [101 + n for n in range(MAX_BETWEEN)]
    assert not order_of([10_000, 9_000, 8_000, 7_000, 6_000, 100], number=2, at=AT, others=many).absent


def test_a_row_that_moved_has_no_position_until_it_is_seen_again() -> None:
    bumped = [*ROWS[:4], 5, *ROWS[4:]]
    once = moved(bumped)
    assert once == [*ROWS[:4], None, *ROWS[4:]]
    assert moved(once) == [*ROWS[:4], 550, *ROWS[4:]]


def test_a_known_row_above_the_first_page_may_have_been_bumped_and_has_no_position() -> None:
    assert moved([5, *ROWS], number=1) == [None, *ROWS]
    assert moved([950, 5, *ROWS], number=1) == [950, None, *ROWS]
    assert moved([950, None, *ROWS], number=1) == [950, 925, *ROWS]


def test_new_rows_at_the_top_of_the_first_page_lie_below_now() -> None:
    promoted, first, second, *rest = moved([None, None, None, *ROWS], number=1, new=(1, 2))
    assert promoted is None
    assert first is not None
    assert second is not None
    assert AT > first > second > 900
    assert rest == ROWS


@pytest.mark.parametrize("rows", [[None, *ROWS], [*ROWS, None]], ids=["above", "below"])
def test_a_row_at_the_edge_of_a_later_page_waits_for_neighbours(rows: list[int | None]) -> None:
    assert moved(rows) == rows


def test_rows_below_the_last_one_in_order_stand_above_the_next_record_of_the_index() -> None:
    rows = moved([*ROWS, None, None], gap=PositionGap(above=AT, below=40))
    assert rows[:9] == ROWS
    assert rows[9:] == [80, 60]
    last = moved([*ROWS, None], gap=PositionGap(above=AT))[9]
    assert last is not None
    assert last < 100


def test_a_page_between_two_that_are_far_apart_is_placed_below_the_rows_that_are_known() -> None:
    rows: list[int | None] = [*(9 * PAGE_SPAN - n for n in range(9)), *[None] * 30]
    assert None not in moved(rows, gap=PositionGap(above=AT, below=0))


def test_promoted_rows_and_a_few_in_order_do_not_tell_where_a_page_stands() -> None:
    far = [90 * PAGE_SPAN, 95 * PAGE_SPAN]
    assert is_unknown([*far, 300, 200, 100, *[None] * 85])
    assert not is_unknown([*far, *ROWS, *[None] * 80])


def test_known_rows_above_those_in_order_are_no_sign_of_disorder() -> None:
    promoted_from_below: list[int | None] = [7, 5, 3]
    assert placed_by([*promoted_from_below, *ROWS, *[None] * 80]) == (100, 900)


def test_a_page_that_is_read_for_the_first_time_stands_in_its_room() -> None:
    rows = [row or 0 for row in moved([None] * 90, gap=PositionGap(above=500_000, below=400_000))]
    assert rows == sorted(set(rows), reverse=True)
    assert (max(rows) < 500_000, min(rows) > 400_000) == (True, True)
    last = [row or 0 for row in moved([None] * 90, gap=PositionGap(above=0))]
    assert (last == sorted(set(last), reverse=True), min(last) > -PAGE_SPAN) == (True, True)
    assert moved([None] * 90) == [None] * 90


def test_a_page_that_is_mostly_unknown_is_placed_around_the_rows_that_are_known() -> None:
    rows: list[int | None] = [None, None, *[10**14 - n * 10**9 for n in range(5)], *[None] * 20]
    gap = PositionGap(above=10**14 + 10**6, below=10**14 - 10**10)
    assert moved(rows, number=3, gap=gap)[:2] == [None, None]
    known = [row or 0 for row in moved(rows, number=3, new=(0, 1), gap=gap)]
    assert known == sorted(set(known), reverse=True)
    assert (known[0] < 10**14 + 10**6, known[-1] > 10**14 - 10**10) == (True, True)
    assert known[2:7] == rows[2:7]


def test_one_promoted_row_does_not_place_a_page_that_is_read_for_the_first_time() -> None:
    alone = moved([None] * 29, number=9, gap=PositionGap(above=AT))
    assert moved([10**14, *[None] * 29], number=9, gap=PositionGap(above=AT)) == [None, *alone]


def test_rows_seen_before_above_a_page_of_new_rows_are_promoted() -> None:
    rows = moved(
        [None, 5, *[None] * 20], number=1, new=tuple(range(2, 22)), gap=PositionGap(above=AT, below=900)
    )
    assert rows[:2] == [None, None]
    assert all(rows[2:])
    assert None not in moved([None] * 22, number=1, gap=PositionGap(above=AT, below=900))


def test_no_row_is_placed_below_a_promoted_one_that_stands_in_order_by_chance() -> None:
    rows: list[int | None] = [3 * PAGE_SPAN, None, None, *[-n for n in range(9)], *[None] * 30]
    placed = moved(rows, number=17, gap=PositionGap(above=4 * PAGE_SPAN, below=-PAGE_SPAN))
    assert placed[1:3] == [None, None]
    assert None not in placed[12:]


def test_a_row_below_the_first_one_of_a_later_page_waits_for_neighbours() -> None:
    assert moved([950, None, *ROWS], number=2) == [950, None, *ROWS]
    assert moved([950, *ROWS[:1], None, *ROWS[1:]], number=2) == [950, 900, 850, *ROWS[1:]]


def test_rows_in_no_order_lose_their_positions() -> None:
    shuffled: list[int | None] = [900, 100, 800, 300, 500, 200, 700, 400, 600]
    assert moved([*shuffled, None]) == [None] * 10


def test_a_few_rows_that_are_in_order_by_chance_say_nothing_about_others() -> None:
    few: list[int | None] = [900, 700, 500, 300, 100, *[None] * 20]
    assert span_of(few) is None
    assert not order_of(few, number=2, at=AT, others=[400, 600]).absent


@given(st.permutations(range(40)), st.permutations(range(40)))
def test_an_index_that_is_shuffled_between_two_looks_hides_nothing(one: list[int], two: list[int]) -> None:
    places: list[int | None] = [1_000 * each for each in one]
    placed: list[int | None] = [order_of(places, number=2, at=AT).moves.get(row, places[row]) for row in two]
    assert not order_of(placed[:20], number=2, at=AT, others=sorted(p for p in placed[20:] if p)).absent
