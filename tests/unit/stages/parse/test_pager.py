"""Is there a next page, and how many rows are claimed?"""

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.look import Look
from larder.stages.parse.pager import advertised, is_last


def look(html: str) -> Look:
    return Look(page=Page("https://x.test/", html), kind=Kind.LISTING, purpose=Purpose.INDEX)


@pytest.mark.parametrize(
    ("html", "last"),
    [
        pytest.param("<link rel=next href=?page=2>", False, id="a link in the head"),
        pytest.param("<a rel='nofollow next' href=?page=2>2</a>", False, id="a link marked next"),
        pytest.param("<nav><a href=?p=2>Volgende</a></nav>", False, id="a word in Dutch"),
        pytest.param("<div class=pagination><a href=?p=2>›</a></div>", False, id="an arrow"),
        pytest.param("<a class='next page' href=?p=2>go on</a>", False, id="a class"),
        pytest.param(
            "<div class=pagination><a href=?p=1>1</a><a class='next disabled' href=#>Next</a></div>",
            True,
            id="switched off",
        ),
        pytest.param("<p>Page 3 of 7</p>", False, id="three of seven"),
        pytest.param("<p>Seite 7 von 7</p>", True, id="seven of seven"),
        pytest.param("<a rel=prev href=?page=1>1</a>", True, id="only a way back"),
        pytest.param("<p>Flats</p>", None, id="no word about it"),
    ],
)
def test_the_last_page_is_known_by_what_it_shows(html: str, last: bool | None) -> None:
    assert is_last(look(html)) is last


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Showing 1-30 of 1,204 results", 1204),
        ("12.345 Treffer", 12345),
        ("31 advertenties", 31),
        ("No number here", None),
        ("Page 2 of 7", None),
    ],
)
def test_the_claimed_number_of_rows(text: str, rows: int | None) -> None:
    assert advertised(look(f"<p>{text}</p>")) == rows
