"""Events that markup describes, beside what the page shows of them."""

import json
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from larder.extraction import extract

NOW = datetime(2026, 10, 9, 12, tzinfo=ZoneInfo("Europe/Amsterdam"))


def event(name: str, start: str, **more: Any) -> dict[str, Any]:
    return {"@type": "Event", "name": name, "startDate": start, **more}


def items(nodes: list[dict[str, Any]], body: str, *, path: str = "/events") -> list[dict[str, Any]]:
    block = json.dumps({"@context": "https://schema.org", "@graph": nodes})
    html = f"<html><body><script type='application/ld+json'>{block}</script>{body}"
    return list(extract(html, url=f"https://agenda.test{path}", kind="event", now=NOW).items)


def starts(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(item["title"], item["starts_at"][: 16 if item["time_known"] else 10]) for item in found]


def cards(*names: str) -> str:
    row = (
        "<article><h3><a href='/e/{1}'>{0}</a></h3><p class=date>{2} November 2026</p><p>20:00</p></article>"
    )
    return "".join(
        row.format(name, name.lower().replace(" ", "-"), at) for at, name in enumerate(names, start=11)
    )


PLAYS = ("Hamlet", "Macbeth", "Othello", "King Lear", "The Tempest")


def test_a_rich_agenda_beats_stale_markup() -> None:
    stale = [event("Old Fair", "2026-01-17T10:00"), event("Hamlet", "2026-11-11", location={"name": "Globe"})]
    found = items(stale, "<h1>Events</h1>" + cards(*PLAYS))
    assert [item["title"] for item in found] == list(PLAYS)
    assert (found[0]["venue"], found[0]["starts_at"][:16]) == ("Globe", "2026-11-11T20:00")


def test_the_pages_own_event_stays_beside_a_list_of_others() -> None:
    own = [event("Winter Ball", "2026-12-01T19:00", url="https://agenda.test/e/winter-ball")]
    found = items(own, "<h1>Winter Ball</h1><h2>More events</h2>" + cards(*PLAYS), path="/e/winter-ball")
    assert starts(found) == [("Winter Ball", "2026-12-01T19:00")]


def test_local_time_stamped_as_utc_is_told_by_what_the_page_shows() -> None:
    body = "<main><h1>Winter Ball</h1><p>1 December 2026 | {} - 11:30 PM</p></main>"
    ball = [event("Winter Ball", "2026-12-01T19:30:00Z", endDate="2026-12-01T23:30:00Z")]
    (local,) = items(ball, body.format("7:30 PM"))
    (universal,) = items(ball, body.format("8:30 PM"))
    assert (local["starts_at"][:16], local["ends_at"][:16]) == ("2026-12-01T19:30", "2026-12-01T23:30")
    assert universal["starts_at"][:16] == "2026-12-01T20:30"


def test_a_date_takes_the_time_that_is_shown_with_it() -> None:
    body = "<main><h1>Winter Ball</h1><p>Tuesday 1 December 2026</p><p>Starts 19:30</p></main>"
    for start in ("2026-12-01", "2026-12-01T00:00:00+01:00"):
        assert starts(items([event("Winter Ball", start)], body)) == [("Winter Ball", "2026-12-01T19:30")]


def test_the_day_of_publication_is_no_start() -> None:
    nodes = [
        {"@type": "WebPage", "datePublished": "2026-01-22T21:57:32+00:00"},
        event("Winter Ball", "2026-01-22T08:00:00+01:00"),
    ]
    body = "<main><h1>Winter Ball</h1><p>1 December 2026, 19:30</p></main>"
    assert starts(items(nodes, body)) == [("Winter Ball", "2026-12-01T19:30")]


def test_marked_events_get_the_link_and_the_status_of_their_rows() -> None:
    nodes = [event(name, f"2026-11-{at}T20:00:00+01:00") for at, name in enumerate(PLAYS, start=11)]
    body = cards(*PLAYS).replace("<p>20:00</p>", "<p>20:00</p><span class=badge>Sold out</span>", 1)
    found = items(nodes, body)
    assert found[1]["url"] == "https://agenda.test/e/macbeth"
    assert [item.get("status") for item in found] == ["sold_out", None, None, None, None]


def test_a_card_whose_text_holds_an_events_title_gives_it_its_address() -> None:
    nodes = [event(name, f"2026-11-{at}T20:00:00+01:00") for at, name in enumerate(PLAYS, start=11)]
    card = "<li><a href='/e/{1}/'><time>{1} November 2026, 20:00</time><b>{0}</b> with guests</a></li>"
    rows = "".join(card.format(name, at) for at, name in enumerate(PLAYS, start=11))
    found = items(nodes, f"<h1>Events</h1><ul>{rows}</ul>")
    assert [(item["title"], item["url"]) for item in found] == [
        (name, f"https://agenda.test/e/{at}/") for at, name in enumerate(PLAYS, start=11)
    ]


def _marked_up(*names: str) -> list[dict[str, Any]]:
    return [
        event(name, f"2026-11-{at}T20:00", url=f"https://agenda.test/e/{name.lower().replace(' ', '-')}")
        for at, name in enumerate(PLAYS, start=11)
        if name in names
    ]


def test_a_card_that_the_markup_of_its_list_leaves_out_is_kept() -> None:
    promoted = cards("Hamlet").replace("Hamlet", "Twelfth Night").replace("hamlet", "twelfth-night")
    found = items(_marked_up(*PLAYS), f"<h1>Events</h1>{promoted}{cards(*PLAYS)}")
    assert sorted(starts(found)) == sorted(
        [
            *((name, f"2026-11-{at}T20:00") for at, name in enumerate(PLAYS, start=11)),
            ("Twelfth Night", "2026-11-11T20:00"),
        ]
    )


def test_a_row_that_may_be_a_marked_one_in_other_words_is_not_given_twice() -> None:
    marked = [*_marked_up(*PLAYS), event("A Storm", "2026-11-16T20:00", url="https://agenda.test/e/9")]
    assert len(items(marked, "<h1>Events</h1>" + cards(*PLAYS, "Pericles"))) == 6


def test_rows_built_otherwise_are_not_of_the_list_that_is_marked_up() -> None:
    aside = "<div><h4><a href='/e/news'>Gala of Friends</a></h4><span>12 November 2026</span></div>"
    assert len(items(_marked_up(*PLAYS), f"<h1>Events</h1>{cards(*PLAYS)}{aside}")) == len(PLAYS)


def test_markup_of_another_pages_event_is_left_aside() -> None:
    stale = [event("Summer Fair", "2019-07-20T12:00", location={"name": "Deer Park"})]
    body = "<main><h1>Winter Ball</h1><p>1 December 2026, 19:30</p></main>"
    assert starts(items(stale, body, path="/e/winter-ball")) == [("Winter Ball", "2026-12-01T19:30")]


def test_a_start_that_no_calendar_has_is_completed_by_what_is_shown() -> None:
    broken = [event("Winter Ball", "30_04_252025 00:00"), event("Winter Ball", "Sunday")]
    body = "<main><h1>Winter Ball</h1><p>1 December 2026, 19:30</p></main>"
    assert starts(items(broken, body, path="/e/winter-ball")) == [("Winter Ball", "2026-12-01T19:30")]


def test_a_name_that_also_says_where_and_when_is_the_headlines() -> None:
    hall, url = {"name": "The Hall"}, "https://agenda.test/e/winter-ball-2026"
    ball = [event("Winter Ball at The Hall on 1 Dec 2026", "2026-12-01T19:30", location=hall, url=url)]
    body = "<main><h1>Winter Ball</h1><p>1 December 2026, 19:30</p></main>"
    assert starts(items(ball, body, path="/e/winter-ball-2026")) == [("Winter Ball", "2026-12-01T19:30")]


def test_a_start_without_a_zone_that_is_hours_from_the_clock_shown_gives_way() -> None:
    ball = [event("Winter Ball", "2026-12-01T14:30")]
    body = "<main><h1>Winter Ball</h1><p>1 December 2026 {}</p></main>"
    off = items(ball, body.format("9:30 AM - 12:00 PM"), path="/e/winter-ball")
    doors = items(ball, body.format("1:30 PM"), path="/e/winter-ball")
    assert starts(off) == [("Winter Ball", "2026-12-01T09:30")]
    assert starts(doors) == [("Winter Ball", "2026-12-01T14:30")]


def test_what_is_marked_up_twice_is_one_event_and_two_houses_are_two() -> None:
    twice = [event("Hamlet", "2026-11-11T20:00", url="/e/hamlet")] * 2
    houses = [event("Othello", "2026-11-13T20:00", location={"name": name}) for name in ("Globe", "Swan")]
    found = items([*twice, *houses], "<h1>Events</h1>" + cards("Hamlet", "Macbeth", "Othello"))
    assert [item["title"] for item in found] == ["Hamlet", "Othello", "Othello"]
