"""A month's grid begins with days of the month before and ends with days of the month after."""

from calendar import Calendar
from datetime import date

import pytest

from larder import extract
from larder.stages.parse.agenda.date_order import months_in_grid

EVENTS = {
    date(2026, 11, 30): "Alpha concert",
    date(2026, 12, 3): "Beta market",
    date(2026, 12, 16): "Gamma choir",
    date(2026, 12, 31): "Delta jazz",
    date(2027, 1, 1): "Echo fair",
    date(2027, 1, 3): "Foxtrot ball",
}


def cell(day: date, beside: str) -> str:
    name = f"<a href='/e/{day}'>{EVENTS[day]}</a>" if day in EVENTS else ""
    return f"<td{beside if day.month != 12 else ''}><span>{day.day}</span>{name}</td>"


def found(beside: str, shown: int = 7) -> dict[str, str]:
    """What is read of December's grid, or of its first weeks."""
    weeks = Calendar().monthdatescalendar(2026, 12)[:shown]
    rows = "".join(f"<tr>{''.join(cell(day, beside) for day in week)}</tr>" for week in weeks)
    page = f"<html lang=en><body><h1>Calendar</h1><h2>December 2026</h2><table>{rows}</table></body></html>"
    items = extract(page, url="https://x.test/calendar", kind="event").items
    return {item["title"]: item["starts_at"][:10] for item in items}


@pytest.mark.parametrize("beside", ["", " class='other-month'"], ids=["alike", "marked"])
def test_the_days_beside_a_month_are_those_of_their_own_months(beside: str) -> None:
    assert found(beside) == {name: day.isoformat() for day, name in EVENTS.items()}


def test_part_of_a_grid_does_not_tell_and_its_marked_days_are_left_out() -> None:
    assert found(" class='other-month'", shown=2) == {"Beta market": "2026-12-03"}


@pytest.mark.parametrize("days", [[24, 25, 26, 27, 28, 29, 30], [28, 30, 1, 5, 12, 28], [5, 6, 7], []])
def test_numbers_that_are_no_whole_month_tell_nothing(days: list[int]) -> None:
    assert months_in_grid(days) == [0] * len(days)


def test_a_month_that_begins_its_week_has_days_behind_it_alone() -> None:
    assert months_in_grid([*range(1, 29), 1, 2, 3]) == [0] * 28 + [1] * 3


def test_a_cell_that_is_called_a_day_and_read_out_is_a_cell() -> None:
    """Empty cells between two events took the title of the one before them."""
    weeks = Calendar().monthdatescalendar(2026, 12)
    rows = "".join(f"<tr>{''.join(_read_out(day) for day in week)}</tr>" for week in weeks)
    page = f"<html lang=en><body><h1>Calendar</h1><h2>December 2026</h2><table>{rows}</table></body></html>"
    items = extract(page, url="https://x.test/calendar", kind="event").items
    shown = [(item["title"], item["starts_at"][:16]) for item in items]
    assert shown == [(name, f"{day}T20:00") for day, name in EVENTS.items() if day.month == 12]


def _read_out(day: date) -> str:
    if day.month != 12:
        return f"<td class=nextmonth><span class=date>{day.day}</span></td>"
    spoken = f"<span class=reader>{day:%B} {day.day}, {day.year}</span>"
    name = f"<h3><a href='/e/{day}'>8:00 PM: {EVENTS[day]}</a></h3>" if day in EVENTS else ""
    return f"<td class=day><span class=date><span>{day.day}</span>{spoken}</span>{name}</td>"
