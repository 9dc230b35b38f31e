"""Days in lists: deadlines beside them, times beside them, headings above them, the same day written twice."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.extraction_task import ExtractionTask
from tests.unit.stages.parse.agenda.test_agendas import NAMES, each, read


@pytest.mark.parametrize(
    "deadline",
    [
        "<b>Anmeldeschluss:</b> {3}",
        "<div><span>Anmeldeschluss</span> <span>{3}</span></div>",
        "<strong>Deadline:</strong> <span class=date>{3}</span>",
        "<p>Venta de entradas desde el {3}</p>",
    ],
)
def test_a_deadline_beside_its_label_is_no_event(deadline: str) -> None:
    row = f"<div class=e><h3><a href='/e/{{1}}'>{{0}}</a></h3><p><b>Beginn:</b> {{2}}, 19:30 Uhr<br>{deadline}</p></div>"
    days = (("3.12.2026", "24.11.2026"), ("8.12.2026", "30.11.2026"), ("9.12.2026", "1.12.2026"))
    names = [(*name, *day) for name, day in zip(NAMES[:3], days, strict=True)]
    found = read(f"<h1>Veranstaltungen</h1>{each(row, *names)}", language="de")
    assert [at for _, at in found] == ["2026-12-03T19:30", "2026-12-08T19:30", "2026-12-09T19:30"]


@pytest.mark.parametrize(
    "deadline",
    [
        "register till 2 December",
        "sign up before 2 December",
        "Anmeldung: bis 2. Dezember",
        "aanmelden tot 2 december",
    ],
)
@pytest.mark.parametrize("beside", [", {0}", "</p><p>{0}"])
def test_the_last_day_to_register_is_neither_an_event_nor_an_end(deadline: str, beside: str) -> None:
    row = "<li><h3><a href='/e/{1}'>{0}</a></h3><p>{2} December 2026{3}</p></li>"
    days = (("12", beside.format(deadline)), ("13", ""), ("14", ""))
    names = [(*name, *day) for name, day in zip(NAMES[:3], days, strict=True)]
    found = read(f"<h1>Events</h1><ul>{each(row, *names)}</ul>")
    assert [at for _, at in found] == ["2026-12-12", "2026-12-13", "2026-12-14"]


@pytest.mark.parametrize(
    ("several", "one"),
    [
        ("18:00 en 20:40 uur", "20:30 uur"),
        ("18.00 und 20.40 Uhr", "20.30 Uhr"),
        ("18.00 Uhr und 20.40 Uhr", "20.30"),
    ],
)
def test_a_cell_that_joins_its_times_by_a_word_is_of_its_column_alone(several: str, one: str) -> None:
    heads = "".join(f"<th>{day} Nov 2026</th>" for day in ("Thu 12", "Fri 13", "Sat 14"))
    row = "<tr><td><a href='/f/{1}'>{0}</a></td><td>{2}</td><td>{3}</td><td>{4}</td></tr>"
    shown = each(row, (*NAMES[0], several, "", one), (*NAMES[1], "", several, ""))
    found = read(f"<h1>Programme</h1><table><tr><th>Film</th>{heads}</tr>{shown}</table>")
    assert [at for _, at in found] == [
        *("2026-11-12T18:00", "2026-11-12T20:40", "2026-11-14T20:30"),
        *("2026-11-13T18:00", "2026-11-13T20:40"),
    ]


def test_a_date_tag_with_two_ends_is_no_year() -> None:
    tag = "<div class=d><span>{2}</span> <span>Dec</span></div>"
    row = (
        "<article><div class=tag>"
        + tag
        + "<div class=d><span>{3}</span> <span>Dec</span></div></div><h3><a href='/e/{1}'>{0}</a></h3></article>"
    )
    days = (("3", "22"), ("8", "24"), ("11", "27"))
    names = [(*name, *day) for name, day in zip(NAMES[:3], days, strict=True)]
    found = read(f"<h1>Events</h1>{each(row, *names)}")
    assert [at for _, at in found] == ["2026-12-03", "2026-12-08", "2026-12-11"]


def test_an_hour_whose_half_of_the_day_stands_with_its_end_begins_a_stretch() -> None:
    day = "<time datetime='2026-12-{0}T12:00'>Sun, Dec {0} 2026, 12</time> - <time datetime='2026-12-{0}T14:00'>2pm</time><br>"
    found = read(f"<h1>Public skating</h1><div>{each(day, ('06',), ('13',), ('20',))}</div>")
    assert [at for _, at in found] == ["2026-12-06T12:00", "2026-12-13T12:00", "2026-12-20T12:00"]


def test_a_row_of_one_cell_heads_the_rows_behind_it() -> None:
    day = "<tr class=heading><td colspan=3><span>December {2}, 2026</span> <span>{3}</span></td></tr>"
    row = "<tr><td>11:00am - 3:00pm</td><td><i></i></td><td><a href='/e/{1}'>{0}</a></td></tr>"
    days = (("1", "Tuesday"), ("2", "Wednesday"), ("3", "Thursday"))
    names = [(*name, *at) for name, at in zip(NAMES[:3], days, strict=True)]
    found = read(f"<h1>Calendar</h1><table><tbody>{each(day + row, *names)}</tbody></table>")
    assert found == [(name, f"2026-12-0{n}T11:00") for n, (name, _) in enumerate(NAMES[:3], start=1)]


def test_days_below_the_headings_of_their_lists_are_named_by_them() -> None:
    lists = "<section><h3>{0}:</h3><div><p>January {1} at 1:00 pm</p><p>February {2} at 1:00 pm <a href='/m.pdf'>(Minutes)</a></p></div></section>"
    bodies = [("Finance Committee of the Bank", "9", "6"), ("Project Review Group", "10", "7")]
    head = "<h1>Board Meetings</h1><h4><a href='#c1'>2027 Board Meetings</a></h4>"
    found = read(head + each(lists, *bodies))
    assert found == [
        ("Finance Committee of the Bank", "2027-01-09T13:00"),
        ("Finance Committee of the Bank", "2027-02-06T13:00"),
        ("Project Review Group", "2027-01-10T13:00"),
        ("Project Review Group", "2027-02-07T13:00"),
    ]


def test_a_line_between_breaks_is_the_title() -> None:
    row = "<p><strong>{2} dicembre, ore 14.30</strong><br>{0}<br><em>Sala grande – ingresso libero</em></p>"
    names = [(*name, day) for name, day in zip(NAMES[:3], ("3", "8", "11"), strict=True)]
    found = read(f"<h1>Appuntamenti</h1>{each(row, *names)}", language="it")
    assert [title for title, _ in found] == [name for name, _ in NAMES[:3]]


def test_one_event_whose_day_is_written_twice_is_one() -> None:
    page = (
        "<h1>Full Steam Ahead</h1><p>FULL STEAM AHEAD<br>Monday, Dec 7<br>1:00 - 2:00 pm<br>Library, downtown</p>"
        "<div><div>Date:</div><div><span class=date>Monday, December 7, 2026 - 1:00pm to 2:00pm</span></div></div>"
        "<a class=btn href='/r'>December 7 Registration</a>"
    )
    assert [at for _, at in read(page)] == ["2026-12-07T13:00"]


@pytest.mark.parametrize(
    "page",
    [
        "<p class=fecha>Jueves 3 de diciembre de 2026</p><p class=hora>19:30 h</p><p>Duración: 1 h 30 min</p>",
        "<div><div><div>Happening December 3, 2026</div></div></div><div><div><div>19:30 - 21:00</div></div></div>",
    ],
)
def test_the_time_of_the_only_day_may_stand_in_a_box_of_its_own(page: str) -> None:
    assert read(f"<main><h1>Blue Lanterns</h1>{page}</main>", language="es") == [
        ("Blue Lanterns", "2026-12-03T19:30")
    ]


def test_acts_below_their_stages_are_events_and_stages_are_not() -> None:
    act = "<li><span>{2}:00 - {2}:45</span> <a href='/a/{1}'>{0}</a></li>"
    day = "<section><h2>{0} December 2026</h2><div class=s><h3>Main stage</h3><ul>{1}</ul></div><div class=s><h3>Tent</h3><ul>{2}</ul></div></section>"
    acts = each(act, *((*name, hour) for name, hour in zip(NAMES[:2], ("14", "16"), strict=True)))
    found = read(
        f"<h1>Programme</h1>{day.format(5, acts, '')}{day.format(6, acts.replace('/a/', '/b/'), '')}"
    )
    first, second = (name for name, _ in NAMES[:2])
    assert found == [
        (title, f"2026-12-0{day}T{hour}:00") for day in (5, 6) for title, hour in ((first, 14), (second, 16))
    ]


def test_what_all_rows_below_a_headline_say_is_no_title() -> None:
    row = "<li><time datetime='2026-12-0{0}T20:00'>{0} December</time> <a href='/book?x={0}'>Showing in: Screen 1</a></li>"
    found = read(f"<h1>The Long Winter</h1><ul>{each(row, ('3',), ('5',), ('8',))}</ul>")
    assert {title for title, _ in found} == {"The Long Winter"}


def test_an_address_is_no_title() -> None:
    row = "<div><p><b>{0}</b></p><p>{2} December 2026, 18:30</p><a href='http://{1}.test/'>http://{1}.test/</a></div>"
    names = [(*name, day) for name, day in zip(NAMES[:3], ("3", "8", "11"), strict=True)]
    found = read(f"<h1>Lectures</h1>{each(row, *names)}")
    assert [title for title, _ in found] == [name for name, _ in NAMES[:3]]


def test_times_in_a_list_behind_the_page_s_day_are_shows() -> None:
    times = "".join(
        f"<li><a href='/t?{n}'>{clock}</a></li>" for n, clock in enumerate(("11:00", "13:30", "15:00"))
    )
    page = f"<html lang=nl><body><h1>Rondleiding</h1><p>Vrijdag 20 november 2026</p><ul>{times}</ul></body></html>"
    task = ExtractionTask(
        page=Page("https://m.test/agenda/x", page), kind=Kind.EVENT, purpose=Purpose.DETAIL, declared=None
    )
    assert [str(item.fields["date_text"])[-5:] for item in visible_events(task)] == [
        "11:00",
        "13:30",
        "15:00",
    ]


def test_rows_of_one_moment_with_numbered_addresses_are_events_of_their_own() -> None:
    rows = "".join(
        f"<li><h3><a href='/events/{n}'>Rhyme Time</a></h3><p>21 November 2026, 10.30am</p><p>Branch {n}</p></li>"
        for n in (501, 502, 503, 504)
    )
    task = ExtractionTask(
        page=Page("https://l.test/whats-on", f"<html lang=en><body><h1>What's on</h1><ul>{rows}</ul></body></html>"),
        kind=Kind.EVENT, purpose=Purpose.INDEX, declared=None,
    )  # fmt: skip
    assert len(visible_events(task)) == 4


def events_of(body: str, language: str, purpose: Purpose = Purpose.INDEX) -> list[tuple[str, str, str]]:
    page = Page("https://a.test/agenda", f"<html lang={language}><body><h1>Agenda</h1>{body}</body></html>")
    found = visible_events(ExtractionTask(page=page, kind=Kind.EVENT, purpose=purpose, declared=None))
    return [(i.fields["title"], str(i.fields.get("date_text")), str(i.fields.get("url"))) for i in found]


def test_a_timetables_cell_belongs_to_the_day_of_its_column_alone() -> None:
    head = "<tr><th>Film</th><th>Fr 20.11.</th><th>Sa 21.11.</th><th>So 22.11.</th></tr>"
    cells = ("<a href='/t/1'>15:00</a><br><a href='/t/2'>20:00</a>", "", "<a href='/t/3'>17:30</a>")
    row = "<tr><td><a href='/film/fluss'>Der Fluss</a></td>{}</tr>".format(
        "".join(f"<td>{c}</td>" for c in cells)
    )
    found = events_of(f"<table>{head}{row}</table>", "de")
    assert [(title, when[-12:]) for title, when, _ in found] == [
        ("Der Fluss", "20.11. 15:00"),
        ("Der Fluss", "20.11. 20:00"),
        ("Der Fluss", "22.11. 17:30"),
    ]


def test_shows_below_a_films_heading_have_the_films_address_not_that_of_their_tickets() -> None:
    film = "<article><h2><a href='/film/{0}'>Le film {0}</a></h2><div>{1}</div></article>"
    days = "".join(f"<div>vendredi {d} novembre <a href='/resa/{d}'>14h00</a></div>" for d in (20, 21))
    found = events_of("".join(film.format(name, days) for name in ("bleu", "vert", "gris")), "fr")
    assert [url for _, _, url in found] == [
        f"https://a.test/film/{name}" for name in ("bleu", "vert", "gris") for _ in range(2)
    ]


POST = """<div class=post><h2><a href='/p/{0}'>Serata numero {0}</a></h2><p>La comunità è invitata: venerdì {0} novembre
alle ore 20:30 presso il salone si terrà la nostra iniziativa. <a href='/p/{0}'>Continua</a></p></div>"""


def test_days_that_the_sentences_of_posts_name_are_those_of_the_posts() -> None:
    found = events_of("".join(POST.format(day) for day in (20, 24, 27, 28)), "it")
    assert [title for title, _, _ in found] == [f"Serata numero {day}" for day in (20, 24, 27, 28)]
    assert all("20:30" in when for _, when, _ in found)


def test_days_below_a_heading_that_ends_with_a_month_are_of_that_month() -> None:
    row = "<tr><td>{0}</td><td>19.30</td><td><a href='/a/{1}'>Avond nummer {1}</a></td></tr>"
    rows = "".join(row.format(day, n) for n, day in enumerate(("vr 20", "zo 22", "di 24")))
    found = events_of(f"<h2>Activiteiten november 2026</h2><table>{rows}</table>", "nl")
    assert [(title, when) for title, when, _ in found] == [
        ("Avond nummer 0", "vr 20 november 2026 19.30"),
        ("Avond nummer 1", "zo 22 november 2026 19.30"),
        ("Avond nummer 2", "di 24 november 2026 19.30"),
    ]


def test_a_linked_picture_before_the_words_of_a_paragraph_does_not_end_the_reading() -> None:
    row = "<div class=row><p><a href='/e/{1}'><img src='{1}.jpg'></a> on {2} December 2026</p><h3><a href='/e/{1}'>{0}</a></h3></div>"
    names = [(*name, day) for name, day in zip(NAMES[:3], ("3", "8", "11"), strict=True)]
    assert [title for title, _ in read(each(row, *names))] == [name for name, _ in NAMES[:3]]


def test_days_in_brackets_behind_titles_are_those_of_their_rows() -> None:
    rows = each(
        "<li><a href='/e/{1}'>{0} ({2} December 2026)</a></li>",
        *zip(*zip(*NAMES, strict=True), ("3", "8", "11"), strict=True),
    )
    others = each("<li><a href='/o/{0}'>Market number {0}</a>, {0} January 2027</li>", ("4",), ("5",), ("6",))
    found = read(f"<h1>Events</h1><ul>{rows}</ul><ul>{others}</ul>")
    assert [title for title, _ in found][:3] == [name for name, _ in NAMES]
    assert len(found) == 6
