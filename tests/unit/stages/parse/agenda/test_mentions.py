"""Days that a page names, with their time and their year."""

import pytest

from larder.sdk import Page
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.agenda.patterns import has_year
from larder.stages.parse.agenda.start_times import time_in


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
