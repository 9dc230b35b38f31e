"""Days that rise down a page, below the heading of a month or a year: where they begin again, the next one follows."""

# ruff: noqa: E501 - a row of a page is one line

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from larder.stages.parse.agenda.rows.rising_days import rolled_years
from tests.unit.stages.parse.agenda.test_agendas import each, read

NOW = datetime(2026, 11, 20, 12, tzinfo=ZoneInfo("Europe/Amsterdam"))
FOUR = (("Open Mic", "open-mic"), ("Quiz Night", "quiz"), ("Jazz Trio", "jazz"), ("Film Club", "film"))


def starts(body: str, language: str = "en") -> list[str]:
    return [at for _, at in read(body, language=language, now=NOW)]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (("18th", "26th", "31st", "2nd"), ["2026-12-18", "2026-12-26", "2026-12-31", "2027-01-02"]),
        (("31st", "26th", "18th", "2nd"), ["2026-12-31", "2026-12-26", "2026-12-18", "2026-12-02"]),
    ],
)
def test_ordinals_that_begin_again_are_of_the_next_month(days: tuple[str, ...], expected: list[str]) -> None:
    rows = each(
        "<div class=gig><b>{0}</b><a href='/g/{2}'>{1}</a></div>",
        *((day, *name) for day, name in zip(days, FOUR, strict=True)),
    )
    assert starts(f"<h1>What's On in December</h1>{rows}") == expected


@pytest.mark.parametrize(
    ("days", "years"),
    [
        (("5 dec", "12 dec", "30 dec", "4 jan"), ["2026", "2026", "2026", "2027"]),
        (("30 dec", "12 dec", "5 dec", "4 jan"), ["2026", "2026", "2026", "2026"]),
        (("5-12", "12-12", "30-12", "4-1"), ["2026", "2026", "2026", "2027"]),
        (("5 jan", "12 feb", "30 mrt", "4 apr"), ["2026", "2026", "2026", "2026"]),
    ],
)
def test_january_behind_december_is_of_the_next_year(days: tuple[str, ...], years: list[str]) -> None:
    assert list(rolled_years((day, "2026") for day in days)) == years


def test_a_heading_of_another_year_begins_anew() -> None:
    days = [
        ("5 dec", "2026"),
        ("6 dec", "2026"),
        ("7 dec", "2026"),
        ("3 jan", "2026"),
        ("5 jan", "2027"),
        ("6 mei 2029", ""),
    ]
    assert list(rolled_years(days)) == ["2026", "2026", "2026", "2027", "2027", ""]


def test_a_weekday_before_a_day_in_numbers_tells_its_year() -> None:
    rows = each(
        "<tr><td>{0}</td><td>20:00</td><td><a href='/a/{2}'>{1}</a></td></tr>",
        *((day, *name) for day, name in zip(("ma 4-1", "wo 6-1", "vr 8-1"), FOUR[:3], strict=True)),
    )
    assert starts(f"<h1>Agenda 2026</h1><table>{rows}</table>", "nl") == [
        "2027-01-04T20:00",
        "2027-01-06T20:00",
        "2027-01-08T20:00",
    ]


def test_lines_that_begin_with_a_number_below_a_month_are_of_that_day() -> None:
    line = "<li>{0}. - <a href='/t/{2}'>{1}</a>, 19.30 Uhr</li>"
    december = each(line, ("5", *FOUR[0]), ("12", *FOUR[1]), ("20", *FOUR[2]))
    body = f"<h1>Termine 2026</h1><h3>Dezember</h3><ul>{december}</ul><h3>Januar</h3><ul>{each(line, ('9', *FOUR[3]))}</ul>"
    assert starts(body, "de") == [
        "2026-12-05T19:30",
        "2026-12-12T19:30",
        "2026-12-20T19:30",
        "2027-01-09T19:30",
    ]


def test_a_list_that_counts_its_lines_has_no_days() -> None:
    rules = "".join(f"<li>{n}. - <a href='/r/{n}'>Rule of the house</a></li>" for n in range(1, 5))
    assert starts(f"<h1>House</h1><h3>Dezember</h3><ul>{rules}</ul>", "de") == []
