"""Days and times of day as pages write them."""

import pytest

from larder.stages.parse.agenda.patterns import days_in, short_date, without_days
from larder.stages.parse.agenda.start_times import time_in


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("5 maggio, ore 21", "ore 21"),
        ("5 de mayo, a las 21", "a las 21"),
        ("Kl. 19", "Kl. 19"),
        ("Doors 19:00, show 20:00", "20:00"),
        ("12 noon", "noon"),
        ("5 May 2026", ""),
    ],
)
def test_a_time_of_day_is_found_by_whatever_word_leads_to_it(text: str, time: str) -> None:
    assert time_in(text) == time


def test_a_text_without_its_days_keeps_all_else() -> None:
    text = "From 5 May 2026 to 7 June 2026, Leeds"
    assert len(days_in(text)) == 1
    assert without_days(text) == "From  , Leeds"
    assert without_days("Leeds") == "Leeds"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("20.11., 19.30 Uhr", "20.11."),
        ("20/11, 20:00", "20/11"),
        ("10.12, 14.30, 16.45", ""),
        ("10.12 – 14.30", ""),
    ],
)
def test_a_comma_may_part_a_day_in_two_numbers_from_its_time(text: str, day: str) -> None:
    assert short_date(text, called=False) == day


@pytest.mark.parametrize("text", ["7/7 – 11/7/2026", "7-7 t/m 11-7-2026", "7.7. – 11.7.2026"])
def test_a_range_in_numbers_is_one_day_text_where_only_its_end_has_the_year(text: str) -> None:
    assert [found[0] for found in days_in(f"{text}, Leeds")] == [text]
