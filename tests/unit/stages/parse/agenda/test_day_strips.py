"""Programmes of one day below a strip of days: films with times, and no day of their own."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from tests.unit.stages.parse.agenda.test_agendas import read

FILM = "<div class=film><h3><a href='/film/{1}'>{0}</a></h3><p>118 min</p>{2}</div>"
FILMS = "".join(
    FILM.format(
        name,
        name.lower(),
        "".join(
            f"<div><span>Sala {n}</span> <a href='/buy/{n}'>{clock}</a></div>"
            for n, clock in enumerate(clocks)
        ),
    )
    for name, clocks in (("Hamnet", ("17:00", "19:30")), ("Sirat", ("20:25",)), ("Bugonia", ("16:10",)))
)
STARTS = [("Hamnet", "17:00"), ("Hamnet", "19:30"), ("Sirat", "20:25"), ("Bugonia", "16:10")]


def strip(tab: str, *, marked: int = -1, mark: str = "") -> str:
    days = ("Mon 12 Oct", "Tue 13 Oct", "Wed 14 Oct", "Thu 15 Oct", "Fri 16 Oct")
    return "".join(tab.format(day, n, mark if n == marked else "") for n, day in enumerate(days))


MARKED = "<a class='tab {2}' href='/programme?d={1}'>{0}</a>"
SAID = "<li data-day={1}>{0} {2}</li>"
SELECTED = "<li><a aria-selected='{2}' href='?d={1}'>{0}</a></li>"
CELL = "<td><a href='?d={1}'>{0}</a></td>"
SPAN = "<span class=date-link>{0}</span>"
LINKS = "<a class='tab' href='/programme?d={1}'>{0}</a>"


@pytest.mark.parametrize(
    ("head", "day"),
    [
        pytest.param(f"<div>{strip(LINKS)}</div>", "12", id="the first, where none is marked"),
        pytest.param(
            f"<div>{strip(MARKED, marked=2, mark='active')}</div>",
            "14",
            id="the active one",
        ),
        pytest.param(
            f"<ul>{strip(SAID, marked=1, mark='(seleccionado)')}</ul>",
            "13",
            id="the one that says that it is chosen",
        ),
        pytest.param(
            f"<ul>{strip(SELECTED, marked=3, mark='true')}</ul>",
            "15",
            id="the selected one",
        ),
        pytest.param(
            f"<h2>All films of Friday 16 October</h2><ul>{strip(SAID)}</ul>",
            "16",
            id="the one of the heading",
        ),
        pytest.param(
            f"<table><tr>{strip(CELL)}</tr></table>", "12", id="cells of a table"
        ),
    ],
)  # fmt: skip
def test_what_follows_a_strip_is_of_its_chosen_day(head: str, day: str) -> None:
    found = read(f"<h1>Programme</h1><div>{head}</div><div><div class=films>{FILMS}</div></div>")
    assert found == [(name, f"2026-10-{day}T{clock}") for name, clock in STARTS]


def test_films_that_show_a_day_of_the_strip_keep_it_and_premieres_are_no_events() -> None:
    film = "<div class=card><h2><a href='/film/{1}'>{0}</a></h2><p><span class=date>{2}</span> | Drama</p><div><p>{3} - OV</p><b>{4}</b></div></div>"
    rows = "".join(
        film.format(name, name.lower(), released, day, clock)
        for name, released, day, clock in (
            ("Hamnet", "11 February 2026", "12 October 2026", "21:00"),
            ("Sirat", "24 September 2025", "12 October 2026", "11:30"),
            ("Bugonia", "27 May 1977", "13 October 2026", "12:00"),
        )
    )
    found = read(f"<h1>Cinema</h1><div>{strip(SPAN)}</div><div>{rows}</div>")
    assert found == [
        ("Hamnet", "2026-10-12T21:00"),
        ("Sirat", "2026-10-12T11:30"),
        ("Bugonia", "2026-10-13T12:00"),
    ]


def test_consecutive_days_with_titles_are_events() -> None:
    row = "<li><a href='/e/{0}'>{1} October 2026 <b>{2}</b></a></li>"
    rows = [
        (str(n), str(12 + n), name) for n, name in enumerate(("Yoga", "Gospel", "Cinema", "Bingo", "Chess"))
    ]
    found = read(f"<h1>Events</h1><ul>{''.join(row.format(*each) for each in rows)}</ul>")
    assert found == [(name, f"2026-10-{day}") for _, day, name in rows]
