"""Where an event takes place, by the words and columns that say so."""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.sdk.page import Page
from larder.stages.parse.agenda.venues import venue_of


@pytest.mark.parametrize(
    ("body", "venue"),
    [
        ("<p>Zaal</p><p>Kleine zaal</p>", "Kleine zaal"),
        ("<p>Zaal open</p><p>19:00</p>", ""),
        ("<p>Meeting location:</p><p>Council Chambers</p>", "Council Chambers"),
        ("<p class=location>Market Place</p>", "Market Place"),
        ("<p>Ort: Stadthalle</p>", "Stadthalle"),
    ],
)
def test_a_venue_stands_behind_its_label(body: str, venue: str) -> None:
    (row,) = Page("https://a.test/", f"<body><article>{body}</article></body>").css("article")
    assert venue_of(row) == venue


def test_a_venue_stands_below_the_heading_of_its_column() -> None:
    table = "<table><tr><th>Name</th><th>Meeting Location</th></tr><tr class=own><td>Board</td><td>Room 210</td></tr></table>"
    (row,) = Page("https://a.test/", f"<body>{table}</body>").css("tr.own")
    assert venue_of(row) == "Room 210"
