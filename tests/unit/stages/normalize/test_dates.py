"""What people write on agendas and adverts, read on Friday 9 October 2026 at noon in Amsterdam."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.stages.normalize.dates import parse_when
from larder.stages.normalize.dates.holidays import easter

FIXTURES = Path(__file__).resolve().parents[4].parent / "shared" / "fixtures"
AMSTERDAM = ZoneInfo("Europe/Amsterdam")
NOW = datetime(2026, 10, 9, 12, 0, tzinfo=AMSTERDAM)


def read(text: str, *, now: datetime = NOW, language: str = "nl", prefer: str = "future") -> str | None:
    """`day[ time][ → day[ time]]`, as the text is understood."""
    when = parse_when(text, now=now, languages=(language,), prefer=prefer)
    if when is None:
        return None
    pattern = "%Y-%m-%d %H:%M" if when.time_known else "%Y-%m-%d"
    return when.start.strftime(pattern) + (f" → {when.end.strftime(pattern)}" if when.end else "")


ABSOLUTE = {
    "vrijdag 16 oktober 2026, 20.00 uur": "2026-10-16 20:00",
    "20.00 uur, vrijdag 16 oktober": "2026-10-16 20:00",
    "za 17 okt 20.30": "2026-10-17 20:30",
    "za 17 okt | 20u30": "2026-10-17 20:30",
    "do 8 okt. - 20:30": "2026-10-08 20:30",
    "17-10-2026 20:00": "2026-10-17 20:00",
    "17.10.2026 um 20 Uhr": "2026-10-17 20:00",
    "Sa, 17. Oktober 2026, 19:30 Uhr": "2026-10-17 19:30",
    "Samstag, 17.10., 20 Uhr 30": "2026-10-17 20:30",
    "Sunday, October 18th at 8pm": "2026-10-18 20:00",
    "18 October 2026, 7.30pm": "2026-10-18 19:30",
    "zo 11 okt '26": "2026-10-11",
    "Zaterdag10 oktober": "2026-10-10",
    "10 en 24 okt": "2026-10-10",
    "za 31 okt 26": "2026-10-31",
    "3 februari 82": "1982-02-03",
    "27.10": "2026-10-27",
    "zo. 11/10": "2026-10-11",
    "2018 March 18": "2018-03-18",
    "2026-10-17": "2026-10-17",
    "2026-10-17T20:00:00Z": "2026-10-17 22:00",
    "2026-08-14/2026-08-30": "2026-08-14 → 2026-08-30",
    "1791540000": "2026-10-09 12:00",
    "Deuren 19:30, aanvang 20:15, do 22 okt": "2026-10-22 20:15",
    "27 Oct 2026 | Doors 19:00": "2026-10-27 19:00",
    "donderdag 22 oktober om half negen": "2026-10-22 08:30",
    "za 17 okt 20:00 (over 18 jaar)": "2026-10-17 20:00",
    "1e Kerstdag 15:00": "2026-12-25 15:00",
    "Koningsdag 2025": "2025-04-26",
    "Sunday 15, February": "2027-02-15",
}
MISSING_YEAR = {
    "12 okt": "2026-10-12",
    "9 oktober": "2026-10-09",
    "24 sep": "2027-09-24",
    "Za 02.01": "2027-01-02",
    "wo 30 sep": "2026-09-30",
    "zaterdag 12 oktober": "2026-10-12",
    "29 feb": "2028-02-29",
    "maart": "2027-03-01 → 2027-03-31",
    "eind maart": "2027-03-21 → 2027-03-31",
    "begin april 2028": "2028-04-01 → 2028-04-10",
    "Mitte Mai": "2027-05-11 → 2027-05-20",
}
STRETCHES = {
    "14 t/m 16 mrt": "2027-03-14 → 2027-03-16",
    "vr 14 t/m zo 16 mei": "2027-05-14 → 2027-05-16",
    "May 30 + 31, 2027": "2027-05-30 → 2027-05-31",
    "Thu 9 - Sun 12 Jan 2020": "2020-01-09 → 2020-01-12",
    "16.–18. Oktober 2026": "2026-10-16 → 2026-10-18",
    "16. bis 18.10.2026": "2026-10-16 → 2026-10-18",
    "16.10. - 18.10.2026": "2026-10-16 → 2026-10-18",
    "October 18 – 20, 2026": "2026-10-18 → 2026-10-20",
    "Oct 30 - Nov 2": "2026-10-30 → 2026-11-02",
    "28 dec t/m 3 jan": "2026-12-28 → 2027-01-03",
    "1 september t/m 30 november": "2026-09-01 → 2026-11-30",
    "t/m 20 dec": "2026-10-09 → 2026-12-20",
    "vr 16 en za 17 okt": "2026-10-16 → 2026-10-17",
    "wo 14, do 15 en vr 16 okt": "2026-10-14 → 2026-10-16",
    "tussen 2 okt. en 22 oktober": "2026-10-02 → 2026-10-22",
    "vr 16 okt 20:00 t/m za 17 okt 02:00": "2026-10-16 20:00 → 2026-10-17 02:00",
    "16 okt 2026 20:00 - 17 okt 2026 02:00": "2026-10-16 20:00 → 2026-10-17 02:00",
    "16. Oktober 2026, 20 Uhr bis 17. Oktober 2026, 2 Uhr": "2026-10-16 20:00 → 2026-10-17 02:00",
    "October 16, 2026 20:00 - November 22, 2026 17:00": "2026-10-16 20:00 → 2026-11-22 17:00",
    "October 16 @ 8:00 pm - October 17 @ 2:00 am": "2026-10-16 20:00 → 2026-10-17 02:00",
    "October 16, 2026 - November 22, 2026": "2026-10-16 → 2026-11-22",
    "zaterdag t/m maandag": "2026-10-10 → 2026-10-12",
    "van 14.00 tot 17.00 uur op zondag 18 oktober": "2026-10-18 14:00 → 2026-10-18 17:00",
    "zo 18 okt, 14.00-17.00": "2026-10-18 14:00 → 2026-10-18 17:00",
    "zo 18 okt 14-17 uur": "2026-10-18 14:00 → 2026-10-18 17:00",
    "23:00 - 04:00 za 17 okt": "2026-10-17 23:00 → 2026-10-18 04:00",
    "Wed 4 November 7:30pm-10pm": "2026-11-04 19:30 → 2026-11-04 22:00",
    "Saturday 17 October, 8 - 11pm": "2026-10-17 20:00 → 2026-10-17 23:00",
    "Saturday 17 October, 10 - 12pm": "2026-10-17 10:00 → 2026-10-17 12:00",
    "Saturday 17 October, 9 - 12am": "2026-10-17 21:00 → 2026-10-18 00:00",
    "Saturday 17 October, 10am - 2": "2026-10-17 10:00 → 2026-10-17 14:00",
    "za 17 okt aanvang 20:00 einde 22:30": "2026-10-17 20:00 → 2026-10-17 22:30",
}
RELATIVE = {
    "vanavond 20:30": "2026-10-09 20:30",
    "vanavond om 8 uur": "2026-10-09 20:00",
    "morgen 14.00 uur": "2026-10-10 14:00",
    "morgen Abend um 20 Uhr": "2026-10-10 20:00",
    "overmorgen": "2026-10-11",
    "volgende week zaterdag": "2026-10-17",
    "zaterdag volgende week": "2026-10-17",
    "aanstaande zondag 15:00": "2026-10-11 15:00",
    "nächsten Samstag": "2026-10-17",
    "last Friday": "2026-10-02",
    "zaterdagavond 21.00 uur": "2026-10-10 21:00",
    "za. 20.00": "2026-10-10 20:00",
    "za 17": "2026-10-17",
    "dit weekend": "2026-10-10 → 2026-10-11",
    "volgende maand": "2026-11-01 → 2026-11-30",
    "eerste zondag van maart": "2027-03-07",
    "over drie weken": "2026-10-30",
    "anderhalf uur geleden": "2026-10-09 10:30",
    "een maand geleden": "2026-09-09",
    "vor 3 Tagen": "2026-10-06",
    "in 2 hours": "2026-10-09 14:00",
    "Geplaatst: gisteren 14:33": "2026-10-08 14:33",
    "per direct": "2026-10-09",
    "20:00 uur": "2026-10-09 20:00",
    "20.00": "2026-10-09 20:00",
    "20u30": "2026-10-09 20:30",
    "8:00 PM": "2026-10-09 20:00",
    "11:00": "2026-10-10 11:00",
}
NOTHING = [
    "", "   ", "invalid date", "45.13", "uitverkocht", "Jazz in de kelder", "32 januari 2026", "30 februari",
    "10 - 12 jaar", "25:00", "20.60", "zo", "{{ event.date }}", "8/32", "soirée à l'étage",
    "0000-00-00",
    "999999999999",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [*ABSOLUTE.items(), *MISSING_YEAR.items(), *STRETCHES.items(), *RELATIVE.items()]
)
def test_what_people_write(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize("text", NOTHING)
def test_what_names_no_day_is_none(text: str) -> None:
    assert read(text) is None


def test_the_past_is_preferred_where_asked() -> None:
    assert read("12 oktober", prefer="past") == "2025-10-12"
    assert read("zondag", prefer="past") == "2026-10-04"
    assert read("3 Tage", prefer="past") == "2026-10-06"
    assert read("3 Tage") is None
    assert read("24 sep", prefer="nearest") == "2026-09-24"


def test_month_or_day_first_is_a_matter_of_place() -> None:
    boston = NOW.astimezone(ZoneInfo("America/New_York"))
    assert read("8/10/2027", now=boston, language="en") == "2027-08-10"
    assert read("8/10/2027", language="en") == "2027-10-08"
    assert read("27/10/2027", now=boston, language="en") == "2027-10-27"


IN_OTHER_LANGUAGES = {
    "samedi 14 mars 2027 à 20h": "2027-03-14 20:00",
    "du 3 au 8 décembre": "2026-12-03 → 2026-12-08",
    "le 1er mai 2027": "2027-05-01",
    "vendredi 4 et samedi 5 décembre": "2026-12-04 → 2026-12-05",
    "jeudi 12 novembre de 18h à 20h": "2026-11-12 18:00 → 2026-11-12 20:00",
    "3 de diciembre de 2026": "2026-12-03",
    "del 3 al 8 de diciembre": "2026-12-03 → 2026-12-08",
    "vie, 4 dic. 2026 a las 20:30": "2026-12-04 20:30",
    "14 marzo 2027": "2027-03-14",
    "dal 3 all'8 dicembre": "2026-12-03 → 2026-12-08",
    "sabato 5 dicembre 2026 ore 21:00": "2026-12-05 21:00",
    "De 3 a 8 de dezembro": "2026-12-03 → 2026-12-08",
    "12 / cze / 2019": "2019-06-12",
    "sobota 5 grudnia 2026, godz. 19": "2026-12-05 19:00",
    "lördag 5 december kl. 19.00": "2026-12-05 19:00",
    "tors 3 dec kl 19": "2026-12-03 19:00",
    "5. prosince 2026 v 19:30": "2026-12-05 19:30",
}


@pytest.mark.parametrize(("text", "expected"), IN_OTHER_LANGUAGES.items())
def test_dates_of_other_languages_are_read_without_being_announced(text: str, expected: str) -> None:
    assert read(text) == expected


def test_languages_that_have_no_names_here_are_asked_for() -> None:
    assert read("14 Mart 2027", language="tr") == "2027-03-14"


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        pytest.param("2025-04-25T20:30:00+01:00", "20:30", id="the winter's offset in April"),
        pytest.param("2025-12-25T20:30:00+02:00", "20:30", id="the summer's offset in December"),
        pytest.param("2025-04-25T20:30:00+02:00", "20:30", id="the offset of the day"),
        pytest.param("2025-04-25T20:30:00Z", "22:30", id="UTC"),
        pytest.param("2025-12-25T20:30:00+03:00", "18:30", id="another place's offset"),
    ],
)
def test_an_offset_that_a_site_writes_all_year_does_not_move_the_clock(text: str, hour: str) -> None:
    found = parse_when(text, now=datetime(2025, 4, 1, tzinfo=UTC), tz="Europe/Amsterdam")
    assert found is not None
    assert f"{found.start:%H:%M}" == hour


def test_the_answer_is_in_the_zone_asked_for() -> None:
    when = parse_when(
        "zaterdag 17 oktober 20:00", now=datetime(2026, 10, 9, tzinfo=UTC), tz="Europe/Amsterdam"
    )
    assert when is not None
    assert when.start.isoformat() == "2026-10-17T20:00:00+02:00"


@pytest.mark.parametrize(
    ("year", "day"), [(2024, "03-31"), (2025, "04-20"), (2026, "04-05"), (2027, "03-28")]
)
def test_easter(year: int, day: str) -> None:
    assert easter(year).strftime("%m-%d") == day


WORDS = """za 17 okt 31 februari t/m tot en met - 20.00 uur 20:30 half over voor 2026 '26 morgen vandaag
volgende week dit weekend eind geleden in 3 weken 99999999 jaar 0 00 / . Uhr am pm eerste zondag van de 5e
tussen , 1.5 year"""


@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join))
@settings(max_examples=400, deadline=None)
def test_no_text_raises(text: str) -> None:
    when = parse_when(text, now=NOW, languages=("nl", "fr"))
    assert when is None or when.start.tzinfo is not None


def agenda_cases() -> Iterator[dict[str, Any]]:
    path = FIXTURES / "events" / "cases.jsonl"
    if not path.exists():
        pytest.skip("shared fixtures are absent")
    with path.open(encoding="utf-8") as lines:
        yield from (case for case in map(json.loads, lines) if case["kind"] in {"agenda_date", "agenda_time"})


def test_dutch_agendas() -> None:
    wrong = []
    for case in agenda_cases():
        base = datetime.fromisoformat(case["input"].get("base", "2026-10-09T12:00:00")).replace(
            tzinfo=AMSTERDAM
        )
        found = read(case["input"]["text"], now=base)
        if case["kind"] == "agenda_time":
            found = found and found[-5:]
        if found != (case["expected"] and case["expected"].replace("T", " ")):
            wrong.append((case["input"], found))
    assert wrong == []


def right(case: dict[str, Any]) -> bool:
    """Chrono's cases: the start, and the end where it has one."""
    base = datetime.fromisoformat(case["input"]["base"]).replace(tzinfo=UTC)
    prefer = "future" if case["input"].get("forwardDate") else "nearest"
    when = parse_when(case["input"]["text"], now=base, languages=(case["lang"],), prefer=prefer)
    expected = case["expected"]
    if when is None or expected is None:
        return when is expected
    sides = [(expected["start"], when.start), (expected["end"], when.end)]
    return all(
        side is None
        or (
            found is not None
            and f"{found:%Y-%m-%d}" == side["date"]
            and side.get("time", f"{found:%H:%M}") == f"{found:%H:%M}"
        )
        for side, found in sides
    )


@pytest.mark.parametrize(("lang", "share"), [("nl", 0.85), ("de", 0.70), ("en", 0.75)])
def test_free_text_of_a_peer(lang: str, share: float) -> None:
    path = FIXTURES / "dates" / "cases.jsonl"
    if not path.exists():
        pytest.skip("shared fixtures are absent")
    with path.open(encoding="utf-8") as lines:
        cases = [
            case for case in map(json.loads, lines) if re.match("chrono", case["id"]) and case["lang"] == lang
        ]
    assert sum(map(right, cases)) >= share * len(cases)
