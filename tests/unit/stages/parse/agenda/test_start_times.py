"""Which of several times something starts at."""

# ruff: noqa: E501 - a part of a page is one line

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from larder.extraction import extract
from larder.stages.parse.agenda.start_times import clock_key, closing_time_in, listed_clocks, time_in
from tests.unit.stages.parse.agenda.test_agendas import each, read

NOW = datetime(2026, 10, 9, 12, tzinfo=ZoneInfo("Europe/Amsterdam"))
LONG = f"<p>{'They have played together for years. ' * 60}</p>"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Doors 22:00 Curfew 04:00", "22:00"),
        ("Doors 6.30pm Start 7.30pm Curfew 10.30pm", "7.30pm"),
        ("19:00 Deuren open 20:00 Aanvang Support act", "20:00"),
        ("19:00 zaaldeuren open 20:00 start programma", "20:00"),
        ("Muziekcafé open 17:00 Zaal open 19:00 Aanvang hoofdact 20:00", "20:00"),
        ("Voorverkoop 12.50 Avondkassa 15.00 Aanvang 20.30", "20.30"),
        ("do 22 mei VOORVERKOOP 12.50 i AVONDKASSA 15.00 i", ""),
        ("Einde 23:00", ""),
        ("Cup Final 19:45", "19:45"),
        ("The Wanderers, West End 19:30", "19:30"),
        ("Start 20:00, end 22:00", "20:00"),
        ("Beginn: 19:30 – 22:00 Uhr", "19:30 – 22:00"),
        ("17:00 uur: Eetcafé open 20:15 uur: Start voorstelling 22:35 uur: Einde voorstelling", "20:15"),
        ("Garden Open Sunday, August 24, 2026 8:00 AM 12:00 PM", "8:00 AM"),
        ("Doors: Sunday, August 24, 2026 7 PM, show 8 PM", "8 PM"),
    ],
)
def test_the_start_is_told_from_doors_closing_and_prices(text: str, time: str) -> None:
    assert time_in(text) == time


def test_a_time_behind_a_word_for_the_end_is_the_end() -> None:
    assert closing_time_in("Aanvang 19:30 Einde: 23:45") == "23:45"
    assert closing_time_in("Start 20:00, end: 22:00") == "22:00"
    assert closing_time_in("Aanvang 19:30") == ""
    assert closing_time_in("Cup Final 19:45") == ""


def test_two_ways_of_writing_one_time_are_the_same() -> None:
    assert {clock_key(each) for each in ("7.30pm", "19:30", "19.30 uur", "7:30 p.m.")} == {"19:30"}


def start_of(body: str) -> str:
    page = f"<html lang=en><head><title>The Rakes - Hall</title></head><body><div>{body}</div></body></html>"
    (found,) = extract(page, url="https://hall.test/agenda/the-rakes/", kind="event", now=NOW).items
    assert found["title"] == "The Rakes"
    return str(found["starts_at"])[: 16 if found["time_known"] else 10]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "<div>sa 21 November 2026 <b>19:00</b></div><h1>The Rakes</h1>{}<h3>Times</h3>Doors: 19:00<br>Start: 19:30<br>Ends: 23:00",
            id="the opening of doors beside the day",
        ),
        pytest.param(
            "<h1>The Rakes</h1><p>sa 21 November 2026</p>{}<dl><dd>19:00</dd><dt>Doors</dt><dd>19:30</dd><dt>Start</dt></dl>",
            id="values above their terms, far from the day",
        ),
        pytest.param(
            "<h1>The Rakes</h1><h6>When</h6><p>Saturday 21st November 2026</p><p>Doors 6.30pm</p><p>Start 7.30pm</p>{}",
            id="a paragraph each",
        ),
    ],
)
def test_what_a_page_calls_the_start_counts(body: str) -> None:
    assert start_of(body.format(LONG)) == "2026-11-21T19:30"


def test_two_times_that_are_called_starts_decide_nothing() -> None:
    body = f"<h1>The Rakes</h1><p>21 November 2026</p>{LONG}<p>Start: 19:30</p><p>Start: 21:30</p>"
    assert start_of(body) == "2026-11-21"


def test_midnight_in_utc_beside_its_own_day_is_no_time() -> None:
    body = "<h1>The Rakes</h1><time datetime='2026-11-21T00:00:00.000Z'>Nov 21 2026</time>"
    assert start_of(f"{body}{LONG}") == "2026-11-21"


def test_the_end_is_what_a_page_or_a_row_calls_so() -> None:
    body = "<h1>The Rakes</h1><dl><dt>Date</dt><dd>21 November 2026</dd><dt>Doors</dt><dd>19.00 uur</dd><dt>Start</dt><dd>19.30 uur</dd><dt>Curfew</dt><dd>22.30 uur</dd></dl>"
    page = f"<html lang=en><head><title>The Rakes - Hall</title></head><body><div>{body}{LONG}</div></body></html>"
    (found,) = extract(page, url="https://hall.test/agenda/the-rakes/", kind="event", now=NOW).items
    assert (found["starts_at"][:16], found["ends_at"][:16]) == ("2026-11-21T19:30", "2026-11-21T22:30")
    rows = "".join(
        f"<li><h3><a href='/e/{name}'>{name}</a></h3><p>2{at} November 2026</p><p>Beginn 19:30 Ende 22:00</p></li>"
        for at, name in enumerate(("Rakes", "Harrows", "Sickles"))
    )
    listed = extract(f"<html lang=de><ul>{rows}</ul>", url="https://hall.test/e", kind="event", now=NOW).items
    assert [item["ends_at"][11:16] for item in listed] == ["22:00"] * 3


def test_an_amount_behind_a_word_for_prices_is_no_show() -> None:
    assert listed_clocks("Eintritt 10.00, 19.30") == listed_clocks("VK 15.00 / 20.30") == ()
    assert listed_clocks("14.00, 19.30") == ("14.00", "19.30")


def test_what_closes_before_the_start_is_no_end_of_the_event() -> None:
    page = "<h1>The Rakes</h1><p>20 November 2026 20:00</p>{}<footer><p>Box office open 10:00, ends {}</p></footer>"
    body = f"<html lang=en><head><title>The Rakes - Hall</title></head><body>{page}"
    ends = [
        extract(body.format(LONG, end), url="https://hall.test/agenda/the-rakes/", kind="event", now=NOW)
        for end in ("18:00", "23:00", "02:00")
    ]
    assert [str(each.items[0].get("ends_at") or "")[11:16] for each in ends] == ["", "23:00", "02:00"]


@pytest.mark.parametrize(
    "lines",
    [
        "<p>12 December 2026</p><p>Happy hour starts 17:00</p><p>20:00</p>",
        "<p>12 December 2026, 20:00. Happy hour starts 17:00</p>",
        "<p>12 December 2026, 20:00</p><p>Kartenverkauf ab 17:00</p>",
    ],
)
def test_what_starts_beside_an_event_is_not_its_start(lines: str) -> None:
    assert start_of(f"<h1>The Rakes</h1>{lines}") == "2026-12-12T20:00"


ROW = "<li><h3><a href='/e/{0}'>{0}</a></h3><p>{1}</p></li>"
LISTED = [
    (
        ["4.48 Psychosis|", "Hamlet|, 20:00", "Macbeth|, 20:00"],
        ["4.48 Psychosis -", "Hamlet 20:00", "Macbeth 20:00"],
    ),
    (["4.48 Psychosis|, 20:00", "Hamlet|, 20:00"], ["4.48 Psychosis 20:00", "Hamlet 20:00"]),
    (["4.48 Psychosis|", "Hamlet|", "Macbeth|"], ["4.48 Psychosis -", "Hamlet -", "Macbeth -"]),
    (["19.30 Choir|", "20.00 Hamlet|", "20.00 Macbeth|"], ["Choir 19:30", "Hamlet 20:00", "Macbeth 20:00"]),
    (["19.30 uur Choir|", "Hamlet|", "Macbeth|"], ["Choir 19:30", "Hamlet -", "Macbeth -"]),
    (["19.30 | Choir|", "Hamlet|", "Macbeth|"], ["Choir 19:30", "Hamlet -", "Macbeth -"]),
]


@pytest.mark.parametrize(("rows", "expected"), LISTED)
def test_a_number_that_a_title_begins_with_is_a_time_where_something_says_so(
    rows: list[str], expected: list[str]
) -> None:
    pairs = (row.rpartition("|") for row in rows)
    days = ((title, f"{at} November 2026{time}") for at, (title, _, time) in enumerate(pairs, 20))
    found = read(f"<h1>Agenda</h1><ul>{each(ROW, *days)}</ul>")
    assert [f"{title} {start[11:] or '-'}" for title, start in found] == expected


@pytest.mark.parametrize(("time", "start"), [("", "2026-11-20"), (", 20:00", "2026-11-20T20:00")])
def test_a_pages_headline_that_begins_with_a_number_keeps_it(time: str, start: str) -> None:
    page = (
        f"<title>4.48 Psychosis - Theatre</title><main><h1>4.48 Psychosis</h1><p>20 November 2026{time}</p>"
    )
    assert read(page) == [("4.48 Psychosis", start)]
