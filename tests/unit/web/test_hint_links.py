"""Hints name commands; a page has links instead."""

import pytest

from larder.web.hint_links import Way, way


@pytest.mark.parametrize(
    ("hint", "found"),
    [
        ("", Way("")),
        ("write digits only", Way("write digits only")),
        ("choose another --folder", Way("")),
        ("see: larder run list", Way("", "/admin/runs", "See the runs")),
        (
            "stop it first: larder run stop 7",
            Way("stop it first", "/admin/runs/7", "See run 7"),
        ),
        (
            "read them, then: larder site review a.test",
            Way("read them", "/admin/sites/a.test", "See site a.test"),
        ),
        (
            "put it right: larder quarantine release 3 --set price=12.50",
            Way("put it right", "/admin/quarantine/3", "See the item 3"),
        ),
        (
            "see: larder adapter heal homes",
            Way("", "/admin/sources/homes/healing", "See adapter homes"),
        ),
        (
            "start another, or resume it: larder run --help",
            Way("start another, or resume it", "/admin/runs", "See the runs"),
        ),
        ("run: larder db upgrade", Way("")),
    ],
)
def test_a_command_becomes_the_page_of_its_noun(hint: str, found: Way) -> None:
    assert way(hint) == found
