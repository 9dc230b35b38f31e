"""Rows built as the dated ones beside them, whose day cannot be read, are counted; others are not."""

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.extraction_task import ExtractionTask

DATED = "".join(
    f"<li class=ev><b>Concert {name}</b> <span>{n} December 2026</span></li>"
    for n, name in ((4, "One"), (6, "Two"), (9, "Three"))
)


def undated(body: str) -> list[tuple[str, str]]:
    page = Page("https://hall.test/events", f"<html lang=en><body><main><h1>Events</h1>{body}</main>")
    task = ExtractionTask(page=page, kind=Kind.EVENT, purpose=Purpose.INDEX)
    found = visible_events(task)
    assert len(found) >= 3
    return [
        (item.fields["title"], item.fields["date_text"])
        for item in found
        if "декабря" in item.block or "XII" in item.block
    ]


def test_a_row_whose_day_is_in_letters_that_are_not_read_is_counted() -> None:
    row = "<li class=ev><b>Vespers</b> <span>12 декабря 2026</span></li>"
    assert undated(f"<ul>{DATED}{row}</ul>") == [("Vespers", "Vespers 12 декабря 2026")]


def test_a_row_of_a_table_is_counted_by_its_cells() -> None:
    rows = "".join(
        f"<tr><td>{n} December 2026</td><td>Concert {name}</td></tr>"
        for n, name in ((4, "One"), (6, "Two"), (9, "Three"))
    )
    assert undated(f"<table>{rows}<tr><td>12 XII 2026</td><td>Vespers</td></tr></table>") == [
        ("12 XII 2026", "12 XII 2026 Vespers")
    ]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("<li class=note><b>Tickets</b> from 12 декабря</li>", id="built otherwise"),
        pytest.param("<li class=ev><a href='/e/1'>Vespers</a> 12 декабря</li>", id="its own page is read"),
        pytest.param("<li class=ev><b>Vespers (декабря)</b> to be announced</li>", id="no day"),
    ],
)
def test_what_is_no_unread_row_is_not_counted(row: str) -> None:
    assert undated(f"<ul>{DATED}{row}</ul>") == []
