"""Days that a page names, with their time and their year."""

import pytest

from larder.sdk import Page
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.agenda.patterns import has_year
from larder.stages.parse.agenda.start_times import time_in
from tests.unit.stages.parse.agenda.test_agendas import each, read


def found(body: str) -> list[str]:
    return [mention.with_time("") for mention in mentions(Page("", f"<body>{body}"))]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>zaterdag 31 oktober 2026</p>", ["zaterdag 31 oktober 2026"]),
        ("<p>Tuesday, January 16, 2018</p>", ["Tuesday, January 16, 2018"]),
        ("<p>July 24th, 2019</p>", ["July 24th, 2019"]),
        ("<p>31.10.2026</p>", ["31.10.2026"]),
        ("<p>04/04/2019</p>", ["04/04/2019"]),
        ("<p>2026-10-31</p>", ["2026-10-31"]),
        ("<p>Mi. 4. März</p>", ["Mi. 4. März"]),
        ("<div class=date><b>02</b> <i>okt</i></div>", ["02 okt"]),
        ("<div class=date>vr 23-04</div>", ["vr 23-04"]),
        ("<time datetime='2026-05-01T20:00'>May 1</time>", ["May 1 2026"]),
        ("<h3>2018 Schedule</h3><p>Jan. 16</p>", ["Jan. 16 2018"]),
        ("<h3>Season 2026-2027</h3><p>Jan. 16</p>", ["Jan. 16 2027"]),
        ("<h3>Season 2026-2027</h3><p>Oct. 16</p>", ["Oct. 16 2026"]),
        ("<h3>Archive 2019 2021</h3><p>Jan. 16</p>", ["Jan. 16"]),
        ("<p>Jan. 16, Feb. 13</p>", ["Jan. 16", "Feb. 13"]),
        ("<p>call 030 12 34 56</p>", []),
        ("<script>var d = '31 oktober 2026'</script>", []),
        ("<p>12.50 / 13.00</p>", []),
    ],
)
def test_days_are_found(body: str, expected: list[str]) -> None:
    assert found(body) == expected


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("za 31 okt 20:15 uur", "20:15"),
        ("doors: 19:00 | start: 19:30", "19:30"),
        ("20:15 - 21:45", "20:15 - 21:45"),
        ("8:30 a.m.", "8:30 a.m."),
        ("20.00 uur", "20.00"),
        ("31.10.2026", ""),
        ("€ 21,50", ""),
        ("zaal open 19:00", "19:00"),
    ],
)
def test_the_time_something_starts(text: str, time: str) -> None:
    assert time_in(text) == time


@pytest.mark.parametrize(
    ("text", "known"),
    [("Jan. 16", False), ("16 jan 2027", True), ("za 31 okt 26", True), ("23-04", False), ("23-04-27", True)],
)
def test_a_year_is_a_second_number(text: str, known: bool) -> None:
    assert has_year(text) is known


@pytest.mark.parametrize(
    "row",
    [
        "<tr><th>{1}</th><td>{0}</td></tr>",
        "<li><span>{1}</span> <a href='/e/{0}'>{0}</a></li>",
        "<p><strong>{1}</strong> {0}, 8pm</p>",
    ],
)
@pytest.mark.parametrize(("heading", "month"), [("What's On This Month", 10), ("Events in November", 11)])
def test_a_day_alone_is_of_the_month_that_the_heading_above_names(row: str, heading: str, month: int) -> None:
    rows = each(row, ("Choir Evening", "12th"), ("Poetry Slam", "21st"), ("Quiz Night", "28th"))
    table = f"<table>{rows}</table>" if row.startswith("<tr>") else rows
    assert [(title, start[:10]) for title, start in read(f"<h1>{heading}</h1>{table}")] == [
        ("Choir Evening", f"2026-{month}-12"),
        ("Poetry Slam", f"2026-{month}-21"),
        ("Quiz Night", f"2026-{month}-28"),
    ]


def test_a_day_alone_below_a_heading_without_a_month_is_no_day() -> None:
    assert found("<h1>What's On</h1><p><strong>12th</strong> Choir Evening</p>") == []
