"""Agendas of systems and languages that were read wrong on a first try."""

# ruff: noqa: E501 - a row of a page is one line

import pytest
from turbohtml import Element, parse

from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.agenda.date_order import is_years_weekday
from larder.stages.parse.agenda.labels import is_other_day
from larder.stages.parse.agenda.recurring import recurring_events
from larder.stages.parse.agenda.start_times import listed_clocks, time_in
from larder.stages.parse.agenda.titles.texts import as_title
from tests.unit.stages.parse.agenda.test_agendas import NOW, read


def calendar(rows: str, month: str) -> str:
    beside = "<div class=mod><h3>Prossimi</h3><table><tr><td><span>Sab Ott 10</span> <a href='/d/1/cena'>Cena sociale</a></td></tr></table></div>"
    return f"<div id=calendar><h2>Calendario</h2><table><tr><td>{month}</td></tr></table><table>{rows}</table></div>{beside}"


def of_day(day: str, *events: tuple[str, str]) -> str:
    listed = "".join(
        f"<li>{time} <a href='/d/{at}/{title[:4].lower()}'>{title}</a> :: <a href='/c/1'>Ritrovi</a></li>"
        for at, (time, title) in enumerate(events)
    )
    return f"<tr><td><a href='/giorno/{day[:2]}'>{day}</a></td><td><ul>{listed}</ul></td></tr>"


def test_few_rows_of_a_table_are_rows_beside_another_box() -> None:
    """With two days the whole calendar was one row, and the second day had the first one's title."""
    rows = of_day("domenica 6 dicembre 2026", ("09:30 - 12:30", "Corso di potatura")) + of_day(
        "sabato 12 dicembre 2026", ("10:00", "Mercatino di Natale")
    )
    found = read(calendar(rows, "Dicembre 2026"), language="it")
    assert found[:2] == [
        ("Corso di potatura", "2026-12-06T09:30"),
        ("Mercatino di Natale", "2026-12-12T10:00"),
    ]


def test_several_events_beside_one_day_of_a_table_are_read() -> None:
    rows = of_day("domenica 6 dicembre 2026", ("09:30", "Corso di potatura")) + of_day(
        "domenica 13 dicembre 2026", ("10:00", "Mercatino"), ("21:00", "Tombola di Natale")
    )
    found = read(calendar(rows, "Dicembre 2026"), language="it")
    assert ("Mercatino", "2026-12-13T10:00") in found
    assert ("Tombola di Natale", "2026-12-13T21:00") in found


@pytest.mark.parametrize(
    ("day", "fits"),
    [("Sab Nov 21", False), ("Sun 21 November", True), ("21 November", True), ("Fri 21 November", True)],
)
def test_a_headings_year_that_a_weekday_contradicts_is_not_its_days(day: str, fits: bool) -> None:
    """The last one's weekday fits no year: a slip. In 2026 the day is a Saturday, in 2027 a Sunday."""
    assert is_years_weekday(day, "2027") is fits


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("insläpp 18:00, scen 19:30", "19:30"),
        ("Dörrarna öppnar 18.00, konsert 19.00", "19.00"),
        ("Dørene åbner kl. 19, på scenen kl. 20", "kl. 20"),
        ("Ovet 18:00, alkaa 19:00", "19:00"),
        ("Einlass ab 19 Uhr, Konzert 20 Uhr", "20 Uhr"),
        ("Ouverture des portes 19h, début du concert 20h", "20h"),
        ("Apertura porte ore 20, inizio ore 21", "ore 21"),
        ("otevření dveří 18:00, začátek 19:00", "19:00"),
        ("klo 19", "klo 19"),
    ],
)
def test_doors_and_starts_are_told_apart_in_other_languages(text: str, start: str) -> None:
    assert time_in(text) == start


@pytest.mark.parametrize(
    "before",
    ["Aanmelden kan tot", "Opgeven kan nog tot", "Bitte melden Sie sich an. Anmeldung möglich bis", "Prenotazioni entro il",
     "Réservation obligatoire avant le", "Anmälan senast"],
)  # fmt: skip
def test_the_last_day_of_a_registration_is_no_event(before: str) -> None:
    text = parse(f"<p>{before} 31-12-2026</p>").select_one("p")
    assert isinstance(text, Element)
    assert is_other_day(text.children[0], before)


def test_a_night_that_markup_ends_on_the_day_of_its_evening_ends_on_the_next() -> None:
    """It was left out: it ended before it began."""
    markup = '{"@type": "Event", "name": "Tangoabend", "startDate": "2026-12-04T21:00", "endDate": "2026-12-04T00:30"}'
    page = f"<html lang=de><script type='application/ld+json'>{markup}</script><h1>Tangoabend</h1>"
    (item,) = extract(page, url="https://agenda.test/e/1", kind="event", now=NOW).items
    assert item["ends_at"][:16] == "2026-12-05T00:30"


def test_all_the_hours_beside_a_films_day_are_shows() -> None:
    """The first one alone was stored, and the run was completed."""
    film = "<article><div><h2><a href='/films/{1}'>{0}</a></h2><p>Drama</p><ul><li><span class=day>vr 20 nov</span> <a href='/t/{1}-1'>19:00</a> <a href='/t/{1}-2'>21:30</a></li><li><span class=day>za 21 nov</span> <a href='/t/{1}-3'>16:15</a></li><li><span class=day>zo 22 nov</span> <a href='/t/{1}-4'>14:00</a></li></ul></div></article>"
    soon = "<section><h2>Binnenkort</h2><article><h2><a href='/films/zomerstorm'>Zomerstorm</a></h2><p>Vanaf 10 december</p></article></section>"
    films = film.format("De Veerman", "veerman") + film.format("Stille Getuige", "getuige")
    found = read(f"<main><h1>Nu te zien</h1>{films}{soon}</main>", language="nl")
    hours = ("2026-11-20T19:00", "2026-11-20T21:30", "2026-11-21T16:15", "2026-11-22T14:00")
    assert sorted(found) == sorted(
        [(title, hour) for title in ("De Veerman", "Stille Getuige") for hour in hours]
        + [("Zomerstorm", "2026-12-10")]
    )


def test_days_without_years_keep_their_end_and_take_no_time_of_the_next_row() -> None:
    row = "<div class=item><div class=date>{0}</div><div class=time>{1}</div><div><a class=title href='/t/{3}'>{2}</a></div></div>"
    rows = (
        ("Sa, 28.11. - So, 29.11.", "", "Adventsbasar", "basar"),
        ("Mi, 09.12.", "14:30 Uhr", "Seniorennachmittag", "senioren"),
        ("Fr, 18.12.", "16 bis 17.30 Uhr", "Krippenspielprobe", "krippe"),
    )
    page = "<html lang=de><main><h1>Termine</h1>" + "".join(row.format(*each) for each in rows)
    items = extract(page, url="https://agenda.test/termine", kind="event", now=NOW).items
    assert [(i["starts_at"][:16], i.get("ends_at", "")[:16], i["time_known"]) for i in items] == [
        ("2026-11-28T00:00", "2026-11-29T23:59", False),
        ("2026-12-09T14:30", "", True),
        ("2026-12-18T16:00", "2026-12-18T17:30", True),
    ]


def test_finnish_and_czech_hours_and_czech_stretches_are_read() -> None:
    row = "<div class=akce><h3><a href='/a/{1}'>{0}</a></h3><p class=kdy>{2}</p></div>"
    rows = (
        ("Jazzový večer", "jazz", "29. 11. 2026 v 15 hodin"),
        ("Vánoční trhy", "trhy", "5. – 6. 12. 2026"),
        ("Kirjailijavieras", "vieras", "10.12.2026 klo 18"),
    )
    assert read("".join(row.format(*each) for each in rows), language="cs") == [
        ("Jazzový večer", "2026-11-29T15:00"),
        ("Vánoční trhy", "2026-12-05"),
        ("Kirjailijavieras", "2026-12-10T18:00"),
    ]


def test_a_match_whose_score_says_that_it_is_off_is_cancelled() -> None:
    row = "<tr><td>{0}</td><td>14:30</td><td><a href='/w/{1}'>{2}</a></td><td>{3}</td></tr>"
    rows = (
        ("zaterdag 21 november 2026", "1", "Rivierpoort - Heuvelen", "-"),
        ("zaterdag 28 november 2026", "2", "De Kempen - Oost", "Afgelast"),
    )
    page = f"<html lang=nl><h1>Programma</h1><table>{''.join(row.format(*each) for each in rows)}</table>"
    items = extract(page, url="https://agenda.test/programma", kind="event", now=NOW).items
    assert [item.get("status") for item in items] == [None, "cancelled"]


def test_a_venue_stands_behind_its_portuguese_label() -> None:
    page = "<html lang=pt><article><h1>Fado na Adega</h1><p><strong>Data/Hora</strong><br>27/11/2026<br><i>21h30</i></p><p><strong>Localização</strong><br><a href='/l/1'>Adega do Cais</a></p></article>"
    (item,) = extract(page, url="https://agenda.test/eventos/fado-na-adega/", kind="event", now=NOW).items
    assert item["venue"] == "Adega do Cais"


def test_how_many_events_a_month_has_is_no_day() -> None:
    facet = "<li><label><input type=checkbox><span class=hide>Check to filter results by 2026</span> {0} <span>({1})</span></label></li>"
    row = "<li class=item><div><span>{0}</span><span>{1}</span></div><h3><a href='/e/{3}'>{2}</a></h3></li>"
    facets = "".join(facet.format(*each) for each in (("October", 9), ("November", 5), ("December", 2)))
    rows = (
        ("Oct", "11", "Jazz Brunch", "a"),
        ("Nov", "2", "Poetry Slam", "b"),
        ("Dec", "3", "Choir Evening", "c"),
    )
    page = (
        f"<div><h2>Narrow</h2><ul>{facets}</ul></div><ul>{''.join(row.format(*each) for each in rows)}</ul>"
    )
    assert [title for title, _ in read(page)] == ["Jazz Brunch", "Poetry Slam", "Choir Evening"]


def test_a_line_among_days_may_say_that_nothing_takes_place() -> None:
    shows = "<br>".join(f"<time>Fri, Oct {day} 2026, 7:30 pm</time>" for day in (16, 23, 30))
    page = f"<h1>Public Skating</h1><div class=dates>{shows}<br>No public skating on December 26 &amp; February 16.</div>"
    assert {day for _, day in read(page)} == {f"2026-10-{day}T19:30" for day in (16, 23, 30)}


def timetable(head: tuple[str, ...], *rows: tuple[str, ...]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr>{body}</table>"


def test_the_columns_of_a_days_table_are_stages() -> None:
    """Each row was one event that was called after the first stage."""
    friday = timetable(("Tijd", "Weide", "Loods"), ("16:00", "Zandkoning", ""), ("17:30", "", "Fanfare Oost"))
    saturday = timetable(
        ("Tijd", "Weide", "Loods"),
        ("13:00", "Kinderdisco", ""),
        ("15:30", "Blik", "Piano"),
        ("20:00", "Koperbeest", ""),
    )
    page = f"<html lang=nl><main><h1>Timetable</h1><h2>vrijdag 11 juni 2027</h2>{friday}<h2>zaterdag 12 juni 2027</h2>{saturday}</main>"
    items = extract(page, url="https://agenda.test/timetable", kind="event", now=NOW).items
    assert [(item["title"], item["starts_at"][:16], item["venue"]) for item in items] == [
        ("Zandkoning", "2027-06-11T16:00", "Weide"),
        ("Fanfare Oost", "2027-06-11T17:30", "Loods"),
        ("Kinderdisco", "2027-06-12T13:00", "Weide"),
        ("Blik", "2027-06-12T15:30", "Weide"),
        ("Piano", "2027-06-12T15:30", "Loods"),
        ("Koperbeest", "2027-06-12T20:00", "Weide"),
    ]


def test_hours_titles_and_speakers_are_no_stages() -> None:
    rows = (
        ("09:00", "Ankommen", ""),
        ("10:00", "Moore im Wandel", "Ruth Abel"),
        ("11:00", "Pause mit Kuchen", ""),
    )
    days = "".join(
        f"<h2>{day}. November 2026</h2>{timetable(('Zeit', 'Programmpunkt', 'Referent'), *rows)}"
        for day in (24, 25)
    )
    titles = [title for title, _ in read(f"<main><h1>Tagung</h1>{days}</main>", language="de")]
    assert "Ruth Abel" not in titles


def test_several_hours_in_a_cell_below_a_day_are_shows() -> None:
    """The first one alone was stored."""
    head = "".join(f"<th>{day}</th>" for day in ("Fri 20 Nov", "Sat 21 Nov", "Sun 22 Nov"))
    rows = "<tr><td><a href='/f/1'>The Lamplighter</a></td><td>18:00, 20:40</td><td>15:10</td><td></td></tr><tr><td><a href='/f/2'>Otters!</a></td><td></td><td>10:30</td><td>11:15</td></tr>"
    found = read(f"<h1>What's on</h1><table><tr><th>Film</th>{head}</tr>{rows}</table>")
    starts = [start for title, start in found if title == "The Lamplighter"]
    assert starts == ["2026-11-20T18:00", "2026-11-20T20:40", "2026-11-21T15:10"]


@pytest.mark.parametrize("times", ["18:00, 20:40", "18:00 en 20:40 uur", "18:00 / 20:40"])
def test_several_hours_in_a_row_are_shows(times: str) -> None:
    """The first one alone was stored."""
    line = "<li><b>{0}</b> <h3><a href='/f/{1}'>{2}</a></h3> <p>{3}</p></li>"
    listed = line.format("20 November", 1, "The Lamplighter", times) + line.format(
        "21 November", 2, "Otters", "15:10"
    )
    assert read(f"<ul>{listed}</ul>") == [
        ("The Lamplighter", "2026-11-20T18:00"),
        ("The Lamplighter", "2026-11-20T20:40"),
        ("Otters", "2026-11-21T15:10"),
    ]


@pytest.mark.parametrize("times", ["Doors 18:00, show 20:40", "Einlass 18:00 / Beginn 20:40"])
def test_doors_and_start_are_one_show(times: str) -> None:
    assert listed_clocks(times) == ()


def test_a_short_day_that_looks_like_a_time_hides_no_hour() -> None:
    """Two shows of a day were one without an hour, and the other was left out as a double in silence."""
    row = "<div class=row><div class=rep-date><b>{0}</b> <span>{1}</span></div><div>godz. {2}</div><div><a href='/s/{3}'>{4}</a></div><div class=buy>{5}</div></div>"
    rows = (
        ("27.11", "pt.", "19:00", "1", "Śluby panieńskie", "Kup bilet"),
        ("29.11", "niedz.", "11:00", "2", "Pchła Szachrajka", "Kup bilet"),
        ("29.11", "niedz.", "13:00", "2", "Pchła Szachrajka", "odwołane"),
    )
    page = (
        f"<html lang=pl><h1>Repertuar</h1><h2>Listopad 2026</h2>{''.join(row.format(*each) for each in rows)}"
    )
    items = extract(page, url="https://agenda.test/repertuar", kind="event", now=NOW).items
    assert [(item["starts_at"][:16], item.get("status")) for item in items] == [
        ("2026-11-27T19:00", None),
        ("2026-11-29T11:00", None),
        ("2026-11-29T13:00", "cancelled"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Displaying 87 meetings for All Groups",
        "1-20 of 87 results",
        "12 evenementen gevonden",
        "12/13: Link to Register to Attend",
        "Click here to register for the webinar",
    ],
)
def test_a_count_of_results_or_a_call_to_register_is_no_title(text: str) -> None:
    assert as_title(text) == ""


@pytest.mark.parametrize("text", ["12 Angry Men", "Join the Circus", "Link to the Stars", "Showing Up"])
def test_a_number_or_a_call_in_a_name_is_left_a_title(text: str) -> None:
    assert as_title(text) == text


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Jeden Mittwoch: Kneipenquiz ab 20 Uhr", "Kneipenquiz"),
        ("Elke dinsdag: repetitie om 20:00", "repetitie"),
        ("Every Tuesday: pub quiz from 8pm", "pub quiz"),
    ],
)
def test_what_comes_again_is_named_without_the_word_before_its_time(line: str, title: str) -> None:
    (item,) = recurring_events(Page("https://a.test/", f"<body><p>{line}</p>"))
    assert item.fields["title"] == title
