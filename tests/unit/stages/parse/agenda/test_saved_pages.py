"""Rules that saved pages of cinemas, councils and towns asked for: each on the smallest page that needs it."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.agenda.patterns import days_in, short_date
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.extraction_task import ExtractionTask
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
