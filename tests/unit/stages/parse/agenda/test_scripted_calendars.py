"""Calendars that a script fills, rows that name no day, and two shows of a day that only their venues tell apart."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.core.model.item import Extracted, Failed, Item
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.embedded_state import embedded_items
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination import find_next
from larder.stages.parse.unread import result_without_items
from tests.unit.stages.parse.agenda.test_agendas import NAMES, each, read

SHELL = "<h1>Agenda</h1><div id=calendar></div><script>new FullCalendar.Calendar(at, {{ locale: 'fr', events: {} }}).render()</script>"


def index(body: str, at: str = "/agenda") -> ExtractionTask:
    return ExtractionTask(
        page=Page(f"https://agenda.test{at}", f"<html><body>{body}"), kind=Kind.EVENT, purpose=Purpose.INDEX
    )


def fields(items: list[Item], *names: str) -> list[tuple[str, ...]]:
    return [tuple(item.fields.get(name, "") for name in names) for item in items]


@pytest.mark.parametrize("quote", ['"', "'"])
def test_the_events_that_a_script_gives_its_calendar_are_read(quote: str) -> None:
    row = "{{title: '{0}', start: '2026-12-0{2}T19:30:00', url: '/e/{1}'}},"
    rows = each(row, *((*name, str(n + 1)) for n, name in enumerate(NAMES))).replace("'", quote)
    found = embedded_items(index(SHELL.format(f"[{rows}]")))
    expected = [
        (name, f"2026-12-0{n + 1}T19:30:00", f"https://agenda.test/e/{slug}")
        for n, (name, slug) in enumerate(NAMES)
    ]
    assert fields(found, "title", "starts_at", "url") == expected


def test_a_calendar_that_fetches_its_events_says_where() -> None:
    found = result_without_items(index(SHELL.format("'/agenda/feed.json'")), [])
    assert isinstance(found, Extracted)
    assert found.indexes == ("https://agenda.test/agenda/feed.json",)


def test_a_calendar_that_fetches_from_another_site_is_not_followed() -> None:
    found = result_without_items(index(SHELL.format("'https://other.test/feed.json'")), [])
    assert isinstance(found, Failed)


def test_an_empty_page_names_its_calendar_feed() -> None:
    shell = "<link rel=alternate type='text/calendar' href='/feed/ics'><h1>Agenda</h1><p>Loading the calendar of our town for you</p>"
    found = result_without_items(index(shell), [])
    assert isinstance(found, Failed)
    assert "https://agenda.test/feed/ics" in found.details


def test_rows_that_name_no_day_are_completed_by_their_own_pages() -> None:
    row = "<li class=tp_event><a href='/events/{1}/'><img src='/u/{1}.jpg'></a><h4><a href='/events/{1}/'>{0}</a></h4><p>Join us for it.</p></li>"
    names = (*NAMES, ("Winter Walk", "winter-walk"), ("Open Stage", "open-stage"))
    task = index(
        f"<h1>Events</h1><ul>{each(row, *names)}</ul><a class='next page-numbers' href='/agenda/page/2/'>→</a>"
    )
    found = result_without_items(task, [])
    assert isinstance(found, Extracted)
    assert fields(list(found.items), "title", "url") == [
        (name, f"https://agenda.test/events/{slug}/") for name, slug in names
    ]
    assert found.next_page is not None


@pytest.mark.parametrize(
    ("button", "url"),
    [
        ("<button hx-get='/agenda?after=8'>More nights</button>", "https://agenda.test/agenda?after=8"),
        ("<button hx-get='/agenda?after=8'>Encore</button>", "https://agenda.test/agenda?after=8"),
        ("<button hx-get='/agenda?kind=jazz'>Jazz</button>", ""),
        ("<button hx-get='/agenda?page=1'>1</button><button hx-get='/agenda?page=3'>3</button>", ""),
    ],
)
def test_the_one_button_that_fetches_a_further_page_leads_on(button: str, url: str) -> None:
    found = find_next(index(f"<h1>Nights</h1>{button}"))
    assert (found.url if found else "") == url


def test_a_polish_day_is_no_time_of_day() -> None:
    tabs = "".join(
        f"<a href='/repertuar?data=2026-11-{n}'>{day} {n}.11</a>"
        for day, n in (("sob", 21), ("nd", 22), ("pn", 23))
    )
    rows = each(
        "<div class=film><h2><a href='/f/{1}'>{0}</a></h2><ul><li><a href='/b/{1}'>18:30</a></li></ul></div>",
        *NAMES,
    )
    found = read(
        f"<h1>Repertuar</h1><div>{tabs}</div><h3>sobota, 21 listopada 2026</h3>{rows}", language="pl"
    )
    assert found == [(name, "2026-11-21T18:30") for name, _ in NAMES]


def test_shows_of_a_day_without_times_are_told_by_their_venues() -> None:
    row = "<tr><td>{0}.12.2026</td><td><a href='/s'>Der Sturm</a></td><td class=venue>{1}</td></tr>"
    rows = each(row, ("3", "Studio"), ("3", "Kammer"), ("5", "Studio"), ("8", "Studio"))
    found = visible_events(index(f"<h1>Spielplan</h1><table>{rows}</table>"))
    assert [venue for _, venue in fields(found, "title", "venue")] == ["Studio", "Kammer", "Studio", "Studio"]


def test_an_end_keeps_its_time() -> None:
    row = "<div class=r><h2><a href='/e/{1}'>{0}</a></h2><div>Startdatum</div><div>0{2}.12.2026 - 19:00</div><div>Enddatum</div><div>0{2}.12.2026 - 21:00</div></div>"
    found = visible_events(
        index("<h1>Termine</h1>" + each(row, *((*name, str(n + 1)) for n, name in enumerate(NAMES))))
    )
    assert [end for (end,) in fields(found, "ends_at")] == [f"0{n}.12.2026 21:00" for n in (1, 2, 3)]
