"""What fresh agendas showed: titles above their rows, hours beside columns of days, stages below a day."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.agenda.date_order import day_below_month
from larder.stages.parse.agenda.labels import is_other_day
from larder.stages.parse.agenda.patterns import without_when
from larder.stages.parse.agenda.relative_days import with_until
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.timetables.line_rows import with_lines_as_rows
from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.agenda.venues import venue_of
from larder.stages.parse.pagination.months import month_of
from larder.stages.parse.pagination.words import is_step
from tests.unit.stages.parse.agenda.test_agendas import NOW, each, read


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("Durée : 1h40, à 20h30", "20h30"),
        ("1h40min sans entracte, 20h30", "20h30"),
        ("Speelduur: ca. 2.15 uur", ""),
        ("Quiz Night 7.30 for 8pm", "8pm"),
        ("Choir for 8pm", "8pm"),
    ],
)
def test_how_long_it_lasts_and_when_people_come_is_no_start(text: str, clock: str) -> None:
    assert time_in(text) == clock


@pytest.mark.parametrize(
    ("text", "title"),
    [("21:00 Sfilata di carnevale", "Sfilata di carnevale"), ("16.30 uur: Film", "Film")],
)
def test_the_time_that_a_text_begins_with_is_no_part_of_its_title(text: str, title: str) -> None:
    assert as_title(text) == title


@pytest.mark.parametrize("before", ["Registration opens", "Registration opens on", "Booking starts"])
def test_the_day_on_which_registration_opens_is_no_event(before: str) -> None:
    (paragraph,) = Page("https://a.test/", f"<body><p>{before} November 9.</p>").css("p")
    assert is_other_day(paragraph.children[0], before)


def test_a_heading_right_above_each_row_is_its_title() -> None:
    row = "<h3>{0}</h3><p>{1} {2}. Tickets £4 from the Post Office. Contact Jean on 01234 567890.</p>"
    rows = [
        ("Quiz Night", "Saturday 21st November", "7.30 for 8pm"),
        ("Christmas Lunch", "Saturday 28th November", "at noon"),
        ("Parish Council", "Tuesday 5th January", "7 p.m."),
    ]
    assert read(f"<h1>What's On</h1>{each(row, *rows)}") == [
        ("Quiz Night", "2026-11-21T20:00"),
        ("Christmas Lunch", "2026-11-28T12:00"),
        ("Parish Council", "2027-01-05T19:00"),
    ]


def test_a_paragraph_in_bold_right_above_each_row_is_its_title() -> None:
    row = "<p><b>{0}</b></p><p>{1}, 20.00 uur, entree 5 euro</p>"
    rows = [("Klaverjassen", "vr 20 nov"), ("Kienen", "za 21 nov"), ("Lotto", "zo 22 nov")]
    assert [title for title, _ in read(each(row, *rows), language="nl")] == [
        "Klaverjassen",
        "Kienen",
        "Lotto",
    ]


def test_a_heading_above_a_list_of_rows_is_no_title() -> None:
    row = "<p>{0}: {1}, 8pm</p>"
    rows = [("Okto", "20 November 2026"), ("Noord", "21 November 2026"), ("Lanterne", "22 November 2026")]
    assert "Concerts" not in dict(read(f"<h1>Agenda</h1><h3>Concerts</h3>{each(row, *rows)}"))


WEEK = (
    "<h1>Kursplan</h1><p><a href='?w=1'>« vorige Woche</a> KW 42 (12.10. – 14.10.2026) <a href='?w=3'>nächste Woche »</a></p>"
    "<table><tr><th>Zeit</th><th>Mo<br>12.10.</th><th>Di<br>13.10.</th><th>Mi<br>14.10.</th></tr>"
    "<tr><td>09:00</td><td><a href='/k/1'><b>Yoga</b></a><br>Raum 1</td><td></td><td>Pilates<br>Raum 2</td></tr>"
    "<tr><td>17:30 Uhr</td><td></td><td><a href='/k/3'>Zumba</a></td><td></td></tr></table>"
)


def test_a_table_of_hours_and_days_shows_what_is_on_in_its_cells() -> None:
    assert read(WEEK, language="de") == [
        ("Yoga", "2026-10-12T09:00"),
        ("Pilates", "2026-10-14T09:00"),
        ("Zumba", "2026-10-13T17:30"),
    ]


def test_a_weekday_in_a_piece_of_its_own_decides_the_year() -> None:
    """The week that a timetable shows may have begun."""
    past = WEEK.replace("12.10.", "05.10.").replace("13.10.", "06.10.").replace("14.10.", "07.10.")
    assert {start[:7] for _, start in read(past, language="de")} == {"2026-10"}


@pytest.mark.parametrize("label", ["nächste Woche »", "« vorige Woche", "previous", "semaine suivante", "›"])
def test_what_leads_to_the_page_beside_is_a_step(label: str) -> None:
    assert is_step(label)


@pytest.mark.parametrize("label", ["Next to Normal", "Yoga", "Nächste Woche: Flohmarkt", ""])
def test_what_leads_to_an_event_is_none(label: str) -> None:
    assert not is_step(label)


def test_headings_above_timed_lists_are_the_stages_of_a_day() -> None:
    acts = "<h4>Palco Grande</h4><ul><li>19:30 <b>{0}</b></li><li>21:00 <b>{1}</b></li></ul><h4>Tenda</h4><ul><li>18:15 <b>{2}</b></li></ul>"
    days = (("venerdì 4 dicembre", "Motta", "Nada", "Ginevra"), ("sabato 5 dicembre", "Okto", "Lori", "Sara"))
    body = "".join(f"<section><h2>{day}</h2>{acts.format(*names)}</section>" for day, *names in days)
    found = extract(
        f"<html lang=it><body><h1>Programma</h1>{body}", url="https://a.test/p", kind="event", now=NOW
    )
    assert [(item["title"], item["venue"], item["starts_at"][5:16]) for item in found.items][:3] == [
        ("Motta", "Palco Grande", "12-04T19:30"),
        ("Nada", "Palco Grande", "12-04T21:00"),
        ("Ginevra", "Tenda", "12-04T18:15"),
    ]
    assert len(found.items) == 6


def test_a_builder_s_hook_may_name_the_venue() -> None:
    (row,) = Page(
        "https://a.test/", "<body><li><h3>Show</h3><div data-hook='short-location'>The Loft</div></li>"
    ).css("li")
    assert venue_of(row) == "The Loft"


def test_dated_lines_of_one_paragraph_are_rows() -> None:
    line = "{0} 22 Uhr – <b>{1}</b> – 8 €"
    rows = [("Fr 20.11.", "Technonacht"), ("Sa 21.11.", "80er Party"), ("Sa 28.11.", "Poetry Slam")]
    body = "<h1>Termine</h1><p>" + "<br>".join(line.format(*row) for row in rows) + "</p>"
    assert read(body, language="de") == [
        ("Technonacht", "2026-11-20T22:00"),
        ("80er Party", "2026-11-21T22:00"),
        ("Poetry Slam", "2026-11-28T22:00"),
    ]


def test_parts_between_empty_lines_are_rows() -> None:
    part = "<b>{1}</b><br>{0}, 20 Uhr<br>Eintritt 8 €"
    rows = [("20.11.2026", "Technonacht"), ("21.11.2026", "80er Party"), ("28.11.2026", "Poetry Slam")]
    body = "<h1>Termine</h1><p>" + "<br><br>".join(part.format(*row) for row in rows) + "</p>"
    assert [title for title, _ in read(body, language="de")] == ["Technonacht", "80er Party", "Poetry Slam"]


def test_lines_that_say_only_when_are_no_rows() -> None:
    html = "<div><h3>Okto</h3><p>Fr 20.11. 20 Uhr<br>Sa 21.11. 20 Uhr<br>So 22.11. 18 Uhr</p></div>"
    assert with_lines_as_rows(html) == html


def test_what_is_not_broken_into_dated_lines_stays_as_it_is() -> None:
    html = "<p>Town Hall<br>1 High Street<br>Leeds</p><p>Open daily</p>"
    assert with_lines_as_rows(html) == html


SHOWS = "<tr><th>Mer 14/10</th><th>Jeu 15/10</th><th>Ven 16/10</th></tr><tr><td>14h30<br>20h45</td><td></td><td>18h00</td></tr>"


def test_the_heading_above_a_table_of_days_is_its_title() -> None:
    film = "<div class=film><h2><a href='/f/{0}'>{0}</a></h2><p>France – 1h48</p><table>{1}</table></div>"
    body = film.format("Marées", SHOWS) + film.format("Porto", SHOWS)
    found = read(f"<h1>Programme</h1>{body}", language="fr")
    assert sorted(found)[:3] == [
        ("Marées", "2026-10-14T14:30"),
        ("Marées", "2026-10-14T20:45"),
        ("Marées", "2026-10-16T18:00"),
    ]
    assert len(found) == 6


def test_a_calendar_s_cells_may_list_events_without_links() -> None:
    cells = "".join(
        f"<td><div>{day}</div>{'<ul><li><b>18:00</b> Club de lectura</li></ul>' if day == 12 else ''}</td>"
        for day in range(9, 16)
    )
    table = f"<table class=cal><caption>Noviembre de 2026</caption><tr>{cells}</tr></table>"
    assert read(f"<h1>Agenda</h1>{table}", language="es") == [("Club de lectura", "2026-11-12T18:00")]


@pytest.mark.parametrize("text", ["23:00 - Fine evento", "23:00 Ende", "22.30 fin"])
def test_a_time_before_the_word_for_its_end_is_no_start(text: str) -> None:
    assert time_in(text) == ""


def test_what_is_on_now_continues_until_its_last_day() -> None:
    assert with_until("28 January 2027", "Now – 28 January 2027") == "until 28 January 2027"


def test_the_panels_of_tabs_are_read_though_a_click_shows_them() -> None:
    panel = "<div class=tab-pane role=tabpanel style='{0}'><h2>{1}</h2><div class=r><span class=d>{2}</span> <a href='/p/{3}'>{3}</a></div></div>"
    panels = [("", "oktober 2026", "za 31", "Okto"), ("display:none", "november 2026", "zo 1", "Noord")]
    found = read(f"<h1>Programma</h1>{each(panel, *panels)}", language="nl")
    assert found == [("Okto", "2026-10-31"), ("Noord", "2026-11-01")]


@pytest.mark.parametrize("between", ["/11 – ", ".11. – "])
def test_days_in_numbers_that_like_entries_begin_with_are_days(between: str) -> None:
    row = "<li>{0}" + between + "<a href='/e/{1}'>{1}</a> – ore 22</li>"
    body = f"<ul>{each(row, ('20', 'Malerba'), ('22', 'Fuoco'), ('28', 'Tango Night'))}</ul>"
    assert read(body, language="it") == [
        ("Malerba", "2026-11-20T22:00"),
        ("Fuoco", "2026-11-22T22:00"),
        ("Tango Night", "2026-11-28T22:00"),
    ]


def test_a_fraction_in_one_entry_is_no_day() -> None:
    assert read("<ul><li>1/2 – Finale</li><li>Tango – ore 22</li><li>Okto</li></ul>", language="it") == []


def test_the_hour_mark_behind_a_time_is_no_part_of_a_title() -> None:
    assert without_when("12:00 h. Pregón de fiestas") == "Pregón de fiestas"


@pytest.mark.parametrize("house", ["Johanneskirche", "Bovenzaal", "Dorpsplein", "Gemeindehaus"])
def test_a_house_may_be_one_word(house: str) -> None:
    (row,) = Page("https://a.test/", f"<body><li><h3>Show</h3><p>{house}</p></li>").css("li")
    assert venue_of(row) == house


def test_a_day_of_the_week_and_its_number_below_a_month_are_a_day() -> None:
    row = "<div><h3>{0}</h3><p>{1}, Maison de quartier</p></div>"
    rows = [("Balade", "Samedi 14 à 14h"), ("Conseil", "Lundi 16 à 18h30"), ("Concert", "Vendredi 20 à 20h")]
    assert read(f"<h1>Agenda : novembre 2026</h1>{each(row, *rows)}", language="fr") == [
        ("Balade", "2026-11-14T14:00"),
        ("Conseil", "2026-11-16T18:30"),
        ("Concert", "2026-11-20T20:00"),
    ]


@pytest.mark.parametrize("text", ["Montag 9 – 17 Uhr", "Di 14 Uhr", "21 – 23", "3 x 2"])
def test_hours_below_a_month_are_no_days(text: str) -> None:
    assert day_below_month(text) == ""


def test_what_is_marked_is_the_title_though_the_row_goes_on() -> None:
    day = "<h3>{0}</h3><p><strong>20:00 Uhr | {1}</strong><br>Großes Haus, eine Pause<br><a href='https://k.test/1'>Karten</a></p>"
    rows = [
        ("Freitag, 20. November", "Hamlet"),
        ("Sonntag, 22. November", "Woyzeck"),
        ("Montag, 23. November", "Loriot"),
    ]
    assert [title for title, _ in read(f"<h1>Spielplan</h1>{each(day, *rows)}", language="de")] == [
        "Hamlet",
        "Woyzeck",
        "Loriot",
    ]


@pytest.mark.parametrize(
    "address", ["/agenda-12-2026.html", "/agenda/2026-12", "/agenda/12/2026", "/agenda?m=12&y=2026"]
)
def test_an_address_may_name_its_month_before_the_year(address: str) -> None:
    assert month_of(f"https://a.test{address}") == 2026 * 12 + 11
