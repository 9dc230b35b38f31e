"""Events' own pages, and lists beside other things, as platforms build them: each rule on a small page."""

# ruff: noqa: E501 - a row of a page is one line

from typing import Any

import pytest

from larder.core.model.item import Extracted
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.stages.parse.cascade import STRATEGIES, run_cascade
from larder.stages.parse.extraction_task import ExtractionTask

HERE = "https://venue.test/e/choir"


def items(html: str, purpose: Purpose = Purpose.DETAIL, title: str = "Choir Evening") -> list[dict[str, Any]]:
    """The fields of a page's items."""
    page = Page(HERE, f"<html><head><title>{title}</title></head><body>{html}</body></html>")
    found = run_cascade(ExtractionTask(page=page, kind=Kind.EVENT, purpose=purpose), tuple(STRATEGIES), [])
    assert isinstance(found, Extracted), found
    return [dict(item.fields) for item in found.items]


def rows(html: str) -> list[dict[str, Any]]:
    return items(html, Purpose.INDEX, "Programm")


CARD = "<li><a href='/e/{0}'><h3>{1}</h3><p>{2}</p></a>{3}</li>"


def test_links_beside_the_day_are_not_the_events_address() -> None:
    page = "<main><h1>Choir Evening</h1><p class=date>Fri 4 Dec 2026, 20:00</p><p><a href='/venue/x'>Town Hall</a> <a href='https://tickets.test/1'>Order</a></p></main>"
    assert [item.get("url") for item in items(page)] == [None]


def test_other_events_lend_an_events_page_neither_status_nor_venue_nor_time() -> None:
    other = CARD.format(
        "jazz",
        "Jazz Night",
        "Sat 5 Dec",
        "<span class=room>Cellar</span> <b>21:30</b> <span class=status>Sold out</span>",
    )
    page = f"<div class=top><h1>Choir Evening</h1><div class=date>Friday 4 December 2026</div><p>20:00</p></div><div class=more><h2>More gigs</h2><ul>{other}</ul></div>"
    (event,) = items(page)
    assert event["date_text"] == "Friday 4 December 2026 20:00"
    assert "status" not in event
    assert "venue" not in event


def test_a_sidebars_heading_is_not_the_title_of_the_page_that_holds_it() -> None:
    news = "<aside><h3>Latest</h3><h4><a href='/news/roof'>The roof is mended</a></h4></aside>"
    page = f"<main><div class=row><div><h1>Choir Evening</h1><dl><dt>Begin</dt><dd>04.12.2026 - 20:00</dd></dl></div>{news}</div></main>"
    assert [item["title"] for item in items(page)] == ["Choir Evening"]


def test_badges_that_are_hidden_say_nothing() -> None:
    badges = "<div class=badges><div class='badge w-condition-invisible'>Sold Out</div><div class='badge {0}'>Cancelled</div></div>"
    listed = "".join(
        CARD.format(n, title, f"{n} Dec 2026", badges.format("" if n == 5 else "w-condition-invisible"))
        for n, title in ((4, "Choir Evening"), (5, "Jazz Night"), (6, "Poetry Slam"))
    )
    assert [row.get("status") for row in rows(f"<h1>Gigs</h1><ul>{listed}</ul>")] == [None, "cancelled", None]


def test_a_list_of_timed_entries_below_a_day_with_a_name_are_the_events() -> None:
    page = (
        "<h1>Services</h1><h3>Sunday 22nd November – Christ the King</h3><ul><li><b>8am</b> Holy Communion (BCP)</li><li><b>10.30am</b> Parish Eucharist</li></ul>"
        "<h3>Sunday 29th November – Advent Sunday</h3><ul><li><b>8am</b> Holy Communion (BCP)</li></ul>"
    )
    assert [(row["title"], row["date_text"]) for row in rows(page)] == [
        ("Holy Communion (BCP)", "Sunday 22nd November 8am"),
        ("Parish Eucharist", "Sunday 22nd November 10.30am"),
        ("Holy Communion (BCP)", "Sunday 29th November 8am"),
    ]


def test_days_in_a_table_below_a_months_heading_are_rows_without_links() -> None:
    row = "<tr><td>{0}</td><td>{1}</td><td>18:30 Uhr</td><td>{2}</td><td>{3}</td></tr>"
    table = "".join(
        row.format(*each)
        for each in (
            ("Mo", 7, "Bauausschuss", "Ratssaal"),
            ("Fr", 11, "Finanzausschuss <b>(entfällt)</b>", "Mensa"),
            ("Di", 15, "Rat", "Ratssaal"),
        )
    )
    page = f"<h2>Sitzungen im Dezember 2026</h2><table><tr><th colspan=2>Tag</th><th>Uhrzeit</th><th>Sitzung</th><th>Raum</th></tr>{table}</table>"
    found = rows(page)
    assert [(each["date_text"], each["venue"]) for each in found] == [
        ("7 Dezember 2026 18:30", "Ratssaal"),
        ("11 Dezember 2026 18:30", "Mensa"),
        ("15 Dezember 2026 18:30", "Ratssaal"),
    ]
    assert (found[1]["title"][:15], found[1]["status"]) == ("Finanzausschuss", "cancelled")


def test_the_days_that_a_headline_covers_are_no_event_of_the_list() -> None:
    listed = "".join(
        CARD.format(n, title, f"{n}.12.2026 20:00", "")
        for n, title in ((4, "Choir"), (5, "Jazz Night"), (6, "Slam Poetry"))
    )
    page = f"<h1>Programm vom 04.12. bis 10.12.2026</h1><ul>{listed}</ul>"
    assert [row["title"] for row in rows(page)] == ["Choir", "Jazz Night", "Slam Poetry"]


def test_an_end_on_another_day_behind_the_time_is_the_end() -> None:
    days = (
        "4/12/2026 @ 11:00 - 6/12/2026 @ 21:00",
        "5/12/2026 @ 22:00 - 6/12/2026 @ 02:00",
        "13/12/2026 @ 10:00 - 12:00",
    )
    listed = "".join(
        f"<li><h3><a href='/e/{n}'>{title}</a></h3><span class=event-date-time>{day}</span></li>"
        for n, (title, day) in enumerate(zip(("Book Fair", "Night Walk", "Pottery"), days, strict=True))
    )
    found = rows(f"<h1>Eventos</h1><ul>{listed}</ul>")
    assert [bool(row.get("ends_at")) for row in found] == [True, True, False]
    assert "21:00" in found[0]["ends_at"]


def test_what_people_read_beside_a_machines_start_is_kept_where_it_says_how_long() -> None:
    listed = "".join(
        f"<li><h3><a href='/e/{n}'>{title}</a></h3><time datetime='2026-12-0{n}T15:00'>0{n}.12.2026 15:00{end}</time></li>"
        for n, title, end in ((4, "Choir", "–17:00"), (5, "Jazz Night", ""), (6, "Slam Poetry", ""))
    )
    assert [row.get("date_text") for row in rows(f"<h1>Termine</h1><ul>{listed}</ul>")] == [
        "04.12.2026 15:00–17:00",
        None,
        None,
    ]


def test_acts_below_a_stage_are_events_without_links_too() -> None:
    stage = "<div class=stage><h3>{0}</h3><ul>{1}</ul></div>"
    acts = [
        stage.format(name, "".join(f"<li><i>{at}</i> <b>{act}</b></li>" for at, act in found))
        for name, found in (
            ("Main Stage", (("14:00", "Hollow Pines"), ("16:30", "Ada Quill"))),
            ("Barn", (("13:00", "Kitchen Tapes"), ("15:15", "Foxglove Trio"))),
        )
    ]
    days = "".join(
        f"<section><h2>{day} June 2027</h2>{''.join(acts)}</section>" for day in ("Friday 4", "Saturday 5")
    )
    found = [row["title"] for row in rows(f"<h1>Line-up</h1>{days}")]
    assert found == ["Hollow Pines", "Ada Quill", "Kitchen Tapes", "Foxglove Trio"] * 2


def test_definitions_of_days_with_a_place_are_titled_by_what_they_define() -> None:
    talks = "".join(
        f"<dt>Venerdì {n} dicembre 2026, ore 14.30, Aula 3</dt><dd><em>Anna Rossi</em><br><strong>{title}</strong><br><a href='/{n}.pdf'>abstract</a></dd>"
        for n, title in ((4, "Superfici minime"), (11, "Fluidi complessi"), (18, "Teoria dei giochi"))
    )
    found = rows(f"<h1>Seminari</h1><dl>{talks}</dl>")
    assert [(row["title"], row.get("url")) for row in found] == [
        ("Superfici minime", None),
        ("Fluidi complessi", None),
        ("Teoria dei giochi", None),
    ]
    assert "14.30" in found[0]["date_text"]


def test_what_goes_on_until_a_day_does_not_begin_on_it() -> None:
    listed = "".join(
        CARD.format(n, title, day, "")
        for n, title, day in (
            (4, "Doisneau", "Jusqu'au 7 janvier 2027"),
            (5, "Book Fair", "5 December 2026"),
            (6, "Slam Poetry", "until 6 December 2026"),
        )
    )
    assert [row["date_text"] for row in rows(f"<h1>Agenda</h1><ul>{listed}</ul>")] == [
        "until 7 janvier 2027",
        "5 December 2026",
        "until 6 December 2026",
    ]


def test_a_houses_opening_hours_are_not_an_events_time() -> None:
    page = "<main><h1>Choir Evening</h1><p class=dates>4 December 2026</p><p>Tickets at the office, Monday to Friday 9am - 12pm.</p></main>"
    assert [item["date_text"] for item in items(page)] == ["4 December 2026"]
    own = "<main><h1>Choir Evening</h1><p class=dates>4 December 2026, 20:00</p><p>Office: Mon-Fri 9:00-12:00</p></main>"
    assert [item["date_text"] for item in items(own)] == ["4 December 2026 20:00"]


def test_the_only_day_of_an_events_page_is_its_own_whatever_is_linked_beside_it() -> None:
    page = "<main><h1>Choir Evening</h1><aside><time datetime='2026-12-04T20:00'>4 December 2026, 20:00</time><a data-testid=venue-name href='https://maps.test/x'>Town Hall</a></aside></main>"
    assert [(item["title"], item.get("url")) for item in items(page)] == [("Choir Evening", None)]


def test_a_label_within_a_line_names_the_venue() -> None:
    page = "<main><h1>Choir Evening</h1><p class=meta>Data: 4 grudnia 2026, godz. 20:00 · Miejsce: Dom Kultury</p></main>"
    assert [item["venue"] for item in items(page)] == ["Dom Kultury"]


def test_a_calendar_in_a_sidebar_lends_an_events_page_no_time() -> None:
    cells = "".join(
        f"<tr>{''.join(f'<td>{day}</td>' for day in range(week, week + 7))}</tr>" for week in (1, 8, 15, 22)
    )
    side = f"<aside><table><caption>December 2026</caption>{cells}</table><p>Every Tuesday 19:30 choir practice</p></aside>"
    page = f"<div id=container><main><h1>Advent Bazaar</h1><p><time datetime='2026-12-05'>05.12.2026</time></p></main>{side}</div>"
    assert [item["date_text"] for item in items(page, title="Advent Bazaar")] == ["05.12.2026"]


NEW_DAYS = [
    ("verlegt auf den 14.01.2027", "moved"),
    ("<b>Verplaatst naar</b> 14.01.2027", "moved"),
    ("moved to <b>14.01.2027</b>", "moved"),
    ("New date: 14.01.2027", "moved"),
    ("verschoben auf 14.01.2027", "postponed"),
]


@pytest.mark.parametrize(("said", "status"), NEW_DAYS)
@pytest.mark.parametrize("between", [" - ", "</p><p>"])
def test_an_event_that_was_moved_is_one_event_on_its_new_day(said: str, status: str, between: str) -> None:
    moved = f"<p>12.12.2026, 20:00{between}{said}</p>"
    listed = "".join(
        f"<li><h3><a href='/e/{n}'>{title}</a></h3>{day}</li>"
        for n, (title, day) in enumerate(
            (
                ("Choir Evening", moved),
                ("Jazz Night", "<p>13.12.2026</p>"),
                ("Slam Poetry", "<p>14.12.2026</p>"),
            )
        )
    )
    shown = [
        (row["title"], row["date_text"], row.get("status")) for row in rows(f"<h1>Gigs</h1><ul>{listed}</ul>")
    ]
    assert shown[0] == ("Choir Evening", "14.01.2027", status)
    assert [each[1:] for each in shown[1:]] == [("13.12.2026", None), ("14.12.2026", None)]
    (own,) = items(f"<main><h1>Choir Evening</h1>{moved}</main>")
    assert (own["date_text"], own["status"]) == ("14.01.2027", status)


def test_a_postponed_performance_beside_others_moves_no_other_day() -> None:
    page = (
        "<main><h1>Choir Evening</h1><ul><li>12.12.2026</li><li><b>Postponed</b> 13.12.2026</li></ul></main>"
    )
    assert [item["date_text"] for item in items(page)] == ["12.12.2026", "13.12.2026"]


def test_what_is_behind_the_time_is_the_title_below_a_day_with_a_name() -> None:
    days = (
        ("1. Advent, 29. November", "Carols"),
        ("2. Advent, 6. Dezember", "Choir"),
        ("3. Advent, 13. Dezember", "Vespers"),
    )
    page = "".join(f"<p><strong>{day}</strong><br>11:00 Uhr: {title}</p>" for day, title in days)
    assert [row["title"] for row in rows(f"<h1>Services</h1><div>{page}</div>")] == [
        "Carols",
        "Choir",
        "Vespers",
    ]


def test_a_house_that_returns_behind_the_time_is_no_title() -> None:
    days = (
        ("Choir Evening, 29 November", 20),
        ("Jazz Night, 6 December", 21),
        ("Slam Poetry, 13 December", 19),
    )
    page = "".join(f"<p><strong>{day}</strong><br>{at}:00: Town Hall</p>" for day, at in days)
    assert [row["title"] for row in rows(f"<h1>Gigs</h1><div>{page}</div>")] == [
        "Choir Evening",
        "Jazz Night",
        "Slam Poetry",
    ]


@pytest.mark.parametrize(
    ("head", "behind", "status"),
    [
        ("20:00 Uhr – Grosser Saal, Kulturhaus am Markt – Ausverkauft", "", "sold_out"),
        ("20:00 Uhr", " - CANCELLED due to the weather", "cancelled"),
        ("20:00 Uhr – Saal – Ausverkaufte Konzerte sind rot", "", None),
        ("20:00 Uhr", " - if cancelled, money back", None),
    ],
)
def test_a_part_of_a_rows_line_states_its_status(head: str, behind: str, status: str | None) -> None:
    row = "<div class=row><div class=header><span>{0}. Dezember 2026, {2}</span></div><p><a href='/e/{0}'>{1}</a>{3}</p></div>"
    listed = "".join(
        (
            row.format(4, "Choir Evening", "20:00 Uhr", ""),
            row.format(5, "Jazz Night", head, behind),
            row.format(6, "Slam Poetry", "20:00 Uhr", ""),
        )
    )
    assert [each.get("status") for each in rows(f"<h1>Programm</h1><div>{listed}</div>")] == [
        None,
        status,
        None,
    ]
