"""Rules that agendas of platforms nobody had tried asked for: each on the smallest page that needs it."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.agenda.date_order import with_day_first
from larder.stages.parse.agenda.relative_days import day_from_today
from larder.stages.parse.agenda.rows.day_pieces import assembled_numbers
from tests.unit.stages.parse.agenda.test_agendas import NAMES, NOW, each, read


def dated(row: str, *days: str) -> str:
    return "<h1>Events</h1>" + each(
        row, *((*name, day) for name, day in zip(NAMES[: len(days)], days, strict=True))
    )


ROW = "<tr><td>{2}<br>20:00 - 22:30</td><td><a href='/e/{1}'>{0}</a></td></tr>"


@pytest.mark.parametrize(
    ("language", "days", "starts"),
    [
        ("en", ("03/12/2026", "11/12/2026", "21/12/2026"), ("2026-12-03", "2026-12-11", "2026-12-21")),
        ("en-GB", ("01/11/2026", "02/11/2026", "03/12/2026"), ("2026-11-01", "2026-11-02", "2026-12-03")),
        ("nl", ("11/03/2026", "11/21/2026", "12/01/2026"), ("2026-11-03", "2026-11-21", "2026-12-01")),
        ("en-US", ("11/03/2026", "11/04/2026", "12/01/2026"), ("2026-11-03", "2026-11-04", "2026-12-01")),
    ],
)
def test_a_number_above_twelve_or_the_region_tells_day_from_month(
    language: str, days: tuple[str, ...], starts: tuple[str, ...]
) -> None:
    us = NOW.astimezone(NOW.tzinfo) if language != "en-US" else NOW.replace(tzinfo=None)
    page = f"<table>{dated(ROW, *days)}</table>"
    assert [at for _, at in read(page, language=language, now=us)] == [f"{day}T20:00" for day in starts]


def test_a_page_in_another_language_than_english_writes_the_day_first() -> None:
    """Whatever language its source is said to be in."""
    page = Page("https://a.test/", '<html lang="nl"><body></body></html>')
    found = with_day_first(["03-12-2026 20:00", "04/12/2026", "2026-12-05"], page)
    assert found == {"03-12-2026 20:00": "03.12.2026 20:00", "04/12/2026": "04.12.2026"}


def test_a_badge_in_the_heading_behind_its_link_is_no_part_of_the_title() -> None:
    row = "<article><time>{2}</time><h4><a href='/e/{1}'>{0}</a>{3}</h4></article>"
    badges = ("", "<span class=caption>Abgesagt</span>", "<span>Ausgebucht</span>")
    days = ("3 Dez 2026", "4 Dez 2026", "5 Dez 2026")
    names = [(*name, day, badge) for name, day, badge in zip(NAMES[:3], days, badges, strict=True)]
    found = read(f"<h1>Programm</h1>{each(row, *names)}", language="de")
    assert [title for title, _ in found] == [name for name, _ in NAMES[:3]]


def test_a_calendars_cells_without_events_are_no_events() -> None:
    cell = (
        "<div class=day><h3 class=day-date><span class=sr>{0} events,</span><time datetime='2026-11-{1:02}'>{1}</time></h3>"
        "<div>{2}</div></div>"
    )
    event = "<article><time datetime='20:00'>8:00 pm</time><h3><a href='/e/{1}'>{0}</a></h3></article>"
    shown = {3: event.format(*NAMES[0]), 9: event.format(*NAMES[1]) + event.format(*NAMES[2])}
    body = "".join(cell.format(day in shown, day, shown.get(day, "")) for day in range(1, 31))
    page = f"<h1>Calendar of Events</h1><time datetime='2026-11-01'>November 2026</time>{body}"
    assert read(page) == [
        (NAMES[0][0], "2026-11-03T20:00"),
        (NAMES[1][0], "2026-11-09T20:00"),
        (NAMES[2][0], "2026-11-09T20:00"),
    ]


def test_a_day_beside_a_list_of_timed_links_heads_them_all() -> None:
    entry = "<li><p>{2} - 22:00 <a href='/e/{1}'>{0}</a> :: <a href='/c'>Culture</a></p></li>"
    both = each(entry, (*NAMES[0], "18:00"), (*NAMES[1], "20:30"))
    one = each(entry, (*NAMES[2], "19:00"))
    row = "<tr><td>{0}</td><td><ul>{1}</ul></td></tr>"
    page = f"<table>{row.format('Dimanche 22 Novembre 2026', both)}{row.format('Mardi 24 Novembre 2026', one)}</table>"
    assert read(page, language="fr") == [
        (NAMES[0][0], "2026-11-22T18:00"),
        (NAMES[1][0], "2026-11-22T20:30"),
        (NAMES[2][0], "2026-11-24T19:00"),
    ]


def test_today_and_tomorrow_are_days() -> None:
    row = "<li><a href='/e/{1}'><p>{2}</p><h3>{0}</h3></a></li>"
    page = f"<ul>{dated(row, 'Idag kl. 14.30', 'Imorgon kl. 10.00', 'ons 14 okt kl. 19.00')}</ul>"
    assert [at for _, at in read(page, language="sv")] == [
        "2026-10-09T14:30",
        "2026-10-10T10:00",
        "2026-10-14T19:00",
    ]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Tomorrow, 8pm", "Tomorrow"),
        ("aujourd'hui", "aujourd'hui"),
        ("Domani alle 21:00", "Domani"),
        ("Today's menu", ""),
        ("Morgenstern", ""),
        ("Tomorrow we sing", ""),
    ],
)
def test_a_day_from_today_is_all_of_its_text(text: str, day: str) -> None:
    assert day_from_today(text) == day


@pytest.mark.parametrize(
    ("text", "day"), [("Fr 20 11", "Fr 20 november"), ("20 11", ""), ("Fr 20 31", ""), ("Saal 20 11", "")]
)
def test_a_weekday_and_two_numbers_are_a_day(text: str, day: str) -> None:
    assert assembled_numbers(text) == day


def test_a_date_in_three_numbered_pieces_and_a_title_cell_that_says_more() -> None:
    row = (
        "<div class=row><div class=d><span>{2}</span><span>{3}</span><span>{4}</span></div><div>19.30 Uhr</div>"
        "<div class=row__title><a href='/e/{1}'>{0}</a><p>Regie: Eva Kern</p></div></div>"
    )
    days = (("Fr", "20", "11"), ("Sa", "21", "11"), ("Mi", "02", "12"))
    page = "<h1>Spielplan</h1>" + each(row, *((*name, *day) for name, day in zip(NAMES, days, strict=True)))
    assert read(page, language="de") == [
        (NAMES[0][0], "2026-11-20T19:30"),
        (NAMES[1][0], "2026-11-21T19:30"),
        (NAMES[2][0], "2026-12-02T19:30"),
    ]


def test_the_day_a_page_was_made_and_its_clock_are_not_the_events() -> None:
    page = (
        "<div id=content><h1>Lesung im Stadtgarten</h1><div>Erstellt am 02.10.2026 - 09:14</div>"
        "<div><div>Datum:</div><div><span>22.11.2026</span> bis <span>26.11.2026</span></div></div></div>"
    )
    assert read(page, language="de") == [("Lesung im Stadtgarten", "2026-11-22")]


def test_a_box_of_popular_events_is_not_the_agenda() -> None:
    row = "<div class=card><h3><a href='/e/{1}'>{0}</a></h3><p>{2}</p></div>"
    own = dated(row, "Mon, Nov 2, 2026 8pm", "Tue, Nov 3, 2026 8pm", "Wed, Nov 4, 2026 8pm")
    other = "<div class=mini><a href='/e/p{0}'>Popular Thing {0}</a><span>Nov {0}</span></div>"
    page = f"<div class=cards>{own}</div><div class=minis><h2>Popular this week</h2>{each(other, ('7',), ('8',), ('9',))}</div>"
    assert [title for title, _ in read(page)] == [name for name, _ in NAMES]


def test_events_in_the_past_are_not_advertised() -> None:
    row = "<li><span>{2}</span> <a href='/e/{1}'>{0}</a></li>"
    page = f"<html><ul>{dated(row, '2 Nov 2026', '3 Nov 2026', '4 Nov 2026')}</ul><p>There are 120 events in the past.</p>"
    assert extract(page, url="https://agenda.test/events", kind="event", now=NOW).advertised is None


def test_a_list_of_begin_end_and_deadline_is_one_event() -> None:
    row = (
        "<div class=item><h3><a href='/detail?event={1}&cHash=ab'>{0}</a></h3><dl><dt>Beginn</dt><dd>{2} 19:30</dd>"
        "<dt>Ende</dt><dd>{2} 21:00</dd><dt>Ort</dt><dd>Raum 204</dd><dt>Anmeldeschluss</dt><dd>15.10.2026</dd></dl>"
        "<a href='/anmeldung?event={1}'>Zur Anmeldung</a></div>"
    )
    page = dated(row, "22.11.2026", "24.11.2026", "25.11.2026")
    assert read(page, language="de") == [
        (NAMES[0][0], "2026-11-22T19:30"),
        (NAMES[1][0], "2026-11-24T19:30"),
        (NAMES[2][0], "2026-11-25T19:30"),
    ]


def test_days_of_a_week_head_their_timed_links_and_empty_days_are_no_events() -> None:
    entry = "<div class=akce><b>{2}</b> <a href='/p/{1}'>{0}</a> <i>Velký sál</i></div>"
    day = "<div class=den><h3>{0}</h3>{1}</div>"
    both = each(entry, (*NAMES[0], "10:00"), (*NAMES[1], "19:00"))
    page = "<h1>Program 47. týden 2026</h1>" + each(
        day,
        ("Pondělí 16. 11.", "<p>Žádný program</p>"),
        ("Středa 18. 11.", both),
        ("Čtvrtek 19. 11.", each(entry, (*NAMES[2], "20:30"))),
        ("Pátek 20. 11.", "<p>Žádný program</p>"),
    )
    assert read(page, language="cs") == [
        (NAMES[0][0], "2026-11-18T10:00"),
        (NAMES[1][0], "2026-11-18T19:00"),
        (NAMES[2][0], "2026-11-19T20:30"),
    ]


def test_a_row_whose_title_is_only_in_an_element_of_its_own() -> None:
    row = (
        "<li><strong>{2}</strong> – <span class=act>{0}</span>, The Mill (doors 7PM, show 8:00PM) "
        "<a href='https://tickets.test/{1}'>Tickets £12</a></li>"
    )
    page = f"<ul>{dated(row, '23 Nov 2026', '24 Nov 2026', '27 Nov 2026')}</ul>"
    assert read(page) == [
        (name, f"2026-11-{day}T20:00") for (name, _), day in zip(NAMES, (23, 24, 27), strict=True)
    ]


def test_the_sites_name_beside_todays_date_is_no_event() -> None:
    row = "<tr><td>{2}</td><td>20:00 h</td><td><a href='/f?id={1}'>{0}</a></td></tr>"
    head = "<div id=cab><a href='/'>Ayuntamiento</a> | Viernes, 9 de octubre de 2026</div>"
    page = f"{head}<table>{dated(row, '21/11/2026', '22/11/2026', '23/11/2026')}</table>"
    assert [title for title, _ in read(page, language="es")] == [name for name, _ in NAMES]


@pytest.mark.parametrize(
    "place",
    [
        "<div>Ort: Stadthalle</div>",
        "<dl><dt>Ort</dt><dd>Stadthalle</dd></dl>",
        "<p class=agenda__local>Stadthalle</p>",
        "<td><b>Lugar:</b></td><td>Stadthalle</td>",
        "<address>Stadthalle</address>",
    ],
)
def test_a_venue_is_told_by_a_label_or_a_name(place: str) -> None:
    row = f"<div class=row><h3><a href='/e/{{1}}'>{{0}}</a></h3><p>{{2}} 20:00</p>{place}</div>"
    page = f"<html>{dated(row, '21.11.2026', '22.11.2026', '23.11.2026')}"
    found = extract(page, url="https://agenda.test/events", kind="event", now=NOW)
    assert [item["venue"] for item in found.items] == ["Stadthalle"] * 3


def test_talks_of_a_day_begin_with_a_time_and_how_long_they_take() -> None:
    talk = (
        "<div class=talk><div class=time><div>{2}</div><div>60 min</div></div><a href='/talk/{1}/'><div class=title>{0}</div>"
        "<div class=speakers>A. Speaker</div></a><div class=room>Room A</div></div>"
    )
    first = each(talk, (*NAMES[0], "09:00"), (*NAMES[1], "14:30"))
    page = (
        "<h1>Schedule</h1><div>Version 0.9, released 3 November 2026</div>"
        f"<div class=day><h3>Friday, 4 December</h3>{first}</div>"
        f"<div class=day><h3>Saturday, 5 December</h3>{each(talk, (*NAMES[2], '10:00'))}</div>"
    )
    assert read(page) == [
        (NAMES[0][0], "2026-12-04T09:00"),
        (NAMES[1][0], "2026-12-04T14:30"),
        (NAMES[2][0], "2026-12-05T10:00"),
    ]


def test_a_weekday_that_is_also_a_month_heads_no_month() -> None:
    week = "".join(f"<th>{day}</th>" for day in ("lun", "mar", "mié", "jue", "vie", "sáb", "dom"))
    cells = each(
        "<td><b>{2}</b><ul><li>19:30 <a href='/e/{1}'>{0}</a></li></ul></td>",
        *((*name, day) for name, day in zip(NAMES, ("8", "9", "10"), strict=True)),
    )
    page = f"<h1>Agenda</h1><p><strong>diciembre 2026</strong></p><table><tr>{week}</tr><tr><td>7</td>{cells}<td>11</td><td>12</td><td>13</td></tr></table>"
    assert [at for _, at in read(page, language="es")] == [f"2026-12-{day:02}T19:30" for day in (8, 9, 10)]


def test_a_card_that_is_a_link_as_a_whole_is_called_by_one_of_its_texts() -> None:
    row = "<li><a href='/e/{3}/'><div><time>{2}, 20:00</time><span>{0}</span><div><span>The Crown, Leeds</span></div></div><div><span>{3} attend</span></div></a></li>"
    days = ("3 December 2026", "4 December 2026", "5 December 2026")
    rows = each(
        row,
        *((*name, day, str(at)) for at, (name, day) in enumerate(zip(NAMES, days, strict=True), start=71)),
    )
    assert [title for title, _ in read(f"<h1>Events</h1><ul>{rows}</ul>")] == [name for name, _ in NAMES]


def test_a_box_of_news_is_not_the_agenda() -> None:
    rows = dated(
        "<div class=ev><h2><a href='/e/{1}'>{0}</a></h2><p>{2}, 20:00</p></div>",
        "3 grudnia 2026",
        "4 grudnia 2026",
        "5 grudnia 2026",
    )
    news = "<div class=moduletable><h3>Aktualności</h3><ul><li><a href='/n/1'>Remont sali</a> <span>2 listopada 2026</span></li><li><a href='/n/2'>Nowy sezon</a> <span>1 listopada 2026</span></li></ul></div>"
    assert [title for title, _ in read(rows + news, language="pl")] == [name for name, _ in NAMES]


@pytest.mark.parametrize(
    ("language", "dates"),
    [
        ("en", "Saturday, 19 December, 10:30 - Sunday, 20 December, 17:30"),
        ("en", "Dec 19, 2026, 10:30 AM – Dec 20, 2026, 5:30 PM"),
        ("en", "19 December 2026 10:30 to 20 December 2026 17:30"),
        ("de", "Samstag, 19. Dezember, 10:30 Uhr - Sonntag, 20. Dezember, 17:30 Uhr"),
        ("de", "Sa, 19.12.2026, 10:30 - So, 20.12.2026, 17:30"),
        ("nl", "zaterdag 19 december 10.30 - zondag 20 december 17.30"),
        ("fr", "samedi 19 décembre 10h30 - dimanche 20 décembre 17h30"),
        ("pl", "sobota, 19 grudnia, 10:30 - niedziela, 20 grudnia, 17:30"),
    ],
)
def test_a_stretch_from_a_day_and_hour_to_another_is_one_event(language: str, dates: str) -> None:
    days = (dates, "18.12.2026 18:00", "12.12.2026 14:00")
    rows = dated("<li><a href='/e/{1}'><h3>{0}</h3></a><p>{2}</p><p>Forum</p></li>", *days)
    page = f"<html lang={language}><body><main><ul>{rows}</ul></main></body></html>"
    found = extract(page, url="https://forum.example/agenda", kind="event", now=NOW).items
    assert [event["title"] for event in found] == [name for name, _ in NAMES]
    assert (found[0]["starts_at"][:16], found[0]["ends_at"][:16]) == ("2026-12-19T10:30", "2026-12-20T17:30")
