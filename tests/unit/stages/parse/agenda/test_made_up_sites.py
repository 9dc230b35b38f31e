"""Rules that made-up sites asked for on a first try: each on the smallest page that needs it."""

# ruff: noqa: E501 - a row of a page is one line

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.agenda.date_order import with_day_first
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.extraction_task import ExtractionTask
from tests.unit.stages.parse.agenda.test_agendas import NAMES, each, read

NOW = datetime(2026, 11, 18, 20, tzinfo=ZoneInfo("Europe/Amsterdam"))


def shown(body: str, language: str = "en") -> list[dict[str, object]]:
    page = Page("https://a.test/agenda", f"<html lang={language}><body>{body}</body></html>")
    return [
        dict(item.fields)
        for item in visible_events(ExtractionTask(page=page, kind=Kind.EVENT, purpose=Purpose.INDEX))
    ]


def test_the_day_stands_first_where_the_year_stands_apart_or_is_missing() -> None:
    page = Page("https://a.test/", '<html lang="da"><body></body></html>')
    found = with_day_first(["lør 05/12 2026", "05/12"], page)
    assert found == {"lør 05/12 2026": "lør 05.12.2026", "05/12": "05.12."}


def test_a_films_heading_is_the_title_of_its_showings() -> None:
    """`VO` beside each time is a label, and the day of its release no showing."""
    film = (
        "<article><h2><a href='/film/{1}'>{0}</a></h2><p>1h32 – Drame – Sortie le 4 novembre 2026</p>"
        "<div class=j><span class=jour>Vendredi 20 novembre</span><ul><li><a href='https://b.test/1'>14h00</a> <small>VO</small></li></ul></div>"
        "<div class=j><span class=jour>Samedi 21 novembre</span><ul><li><a href='https://b.test/2'>18h30</a> <small>VO</small></li>"
        "<li><a href='https://b.test/3'>20h45</a> <small>VO</small></li></ul></div></article>"
    )
    found = read(f"<h1>Programme</h1>{each(film, *NAMES)}", language="fr", now=NOW)
    shows = ("2026-11-20T14:00", "2026-11-21T18:30", "2026-11-21T20:45")
    assert found == [(name, at) for name, _ in NAMES for at in shows]


def test_acts_in_boxes_below_their_stages_are_the_events() -> None:
    def stage(name: str, first: int) -> str:
        slots = "".join(
            f"<div class=slot><span>{first + at}:00–{first + at}:45</span> <strong>{act} {name}</strong></div>"
            for at, act in enumerate(("Ada Hz", "Koi Pond"))
        )
        return f"<div class=stage><h3>{name}</h3>{slots}</div>"

    days = "".join(
        f"<section><h2>{day}</h2><div class=grid>{stage('The Barn', hour)}{stage('Chapel', hour + 1)}</div></section>"
        for day, hour in (("Friday 4 December", 14), ("Saturday 5 December", 15))
    )
    found = shown(f"<h1>Timetable</h1><p>4–5 December 2026</p>{days}")
    assert len(found) == 8
    assert found[0] == {
        "title": "Ada Hz The Barn",
        "venue": "The Barn",
        "date_text": "Friday 4 December 14:00–14:45",
    }


def test_a_day_beside_several_rows_of_a_table_is_the_day_of_each() -> None:
    """Shorter rows have their places in the same columns as long ones; two services of a day are two."""
    head = "<tr><th>Datum</th><th>Uhrzeit</th><th>Veranstaltung</th><th>Ort</th><th>Leitung</th></tr>"
    block = (
        "<tr><td rowspan=2>So, {0}</td><td>9.30 Uhr</td><td>Gottesdienst</td><td>Kirche</td><td>Pfr. Klein</td></tr>"
        "<tr><td>18.00 Uhr</td><td>Gottesdienst</td><td>Haus West</td><td>Pfr. Klein</td></tr>"
    )
    rows = each(block, ("22.11.26",), ("06.12.26",), ("13.12.26",))
    found = shown(f"<h1>Gottesdienste</h1><table>{head}{rows}</table>", "de")
    assert [(each["date_text"], each["venue"]) for each in found] == [
        (f"So, {day} {clock}", place)
        for day in ("22.11.26", "06.12.26", "13.12.26")
        for clock, place in (("9.30", "Kirche"), ("18.00", "Haus West"))
    ]


def test_a_ticket_link_beside_an_entry_does_not_cut_off_its_time() -> None:
    item = (
        "<div class=item><div class=hour>{2}</div><div><a href='/s/{1}'>{0}</a></div>"
        "<a href='https://bilety.test/{1}'>kup bilet</a></div>"
    )
    day = "<div class=rep-day><div class=rep-date><span class=num>{0}</span> <span>{1}</span></div><div>{2}</div></div>"
    two = each(item, (*NAMES[0], "17:30"), (*NAMES[1], "20:15"))
    one = each(item, (*NAMES[2], "19:00"))
    page = f"<h1>Repertuar</h1><h2>listopad 2026</h2>{each(day, ('20', 'pt', two), ('22', 'nd', one), ('24', 'wt', two))}"
    starts = [at for _, at in read(page, language="pl", now=NOW)]
    assert starts == [
        "2026-11-20T17:30",
        "2026-11-20T20:15",
        "2026-11-22T19:00",
        "2026-11-24T17:30",
        "2026-11-24T20:15",
    ]


def test_the_end_in_an_element_of_that_name_needs_no_dash() -> None:
    row = (
        "<article><div class=tag><div class=month>Nov</div><div class=day>{2}</div></div><h1><a href='/e/{1}'>{0}</a></h1>"
        "<time class=event-date datetime='2026-11-{2}'>Friday, November {2}, 2026</time>"
        "<span><time class=time-start datetime='2026-11-{2}'>2:00 PM</time><span class=divider></span>"
        "<time class=time-end datetime='2026-11-{2}'>4:00 PM</time></span></article>"
    )
    rows = each(row, *((*name, day) for name, day in zip(NAMES, ("20", "21", "22"), strict=True)))
    assert [event["date_text"] for event in shown(rows)] == [
        f"Friday, November {day}, 2026 2:00 PM - 4:00 PM" for day in (20, 21, 22)
    ]


def test_an_empty_element_that_is_drawn_as_a_dash_joins_two_days() -> None:
    row = (
        "<article><div class=tag><div class=month>Nov</div><div class=day>{2}</div></div><h1><a href='/e/{1}'>{0}</a></h1>"
        "<p><time class=event-date datetime='2026-11-{2}'>Fri, {2} Nov 2026</time> <time datetime='2026-11-{2}'>23:45</time>"
        "<span class=event-divider></span> <time class=event-date datetime='2026-11-{3}'>Sat, {3} Nov 2026</time>"
        " <time datetime='2026-11-{3}'>00:45</time></p>" + "<p>Words.</p>" * 200 + "</article>"
    )
    days = (("06", "07"), ("13", "14"), ("20", "21"))
    rows = each(row, *((*name, *day) for name, day in zip(NAMES, days, strict=True)))
    assert [(event["date_text"], event["ends_at"]) for event in shown(rows)] == [
        (f"Fri, {first} Nov 2026 23:45", f"2026-11-{last}") for first, last in days
    ]


def test_a_stamp_gives_its_year_to_the_day_that_is_shown() -> None:
    row = "<li><time datetime='2025-10-{2}'>Oct {2}</time> <h3><a href='/e/{1}'>{0}</a></h3></li>"
    rows = each(row, *((*name, day) for name, day in zip(NAMES, ("03", "10", "17"), strict=True)))
    assert [at for _, at in read(f"<ul>{rows}</ul>", now=NOW)] == ["2025-10-03", "2025-10-10", "2025-10-17"]


def test_of_lines_without_headings_the_one_that_differs_is_the_title() -> None:
    line = "<p><strong>zondag {1} november 2026</strong><br>15.30 uur, {2}<br><em>{0}</em><br>Toegang: € 10,-</p>"
    places = ("Grote Kerk, Epe", "De Eik", "Grote Kerk, Epe")
    rows = each(
        line,
        *(
            (name, day, place)
            for (name, _), day, place in zip(NAMES, ("22", "29", "30"), places, strict=True)
        ),
    )
    assert [title for title, _ in read(f"<h1>Agenda</h1>{rows}", language="nl", now=NOW)] == [
        name for name, _ in NAMES
    ]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("<p>Elke dinsdag 20.00 uur: repetitie in De Eik.</p>", "repetitie in De Eik"),
        ("<p>Jeden ersten Freitag im Monat, 19 Uhr: Spieleabend</p>", "Spieleabend"),
        ("<div><h3>Yoga for beginners</h3><p>Every Tuesday 8pm</p></div>", "Yoga for beginners"),
        ("<div><h3>Bar</h3><p>Open every Friday 18:00-23:00</p></div>", ""),
        ("<p>Every Tuesday we send you our newsletter</p>", ""),
        ("<footer><p>Tous les mardis 19h : répétition</p></footer>", ""),
        ("<p>Wochenmarkt: jeden Samstag 8–13 Uhr</p>", "Wochenmarkt"),
        (
            "<li>Marché des producteurs du canton – tous les samedis 8h-13h, place du Marché</li>",
            "Marché des producteurs du canton",
        ),
        ("<p>Repair café (elke eerste zaterdag van de maand, 13.00-16.00 uur)</p>", "Repair café"),
        ("<p><b>Yoga:</b> every Tuesday 8pm</p>", "Yoga"),
        ("<p>Coro: ogni giovedì</p>", "Coro"),
        ("<p>Öffnungszeiten: jeden Samstag 8–13 Uhr</p>", ""),
        ("<section><h3>Opening hours</h3><p>Café: every Saturday 8am-1pm</p></section>", ""),
        (
            "<p>Please note: every Tuesday the whole street in front of the house is blocked until noon.</p>",
            "",
        ),
        ("<p>We sing together every Tuesday 8pm and would be glad if many others came along.</p>", ""),
    ],
)
def test_days_that_come_again_are_items_without_a_date(line: str, title: str) -> None:
    rows = each(
        "<li><time datetime='2026-12-0{2}'>{2} Dec 2026</time> <h3><a href='/e/{1}'>{0}</a></h3></li>",
        *((*name, str(at)) for at, name in enumerate(NAMES, start=1)),
    )
    found = [event for event in shown(f"<h1>Agenda</h1><ul>{rows}</ul>{line}") if "url" not in event]
    assert [event["title"] for event in found] == ([title] if title else [])


def test_a_card_without_headings_is_called_as_its_link_is() -> None:
    """The genre comes first and is the same on all, and the page's headline is no title of its rows."""
    card = (
        "<a class=spectacle href='/saison/{1}'><div class=s-date>ven {2} nov. — 20h00</div><div class=s-genre>Théâtre</div>"
        "<div class=s-nom>{0}</div><div class=s-cie>Cie du Nord</div></a>"
    )
    rows = each(card, *((*name, day) for name, day in zip(NAMES, ("20", "27", "28"), strict=True)))
    found = read(f"<main><h1>Saison 2026-2027</h1><div>{rows}</div></main>", language="fr", now=NOW)
    assert [title for title, _ in found] == [name for name, _ in NAMES]


def test_a_day_stamped_around_all_its_talks_is_no_date_as_a_whole() -> None:
    talk = (
        "<div class=bucket-time>{2}</div><a href='/talk/{1}'><div class=session><div class=start>{2}</div><div class=title>{0}</div>"
        "<div class=room>Hall {3}</div></div></a>"
    )
    talks = [
        each(talk, *((name, f"{address}-{at}", f"1{at}:30", "1") for name, address in NAMES))
        for at in range(2)
    ]
    days = "".join(
        f"<h2>{day} December 2026</h2><div class=list-day data-start='2026-12-{day}T00:00:00+01:00'>{rows}</div>"
        for day, rows in zip((28, 29), talks, strict=True)
    )
    header = "<header><a href='/camp/'>Winter Camp</a><p>Dec. 28, 2026 – Dec. 29, 2026</p></header>"
    found = shown(f"{header}<main><h1>Schedule</h1>{days}</main>")
    assert [(event["title"], event["date_text"]) for event in found] == [
        (name, f"{28 + at} December 2026 1{at}:30") for at in range(2) for name, _ in NAMES
    ]


def test_a_numbered_room_is_a_venue() -> None:
    row = "<tr><td><a href='/kurs/{1}'>{0}</a></td><td>{2}.11.2026<br>18:00 Uhr</td><td>Raum {2}</td></tr>"
    rows = each(row, *((*name, day) for name, day in zip(NAMES, ("20", "21", "22"), strict=True)))
    found = shown(f"<table><tr><th>Titel</th><th>Beginn</th><th>Ort</th></tr>{rows}</table>", "de")
    assert [event["venue"] for event in found] == ["Raum 20", "Raum 21", "Raum 22"]


def test_a_show_with_a_list_of_days_is_where_its_heading_says() -> None:
    show = (
        "<article><header><h2><a href='/s/{1}'>{0}</a></h2><p class=scene>Store Scene</p></header><ul>"
        "<li><span>fre. 20. nov.</span> <span>kl. 20.00</span> <a href='https://b.test/1'>Køb billet</a></li>"
        "<li><span>lør. 21. nov.</span> <span>kl. 15.00</span> <a href='https://b.test/2'>Køb billet</a></li></ul></article>"
    )
    found = shown(f"<h1>Forestillinger</h1>{each(show, *NAMES)}", "da")
    assert [(event["title"], event["venue"]) for event in found] == [
        (name, "Store Scene") for name, _ in NAMES for _ in range(2)
    ]


@pytest.mark.parametrize(
    ("dates", "start", "end"),
    [
        ("27.–29.11.2026", "2026-11-27", "2026-11-29"),
        ("27.-29.11.2026", "2026-11-27", "2026-11-29"),
        ("27.11.–06.12.2026", "2026-11-27", "2026-12-06"),
    ],
)
def test_a_stretch_in_numbers_without_room_begins_on_its_first_day(dates: str, start: str, end: str) -> None:
    row = "<li><span class=datum>{2}</span> <strong>{0}</strong>, Marktplatz</li>"
    rows = each(
        row, *((*name, day) for name, day in zip(NAMES, (dates, "11.12.2026", "12.12.2026"), strict=True))
    )
    html = f"<html lang=de><body><ul>{rows}</ul></body></html>"
    first = extract(html, url="https://a.test/maerkte", kind="event", now=NOW).items[0]
    assert (first["starts_at"][:10], first["ends_at"][:10]) == (start, end)


@pytest.mark.parametrize(
    ("row", "beside"),
    [
        ("<time datetime='2026-12-{2}'>Doors</time>", ""),
        ("<a href='/2026/12/{2}/'>Tickets</a>", ""),
        ("<span>{4}</span>", ""),
        ("", "<footer>Shop open until 24/12/2026</footer>"),
    ],
)
def test_what_a_page_says_twice_tells_the_day_from_the_month(row: str, beside: str) -> None:
    """English pages without a region, no day above the twelfth."""
    values = zip(NAMES, ("03", "04", "10"), ("Thu", "Fri", "Thu"), strict=True)
    line = f"<li><h3><a href='/e/{{1}}'>{{0}}</a></h3>{row.replace('{4}', '{3} {2}/12/2026')}<p>{{2}}/12/2026</p></li>"
    rows = each(line, *((*name, day, weekday) for name, day, weekday in values))
    page = Page("https://a.test/", f"<html lang=en><body><ul>{rows}</ul>{beside}</body></html>")
    found = with_day_first([f"{day}/12/2026" for day in ("03", "04", "10")], page)
    assert list(found.values()) == [f"{day}.12.2026" for day in ("03", "04", "10")]


def test_an_english_page_without_any_sign_leaves_the_order_open() -> None:
    page = Page(
        "https://a.test/",
        "<html lang=en><body><p>Posted 2026-11-18, open 24/7</p><p>03/12/2026</p></body></html>",
    )
    assert with_day_first(["03/12/2026"], page) == {}


def test_days_that_come_again_alone_are_no_rows() -> None:
    """The rows of such a page may be told by their links, and their days by their own pages."""
    rows = each("<li><a href='/e/{1}'>{0}</a></li>", *NAMES)
    assert shown(f"<h1>Agenda</h1><ul>{rows}</ul><p>Every Tuesday 8pm: rehearsal</p>") == []
