"""What sites that nobody tuned for showed: days that are no event's, places as titles, rows left unread."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.core.model.item import Extracted
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.agenda.recurring import recurring_events
from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.agenda.venues import venue_of
from larder.stages.parse.cascade import STRATEGIES, run_cascade
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination import find_next
from tests.unit.stages.parse.agenda.test_agendas import NOW, each, read


def index(html: str, at: str = "/agenda") -> ExtractionTask:
    page = Page(f"https://a.test{at}", html)
    return ExtractionTask(page=page, kind=Kind.EVENT, purpose=Purpose.INDEX, declared=None)


NAMES = ("Lantern Walk", "Poetry Slam", "Seed Swap", "Choir Evening")


@pytest.mark.parametrize("name", ["datePublished", "dateModified", "dateCreated", "uploadDate"])
def test_what_markup_calls_the_day_of_publication_is_no_event(name: str) -> None:
    body = (
        f"<article><h1>Seed Swap</h1><p><time datetime='2026-10-02T08:00:00+00:00' itemprop={name}>Oct 2, 2026</time></p>"
        "<p><strong>When:</strong> Saturday, November 21, 7:00PM</p><p><strong>Where:</strong> The Foundry</p></article>"
    )
    found = extract(f"<html lang=en><body>{body}", url="https://a.test/2026/seed-swap", kind="event", now=NOW)
    assert [(item["starts_at"][:16], item["venue"]) for item in found.items] == [
        ("2026-11-21T19:00", "The Foundry")
    ]


@pytest.mark.parametrize(
    "words",
    [
        "Book by",
        "Book a place before",
        "Reply by",
        "Uiterlijk",
        "Spätestens",
        "Au plus tard le",
        "Closing date:",
    ],
)
def test_a_day_to_book_by_is_no_event(words: str) -> None:
    row = (
        "<li class=row><h2><a href='/e/{0}'>{1}</a></h2><div><b>Date:</b> Saturday {0} December 2026<br>Time: 9:30am to 11am</div><p>"
        + words
        + " 1 December. For all ages.</p></li>"
    )
    rows = [(str(5 + 7 * at), name) for at, name in enumerate(NAMES)]
    assert read(f"<h1>Events</h1><ul>{each(row, *rows)}</ul>") == [
        (name, f"2026-12-{int(day):02d}T09:30") for day, name in rows
    ]


def test_what_is_behind_the_time_of_a_row_is_a_place_and_no_title() -> None:
    rows = "".join(
        f"<p>{day}, 2027 at 9:00 AM in Huntington Place Room 252A/B</p><p><a href='/a/{at}.pdf'>Agenda</a></p>"
        for at, day in enumerate(("January 5", "January 19", "February 2", "February 16"))
    )
    page = f"<html lang=en><body><h1>Convention Authority</h1>{rows}"
    found = extract(page, url="https://a.test/board", kind="event", now=NOW)
    assert {(item["title"], item["venue"]) for item in found.items} == {
        ("Convention Authority", "Huntington Place Room 252A/B")
    }


def test_a_numbered_room_in_every_row_is_their_place_and_no_title() -> None:
    days = ("Dec. 2, 2026", "Jan. 13, 2027", "Feb. 10, 2027", "March 10, 2027")
    rows = "".join(f"<li>{day}, 10:30 a.m., Student Union, Room 339</li>" for day in days)
    page = f"<html lang=en><body><h1>Trustees of the University</h1><ul>{rows}</ul>"
    found = extract(page, url="https://a.test/board", kind="event", now=NOW)
    assert {(item["title"], item["venue"]) for item in found.items} == {
        ("Trustees of the University", "Student Union, Room 339")
    }


def test_the_name_of_a_link_to_a_recording_is_no_part_of_a_title() -> None:
    row = "<div class=row><div><a href='/m/{1}'>{0}, 2026 6:30 PM</a> <a href=''>Agenda</a> <a href='#'>Video</a></div><div>{2}</div></div>"
    rows = [(f"December {7 + at}", str(at), name) for at, name in enumerate(NAMES)]
    assert [title for title, _ in read(f"<h1>Meetings</h1>{each(row, *rows)}")] == list(NAMES)


@pytest.mark.parametrize("text", ["Coffee break", "Lunch", "Kaffeepause", "Pauze", "Pausa caffè"])
def test_a_break_is_no_session(text: str) -> None:
    assert as_title(text) == ""


@pytest.mark.parametrize("text", ["Breaking Bread", "Pause for Thought", "Lunch with the Mayor"])
def test_a_name_that_sounds_like_a_break_is_one(text: str) -> None:
    assert as_title(text) == text


@pytest.mark.parametrize(
    ("body", "venue"),
    [
        ("<p>Helyszín: Városi Könyvtár</p>", "Városi Könyvtár"),
        ("<h3><a>La Casa</a></h3><p>20:30 h. · Auditorio</p>", "Auditorio"),
        ("<h3><a>Bal folk</a></h3><p>Salle des fêtes</p>", "Salle des fêtes"),
        ("<span>za 12 december</span> <span>20:15</span> <span>Grote Zaal</span>", "Grote Zaal"),
        ("<h3><a>Escape Room 2</a></h3><p>Musical Theatre</p>", ""),
        ("<h3>Murder in the Library</h3><p>Come and see the new school.</p>", ""),
        ("<p class=genre>Physical Theatre</p>", ""),
    ],
)
def test_a_house_is_told_by_its_name_where_nothing_marks_it(body: str, venue: str) -> None:
    (row,) = Page("https://a.test/", f"<body><article>{body}</article></body>").css("article")
    assert venue_of(row) == venue


def test_a_meeting_online_is_what_its_column_says() -> None:
    table = "<table><tr><th>Name</th><th>Meeting Location</th></tr><tr class=own><td>Board</td><td>Online Meeting</td></tr></table>"
    (row,) = Page("https://a.test/", f"<body>{table}</body>").css("tr.own")
    assert venue_of(row) == "Online Meeting"


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Markt jeden Samstag", "Markt"),
        ("Yoga iedere donderdag 19.30 uur", "Yoga"),
        ("Elke dinsdag 14.00 uur: kaarten", "kaarten"),
        ("Elke dinsdag om 14.00 uur klaverjassen", "klaverjassen"),
    ],
)
def test_a_plain_name_beside_a_day_that_comes_again_is_counted(line: str, title: str) -> None:
    found = recurring_events(Page("https://a.test/", f"<body><h1>Agenda</h1><p>{line}</p></body>"))
    assert [item.fields["title"] for item in found] == [title]


@pytest.mark.parametrize(
    "line",
    [
        "We meet every Tuesday",
        "Wir treffen uns jeden Dienstag",
        "Open every Saturday",
        "Kassa open elke zaterdag",
    ],
)
def test_a_sentence_about_such_a_day_is_not(line: str) -> None:
    assert recurring_events(Page("https://a.test/", f"<body><h1>Agenda</h1><p>{line}</p></body>")) == []


def test_a_day_before_a_time_and_a_long_name_of_a_house_is_read() -> None:
    row = "<div class=teaser><p>{0}, 10.30 Uhr | Stadtteilbibliothek am Alten Nordbahnhof</p><h3><a href='/v/{1}.html'>{2}</a></h3></div>"
    days = ("Mo., 7.12.", "Mi., 9.12.", "Fr., 11.12.")
    rows = [(day, str(at), NAMES[at]) for at, day in enumerate(days)]
    assert [start for _, start in read(each(row, *rows), language="de")] == [
        "2026-12-07T10:30", "2026-12-09T10:30", "2026-12-11T10:30"
    ]  # fmt: skip


def test_a_row_beside_one_or_two_dated_rows_of_its_class_is_not_passed_over() -> None:
    body = (
        "<h1>Woche 49</h1><div class=list><div class=teaser><p>7.12.2026, 15 Uhr</p><h3><a href='/v/1-lesung.html'>Lesung</a></h3></div>"
        "<div class=teaser><p>noch offen</p><h3><a href='/v/2-spielnachmittag.html'>Spielnachmittag</a></h3></div></div>"
    )
    found = run_cascade(index(f"<html lang=de><body>{body}"), tuple(STRATEGIES), [])
    assert isinstance(found, Extracted)
    assert [item.fields["title"] for item in found.items] == ["Lesung", "Spielnachmittag"]


@pytest.mark.parametrize(
    ("here", "link", "follows"),
    [
        ("/tapahtumat", "<a href='?sivu=2'>Näytä lisää</a>", True),
        ("/x", "<a href='?puslapis=2'>Kitas</a>", True),
        ("/x", "<a href='?blad=2'>Frissítés</a>", True),
        ("/x?blad=2", "<a href='?blad=1'>A</a><a href='?blad=3'>B</a>", True),
        ("/kalender", "<a href='/kalender?startnr=11'>Næste 11 arrangementer &gt;&gt;</a>", True),
        ("/kalender?startnr=11", "<a href='/kalender?startnr=22'>Næste 11 arrangementer &gt;&gt;</a>", True),
        ("/x", "<a href='?kategori_id=2'>Music</a>", False),
        ("/x", "<a href='?sal=2'>A</a><a href='?rum=2'>B</a>", False),
        ("/x", "<a href='?sal=7'>Sal</a>", False),
    ],
)
def test_one_number_that_counts_on_leads_on_in_any_language(here: str, link: str, follows: bool) -> None:
    task = index(f"<body><h1>X</h1>{link}</body>", here)
    assert (find_next(task) is not None) is follows


@pytest.mark.parametrize(
    ("until", "language"),
    [
        ("Inscrições até 30 de novembro", "pt"),
        ("Iscriversi entro il 30 novembre", "it"),
        ("Zgłoszenia do 30.11.", "pl"),
        ("Registro hasta el 30 de noviembre", "es"),
        ("Answer by 30 November", "en"),
    ],
)
def test_a_day_until_which_something_is_to_be_done_is_no_event_beside_the_rows_own(
    until: str, language: str
) -> None:
    row = "<li class=row><h3><a href='/e/{0}'>{1}</a></h3><p>{0}.12.2026, 19:30</p><p>" + until + ".</p></li>"
    rows = [(str(5 + 7 * at), name) for at, name in enumerate(NAMES[:3])]
    assert read(f"<h1>Agenda</h1><ul>{each(row, *rows)}</ul>", language=language) == [
        (name, f"2026-12-{int(day):02d}T19:30") for day, name in rows
    ]


def test_days_below_a_heading_of_news_are_no_events_though_no_box_holds_them() -> None:
    rows = "".join(
        f"<dt>zaterdag {5 + 7 * at} december om 10:00 uur</dt><dd><a href='/e/{at}'>{name}</a></dd>"
        for at, name in enumerate(NAMES)
    )
    news = "<h2>Nieuws</h2><ul><li>8 oktober 2026: Nieuwe website</li><li>1 oktober 2026: Verslag van de vergadering</li></ul>"
    assert [title for title, _ in read(f"<h1>Agenda</h1><dl>{rows}</dl>{news}", language="nl")] == list(NAMES)


def test_the_number_of_a_round_is_no_day_and_its_heading_is_above_timed_rows() -> None:
    def round_of(number: int, day: str, first: str) -> str:
        games = "".join(
            f"<tr><td>{hour}</td><td><a href='/mecz/{number}-{at}'>{first} - Stal {at}</a></td><td>-:-</td></tr>"
            for at, hour in enumerate(("12:00", "15:30"))
        )
        return f"<h3>Kolejka {number} - {day} 2026</h3><table>{games}</table>"

    body = round_of(12, "22 listopada", "Orzeł") + round_of(13, "29 listopada", "Sokół")
    assert read(f"<h1>Terminarz</h1>{body}", language="pl") == [
        ("Orzeł - Stal 0", "2026-11-22T12:00"),
        ("Orzeł - Stal 1", "2026-11-22T15:30"),
        ("Sokół - Stal 0", "2026-11-29T12:00"),
        ("Sokół - Stal 1", "2026-11-29T15:30"),
    ]


@pytest.mark.parametrize("season", ["2026/27", "2026-2027", "2026–27"])
def test_a_seasons_months_before_august_are_of_its_second_year(season: str) -> None:
    """A past day of the season was read as next year's, and one to come as of the year before."""
    days = ("4 ottobre", "6 dicembre", "12 gennaio", "3 maggio")
    rows = "".join(
        f"<div class=r><p>{day}, ore 20.30</p><h2><a href='/s/{at}'>{name}</a></h2></div>"
        for at, (day, name) in enumerate(zip(days, NAMES, strict=True))
    )
    found = read(f"<h1>Stagione {season}</h1>{rows}", language="it")
    assert [start[:10] for _, start in found] == ["2026-10-04", "2026-12-06", "2027-01-12", "2027-05-03"]


@pytest.mark.parametrize(
    ("language", "day"),
    [
        ("ro", "Vineri, 4 ianuarie 2027"),
        ("fi", "perjantai 4. tammikuuta 2027"),
        ("ca", "dilluns, 4 gener 2027"),
        ("sk", "pondelok 4. januára 2027"),
        ("hu", "2027. január 4."),
    ],
)
def test_months_of_more_languages_are_read(language: str, day: str) -> None:
    rows = "".join(
        f"<article><h2><a href='/e/{at}'>{name}</a></h2><p>{day}, 19:00</p></article>"
        for at, name in enumerate(NAMES)
    )
    assert read(f"<h1>X</h1>{rows}", language=language) == [(name, "2027-01-04T19:00") for name in NAMES]


def test_a_row_does_not_lead_to_its_agendas_document() -> None:
    row = "<tr><td>{0}</td><td>December {1}, 2026 - 06:00 PM</td><td><a href='//viewer.test/AgendaViewer.php?id={1}'>Agenda</a></td></tr>"
    rows = [(name, str(7 + at)) for at, name in enumerate(NAMES)]
    page = f"<html lang=en><body><h3>Upcoming</h3><table><tr><th>Name</th><th>Date</th><th></th></tr>{each(row, *rows)}</table>"
    found = extract(page, url="https://a.test/ViewPublisher.php", kind="event", now=NOW)
    assert [(item["title"], item.get("url")) for item in found.items] == [(name, None) for name in NAMES]
