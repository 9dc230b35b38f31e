"""Meetings of boards and committees: named by words that any agenda has, beside links to their documents."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.extraction import extract
from larder.stages.parse.agenda.titles.texts import as_title
from tests.unit.stages.parse.agenda.test_agendas import NOW, each, read

DAYS = ("December 3, 2026", "December 8, 2026", "December 15, 2026", "January 12, 2027")
STARTS = ["2026-12-03T14:00", "2026-12-08T14:00", "2026-12-15T14:00", "2027-01-12T14:00"]


@pytest.mark.parametrize("text", ["Board Meeting", "Regular Commission Meeting", "Public hearing"])
def test_whose_meeting_it_is_names_it(text: str) -> None:
    assert as_title(text) == text


@pytest.mark.parametrize("text", ["Meeting", "Meetings", "Meeting agenda", "Full", "Board members"])
def test_that_there_is_one_does_not(text: str) -> None:
    assert as_title(text) == ""


def test_what_a_link_of_common_words_leads_to_is_named_after_it() -> None:
    row = "<div class=row><span>{0}</span> <span>2:00 PM</span> <div class=title><a href='/events/{1}/board-meeting'>Board Meeting</a></div><a href='/docs/{1}'>{1} Attachments</a></div>"
    found = read(
        f"<h1>Calendar</h1>{each(row, *((day, str(at)) for at, day in enumerate(DAYS)))}", language="en"
    )
    assert found == [("Board Meeting", start) for start in STARTS]


@pytest.mark.parametrize(
    "header",
    ["<thead><tr><th>Date</th><th>Category</th><th>Meeting name</th><th>Place</th></tr></thead>",
     "<tr><td>When</td><td>Type</td><td>What</td><td>Where</td></tr>"],
)  # fmt: skip
def test_a_tables_header_tells_which_cell_is_the_title(header: str) -> None:
    row = "<tr><td>{0}<br>2:00 PM</td><td>Open meetings</td><td>{1}</td><td><a href='/rooms/{2}'>Room {2}</a></td></tr>"
    names = ("Committee on Rivers", "Committee on Bridges", "Board of Locks", "Committee on Rivers")
    rows = [(day, name, str(at)) for at, (day, name) in enumerate(zip(DAYS, names, strict=True))]
    found = read(f"<h1>Notices</h1><table>{header}{each(row, *rows)}</table>", language="en")
    assert found == list(zip(names, STARTS, strict=True))


def test_rows_of_documents_are_named_by_the_part_that_unfolds_around_them() -> None:
    row = "<tr><td>{0}</td><td>2:00 PM</td><td><a href='https://drive.google.com/file/d/{1}/view'>Meeting Notice</a></td><td><a href='/f/{1}.pdf'>Agenda &amp; Documents</a></td></tr>"
    table = f"<table><tr><th>Date</th><th>Time</th><th>Updates</th><th>Papers</th></tr>{each(row, *((day, str(at)) for at, day in enumerate(DAYS)))}</table>"
    tabs = "".join(
        f"<div role=tab class=fold><a href=''>{name}</a></div><div role=tabpanel>{table}</div>"
        for name in ("Board of Locks", "Committee on Rivers")
    )
    found = read(f"<h1>Meetings</h1>{tabs}", language="en")
    assert sorted(set(found)) == sorted(
        (name, start) for name in ("Board of Locks", "Committee on Rivers") for start in STARTS
    )


def test_what_and_where_name_a_title_and_a_place() -> None:
    row = "<div class=item><p class=item_when>{2} <time>2:00 PM</time></p><p class=item_what><a href='/event/{1}'>{0}</a></p><p class=item_where><a href='/venue/town-hall-{1}'>Town Hall {1}</a></p></div>"
    names = (("Kung Fu for Kids", "kung-fu"), ("Ceramics on Monday", "ceramics"), ("Health Fair", "fair"))
    rows = [(*name, day) for name, day in zip(names, DAYS[:3], strict=True)]
    assert [title for title, _ in read(each(row, *rows), language="en")] == [name for name, _ in names]


def test_what_stood_before_a_day_and_time_is_no_part_of_a_title() -> None:
    assert (
        as_title("Stories for the youngest on Tuesday, December 8 at 10:30am") == "Stories for the youngest"
    )


def test_a_page_whose_only_row_holds_the_sites_logo_is_its_headlines_event() -> None:
    """The day of another row that leads home is today's, in a header."""
    body = "<div><div><a href='/'><img src=logo.png></a><h1>Your box office</h1></div><div><h1>Leicester Comedy Club</h1><div><blockquote><p>London, Storm Rooms</p><p><em>Tue 8th Dec, 2026</em></p></blockquote><p>{}</p></div></div></div>".format(
        "The best comedians of the town. " * 20
    )
    page = f"<html><head><title>Box office - Leicester Comedy Club</title></head><body>{body}</body></html>"
    found = extract(page, url="https://box.test/event/145", kind="event", now=NOW)
    assert [(item["title"], str(item["starts_at"])[:10]) for item in found.items] == [
        ("Leicester Comedy Club", "2026-12-08")
    ]


def test_rows_of_links_to_documents_are_named_by_the_text_alone_behind_them() -> None:
    row = "<div class='row meeting'><div class=top><a href='/detail?id={2}' title='{0}'>{0} 2:00 PM</a><a href=''>Agenda</a><a href=''>Agenda Packet</a><a href=''>Summary</a><a href=''>Video</a></div><div class=bottom><div class=details>{1}</div></div></div>"
    names = ("Mayor and Council - Regular", "Tree Board", "Trails Board", "Tree Board")
    rows = [(day, name, str(at)) for at, (day, name) in enumerate(zip(DAYS, names, strict=True))]
    page = f"<html><head><title>Meeting Portal - Elm</title></head><body>{each(row, *rows)}</body></html>"
    assert read(page, language="en") == list(zip(names, STARTS, strict=True))


def test_what_a_card_calls_its_title_may_be_common_words_that_its_address_repeats() -> None:
    row = "<a class=event href='/upcoming/{1}/'><span class=icon><b>{2}</b> <b>Dec</b></span><strong class=title>{0}</strong><span class=time>Time: Monday, 1:00-4:00 PM</span></a>"
    names = (
        ("Committee Meetings", "committee-meetings"),
        ("Public Hearings", "public-hearings"),
        ("City Council", "city-council"),
    )
    rows = [(*name, day) for name, day in zip(names, ("7", "14", "21"), strict=True)]
    assert [title for title, _ in read(each(row, *rows), language="en")] == [name for name, _ in names]


def test_a_row_that_is_published_is_no_day_of_publishing() -> None:
    row = "<article class='node state--published'><div><div class=date-icon><i>Dec</i><i>{2} - 24</i><i>2026</i></div><h3><a href='/e/{1}'>{0}</a></h3></div></article>"
    names = (("Art Contest", "contest"), ("Puzzle Swap", "swap"), ("Dress Drive", "drive"))
    rows = [(*name, day) for name, day in zip(names, ("7", "14", "21"), strict=True)]
    assert [at for _, at in read(each(row, *rows), language="en")] == [
        "2026-12-07",
        "2026-12-14",
        "2026-12-21",
    ]


def test_the_cell_below_a_place_is_no_title() -> None:
    """The meetings of the page's own body: when and where, and nothing else."""
    row = "<tr><td>{0}</td><td>2:00 PM</td><td>{1}</td></tr>"
    places = ("Flynn Pavilion", "Belle Nature Zoo", "Belle Nature Zoo", "Boat House")
    header = "<thead><tr><th>Date</th><th>Time</th><th>Location</th></tr></thead>"
    table = f"<table>{header}<tbody>{each(row, *zip(DAYS, places, strict=True))}</tbody></table>"
    page = f"<html><head><title>River Park Advisory Committee</title></head><body><main><h1>River Park Advisory Committee</h1><h2>Dates</h2>{table}</main></body></html>"
    found = extract(page, url="https://park.test/committee/river-park", kind="event", now=NOW)
    shown = [(item["title"], str(item["starts_at"])[:16]) for item in found.items]
    assert shown == [("River Park Advisory Committee", start) for start in STARTS]


def test_each_column_of_a_line_of_titled_columns_is_a_row() -> None:
    column = "<div class=col><div><p><strong>{0}<br></strong>{1} at 2 p.m.<br><strong>{2}<br></strong>1 Elm Street, Elm, OH 44115</p></div></div>"
    line = "<div><div class=container><div class=row>{}</div></div></div>"
    names = ("Trustees in Spring", "Trustees in Autumn", "Audit of the Trust", "Gala", "Fair", "Quiz", "Ball")
    days = (*DAYS, "February 9, 2027", "March 9, 2027", "April 13, 2027")
    named = list(zip(names, days, strict=True))
    cells = [column.format(name, day, f"Hall {at}") for at, (name, day) in enumerate(named)]
    lines = "".join(line.format("".join(cells[at : at + 3])) for at in (0, 3, 6))
    found = read(f"<h1>Schedule</h1>{lines}", language="en")
    assert [title for title, _ in found] == [name for name, _ in named]


def test_a_schedule_is_named_by_whose_meetings_it_lists() -> None:
    row = "<p><strong>{0}, 2 p.m.</strong><br>Virtual meeting</p>"
    page = f"<html><head><title>Board Meeting Schedule 2026</title></head><body><main><h1>Board Meeting Schedule 2026</h1>{each(row, *((day,) for day in DAYS))}</main></body></html>"
    found = extract(page, url="https://library.test/board/board-meeting-schedule/", kind="event", now=NOW)
    assert {item["title"] for item in found.items} == {"Board Meeting Schedule 2026"}
    assert [str(item["starts_at"])[:16] for item in found.items] == STARTS


def test_a_name_that_returns_does_not_lose_to_the_house_above_an_address() -> None:
    row = "<div class=col><p><strong>Trustees {3} Meeting<br></strong>{0} at 2 p.m.<br><strong>{1}<br></strong>{2} Mill Street, Delft</p></div>"
    houses = ("Museum of Mills", "Public Library", "Town Archive", "House of Trade")
    names = ("Regular", "Regular", "Annual", "Regular")
    days = ((day, houses[at], str(10 + at), names[at]) for at, day in enumerate(DAYS))
    found = read(f"<h1>Trustees of the Mills</h1><div>{each(row, *days)}</div>", language="en")
    assert found == [(f"Trustees {name} Meeting", start) for name, start in zip(names, STARTS, strict=True)]


@pytest.mark.parametrize("house", ["", " – Mill House"])
def test_a_headline_that_announces_documents_names_no_meeting_where_sections_do(house: str) -> None:
    row = "<tr><td>{0} - 2:00 PM<br>Mill House, Conference Room 5</td><td><a href='/{1}.pdf'>Agenda</a></td></tr>"
    table = f"<table>{each(row, *((day, str(at)) for at, day in enumerate(DAYS)))}</table>"
    names = ("Meetings of the Trustees", "Audit Committee Meetings", "Finance Committee Meetings")
    body = "".join(f"<section><h2><a href='#{name[0]}'>{name}</a></h2>{table}</section>" for name in names)
    page = f"<h1>Board &amp; Committee Meetings, Agendas &amp; Minutes{house}</h1>{body}"
    found = extract(page, url="https://mills.test/board/meetings", kind="event", now=NOW).items
    assert [(item["title"], item["starts_at"][:16]) for item in found] == [
        (name, start) for name in names for start in STARTS
    ]


def test_one_cancelled_meeting_of_a_list_says_nothing_of_the_others() -> None:
    lines = "<p>{0} 2026 at 1:00 pm</p><p>{1} 2026 at 1:00 pm <b>CANCELLED</b></p><p>{2} 2026 at 1:00 pm (tentative)</p>"
    body = (
        f"<div><h3>Finance Committee</h3>{lines.format('November 3', 'November 10', 'November 17')}</div>"
        f"<div><h3>Review Board</h3>{lines.format('December 1', 'December 8', 'December 15')}</div>"
    )
    found = extract(
        f"<html lang=en><body><h1>Meetings</h1>{body}",
        url="https://town.test/meetings",
        kind="event",
        now=NOW,
    )
    assert [(item["title"], item["starts_at"][5:10], item.get("status")) for item in found.items] == [
        ("Finance Committee", "11-03", None),
        ("Finance Committee", "11-10", "cancelled"),
        ("Finance Committee", "11-17", None),
        ("Review Board", "12-01", None),
        ("Review Board", "12-08", "cancelled"),
        ("Review Board", "12-15", None),
    ]
