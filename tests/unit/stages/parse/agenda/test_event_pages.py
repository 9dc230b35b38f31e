"""Pages about one event, told by an address that is made of the title: each rule on the smallest such page."""

# ruff: noqa: E501 - a part of a page is one line

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from larder.extraction import extract

NOW = datetime(2025, 4, 1, 12, tzinfo=ZoneInfo("Europe/Amsterdam"))
MENU = "<nav><a href='/'>Home</a><a href='/agenda'>Agenda</a></nav>"
RELATED = "".join(
    f"<li><a href='/agenda/{name}'><h3>{name.title()}</h3><span>{day}</span></a></li>"
    for name, day in (("rakes", "vr 18 april"), ("harrows", "do 1 mei"), ("sickles", "vr 9 mei"))
)


def read(body: str, *, title: str, slug: str) -> list[tuple[str, str]]:
    page = f"<html lang=nl><head><title>{title}</title></head><body><div>{body}</div></body></html>"
    found = extract(page, url=f"https://hall.test/agenda/{slug}/", kind="event", now=NOW)
    return [(item["title"], str(item.get("starts_at"))[:16]) for item in found.items]


DAY = "<p class=date>zo 09 november '25</p>"


@pytest.mark.parametrize(
    ("body", "start"),
    [
        pytest.param(
            f"{MENU}<h1>Danny and Brian</h1>{DAY}<p>Twee gitaren.</p>",
            "2025-11-09T00:00",
            id="a menu before it",
        ),
        pytest.param(
            f"{MENU}<h1>Danny and Brian</h1>{DAY}Zaal open: 20:00<br>Aanvang: 20:30<p>{'Twee gitaren. ' * 150}</p><h2>Registration Information</h2>",
            "2025-11-09T20:30",
            id="long words behind it",
        ),
        pytest.param(
            "<h1>Danny and Brian</h1><aside><h2>zo 9.11</h2><time>19:00</time><h3>Grote zaal</h3></aside><div><h3>zondag 9.11<br>Grote zaal</h3></div>",
            "2025-11-09T19:00",
            id="a day of two numbers, shown twice",
        ),
        pytest.param(
            "<h1>Danny and Brian</h1><article class=date><time datetime='2025-11-09T12:00:00Z'>9 nov</time></article><p>16:00 - 17:00</p>",
            "2025-11-09T16:00",
            id="a day stamped as noon",
        ),
        pytest.param(
            f"<h1>Danny and Brian</h1>{DAY}<p>20:30</p><strong>Helaas hebben wij op 28 februari gehoord dat de zaal kleiner is dan gedacht: er zijn nog maar weinig kaarten, dus wees er snel bij en bestel vandaag.</strong>",
            "2025-11-09T20:30",
            id="another day in a sentence",
        ),
    ],
)
def test_a_page_whose_address_is_its_title_is_about_one_event(body: str, start: str) -> None:
    assert read(body, title="Danny and Brian | Hall", slug="danny-and-brian") == [("Danny and Brian", start)]


def test_the_announced_title_stands_where_the_only_headline_is_the_sites() -> None:
    body = (
        "<div><span>Carnal</span> <span>+ Sculpture</span></div><div>donderdag 17 april 2025</div>"
        f"<div>Deur: 20:00 uur<br>Aanvang: 20:30 uur</div><ul class=more>{RELATED}</ul><footer><h1>Over de zaal</h1></footer>"
    )
    found = read(body, title="Carnal + Sculpture - De zaal", slug="carnal-sculpture")
    assert ("Carnal + Sculpture", "2025-04-17T20:30") in found


def test_buttons_with_notes_behind_their_times_are_performances() -> None:
    button = "<a class=show href='/book/{0}'>{1}<span style='display:none'>sold out</span><span>S2</span></a>"
    films = "".join(
        f"<div class=film><a href='/film/{at}'><h1>{name}</h1></a><div>{button.format(at, '10:45')}{button.format(at + 9, '16:00')}</div></div>"
        for at, name in enumerate(("A Known Stranger", "Baby Brother", "Some Pain"))
    )
    page = f"<html lang=nl><title>Programma</title><h3>do 3 april</h3>{films}<h3>vr 4 april</h3>{films}"
    found = extract(page, url="https://cinema.test/programma", kind="event", now=NOW).items
    starts = [str(item["starts_at"])[:16] for item in found if item["title"] == "Baby Brother"]
    assert starts == ["2025-04-03T10:45", "2025-04-03T16:00", "2025-04-04T10:45", "2025-04-04T16:00"]


CARDS = f"<h2>Zie ook</h2><ul>{RELATED}</ul>"


@pytest.mark.parametrize(
    ("body", "slug", "start"),
    [
        pytest.param(
            "<h2 class=title>Sowulo</h2><div class=date>woensdag 30 april 2025</div><div>Aanvang 20:00 uur</div>",
            "sowulo-2",
            "2025-04-30T20:00",
            id="a single word and a number",
        ),
        pytest.param(
            "<h1>Sowulo</h1><p>woensdag 30 april 2025</p><p>20:00</p>",
            "sowulo/2509254",
            "2025-04-30T20:00",
            id="a number behind the name",
        ),
        pytest.param(
            "<h1>Sowulo</h1><time datetime='2024-10-23T16:45:01+0200'>woensdag 30 april 2025</time><p>20:00</p>",
            "sowulo",
            "2025-04-30T20:00",
            id="a stamp of when the page was changed",
        ),
    ],
)
def test_the_pages_own_day_is_told_from_those_of_others(body: str, slug: str, start: str) -> None:
    found = read(
        f"<div><header>{body}</header></div><section>{CARDS}</section>", title="Sowulo - Zaal", slug=slug
    )
    assert ("Sowulo", start) in found


def test_the_address_of_a_calendar_is_no_events_name() -> None:
    rows = "".join(
        f"<h3>{day}</h3><p><a href='/e/{name.lower()}'>{name}</a> 20:00</p>"
        for name, day in (("Rakes", "do 3 april"), ("Harrows", "vr 4 april"), ("Sickles", "za 5 april"))
    )
    page = f"<html lang=nl><title>Calendar - Hall</title><body><h1>Calendar - Hall</h1>{rows}</body></html>"
    found = extract(page, url="https://hall.test/calendar.html", kind="event", now=NOW).items
    assert [item["title"] for item in found] == ["Rakes", "Harrows", "Sickles"]


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        pytest.param(
            f"{MENU}<div><h1>Danny and Brian</h1><div>{DAY}<p>Aanvang 20:30</p></div>{'<p>Twee gitaren.</p>' * 9}<form><h3>Registration Information</h3><b>Your name</b></form></div>",
            "season-opening",
            id="a form for bookings",
        ),
        pytest.param(
            f"{MENU}<div><h1>Danny and Brian</h1>{DAY}<p>Aanvang 20:30</p><a href='/faqs'><h3>FAQs</h3></a></div>",
            "p-12",
            id="an address that says nothing",
        ),
        pytest.param(
            f"<aside><h2>zo 9.11</h2><b>20:30</b></aside><h1>Danny and Brian</h1><p>Begonnen als duo van twee broers. Hun plaat verscheen op vrijdag 23 mei en was meteen een groot succes in heel Europa en daarbuiten.</p>{'<p>Twee gitaren.</p>' * 9}",
            "danny-and-brian",
            id="its day in an aside, another in a sentence",
        ),
    ],
)
def test_a_page_that_calls_itself_as_its_headline_is_about_one_event(body: str, slug: str) -> None:
    assert read(body, title="Danny and Brian - Hall", slug=slug) == [("Danny and Brian", "2025-11-09T20:30")]


def test_the_event_of_a_page_is_not_lost_beside_a_list_of_others() -> None:
    rows = "".join(f"<div><h2>{name}</h2><p>{day}</p></div>" for name, day in _MORE)
    body = f"<main><section><div><div><h1>Danny and Brian</h1></div><div>{DAY}</div></div></section><section>{rows}</section></main>"
    assert ("Danny and Brian", "2025-11-09T00:00") in read(body, title="Danny and Brian - Hall", slug="d-1")


_MORE = (("Rakes", "19 oktober"), ("Harrows", "14 oktober"), ("Sickles", "25 september"), ("Hoes", "10 mei"))


def test_a_linked_day_within_a_sentence_is_not_the_pages_own() -> None:
    body = f"<h1>Danny and Brian</h1>{DAY}<p>Dit is een extra concert. Het duo treedt op <a href='/agenda/x'><i>zaterdag 8 november</i></a> ook al op in onze kleine zaal, maar dat concert is uitverkocht.</p>"
    assert read(body, title="Danny and Brian - Hall", slug="danny-and-brian") == [
        ("Danny and Brian", "2025-11-09T00:00")
    ]


def test_a_link_that_ends_a_sentence_is_no_title() -> None:
    body = f"<div><p>Benieuwd naar meer? <a href='/nieuws/1'>Lees ook het interview met de broers</a>.</p>{DAY}<p>20:30</p></div>"
    found = read(f"<h1>Danny and Brian</h1>{body}", title="Duo - Hall", slug="show-1")
    assert [title for title, _ in found] == ["Danny and Brian"]


def test_a_part_of_the_title_before_a_comma_is_the_headline_where_the_address_says_so() -> None:
    body = f"{DAY}<p>20:30</p><p>Twee gitaren.</p><footer><h5 class=footer-title>Hall</h5></footer>"
    assert read(body, title="Danny and Brian, Folk, Concerts at Hall", slug="danny-and-brian") == [
        ("Danny and Brian", "2025-11-09T20:30")
    ]


def test_the_first_row_of_a_page_named_after_its_event_is_the_events() -> None:
    """Its link leads to who holds it; another day in brackets is an aside."""
    body = (
        f"<section><h1>Danny and Brian</h1>{DAY}<p>20:30 - 22:00</p><a href='/over/vereniging'><b>Vereniging De Hal</b></a></section>"
        "<section><p>Programma:<br>• Nieuwe prijzen (vanaf 1 mei 2026)<br>• Pauze</p></section>"
    )
    assert read(body, title="Danny and Brian - Hall", slug="danny-and-brian") == [
        ("Danny and Brian", "2025-11-09T20:30")
    ]


def test_a_moment_in_utc_whose_clock_the_page_shows_elsewhere_is_local() -> None:
    stamp = "<time datetime='2025-11-09T13:30:00+00:00'><b>9</b> <i>november</i></time>"
    table = "<table><tr><td>zondag 9 november 2025</td></tr><tr><td>{}</td></tr></table>"
    body = f"<div>{stamp}</div><h1>Danny and Brian</h1>{'<p>Twee gitaren.</p>' * 9}{table}"
    local, universal = (
        set(read(body.format(clock), title="Danny and Brian - Hall", slug="danny-and-brian"))
        for clock in ("13:30 - 14:30", "14:30 - 15:30")
    )
    assert (local, universal) == (
        {("Danny and Brian", "2025-11-09T13:30")},
        {("Danny and Brian", "2025-11-09T14:30")},
    )
