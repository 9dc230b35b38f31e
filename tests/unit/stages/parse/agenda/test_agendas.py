"""Agendas in the shapes that sites have: title and start of each event, and nothing besides."""

# ruff: noqa: E501 - a row of a page is one line

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from larder.extraction import extract

NOW = datetime(2026, 10, 9, 12, tzinfo=ZoneInfo("Europe/Amsterdam"))


def read(body: str, *, language: str = "en", now: datetime = NOW) -> list[tuple[str, str]]:
    """Title and start of every event, in the order of the page."""
    html = f"<html lang={language}><body>{body}"
    found = extract(html, url="https://agenda.test/events", kind="event", now=now)
    return [(item["title"], item["starts_at"][: 16 if item["time_known"] else 10]) for item in found.items]


def each(row: str, *values: tuple[str, ...]) -> str:
    return "".join(row.format(*value) for value in values)


NAMES = (
    ("Jazz in the Cellar", "jazz-cellar"),
    ("Poetry Slam", "poetry-slam"),
    ("Choir Evening", "choir-evening"),
)


def pieces_in_boxes() -> str:
    row = (
        "<div class=row><div class=box><span class=m>{0}</span><span class=d>{1}</span></div>"
        "<div class=ttl><a href='/e/{3}'>{2}</a></div><a class=action href='/e/{3}'>Learn More</a></div>"
    )
    days = (("Nov", "02"), ("Nov", "13"), ("Jan", "29"))
    return "<h1>Events</h1>" + each(row, *((*day, *name) for day, name in zip(days, NAMES, strict=True)))


def month_headings() -> str:
    card = (
        "<div class='grid-item'><a href='/event/{1}'><img><span class=short-date>{2}</span></a>"
        "<p class=series>Free Events</p><h3><a href='/event/{1}'>{0}</a></h3><a class=button>Event Info</a></div>"
    )
    november = each(card, (*NAMES[0], "TUE 03"), (*NAMES[1], "THU 12"))
    january = each(card, (*NAMES[2], "SUN 10"))
    return f"<div><h3>November 2026</h3></div>{november}<div><h3>January 2027</h3></div>{january}"


def repeated_badges() -> str:
    row = (
        "<div class=event-card><span class=minititle>Extra tickets released!</span><a class=eventhref href='/w/{1}/'>"
        "<span class=title>{0}</span></a><span class=date>{2}</span><a href='/w/{1}/'>Event Info</a></div>"
    )
    days = ("16 - 19 January 2027", "24 January 2027", "31 January - 1 February 2027")
    return each(row, *((*name, day) for name, day in zip(NAMES, days, strict=True)))


def venue_as_heading() -> str:
    row = (
        "<li><a href='https://other.test/{1}'><h6 class=note>Presented by Friends</h6><h3>{2}</h3><h3>{3}</h3>"
        "<h3>Overlook Hall</h3><h4>{0}</h4><p>{0} is a fine evening for everyone.</p><h5>View Event →</h5></a></li>"
    )
    days = (("Sunday Nov 1", "11 am‑2 pm"), ("Saturday Nov 14", "9‑11:30 am"), ("Monday Nov 16", "10 am"))
    return f"<ul>{each(row, *((*name, *day) for name, day in zip(NAMES, days, strict=True)))}</ul>"


def definition_lists() -> str:
    return (
        "<h2>Performance Schedule</h2><p>As of July 1, 2025 minors are only allowed on the premises until 10pm, "
        "as our licence requires it.</p><h2>November</h2>"
        "<dl><dt>Sun Nov 1</dt><dd>7pm - Nancy Singer [<a href='https://nancy.test'>Website</a>] and Ghost Tree, "
        "with Phil (cello), Connor and Jonah and many more guests who join her on this evening ($15 cover)</dd></dl>"
        "<dl><dt>Mon Nov 2</dt><dd>7pm - Brewer Quintet - Melissa (vocals), Alex (piano), Chris (bass), Will (drums)"
        " and guests <strong>NOTE: no more reservations for this one</strong></dd>"
        "<dd>9:30pm - Hughes Quartet ($10)</dd></dl>"
        "<dl><dt>Sat Nov 7</dt><dd>8pm - Global Jam</dd></dl>"
    )


def cinema_by_day() -> str:
    film = (
        "<div class=film><h3 class=title>{0}</h3><p><span>PG-13</span> for some language</p><ul>"
        "<li><a href='/buy/1'><time>12:30 PM</time></a></li><li><a href='/buy/2'><time>6:45 PM</time></a></li></ul></div>"
    )
    return (
        f"<div class=day><h3 class=date-title>Sunday 1, November</h3>{each(film, ('Hamlet',), ('Macbeth',))}</div>"
        f"<div class=day><h3 class=date-title>Monday 2, November</h3>{each(film, ('Hamlet',))}</div>"
    )


def month_grid() -> str:
    link = "<div class=ev><span>{1}</span> <a href='/e/{2}'>{0}</a></div>"
    first = link.format("Jazz in the Cellar", "20:00", "jazz-cellar")
    second = link.format("Poetry Slam", "14:00", "poetry-slam") + link.format(
        "Choir Evening", "19:30", "choir"
    )
    cells = f"<td class=other-month>31</td><td>1</td><td>2{first}</td><td>3</td><td>4{second}</td><td>5</td>"
    head = "<tr><th>Mo</th><th>Tu</th></tr>"
    return f"<h1>Calendar</h1><h2>November 2026</h2><a href='?m=12'>December</a><table>{head}<tr>{cells}</tr></table>"


def plain_table() -> str:
    row = "<tr><td>{2}</td><td>{0}</td><td>Town Hall</td></tr>"
    days = ("2 November 2026", "13 November 2026", "29 January 2027")
    rows = each(row, *((*name, day) for name, day in zip(NAMES, days, strict=True)))
    return f"<h1>Agenda</h1><table><tr><th>Date</th><th>Event</th><th>Where</th></tr>{rows}</table>"


def short_numbers() -> str:
    row = (
        "<li class=card><a href='/store/event/{1}/' aria-label='{0}'><h3 class=heading>{0}</h3><h2 class=sub>{2}</h2>"
        "<h2 class=sub></h2><p>Demo and Taste</p></a></li>"
    )
    days = ("15/12 09:00", "18/12 19:30", "21/12 20:00")
    return f"<h1>Classes</h1><ul>{each(row, *((*name, day) for name, day in zip(NAMES, days, strict=True)))}</ul>"


def two_times() -> str:
    row = (
        "<div class=card><time datetime='{2}'>{3}</time> - <time datetime='{4}'>{5}</time>"
        "<a href='/e/{1}' aria-label='overlay link'></a><h3><a href='/e/{1}'>{0}</a></h3></div>"
    )
    first = (
        "2026-11-12T09:00:00+01:00",
        "Thu, Nov. 12 • 9:00 am",
        "2026-11-14T15:00:00+01:00",
        "Sat, Nov. 14 • 3:00 pm",
    )
    second = ("2026-11-20T08:00:00+01:00", "Fri, Nov. 20 • 8:00 am", "2026-11-20T15:00:00+01:00", "3:00 pm")
    third = (
        "2026-12-01T10:00:00+01:00",
        "Tue, Dec. 1 • 10:00 am",
        "2026-12-02T18:00:00+01:00",
        "Wed, Dec. 2 • 6 pm",
    )
    return each(row, (*NAMES[0], *first), (*NAMES[1], *second), ("RSVP", "rsvp-2026", *third))


def vevent() -> str:
    row = (
        "<div class=vevent><a class=url href='/e/{1}'><span class=summary>{0}</span></a>"
        "<abbr class=dtstart title='{2}'>then</abbr> <span class=location>Town Hall</span></div>"
    )
    days = ("2026-11-02T20:00", "2026-11-13T20:00", "2027-01-29T20:00")
    return each(row, *((*name, day) for name, day in zip(NAMES, days, strict=True)))


def cells_with_stamps() -> str:
    cell = "<div class=cal-day><h3 class=day-date><time datetime='2026-11-{0:02}'>{0}</time></h3>{1}</div>"
    link = "<article><time datetime='20:00'>8:00 pm</time> - <time>10:00 pm</time><h3><a href='/e/{1}'>{0}</a></h3></article>"
    full = {3: link.format(*NAMES[0]), 6: link.format(*NAMES[1]), 9: link.format(*NAMES[2])}
    return "<h1>My Town</h1><h2>November 2026</h2>" + "".join(
        cell.format(day, full.get(day, "")) for day in range(1, 11)
    )


def clocks_in_a_list() -> str:
    row = (
        "<article><h1><a href='/e/{1}'>{0}</a></h1><ul><li><time class=event-date datetime='2026-11-{2}'>November {2}, 2026"
        "</time></li><li><span><time datetime='2026-11-{2}'>7:00 PM</time><time datetime='2026-11-{2}'>9:00 PM</time></span>"
        "<span><time datetime='2026-11-{2}'>19:00</time> <time datetime='2026-11-{2}'>21:00</time></span></li>"
        "<li><a href='/e/{1}?format=ical'>ICS</a></li></ul><a href='/e/{1}'>View Event →</a></article>"
    )
    return each(row, *((*name, day) for name, day in zip(NAMES, ("05", "06", "14"), strict=True)))


def dotted_days() -> str:
    row = "<tr><td>Do</td><td>{2}.11.</td><td>19.30 Uhr</td><td><a href='/s/{1}'>{0}</a><br>Großes Haus</td><td><a href='/k/{1}'>Karten</a></td></tr>"
    rows = each(row, *((*name, day) for name, day in zip(NAMES, ("5", "12", "19"), strict=True)))
    return f"<h1>Spielplan</h1><h2>November 2026</h2><table>{rows}</table>"


def same_day_twice() -> str:
    row = (
        "<div class=head><h2>{3}</h2><div><h3>{4}</h3><h3>Nov</h3></div></div><div class='row event'><p><b>Nov {3} |</b>"
        " 7:00 PM</p><h2>{0} <span class=sr-only>{3}/11/2026</span></h2><p>On {4}, November {3} discover a hidden life"
        " of someone who did a lot of things in space.</p><a href='/e/{1}'>Learn More</a></div>"
    )
    return each(
        row,
        (*NAMES[0], "", "11", "Wednesday"),
        (*NAMES[1], "", "12", "Thursday"),
        (*NAMES[2], "", "13", "Friday"),
    )


AGENDAS = {
    "pieces in boxes": (
        pieces_in_boxes(),
        [
            ("Jazz in the Cellar", "2026-11-02"),
            ("Poetry Slam", "2026-11-13"),
            ("Choir Evening", "2027-01-29"),
        ],
    ),
    "month headings": (
        month_headings(),
        [
            ("Jazz in the Cellar", "2026-11-03"),
            ("Poetry Slam", "2026-11-12"),
            ("Choir Evening", "2027-01-10"),
        ],
    ),
    "repeated badges": (
        repeated_badges(),
        [
            ("Jazz in the Cellar", "2027-01-16"),
            ("Poetry Slam", "2027-01-24"),
            ("Choir Evening", "2027-01-31"),
        ],
    ),
    "venue as heading": (
        venue_as_heading(),
        [
            ("Jazz in the Cellar", "2026-11-01T11:00"),
            ("Poetry Slam", "2026-11-14T09:00"),
            ("Choir Evening", "2026-11-16T10:00"),
        ],
    ),
    "definition lists": (
        definition_lists(),
        [
            ("Nancy Singer", "2026-11-01T19:00"),
            ("Brewer Quintet", "2026-11-02T19:00"),
            ("Hughes Quartet ($10)", "2026-11-02T21:30"),
            ("Global Jam", "2026-11-07T20:00"),
        ],
    ),
    "cinema by day": (
        cinema_by_day(),
        [
            ("Hamlet", "2026-11-01T12:30"),
            ("Hamlet", "2026-11-01T18:45"),
            ("Macbeth", "2026-11-01T12:30"),
            ("Macbeth", "2026-11-01T18:45"),
            ("Hamlet", "2026-11-02T12:30"),
            ("Hamlet", "2026-11-02T18:45"),
        ],
    ),
    "month grid": (
        month_grid(),
        [
            ("Jazz in the Cellar", "2026-11-02T20:00"),
            ("Poetry Slam", "2026-11-04T14:00"),
            ("Choir Evening", "2026-11-04T19:30"),
        ],
    ),
    "plain table": (
        plain_table(),
        [
            ("Jazz in the Cellar", "2026-11-02"),
            ("Poetry Slam", "2026-11-13"),
            ("Choir Evening", "2027-01-29"),
        ],
    ),
    "days in two numbers": (
        short_numbers(),
        [
            ("Jazz in the Cellar", "2026-12-15T09:00"),
            ("Poetry Slam", "2026-12-18T19:30"),
            ("Choir Evening", "2026-12-21T20:00"),
        ],
    ),
    "two times are beginning and end": (
        two_times(),
        [
            ("Jazz in the Cellar", "2026-11-12T09:00"),
            ("Poetry Slam", "2026-11-20T08:00"),
            ("RSVP", "2026-12-01T10:00"),
        ],
    ),
    "hCalendar": (
        vevent(),
        [
            ("Jazz in the Cellar", "2026-11-02T20:00"),
            ("Poetry Slam", "2026-11-13T20:00"),
            ("Choir Evening", "2027-01-29T20:00"),
        ],
    ),
    "cells with stamps": (
        cells_with_stamps(),
        [
            ("Jazz in the Cellar", "2026-11-03T20:00"),
            ("Poetry Slam", "2026-11-06T20:00"),
            ("Choir Evening", "2026-11-09T20:00"),
        ],
    ),
    "two clocks for one time": (
        clocks_in_a_list(),
        [
            ("Jazz in the Cellar", "2026-11-05T19:00"),
            ("Poetry Slam", "2026-11-06T19:00"),
            ("Choir Evening", "2026-11-14T19:00"),
        ],
    ),
    "days with two full stops": (
        dotted_days(),
        [
            ("Jazz in the Cellar", "2026-11-05T19:30"),
            ("Poetry Slam", "2026-11-12T19:30"),
            ("Choir Evening", "2026-11-19T19:30"),
        ],
    ),
    "days with room in them, times beside the day": (
        "<h1>Agenda</h1><dl>"
        + each(
            "<dt>{2} v 19:30</dt><dd><a href='/e/{1}'>{0}</a></dd>",
            *((*n, f"{d}. 11. 2026") for n, d in zip(NAMES, (5, 12, 19), strict=True)),
        )
        + "</dl>",
        [
            ("Jazz in the Cellar", "2026-11-05T19:30"),
            ("Poetry Slam", "2026-11-12T19:30"),
            ("Choir Evening", "2026-11-19T19:30"),
        ],
    ),
    "an hour without minutes, short Italian months": (
        each(
            "<article><div class=calendario><b>{2}</b><i>gen</i></div><h2><a href='/e/{1}'>{0}</a></h2><p>ore 21 – Sala</p></article>",
            *((*n, str(d)) for n, d in zip(NAMES, (5, 12, 19), strict=True)),
        ),
        [
            ("Jazz in the Cellar", "2027-01-05T21:00"),
            ("Poetry Slam", "2027-01-12T21:00"),
            ("Choir Evening", "2027-01-19T21:00"),
        ],
    ),
    "a sidebar, a date of change and a link to later ones are none": (
        each(
            "<h3>{2}</h3><div class=ev><span>19:30</span> <a href='/e/{1}'>{0}</a></div>",
            *((*n, f"{d} November 2026") for n, d in zip(NAMES, (5, 12, 19), strict=True)),
        )
        + "<div><a href='/events?from=3'>Later events ›</a></div><p>Stand: 01.10.2026</p>"
        "<aside><h2>Recent Posts</h2><ul><li><a href='/blog/hello'>Hello</a> October 3, 2026</li></ul></aside>",
        [
            ("Jazz in the Cellar", "2026-11-05T19:30"),
            ("Poetry Slam", "2026-11-12T19:30"),
            ("Choir Evening", "2026-11-19T19:30"),
        ],
    ),
    "a day named three times": (
        same_day_twice(),
        [
            ("Jazz in the Cellar", "2026-11-11T19:00"),
            ("Poetry Slam", "2026-11-12T19:00"),
            ("Choir Evening", "2026-11-13T19:00"),
        ],
    ),
}


@pytest.mark.parametrize(("body", "expected"), AGENDAS.values(), ids=AGENDAS)
def test_an_agenda_is_read_as_it_looks(body: str, expected: list[tuple[str, str]]) -> None:
    assert read(body) == expected


LANGUAGES = {
    "fr": (
        "du 3 au 8 décembre 2026",
        "sam. 12 décembre 2026 à 20h30",
        "Réserver",
        ("2026-12-03", "2026-12-12T20:30"),
    ),
    "es": (
        "3 de diciembre de 2026",
        "sábado 12 de diciembre de 2026, 20:30 h",
        "Entradas",
        ("2026-12-03", "2026-12-12T20:30"),
    ),
    "it": (
        "3 dicembre 2026",
        "sabato 12 dicembre 2026 ore 20:30",
        "Acquista biglietti",
        ("2026-12-03", "2026-12-12T20:30"),
    ),
    "pl": ("3 / gru / 2026", "12 grudnia 2026, godz. 20:30", "Kup bilet", ("2026-12-03", "2026-12-12T20:30")),
    "sv": (
        "3 december 2026",
        "lördag 12 december kl. 20.30",
        "Köp biljett",
        ("2026-12-03", "2026-12-12T20:30"),
    ),
    "de": (
        "3.–8. Dezember 2026",
        "Sa, 12. Dezember, 20.30 Uhr",
        "Jetzt buchen",
        ("2026-12-03", "2026-12-12T20:30"),
    ),
    "nl": (
        "3 t/m 8 december",
        "za 12 december 20.30 uur",
        "Bestel kaarten",
        ("2026-12-03", "2026-12-12T20:30"),
    ),
}


@pytest.mark.parametrize(("language", "said"), LANGUAGES.items())
def test_dates_of_many_languages(language: str, said: tuple[str, str, str, tuple[str, str]]) -> None:
    first, second, button, (one, two) = said
    row = "<article><h3><a href='/{1}'>{0}</a></h3><p>{2}</p><a href='/t/{1}'>{3}</a></article>"
    body = each(row, ("Carmen", "carmen", first, button), ("Tosca", "tosca", second, button))
    assert read(body, language=language) == [("Carmen", one), ("Tosca", two)]


def test_prose_dates_of_publication_and_related_links_are_no_events() -> None:
    body = (
        "<h1>Spring Concert</h1><p class=posted-on>Posted on 1 September 2026</p><p class=date>14 November 2026, 20:00</p>"
        "<p>The choir was founded on 3 March 1994 and has sung in every town of the province since then.</p>"
        "<div class=related><h3><a href='/autumn'>Autumn Concert</a></h3><p>10 October 2026</p></div>"
        "<footer>Last changed 12 May 2026</footer>"
    )
    assert read(body) == [("Spring Concert", "2026-11-14T20:00")]


def test_a_meeting_list_takes_the_name_of_its_page() -> None:
    row = "<li>{0} <a href='/{1}.pdf'>Agenda</a> <a href='/m{1}.pdf'>CDC {1} minutes</a></li>"
    body = "<h1>Community Development Board</h1><h3>2026 Meetings</h3><ul>" + each(
        row, ("Nov. 10", "a"), ("Nov. 24", "b"), ("Dec. 8", "c")
    )
    assert read(body + "</ul>") == [
        ("Community Development Board", "2026-11-10"),
        ("Community Development Board", "2026-11-24"),
        ("Community Development Board", "2026-12-08"),
    ]


def test_labels_are_no_title_and_the_start_of_sales_is_no_event() -> None:
    facts = (
        "<dt>Date</dt><dd>14 November 2026</dd><dt>Doors open</dt><dd>19:30</dd><dt>Start</dt><dd>20:15</dd>"
    )
    body = f"<main><h1>Spring Concert</h1><dl>{facts}</dl><p>Tickets on sale October 20, 2026 at 10:00 AM.</p></main>"
    assert read(body) == [("Spring Concert", "2026-11-14T20:15")]


def test_a_number_in_a_table_below_a_month_is_no_day() -> None:
    row = "<tr><td>{2} November</td><td><a href='/e/{1}'>{0}</a></td><td>15</td></tr>"
    rows = each(row, *((*name, str(day)) for day, name in enumerate(NAMES, start=3)))
    assert read(f"<h2>November 2026</h2><table>{rows}</table>") == [
        ("Jazz in the Cellar", "2026-11-03"),
        ("Poetry Slam", "2026-11-04"),
        ("Choir Evening", "2026-11-05"),
    ]


def test_what_is_hidden_does_not_count() -> None:
    body = (
        "<h1>Spring Concert</h1><p>14 November 2026</p><p hidden>15 November 2026</p>"
        "<p style='display: none'>16 November 2026</p>"
    )
    assert read(body) == [("Spring Concert", "2026-11-14")]


@pytest.mark.parametrize(
    ("badge", "status"),
    [
        ("Cancelled", "cancelled"), ("Afgelast", "cancelled"), ("Abgesagt", "cancelled"), ("Annulé", "cancelled"),
        ("Verschoben", "postponed"), ("Rinviato", "postponed"), ("Aplazado", "postponed"), ("Uitgesteld", "postponed"),
        ("Nouvelle date", "moved"), ("Verplaatst", "moved"), ("Rescheduled", "moved"),
        ("SOLD OUT", "sold_out"), ("Uitverkocht", "sold_out"), ("Agotado", "sold_out"), ("Complet", "sold_out"),
        ("Not sold out yet", None), ("Tickets", None),
    ],
)  # fmt: skip
def test_status_words_are_kept(badge: str, status: str | None) -> None:
    body = f"<h1>Spring Concert</h1><p class=date>14 November 2026</p><span class=badge>{badge}</span>"
    found = extract(f"<body><main>{body}", url="https://agenda.test/e", kind="event", now=NOW)
    assert [item.get("status") for item in found.items] == [status]


def test_local_time_stamped_as_utc_is_told_by_what_the_page_shows() -> None:
    body = "<h1>Spring Concert</h1><time datetime='2026-11-14T19:30:00Z'>14 November 2026, {} pm</time>"
    assert read(body.format("7:30")) == [("Spring Concert", "2026-11-14T19:30")]
    assert read(body.format("8:30")) == [("Spring Concert", "2026-11-14T20:30")]
