"""Columns of a file: times and amounts are written as by the objects that stand for them."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from larder.actions.dataset.export_rows import COMMON, amount_texts, flat_columns, time_texts
from larder.core.model.money import from_minor
from larder.store.database import micros, moment
from larder.store.reads.export_pages import as_columns

MOMENTS = st.datetimes(datetime(1000, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - the zone is named beside it


@given(st.lists(st.none() | MOMENTS))
@example([datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=UTC), datetime(1969, 12, 31, 23, tzinfo=UTC)])
def test_times_are_written_as_iso(moments: list[datetime | None]) -> None:
    stored = [None if each is None else micros(each) for each in moments]
    assert time_texts(stored) == [None if each is None else moment(each).isoformat() for each in stored]


@given(
    st.lists(
        st.tuples(
            st.none() | st.integers(-(10**12), 10**12), st.sampled_from([None, "EUR", "USD", "JPY", "KWD"])
        )
    )
)
def test_amounts_have_the_decimals_of_their_currency(amounts: list[tuple[int | None, str | None]]) -> None:
    found = amount_texts([minor for minor, _ in amounts], [currency for _, currency in amounts])
    assert found == [None if minor is None else str(from_minor(minor, word)) for minor, word in amounts]


def test_no_rows_have_all_columns() -> None:
    assert [len(column) for column in flat_columns(as_columns([]), ("beds",), {})] == [0] * (len(COMMON) + 1)
