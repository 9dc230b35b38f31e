"""What calendars of content systems asked for: empty weeks, venues in titles, files of calendars, prices."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.core.model.item import Extracted, NextEvidence
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.agenda.words import has_common_words_only, price_in
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.unread import result_without_items
from tests.unit.stages.parse.agenda.test_agendas import NAMES, NOW, each, read

WEEK = "<div class=row>{}</div>".format(
    "".join(f"<div class=col>{day}.11.2026<ul></ul></div>" for day in range(16, 23))
)
NEXT_WEEK = (
    "<div class=browser><a href='/kalender?woche=46'>&lt;</a> <a href='/kalender?woche=48'>&gt;</a></div>"
)


def index(body: str) -> ExtractionTask:
    page = Page("https://agenda.test/kalender?woche=47", f"<html lang=de><body>{body}")
    return ExtractionTask(page=page, kind=Kind.EVENT, purpose=Purpose.INDEX)


def details(body: str, title: str = "Choir Evening") -> dict[str, object]:
    html = f"<html lang=de><head><title>{title} | Hall</title></head><body>{body}"
    found = extract(html, url="https://agenda.test/conf/choir-evening/", kind="event", now=NOW)
    assert len(found.items) == 1
    return dict(found.items[0])


@pytest.mark.parametrize("heading", ["2026 Woche 47", "Stadt Musterhausen lädt ein"])
def test_a_week_without_events_has_none_whatever_the_page_is_called(heading: str) -> None:
    task = index(f"<div class=calendar>{NEXT_WEEK}<h1>{heading}</h1>{WEEK}</div>")
    assert visible_events(task) == []
    found = result_without_items(task, [])
    assert isinstance(found, Extracted)
    assert found.next_page is not None
    assert found.next_page.evidence is NextEvidence.CALENDAR


def test_days_that_follow_each_other_with_times_are_shows_of_the_page_s_event() -> None:
    days = "".join(f"<div class=col>{day}.11.2026, 20:00 Uhr</div>" for day in range(16, 23))
    assert len(read(f"<h1>Der Sturm</h1>{days}", language="de")) == 7


@pytest.mark.parametrize(
    "heading", ["2026 Woche 47", "semaine 47", "Settimana 3", "KW 12", "Vecka 4", "týden 8"]
)
def test_the_name_of_a_week_is_no_title(heading: str) -> None:
    assert has_common_words_only(heading)


def test_a_venue_behind_a_title_is_no_part_of_it() -> None:
    row = (
        "<div class='event event-id-{1}'><span class=event-title>{0} <span class=event-location>@ The Barn</span></span>"
        "<div class=event-time>{2} @ 7:30 pm</div><a class=read-more href='/e/{1}'>Read more</a> <a href='/music/'>Music</a></div>"
    )
    rows = each(row, *((*name, day) for name, day in zip(NAMES, ("Nov 3", "Nov 5", "Nov 9"), strict=True)))
    assert [title for title, _ in read(f"<h1>Events</h1>{rows}")] == [name for name, _ in NAMES]


def test_entries_of_a_day_may_carry_numbers_of_their_own_in_their_classes() -> None:
    def day(date: str, *names: tuple[str, str]) -> str:
        entry = "<div class='ev ev-{1}'><span class=ev-title>{0}</span><div>{2} @ 7:30 pm</div><a href='/e/{1}'>Read more</a></div>"
        inner = each(entry, *((*name, date) for name in names))
        return f"<div class=date><a href='/day/{date}'><b>{date[:3]}</b><i>{date[4:]}</i></a><div>{inner}</div></div>"

    body = f"<h1>Events</h1>{day('Nov 3', NAMES[0])}{day('Nov 4', *NAMES[1:])}{day('Nov 6', ('Late Show', 'late'))}"
    assert [title for title, _ in read(body)] == [*(name for name, _ in NAMES), "Late Show"]


def test_a_calendars_file_is_not_the_page_of_an_event() -> None:
    row = "<li><a href='/e/{1}.ics'>Add</a> <h3>{0}</h3><p>{2}</p><a href='/e/{1}'>Read more</a></li>"
    rows = each(row, *((*name, f"{day} November 2026") for name, day in zip(NAMES, (3, 5, 9), strict=True)))
    found = visible_events(index(f"<h1>Events</h1><ul>{rows}</ul>"))
    assert [item.fields["url"] for item in found] == [f"https://agenda.test/e/{slug}" for _, slug in NAMES]


def test_a_heading_that_links_to_a_page_above_names_the_site() -> None:
    body = (
        "<header><h1><a href='/conf/'>Hall 2026</a></h1></header><main><h3 class=talk-title>Choir Evening "
        "<span><a href='/conf/choir-evening.ics'>.ical</a></span></h3><p><time datetime='2026-12-11T10:00'>11 December 2026, 10:00</time></p></main>"
    )
    assert details(body)["title"] == "Choir Evening"


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("Preis 12,00 €", "12,00 €"),
        ("20:30 Uhr € 8", "€ 8"),
        ("Kostenlos", "Kostenlos"),
        ("Entrée libre", "Entrée libre"),
        ("Cost: Free", "free"),
        ("Eintritt: frei", "free"),
        ("Feel free to come", ""),
        ("wstęp 35 zł", "35 zł"),
    ],
)
def test_an_amount_or_a_word_for_nothing_is_what_an_event_costs(text: str, price: str) -> None:
    assert price_in(text).casefold() == price.casefold()


def test_an_events_own_page_names_its_price_and_its_venue() -> None:
    body = (
        "<main><h1>Choir Evening <small>3. Dezember 2026</small></h1><p><span class='fa fa-map-marker'></span> St. Josef (Ringstr. 3)</p>"
        "<p>3. Dezember 2026, 19:30 Uhr</p><dl><dt>Eintritt</dt><dd>12,50 €</dd></dl></main>"
    )
    read_ = details(body)
    assert (read_["title"], read_["venue"], read_["price"]) == (
        "Choir Evening",
        "St. Josef (Ringstr. 3)",
        "12.50",
    )
