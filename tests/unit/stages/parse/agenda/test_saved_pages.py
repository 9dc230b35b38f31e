"""Rules that saved pages of cinemas, councils and towns asked for: each on the smallest page that needs it."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.core.model.item import Item, Strategy
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.agenda.page_times.labelled import with_shown_clock
from larder.stages.parse.agenda.patterns import days_in, short_date
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination import advertised_total
from tests.unit.stages.parse.agenda.test_agendas import NAMES, NOW, each, read


def read_index(body: str) -> list[tuple[str, str]]:
    """Title and day as written of every event of an index."""
    page = Page("https://hall.test/films", f"<html lang=en><body>{body}")
    task = ExtractionTask(page=page, kind=Kind.EVENT, purpose=Purpose.INDEX)
    return [(item.fields["title"], item.fields["date_text"]) for item in visible_events(task)]


def read_one(body: str, *, title: str, path: str) -> list[tuple[str, str]]:
    page = f"<html lang=en><head><title>{title}</title></head><body>{body}"
    found = extract(page, url=f"https://hall.test{path}", kind="event", now=NOW)
    return [(item["title"], item["starts_at"][:16]) for item in found.items]


@pytest.mark.parametrize(
    ("text", "clock"),
    [("7/10/2019-4:00 PM", "4:00 PM"), ("Feb 13 2019 5: 30 PM", "5:30 PM"), ("7/10/2019 – 16:00", "16:00")],
)
def test_times_joined_to_their_day_or_parted_at_the_colon(text: str, clock: str) -> None:
    assert time_in(text) == clock


def test_start_and_end_joined_to_their_days_are_one_event() -> None:
    body = "<h2>Commission Meeting</h2><dl><dt>Start date:</dt><dd>12/10/2026-4:00 PM</dd><dt>End date:</dt><dd>12/10/2026-5:00 PM</dd></dl>"
    found = read_one(body, title="Commission Meeting", path="/meetings/commission-meeting")
    assert [at[11:] for _, at in found] == ["16:00"]


@pytest.mark.parametrize("text", ["mar, 10/02", "mar. 10/02", "mar 10.02."])
def test_tuesday_before_a_day_in_numbers_is_not_march(text: str) -> None:
    assert not days_in(text)
    assert short_date(text, called=False) == text


def test_march_stays_march() -> None:
    assert [found[0] for found in days_in("Mar 10, 20:30")] == ["Mar 10"]
    assert [found[0] for found in days_in("mar. 17 févr.")] == ["17 févr."]


@pytest.mark.parametrize("text", ["date_range", "keyboard_arrow_right", "events@town.test"])
def test_names_of_icons_and_addresses_of_mail_are_no_titles(text: str) -> None:
    assert as_title(text) == ""


def test_a_title_with_an_older_date_does_not_move_its_meeting() -> None:
    row = "<div class=item><h3><a href='/m/{1}'>{0} - {2}</a></h3><p>Room 5</p><span>{3}</span> <span>4:00 PM</span></div>"
    days = (("08/07/23", "August 07, 2024"), ("07/10/24", "July 10, 2024"), ("06/14/24", "June 14, 2024"))
    rows = [(*name, *day) for name, day in zip(NAMES, days, strict=True)]
    assert [at for _, at in read(f"<h1>Calendar</h1>{each(row, *rows)}", language="en-US")] == [
        "2024-08-07T16:00",
        "2024-07-10T16:00",
        "2024-06-14T16:00",
    ]


def test_a_page_is_not_beside_itself_whatever_its_body_is_called() -> None:
    rows = each("<li><a href='/e/{1}'>{0}</a> 3 November 2026, 20:00</li>", *NAMES)
    assert len(read(f"</body><body class='navbar-is-fixed has-sidebar'><ul>{rows}</ul>")) == 3


def test_the_name_of_a_place_in_microdata_is_not_the_events() -> None:
    body = (
        "<div itemscope itemtype='http://data-vocabulary.org/Event'><h2><span itemprop=summary>Transport Subcommittee</span></h2>"
        "<time itemprop=startDate datetime='2026-11-20T14:30'>20 November 2026, 14:30</time>"
        "<span itemprop=location itemscope itemtype='http://data-vocabulary.org/Organization'><span itemprop=name>CIVICA</span></span></div>"
    )
    assert read_one(body, title="Meetings", path="/event/8276") == [
        ("Transport Subcommittee", "2026-11-20T14:30")
    ]


def test_a_text_with_the_words_of_the_address_is_the_title_where_no_heading_is() -> None:
    body = "<div>Sala Sur</div><div>Balearic</div><p>74 min</p><div>jue, 19/11</div><div>16:45</div>"
    assert read_one(body, title="Sala Sur | Entradas", path="/actividad/balearic/") == [
        ("Balearic", "2026-11-19T16:45")
    ]


def test_days_named_only_by_what_their_links_say_have_the_heading_of_their_card() -> None:
    slot = "<div class=slot><h4>{0}</h4><p><a href='https://t.test/3476/' title='Screens 1 and 2 in High Street'>{1}</a></p></div>"
    card = "<li class=movie><h2><a href='/film/{1}'>{0}</a></h2><h5>Director: A. Wit</h5><div class=slots>{2}</div></li>"
    many = each(slot, ("6 November", "18:00"), ("7 November", "12:00"), ("8 November", "12:30"))
    cards = [
        ("Hamnet", "hamnet", each(slot, ("4 November", "20:00"))),
        ("Rivollywood", "rivollywood", many),
        ("Sirat", "sirat", each(slot, ("5 November", "21:00"))),
    ]
    assert read_index(f"<h1>Films</h1><ul>{each(card, *cards)}</ul>") == [
        ("Hamnet", "4 November 20:00"),
        ("Rivollywood", "6 November 18:00"),
        ("Rivollywood", "7 November 12:00"),
        ("Rivollywood", "8 November 12:30"),
        ("Sirat", "5 November 21:00"),
    ]


def test_a_month_before_its_days_in_a_line() -> None:
    row = "<div class=row><h2><a href='/f/{1}'>{0}</a></h2><div class=days><div><strong>Enero</strong>: {2}</div></div></div>"
    days = ("Jue-28 (19:00)", "Vie-29 (20:30)", "Sáb-30 (18:00)")
    rows = [(*name, day) for name, day in zip(NAMES, days, strict=True)]
    assert [at for _, at in read(f"<h1>Programación enero 2027</h1>{each(row, *rows)}", language="es")] == [
        "2027-01-28T19:00",
        "2027-01-29T20:30",
        "2027-01-30T18:00",
    ]


def test_a_title_that_sounds_recurring_is_not_told_twice() -> None:
    rows = each(
        "<li>{2} <a href='/e/{1}'>{0}</a></li>",
        ("Foodie Fridays", "foodie", "6 November 2026 11:00"),
        *((*name, "7 November 2026 20:00") for name in NAMES[:2]),
    )
    found = extract(
        f"<body><main><h1>Events</h1><ul>{rows}</ul></main>",
        url="https://a.test/events",
        kind="event",
        now=NOW,
    )
    assert [item["title"] for item in found.items] == ["Foodie Fridays", *(name for name, _ in NAMES[:2])]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("9/23/2019 7:00:00 PM", "7:00 PM"),
        ("26.09.2019 19:30:00", "19:30"),
        ("27 lipca (3h, od 12:00-15:00)", "12:00-15:00"),
        ("vendredi 4 décembre, 20h", "20h"),
    ],
)
def test_seconds_and_lengths_are_no_part_of_a_start(text: str, clock: str) -> None:
    assert time_in(text) == clock


@pytest.mark.parametrize("text", ["Kiedy?", "Wann?", "Où ?", "Za ile?", "League · · Kick-off"])
def test_questions_above_facts_and_lines_of_facts_are_no_titles(text: str) -> None:
    assert as_title(text) == ""


def test_facts_below_questions_are_of_the_page() -> None:
    body = (
        "<h1>Sunday Night | swing dance</h1><p>Every week, see you!</p><div><div><h5>Kiedy?</h5><p><b>7 listopada 2026</b> 20:00 - 23:00</p><p><b>14 listopada 2026</b> "
        "20:00 - 23:00</p></div><div><i class='material-icons'>person</i><h5>Gdzie?</h5><p>Studio Trójmiasto</p></div></div>"
    )
    assert read_one(body, title="Sunday Night | swing dance - School", path="/event/sunday-night/") == [
        ("Sunday Night | swing dance", "2026-11-07T20:00"),
        ("Sunday Night | swing dance", "2026-11-14T20:00"),
    ]


def test_a_day_of_publication_in_polish_is_no_event_and_its_line_labels_no_other_day() -> None:
    body = "<h2>Koncert kolęd</h2><p>Opublikowano: 03.09.2026</p><p>Zapraszamy 4 grudnia 2026 r. o godz. 19.30 do sali widowiskowej.</p>"
    assert read_one(body, title="Koncert kolęd", path="/wydarzenia/koncert-koled.html") == [
        ("Koncert kolęd", "2026-12-04T19:30")
    ]


def test_the_only_row_below_a_tables_header_does_not_contain_the_header() -> None:
    table = "<table><thead><tr><th>Name</th><th>Meeting Date</th><th>Meeting Time</th></tr></thead><tbody><tr><td><a href='/d'>County Board</a></td><td>19/11/2026</td><td>1:30 PM</td></tr></tbody></table>"
    assert [name for name, _ in read_index(table)] == ["County Board"]


def test_a_day_in_the_middle_of_numbers_with_points_is_read_month_first() -> None:
    body = "<h1>September Board Meeting</h1><p>Date(s) - 11.26.2026</p><p>5:30 pm</p>"
    assert read_one(body, title="September Board Meeting", path="/events/september-board-meeting/") == [
        ("September Board Meeting", "2026-11-26T17:30")
    ]


def test_two_sides_of_a_match_are_its_title() -> None:
    row = "<div class=fixture><div>{0}</div><div>League</div><a class=teams href='/match/{1}'><span>{2}</span> <span>v</span> <span>{3}</span></a><div>KO 15:00</div></div>"
    games = (
        ("Sat 7 Nov", "1", "Town", "Rovers"),
        ("Sat 14 Nov", "2", "Albion", "Town"),
        ("Sat 21 Nov", "3", "Town", "City"),
    )
    assert [name for name, _ in read_index(f"<h1>Fixtures</h1>{each(row, *games)}")] == [
        "Town v Rovers",
        "Albion v Town",
        "Town v City",
    ]


def test_a_line_in_small_letters_in_a_heading_stands_apart() -> None:
    row = "<article><a href='/e/{1}'><time>{2}</time><h3>{0}<span>with a special guest</span></h3></a></article>"
    rows = each(
        row,
        *((*name, day) for name, day in zip(NAMES, ("3 Nov 2026", "4 Nov 2026", "5 Nov 2026"), strict=True)),
    )
    assert [name for name, _ in read_index(rows)] == [f"{name} with a special guest" for name, _ in NAMES]


def test_a_season_before_a_tuesday_is_no_count_of_rows() -> None:
    page = Page("https://hall.test/p", "<body><h1>Programma 26-27</h1><p>di 29/12/26 | 20u15 Okto</p>")
    task = ExtractionTask(page=page, kind=Kind.EVENT, purpose=Purpose.INDEX)
    assert advertised_total(task) is None


@pytest.mark.parametrize(
    ("stamps", "shown", "expected"),
    [
        (("T13:00:00Z", "T18:15:00Z"), "9:00 AM, 1:00 PM, 2:15 PM", ("T13:00:00Z", "T18:15:00Z")),
        (("T13:00:00Z", "T18:15:00Z"), "1:00 PM, 6:15 PM", ("T13:00:00", "T18:15:00")),
        (("T13:00:00Z", "T00:00:00Z"), "1:00 PM", ("T13:00:00", "T00:00:00Z")),
    ],
    ids=["the clock of another event", "all are local", "a day without a time shows none"],
)
def test_stamps_in_utc_are_local_where_the_page_shows_all_their_clocks(
    stamps: tuple[str, ...], shown: str, expected: tuple[str, ...]
) -> None:
    items = [
        Item(fields={"title": at, "starts_at": f"2026-11-19{at}"}, strategy=Strategy.HEURISTIC)
        for at in stamps
    ]
    page = Page(
        "https://county.test/calendar", "<body>" + "".join(f"<p>{clock}</p>" for clock in shown.split(", "))
    )
    assert [item.fields["starts_at"][10:] for item in with_shown_clock(items, page)] == list(expected)


@pytest.mark.parametrize("text", ["10:00 AM EST", "CET", "19:30 MEZ"])
def test_time_zones_are_no_titles(text: str) -> None:
    assert as_title(text) == ""


def test_the_period_of_a_list_is_no_event() -> None:
    rows = each(
        "<tr><td>{2}, 7:00 PM</td><td><a href='/e/{1}'>{0}</a></td></tr>",
        *((*name, f"1{n}/12/2026") for n, name in enumerate(NAMES)),
    )
    page = f"<table><tr><td colspan=2>Displaying 3 meetings from 1/1/2026 to 12/31/2026 for <a href='/all'>All groups</a></td></tr>{rows}</table>"
    assert [name for name, _ in read_index(page)] == [name for name, _ in NAMES]


def test_when_tickets_go_on_sale_is_no_event_and_the_page_keeps_its_start() -> None:
    facts = "<dl><dt>Dato</dt><dd>5. desember 2026</dd><dt>Dørene åpner</dt><dd>14:30</dd><dt>Start</dt><dd>15:30</dd><dt>Billettsalg starter</dt><dd>1. november 2026 kl. 10:00</dd></dl>"
    assert read_one(f"<h1>Nordlys</h1>{facts}", title="Nordlys", path="/arrangementer/nordlys") == [
        ("Nordlys", "2026-12-05T15:30")
    ]


@pytest.mark.parametrize(
    "sold",
    [
        "Billetterie ouverte à partir du 15 novembre",
        "Kaarten à € 8,50 vanaf 1 december bij de kiosk",
        "Tickets from 1 November",
        "Data dodania: 2026-11-10 08:15",
    ],
)
def test_a_day_on_which_tickets_go_on_sale_takes_no_time_and_is_no_event(sold: str) -> None:
    body = f"<main><h1>Gospel Choir</h1><div class=d><span>Sat</span><span>12</span><span>Dec</span></div><div><p>20:30 (doors 20:00)</p><p>St Peter</p><p>{sold}</p></div></main>"
    assert read_one(body, title="Gospel Choir - Town", path="/agenda/gospel-choir") == [
        ("Gospel Choir", "2026-12-12T20:30")
    ]


@pytest.mark.parametrize(
    ("body", "starts"),
    [
        pytest.param(
            "<div><strong>Ven 11/12</strong> 18.30 - 21.00</div><div><strong>Sab 12/12</strong> 16.00 - 21.00</div>",
            ["2026-12-11T18:30", "2026-12-12T16:00"],
            id="behind a short day",
        ),
        pytest.param(
            "<table><tr><td>Wanneer:</td><td>donderdag 17 december 2026</td></tr><tr><td>Hoe laat:</td><td>20.00 - 22.00 uur (inloop vanaf 19.30 uur)</td></tr></table>",
            ["2026-12-17T20:00"],
            id="in the next row of a table of facts",
        ),
        pytest.param(
            "<table><tr><td>Do</td><td>10.12.2026</td><td>19:30</td><td>Großes Haus</td></tr><tr><td>Sa</td><td>19.12.2026</td><td>18:00</td><td>Großes Haus</td></tr></table>",
            ["2026-12-10T19:30", "2026-12-19T18:00"],
            id="beside its house",
        ),
    ],
)
def test_performances_of_one_page_have_its_title_and_their_times(body: str, starts: list[str]) -> None:
    found = read_one(
        f"<main><h1>Il sorpasso</h1>{body}</main>", title="Il sorpasso - Odeon", path="/film/il-sorpasso"
    )
    assert found == [("Il sorpasso", at) for at in starts]
